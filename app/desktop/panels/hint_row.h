#pragma once

#include <QVector>
#include <QWidget>

class QToolButton;

namespace headroom {
struct Hint;
struct PlanView;
} // namespace headroom

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

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addHint(const Hint& hint, int place);
    void fold(); // a narrow window shows the first, and the others in a menu

    FlowLayout* m_flow;
    QVector<QToolButton*> m_buttons;
    QToolButton* m_more = nullptr;
};

} // namespace headroom::app
