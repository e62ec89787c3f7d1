#include "app/desktop/text/plan_view_text.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "app/desktop/text/window_words.h"
#include "model/advise/plan_view.h"
#include "model/deploy/boxes.h"
#include "model/report/layout_text.h"
#include "model/resolve/money.h"
#include "model/resolve/prompt_pool.h"
#include "model/scenario/stated_load.h"
#include "model/search/job_time.h"
#include "model/search/safe_confidence.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace headroom::app {

Scenario chosenScenario(const PlanView& planView)
{
    const auto readable = [](std::optional<double>& number) {
        constexpr int digits = 4;
        if (number)
            number = QString::number(*number, 'g', digits).toDouble();
    };
    Scenario chosen = planView.resolved.scenario;
    if (chosen.batch != planView.asked.batch)
        readable(chosen.batch);
    if (chosen.requestsPerSecond != planView.asked.requestsPerSecond)
        readable(chosen.requestsPerSecond);
    if (const auto& prompts = planView.answer().prompts) { // what was resolved is the pool that decodes
        chosen.gpuCount = planView.answer().gpus();
        chosen.prefill = promptPoolAs(prompts->deployment, chosen.prefill);
    }
    return chosen;
}

QString answerHeadline(const PlanView& planView)
{
    return QString::fromStdString(machinesText(planView.answer()));
}

QString answerTitle(const PlanView& planView)
{
    if (planView.sizing->meets)
        return answerHeadline(planView);
    return planView.asked.targets.any() ? tr("Nothing meets the targets") : tr("It does not fit");
}

QString questionText(const PlanView& planView)
{
    const Scenario& asked = planView.asked;
    const Load& load = planView.resolved.load;
    const Scenario untouched;
    QStringList parts{QString::fromStdString(planView.resolved.deployment.llm->name)};
    if (asked.prompt != untouched.prompt || asked.output != untouched.output)
        parts << tr("%1 prompt and %2 output tokens")
                     .arg(wholeText(load.promptTokens), wholeText(load.outputTokens));
    if (asked.concurrency)
        parts << (*asked.concurrency == 1 ? tr("one user")
                                          : tr("%1 users at once").arg(wholeText(*asked.concurrency)));
    if (asked.requestsPerSecond)
        parts << text(RequestsPerSecond(*asked.requestsPerSecond), Zeros::Dropped);
    if (const auto requests = requestsOfJob(asked))
        parts << (asked.deadline ? tr("a job of %1 requests within %2")
                                       .arg(wholeText(*requests), text(*asked.deadline, Zeros::Dropped))
                                 : tr("a job of %1 requests").arg(wholeText(*requests)));
    const Targets& targets = asked.targets;
    if (targets.tokensPerSecond)
        parts << tr("%1 for each user").arg(text(TokensPerSecond(*targets.tokensPerSecond), Zeros::Dropped));
    if (targets.ttft)
        parts << tr("first token within %1").arg(text(*targets.ttft, Zeros::Dropped));
    if (targets.tpot)
        parts << tr("each token within %1").arg(text(*targets.tpot, Zeros::Dropped));
    if (targets.latency)
        parts << tr("answer within %1").arg(text(*targets.latency, Zeros::Dropped));
    if (targets.any() && targets.percentile != untouched.targets.percentile)
        parts << tr("for %1 of the requests").arg(percentText(targets.percentile / 100));
    return parts.join(QStringLiteral(" · "));
}

QVector<UsualValue> usualValuesOf(const PlanView& planView)
{
    const Scenario& asked = planView.asked;
    const Scenario untouched;
    QVector<UsualValue> parts;
    if (asked.trace.empty() && asked.prompt == untouched.prompt)
        parts << UsualValue{tr("prompts of %1 tokens").arg(wholeText(planView.resolved.load.promptTokens)),
                            "prompt"};
    if (asked.trace.empty() && asked.output == untouched.output)
        parts << UsualValue{tr("answers of %1 tokens").arg(wholeText(planView.resolved.load.outputTokens)),
                            "output"};
    if (asked.engine == untouched.engine)
        parts << UsualValue{
            tr("engine %1").arg(QString::fromStdString(planView.resolved.deployment.engine->name)), "engine"};
    if (asked.targets.any() && asked.targets.percentile == untouched.targets.percentile)
        parts << UsualValue{
            tr("targets hold for %1 of the requests").arg(percentText(asked.targets.percentile / 100)),
            "percentile"};
    return parts;
}

QStringList usualValues(const PlanView& planView)
{
    QStringList words;
    for (const UsualValue& usual : usualValuesOf(planView))
        words << usual.text;
    return words;
}

