#include "app/desktop/panels/choice_cards.h"

#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/text/choice_text.h"
#include "app/desktop/text/quantities.h"
#include "model/advise/choices.h"
#include "model/advise/plan_view.h"
#include "model/report/layout_text.h"

#include <QAction>
#include <QApplication>
#include <QToolButton>

#include <algorithm>

namespace headroom::app {

namespace {

QString cardText(const Choice& choice, bool hasTargets)
{
    const Candidate& service = *choice.service;
    QStringList parts{QString::fromStdString(machinesText(service))};
    if (const Service& money = service.point.prediction.service; money.priceKnown)
        parts << perHourText(money.price);
    if (hasTargets)
        parts << confidenceText(service.confidence);
    const Source evidence = service.evidence();
    const QString badge = evidence == Source::Prior ? ChoiceCards::tr("⚠ estimated") : sourceText(evidence);
    return choiceTitle(choice) + QStringLiteral(" · ") + badge + u'\n' + parts.join(QStringLiteral(" · "));
}

} // namespace

ChoiceCards::ChoiceCards(QWidget* parent) : QWidget(parent), m_flow(new FlowLayout(this))
{
    setAccessibleName(tr("Services to choose from"));
    hide();
}

void ChoiceCards::setTabAfter(QWidget* widget) { m_flow->setTabAfter(widget); }

QWidget* ChoiceCards::last() const { return m_flow->count() > 0 ? cards().constLast() : nullptr; }

QVector<QToolButton*> ChoiceCards::cards() const
{
    QVector<QToolButton*> cards;
    for (int i = 0; i < m_flow->count(); ++i)
        cards << qobject_cast<QToolButton*>(m_flow->itemAt(i)->widget());
    return cards;
}

template <typename Change>
void ChoiceCards::keepPlace(const Change& change)
{
    const qsizetype at = cards().indexOf(qobject_cast<QToolButton*>(QApplication::focusWidget()));
    change();
    if (at < 0)
        return;
    m_left = at;
    m_instead = QApplication::focusWidget();
}

void ChoiceCards::comeBack()
{
    const QVector<QToolButton*> all = cards();
    if (m_left >= 0 && QApplication::focusWidget() == m_instead && isVisible())
        all[std::min(m_left, all.size() - 1)]->setFocus(Qt::OtherFocusReason);
    m_left = -1;
}

void ChoiceCards::setReachable(bool reachable)
{
    keepPlace([&] { setEnabled(reachable); });
}

void ChoiceCards::setPlan(const PlanView& planView)
{
    keepPlace([&] { m_flow->clear(); });
    const Choices choices = choicesOf(*planView.sizing);
    for (std::size_t i = 0; i < choices.all.size(); ++i) {
        const bool recommended = i == choices.recommended;
        auto* card = new QToolButton(this);
        card->setObjectName(QStringLiteral("card"));
        card->setText((recommended ? QStringLiteral("★ ") : QString())
                      + cardText(choices.all[i], planView.asked.targets.any()));
        card->setCheckable(true);
        card->setChecked(recommended);
        card->setFocusPolicy(Qt::StrongFocus);
        card->setAccessibleName(card->text().replace(u'\n', QStringLiteral(", ")));
        card->setToolTip(recommended ? tr("Recommended: %1").arg(recommendedWords(choices))
                                     : tr("Takes this one: the plan and its report are of it"));
        connect(card, &QToolButton::clicked, this, [this, card, i, recommended] {
            card->setChecked(recommended);
            if (!recommended)
                emit chosen(static_cast<int>(i));
        });
        // The right button or the Menu key offers it.
        auto* pin = new QAction(tr("Pin"), card);
        connect(pin, &QAction::triggered, this, [this, i] { emit pinned(static_cast<int>(i)); });
        card->addAction(pin);
        card->setContextMenuPolicy(Qt::ActionsContextMenu);
        m_flow->addWidget(card);
        card->show();
    }
    setVisible(choices.all.size() > 1);
    updateGeometry();
    comeBack();
}

QStringList ChoiceCards::texts() const
{
    QStringList texts;
    for (const QToolButton* card : cards())
        texts << card->text();
    return texts;
}

} // namespace headroom::app
