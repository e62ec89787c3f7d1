#include "app/desktop/panels/hint_row.h"

#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/text/choice_text.h"
#include "model/advise/plan_view.h"

#include <QLabel>
#include <QMenu>
#include <QToolButton>

namespace headroom::app {

namespace {
constexpr int leastForAll = 820; // px: narrower, they would take a line from the view
}

HintRow::HintRow(QWidget* parent) : QWidget(parent), m_flow(new FlowLayout(this))
{
    setAccessibleName(tr("Worth trying"));
    hide();
}

void HintRow::setTabAfter(QWidget* widget) { m_flow->setTabAfter(widget); }

void HintRow::addHint(const Hint& hint, int place)
{
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("hint"));
    button->setText(hintTitle(hint));
    button->setToolTip(hintWords(hint));
    button->setAccessibleName(tr("Try %1").arg(button->text()));
    button->setAccessibleDescription(button->toolTip());
    button->setFocusPolicy(Qt::StrongFocus);
    connect(button, &QToolButton::clicked, this, [this, place] { emit chosen(place); });
    m_flow->addWidget(button);
    button->show();
    m_buttons << button;
    if (place == 0)
        return;
    m_more->menu()->addAction(button->text() + QStringLiteral(" · ") + button->toolTip(), this,
                              [this, place] { emit chosen(place); });
}

void HintRow::setPlan(const PlanView& planView)
{
    m_flow->clear();
    m_buttons.clear();
    const std::vector<Hint>& hints = planView.sizing->hints;
    setVisible(!hints.empty());
    if (hints.empty())
        return;
    auto* title = new QLabel(tr("Worth trying:"), this);
    title->setForegroundRole(QPalette::PlaceholderText);
    title->setContentsMargins(0, 4, 0, 4); // px: on the line of the buttons
    m_flow->addWidget(title);
    title->show();
    m_more = new QToolButton(this);
    m_more->setMenu(new QMenu(m_more));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setText(QStringLiteral("+%1").arg(hints.size() - 1));
    m_more->setAccessibleName(tr("More to try"));
    m_more->setFocusPolicy(Qt::StrongFocus);
    for (std::size_t i = 0; i < hints.size(); ++i)
        addHint(hints[i], static_cast<int>(i));
    m_flow->addWidget(m_more);
    fold();
    updateGeometry();
}

void HintRow::fold()
{
    const bool narrow = width() < leastForAll;
    for (qsizetype i = 1; i < m_buttons.size(); ++i)
        m_buttons[i]->setVisible(!narrow);
    if (!m_buttons.isEmpty())
        m_more->setVisible(narrow && m_buttons.size() > 1);
}

void HintRow::resizeEvent(QResizeEvent* event)
{
    fold();
    QWidget::resizeEvent(event);
}

QStringList HintRow::texts() const
{
    QStringList texts;
    for (const QToolButton* button : m_buttons)
        texts << button->text();
    return texts;
}

} // namespace headroom::app

#include "moc_hint_row.cpp"