QString answerSubline(const PlanView& planView)
{
    const Deployment& d = planView.resolved.deployment;
    QStringList parts;
    if (!planView.sizing->meets)
        parts << tr("nearest: %1").arg(answerHeadline(planView));
    parts << QStringList{QString::fromStdString(d.llm->name),
                         tr("%1 weights").arg(QString::fromUtf8(name(d.weights).data())),
                         tr("%1 KV cache").arg(QString::fromUtf8(name(d.kv).data()))};
    const Layout& l = d.layout;
    QStringList split;
    if (l.tp > 1)
        split << QStringLiteral("TP %1").arg(l.tp);
    if (l.pp > 1)
        split << QStringLiteral("PP %1").arg(l.pp);
    if (l.dp > 1)
        split << QStringLiteral("DP %1").arg(l.dp);
    if (l.ep > 1)
        split << QStringLiteral("EP %1").arg(l.ep);
    if (l.replicas > 1)
        split << tr("%1 replicas").arg(l.replicas);
    if (!split.isEmpty())
        parts << split.join(QStringLiteral(" × "));
    if (const auto& prompts = planView.answer().prompts)
        parts << tr("prompts on %1 × %2")
                     .arg(prompts->deployment.layout.gpus())
                     .arg(modelText(layoutText(prompts->deployment.layout)));
    parts << QString::fromStdString(d.engine->name);
    return parts.join(QStringLiteral(" · "));
}

QString jobTimeWords(const PlanView& planView)
{
    const std::optional<JobTime> job = jobTime(*planView.sizing);
    if (!job)
        return {};
    const QString time = text(job->time);
    return planView.asked.deadline
        ? tr("The job takes %1 of the %2 it may").arg(time, text(*planView.asked.deadline, Zeros::Dropped))
        : tr("The job takes %1").arg(time);
}

QString verdictText(const PlanView& planView)
{
    const SizingPlan& sizing = *planView.sizing;
    if (!sizing.meets) {
        QString reason = modelText(sizing.reason);
        if (!reason.isEmpty())
            reason[0] = reason[0].toUpper();
        return reason;
    }
    if (const QString job = jobTimeWords(planView); !job.isEmpty() && !planView.asked.targets.any())
        return worksOffJob(planView.asked)
            ? QStringLiteral("%1, %2").arg(job, confidenceText(planView.answer().confidence))
            : job;
    if (!planView.asked.targets.any())
        return planView.prediction.memory.fits ? tr("Fits; no target was set") : tr("Does not fit");
    QString out = tr("Meets the targets, %1").arg(confidenceText(planView.answer().confidence));
    if (sizing.safe && sizing.safe->gpus() != planView.answer().gpus())
        out += QStringLiteral(" · ")
            + tr("%1 × %2 to be safe")
                  .arg(sizing.safe->gpus())
                  .arg(QString::fromStdString(sizing.safe->deployment.gpu->name));
    return out;
}

Tone verdictTone(const PlanView& planView)
{
    if (!planView.sizing->meets || !planView.prediction.memory.fits)
        return Tone::Bad;
    // What nothing was measured for is not promised in green.
    const bool sure = timesSource(planView) != Source::Prior
        && (!mayMiss(planView.asked) || planView.answer().confidence >= safeConfidence);
    return sure ? Tone::Good : Tone::Doubtful;
}

Source timesSource(const PlanView& planView)
{
    const OperatingPoint& point = planView.answer().point;
    return worse(point.tpot.source, point.ttft.source);
}

namespace {

// What it carries: users, and the requests that they make.
QString carriedText(const PlanView& planView)
{
    const Candidate& answer = planView.answer();
    const QString rate = text(RequestsPerSecond(answer.maxRequestsPerSecond));
    const QString users = wholeText(answer.maxConcurrency);
    if (const std::optional<JobTime> job = jobTime(*planView.sizing)) // of its users nobody waits
        return job->price ? tr("Does the job at %1 for %2").arg(rate, text(*job->price))
                          : tr("Does the job at %1").arg(rate);
    // The cache holds what requests have on average; more than fit at their full length can be at work.
    if (const double asked = planView.asked.concurrency.value_or(0); planView.sizing->meets
        && asked > answer.maxConcurrency && answer.maxConcurrency >= 1
        && answer.concurrencyLimit == Capacity::Limit::Memory)
        return tr("Carries the %1 users asked for; %2 were all of them at their full length at once, %3")
            .arg(wholeText(asked), users, rate);
    const QString turn = text(Seconds(answer.maxRequestsPerSecond > 0 ? 1 / answer.maxRequestsPerSecond : 0));
    if (!planView.asked.targets.any())
        return answer.maxConcurrency < 2 ? tr("Carries one user at a time, a request every %1").arg(turn)
                                         : tr("Carries up to %1 users at once, %2").arg(users, rate);
    if (answer.maxConcurrency < 2)
        return tr("Carries one user at a time, a request every %1, with all targets met").arg(turn);
    const UsersCarried carried = planView.sizing->usersCarried();
    return carried.safe
        ? tr("Carries %1 users at once to be safe in this layout, with all targets met; up to %2, %3")
              .arg(wholeText(carried.told), users, rate)
        : tr("Carries up to %1 users at once, %2, with all targets met").arg(users, rate);
}

// The best of each other machine or layout that a question weighs: "8xH100 or 4xB200", "TP 8 or TP 16".
QVector<const Candidate*> otherStatedMachines(const PlanView& planView)
{
    QVector<const Candidate*> others;
    for (std::size_t i = 1; i < planView.sizing->weighed.size(); ++i)
        others << &planView.sizing->weighed[i];
    return others;
}

QString otherMachineText(const Candidate& other)
{
    QStringList parts;
    if (other.point.prediction.memory.fits)
        parts << text(other.point.tokensPerSecondPerUser.value);
    if (const Service& service = other.point.prediction.service; service.priceKnown)
        parts << perHourText(service.price);
    parts << (other.meets ? tr("meets the targets, %1").arg(confidenceText(other.confidence))
                          : modelText(other.reason));
    return tr("against it %1: %2")
        .arg(QString::fromStdString(machinesText(other)), parts.join(QStringLiteral(", ")));
}

} // namespace

