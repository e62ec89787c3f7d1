#include "app/desktop/panels/hint_row.h"

#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/text/choice_text.h"
#include "model/advise/plan_view.h"

#include <QLabel>
#include <QToolButton>

namespace headroom::app {

HintRow::HintRow(QWidget* parent) : QWidget(parent), m_flow(new FlowLayout(this))
{
    setAccessibleName(tr("Worth trying"));
    hide();
}

void HintRow::setTabAfter(QWidget* widget) { m_flow->setTabAfter(widget); }

void HintRow::setPlan(const PlanView& planView)
{
    m_flow->clear();
    const std::vector<Hint>& hints = planView.sizing->hints;
    setVisible(!hints.empty());
    if (hints.empty())
        return;
    auto* title = new QLabel(tr("Worth trying:"), this);
    title->setForegroundRole(QPalette::PlaceholderText);
    m_flow->addWidget(title);
    title->show();
    for (std::size_t i = 0; i < hints.size(); ++i) {
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("hint"));
        button->setText(hintTitle(hints[i]));
        button->setToolTip(hintWords(hints[i]));
        button->setAccessibleName(tr("Try %1").arg(button->text()));
        button->setAccessibleDescription(button->toolTip());
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::clicked, this, [this, i] { emit chosen(static_cast<int>(i)); });
        m_flow->addWidget(button);
        button->show();
    }
    updateGeometry();
}

QStringList HintRow::texts() const
{
    QStringList texts;
    for (int i = 0; i < m_flow->count(); ++i)
        if (const auto* button = qobject_cast<QToolButton*>(m_flow->itemAt(i)->widget()))
            texts << button->text();
    return texts;
}

} // namespace headroom::app
