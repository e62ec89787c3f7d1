#include "app/desktop/panels/choice_cards.h"

#include "app/desktop/panels/flow_layout.h"
#include "app/desktop/text/choice_text.h"
#include "app/desktop/text/quantities.h"
#include "model/advise/choices.h"
#include "model/advise/plan_view.h"
#include "model/report/layout_text.h"
#include "model/scenario/stated_load.h"

#include <QAction>
#include <QApplication>
#include <QRegularExpression>
#include <QToolButton>

#include <algorithm>

namespace headroom::app {

namespace {

QString cardText(const Choice& choice, bool isPromised)
{
    const Candidate& service = *choice.service;
    QStringList parts{QString::fromStdString(machinesText(service))};
    if (const Service& money = service.point.prediction.service; money.priceKnown)
        parts << perHourText(money.price);
    if (isPromised)
        parts << confidenceText(service.confidence);
    const Source evidence = service.evidence();
    const QString badge = evidence == Source::Prior ? ChoiceCards::tr("⚠ estimated") : sourceText(evidence);
    return choiceTitle(choice) + QStringLiteral(" · ") + badge + u'\n' + parts.join(QStringLiteral(" · "));
}

// The same for a narrow window: three stand side by side there. The tip tells whose a GPU is and its memory.
QString shortText(const Choice& choice, bool isPromised)
{
    static const QRegularExpression makerOrMemory(
        QStringLiteral("(NVIDIA|AMD|Intel)( Instinct)? | \\d+GB\\b"));
    const Candidate& service = *choice.service;
    QString machines = QString::fromStdString(machinesText(service));
    machines.remove(makerOrMemory);
    QStringList parts{machines};
    if (const Service& money = service.point.prediction.service; money.priceKnown)
        parts << perHourText(money.price);
    if (isPromised)
        parts << probabilityText(service.confidence);
    return (service.evidence() == Source::Prior ? QStringLiteral("⚠ ") : QString()) + choiceTitle(choice)
        + u'\n' + parts.join(QStringLiteral(" · "));
}

constexpr int leastForWords = 820; // px
const char* const wholeProperty = "whole";
const char* const shortProperty = "short";

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
        const QString mark = recommended ? QStringLiteral("★ ") : QString();
        const bool isPromised = mayMiss(planView.asked);
        card->setText(mark + cardText(choices.all[i], isPromised));
        card->setProperty(wholeProperty, card->text());
        card->setProperty(shortProperty, mark + shortText(choices.all[i], isPromised));
        card->setCheckable(true);
        card->setChecked(recommended);
        card->setFocusPolicy(Qt::StrongFocus);
        card->setAccessibleName(card->text().replace(u'\n', QStringLiteral(", ")));
        const QString effect = recommended ? tr("Recommended: %1").arg(recommendedWords(choices))
                                           : tr("Takes this one: the plan and its report are of it");
        card->setToolTip(card->text() + QStringLiteral("\n\n") + effect);
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
    fitWords();
    updateGeometry();
    comeBack();
}

void ChoiceCards::fitWords()
{
    for (QToolButton* card : cards())
        card->setText(card->property(width() < leastForWords ? shortProperty : wholeProperty).toString());
}

void ChoiceCards::resizeEvent(QResizeEvent* event)
{
    fitWords();
    QWidget::resizeEvent(event);
}

QStringList ChoiceCards::texts() const
{
    QStringList texts;
    for (const QToolButton* card : cards())
        texts << card->text();
    return texts;
}

} // namespace headroom::app

#include "moc_choice_cards.cpp"