QVector<QVector<Fact>> answerFacts(const PlanView& planView)
{
    const Candidate& answer = planView.answer();
    const Service& service = planView.prediction.service;
    QVector<QVector<Fact>> lines;
    const Source source = timesSource(planView);
    if (planView.prediction.memory.fits)
        lines << QVector<Fact>{
            {tr("Speed limited by %1").arg(modelText(answer.limitedBy())), QStringLiteral("tpot")},
            source == Source::Prior ? Fact{tr("times are estimated: nothing like it was measured"),
                                           QStringLiteral("tpot"), Tone::Doubtful}
                                    : Fact{tr("times: %1").arg(sourceText(source)), QStringLiteral("tpot")}};
    if (answer.maxConcurrency >= 1)
        lines << QVector<Fact>{{carriedText(planView), QStringLiteral("max_concurrency")}};
    if (!planView.prediction.memory.fits)
        return lines; // what does not run gives nothing
    lines << QVector<Fact>{
        {tr("%1 in all").arg(text(service.outputTokensPerSecond.value)), QStringLiteral("throughput")}};
    if (service.power.value > Watts())
        lines.last() << Fact{tr("%1 of power").arg(text(service.power.value)), QStringLiteral("power")};
    for (const Candidate* const other : otherStatedMachines(planView))
        lines << QVector<Fact>{{otherMachineText(*other), QStringLiteral("gpus")}};
    return lines;
}

QVector<KeyFigure> dayFigures(const PlanView& planView)
{
    const std::optional<FleetDay>& day = planView.sizing->day;
    if (!day)
        return {};
    const auto fleet = [](double gpuHours, const std::optional<double>& usd) {
        const QString hours = tr("%1 GPU-hours").arg(wholeText(gpuHours));
        return usd ? hours + QStringLiteral(" · ") + text(Dollars(*usd)) : hours;
    };
    return {{text(RequestsPerSecond(day->curve.mean())), tr("on average")},
            {text(RequestsPerSecond(day->curve.peak())), tr("at the peak")},
            {fleet(day->gpuHoursStatic, day->usdStatic), tr("all GPUs all day")},
            {fleet(day->gpuHoursFollowing, day->usdFollowing), tr("following the load")},
            {percentText(day->wasted()), tr("stands idle otherwise")}};
}

QString problemText(const Problem& problem)
{
    QString out = modelText(problem.what);
    if (!problem.where.empty())
        out.prepend(QString::fromStdString(problem.where) + QStringLiteral(": "));
    const QString hint = modelText(problem.hint);
    out = inWindowWords(out);
    return hint.isEmpty() || saysToRunACommand(hint) ? out
                                                     : out + QStringLiteral(" – ") + inWindowWords(hint);
}

LayoutScene layoutScene(const PlanView& planView)
{
    const Deployment& d = planView.resolved.deployment;
    const GpuMemory& memory = planView.prediction.memory.perGpu;
    LayoutScene scene{.layout = d.layout,
                      .gpu = QString::fromStdString(d.gpu->name),
                      .intraLink = sharesBox(d) ? QString::fromStdString(d.node->intra.name) : QString(),
                      .interLink = spansBoxes(d) ? QString::fromStdString(d.node->inter.name) : QString(),
                      .gpusPerNode = d.node->gpusPerNode,
                      .fits = planView.prediction.memory.fits,
                      .memoryShare = memory.usable.base() > 0 ? memory.used / memory.usable : 0,
                      .prompts = {}};
    if (const auto& prompts = planView.answer().prompts)
        scene.prompts = prompts->deployment.layout;
    return scene;
}

QString answerInWords(const PlanView& planView)
{
    QStringList lines{questionText(planView), answerTitle(planView), answerSubline(planView),
                      verdictText(planView)};
    for (const QVector<Fact>& facts : answerFacts(planView)) {
        QStringList parts;
        for (const Fact& fact : facts)
            parts << fact.text;
        lines << parts.join(QStringLiteral(" · "));
    }
    for (const GaugeReading& reading :
         {memoryGauge(planView), speedGauge(planView), firstTokenGauge(planView), costGauge(planView)})
        lines << titled(reading.title,
                        QStringList{reading.text, reading.range, reading.limitText}
                            .filter(QRegularExpression(QStringLiteral(".")))
                            .join(tr(", ")));
    return lines.join(u'\n') + u'\n';
}

} // namespace headroom::app
