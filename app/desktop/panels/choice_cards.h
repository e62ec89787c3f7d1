#pragma once

#include <QWidget>

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
    [[nodiscard]] QStringList texts() const;

signals:
    void pinned(int choice);
    void chosen(int place); // in choicesOf() of the plan that was set

private:
    FlowLayout* m_flow;
};

} // namespace headroom::app
