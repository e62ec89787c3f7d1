#include "app/desktop/text/choice_text.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/choices.h"
#include "model/report/layout_text.h"

#include <QStringList>

namespace headroom::app {

namespace {

QString inWords(const Candidate& service)
{
    const QString machines = QString::fromStdString(machinesText(service));
    const Service& money = service.point.prediction.service;
    return money.priceKnown ? tr("%1 at %2").arg(machines, perHourText(money.price)) : machines;
}

} // namespace

QString choiceTitle(const Choice& choice)
{
    QStringList kinds;
    for (const ChoiceKind kind : choice.kinds)
        kinds << modelText(choiceText(kind));
    QString title = kinds.join(tr(", "));
    if (!title.isEmpty())
        title[0] = title[0].toUpper();
    return title;
}

QString hintTitle(const Hint& hint)
{
    const bool cheaper = priced(hint.answer) && priced(hint.instead);
    const bool work = hint.scenario.objective == Objective::MostThroughput;
    return (hint.saved > 0 ? cheaper ? tr("%1 (%2 less)") : tr("%1 (%2 fewer GPUs)")
                : work ? tr("%1 (%2 more work)")
                           : tr("%1 (%2 more users)"))
        .arg(modelText(hint.change), percentText(hint.saved > 0 ? hint.saved : hint.more));
}

QString hintWords(const Hint& hint)
{
    QStringList parts{tr("%1 in place of %2").arg(inWords(hint.answer), inWords(hint.instead))};
    if (hint.kind != Hint::Kind::Target && hint.answer.confidence > 0)
        parts << confidenceText(hint.answer.confidence);
    if (hint.kind == Hint::Kind::Types)
        parts << tr("answers may get worse: test them");
    return parts.join(QStringLiteral(" · "));
}

QString recommendedWords(const Choices& choices) { return modelText(recommendedText(choices.because)); }

} // namespace headroom::app
