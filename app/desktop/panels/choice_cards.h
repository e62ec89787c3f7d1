#pragma once

#include <QPointer>
#include <QVector>
#include <QWidget>

class QToolButton;

namespace headroom {
struct PlanView;
}

namespace headroom::app {

class FlowLayout;

// The services to choose from, a card for each: what it is chosen for, machines, price, how sure, and what
// that rests on. The recommended one is marked; a click takes another.
class ChoiceCards final : public QWidget {
    Q_OBJECT

public:
    explicit ChoiceCards(QWidget* parent = nullptr);
    // Nothing is shown where there is nothing to choose.
    void setPlan(const PlanView& planView);
    void setTabAfter(QWidget* widget);   // under Tab the cards follow it
    [[nodiscard]] QWidget* last() const; // of them, null where there are none
    // Cards of an answer that is not explained yet stay in sight. Whoever was on one by keys comes back to
    // it.
    void setReachable(bool reachable);
    [[nodiscard]] QStringList texts() const;

signals:
    void pinned(int choice);
    void chosen(int place); // in choicesOf() of the plan that was set

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitWords();
    [[nodiscard]] QVector<QToolButton*> cards() const;
    template <typename Change>
    void keepPlace(const Change& change);
    void comeBack();

    FlowLayout* m_flow;
    qsizetype m_left = -1;       // the card that had the keyboard when the cards were taken away
    QPointer<QWidget> m_instead; // what has had it since
};

} // namespace headroom::app
