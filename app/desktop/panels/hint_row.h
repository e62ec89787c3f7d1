#pragma once

#include <QWidget>

namespace headroom {
struct PlanView;
}

namespace headroom::app {

class FlowLayout;

// Changes that nobody asked for and that would save much, or carry much more: a click tries one.
class HintRow final : public QWidget {
    Q_OBJECT

public:
    explicit HintRow(QWidget* parent = nullptr);
    // Nothing is shown where there are none.
    void setPlan(const PlanView& planView);
    void setTabAfter(QWidget* widget); // under Tab they follow it
    [[nodiscard]] QStringList texts() const;

signals:
    void chosen(int place); // in the hints of the plan that was set

private:
    FlowLayout* m_flow;
};

} // namespace headroom::app
