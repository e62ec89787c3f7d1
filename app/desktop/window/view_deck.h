#pragma once

#include <QVector>
#include <QWidget>

#include <functional>

class QScrollArea;
class QStackedWidget;
class QTabBar;

namespace headroom {
struct Scenario;
}

namespace headroom::app {

class Document;
struct ExplainRequest;
class View;

// The views of a document under tabs. Each is built when it is looked at first: a start does not wait for
// charts that nobody has asked for.
class ViewDeck final : public QWidget {
    Q_OBJECT

public:
    explicit ViewDeck(QWidget* parent = nullptr);

    // `name` is stable, for settings and tests.
    void add(const QString& name, const QString& title, std::function<View*(QWidget*)> make);
    void setDocument(Document* document);
    void setUnread(bool unread);        // a question stands above that nobody has sent
    void showView(const QString& name); // nothing happens when there is none of that name
    void showView(int index);
    void step(int by); // to a neighbour, around the ends
    [[nodiscard]] QStringList names() const;
    [[nodiscard]] QStringList titles() const;
    [[nodiscard]] QString currentName() const;
    [[nodiscard]] View* current() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

signals:
    void explainRequested(const ExplainRequest& request);
    void pinRequested(const QString& title, const Scenario& scenario);

private:
    struct Entry {
        QString name;
        QString title;
        std::function<View*(QWidget*)> make;
        View* view = nullptr;
    };
    void select(int index);
    void fitHeight(); // of the view to what is in sight

    Document* m_document = nullptr;
    bool m_unread = false;
    QTabBar* m_tabs;
    QScrollArea* m_area;
    QStackedWidget* m_stack;
    QVector<Entry> m_entries;
};

} // namespace headroom::app
