#pragma once

#include <QFrame>
#include <QPointer>
#include <QVector>

#include <functional>

class QLineEdit;
class QListWidget;

namespace headroom::app {

// One thing that can be done, by its words.
struct Command {
    QString title;
    QString beside = {}; // its key, or what kind of thing it is
    std::function<void()> run;
    QString also = {}; // words that find it and are not shown
};

// Everything the window can do, by its words: typed, the first entry asks what was typed as a question, the
// others are commands that hold all of the words. Up and Down choose, Return does it, Escape goes back to
// where the keyboard was.
class CommandPalette final : public QFrame {
    Q_OBJECT

public:
    explicit CommandPalette(QWidget* over);

    // `all` is what can be done now; `ask` is told what was typed.
    void open(QVector<Command> all, std::function<void(const QString&)> ask);
    [[nodiscard]] QLineEdit* editor() const { return m_edit; }
    [[nodiscard]] QStringList entries() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void step(int by);
    void run();
    void leave();
    void place();

    QVector<Command> m_all;
    QVector<Command> m_shown;
    std::function<void(const QString&)> m_ask;
    QLineEdit* m_edit;
    QListWidget* m_list;
    QPointer<QWidget> m_before; // where the keyboard was
};

} // namespace headroom::app
