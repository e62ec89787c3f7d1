#include "model/report/explain_plan_view.h"

#include "model/base/figure_text.h"
#include "model/base/message.h"
#include "model/report/explained_figures.h"

#include <fmt/format.h>

namespace headroom {

namespace {

void addExpected(Explanation& e, const Message& name, const Estimate<Seconds>& time)
{
    e.numbers.push_back({say("{}, expected", name), time.value.base(), Measure::Time,
                         say("{} to {} in eight of ten cases, {}", inUnits(time.low), inUnits(time.high),
                             sourceName(time.source))});
}

void addLimit(Explanation& e, const Message& name, const std::optional<Seconds>& limit,
              const Estimate<Seconds>& time)
{
    if (!limit)
        return;
    e.numbers.push_back({say("{}, target", name), limit->base(), Measure::Time, "the question"});
    addExpected(e, name, time);
}

void addKeepsUp(Explanation& e, const Message& name, const Message& limitName,
                const std::optional<KeepsUp>& keepsUp)
{
    if (!keepsUp)
        return;
    e.numbers.push_back(
        {limitName, keepsUp->limit.base(), Measure::Time, "the stated rate: beyond it they pile up"});
    addExpected(e, name, keepsUp->time);
}

} // namespace

Explanation explainOperator(const Deployment& d, const OperatorFigure& figure)
{
    const Op& op = figure.op;
    const OpTime& each = figure.each;
    Explanation e{.figure = "operator",
                  .title
                  = say("{} in {}", asIs(opName(op.name)), figure.prefill ? Message("prefill") : "decode"),
                  .formula = "executions × (the longer of FLOPs / (peak × efficiency) and bytes / (bandwidth "
                             "× efficiency), their overlap, + link + launch)",
                  .worked = say("{} × {} = {}, {:.0f} % of the step", inUnits(op.count, Measure::Whole),
                                inUnits(each.total), inUnits(figure.time), figure.shareOfStep * 100),
                  .result = figure.time.base(),
                  .measure = Measure::Time};
    const Message fitted = efficiencySource(d, each.source);
    const auto add = [&](const Message& symbol, double value, Measure measure, const Message& source) {
        if (value > 0)
            e.numbers.push_back({symbol, value, measure, source});
    };
    add("FLOPs of one", op.flops.base(), Measure::Work, "counted from the model's shapes");
    add("bytes of one", op.bytes().base(), Measure::Storage, "weights, cache and activations it moves");
    add("peak", d.gpu->peak(op.unit).base(), Measure::WorkRate, citationOf(d.gpu->citations, "compute"));
    add("bandwidth", d.gpu->memoryBandwidth.base(), Measure::Bandwidth,
        citationOf(d.gpu->citations, "memory"));
    add("arithmetic", each.compute.base(), Measure::Time, fitted);
    add("memory", each.memory.base(), Measure::Time, fitted);
    add("links", each.link.base(), Measure::Time, fitted);
    add("launch", each.launch.base(), Measure::Time, fitted);
    add("achieved", figure.achieved.base(), Measure::WorkRate, "FLOPs over the whole time");
    e.notes = {say("Bound by {}.", boundName(each.bound()))};
    return e;
}

Explanation explainConfidence(const Candidate& candidate, const Targets& targets)
{
    Explanation e{
        .figure = "confidence",
        .title = "How sure it is that the targets are met",
        .formula = candidate.point.keepsUp
            ? Message("probability that the time to the first token keeps its target × probability that "
                      "the times between tokens keep theirs and requests are answered as fast as they come")
            : "probability that the time to the first token keeps its target × probability that "
              "the times between tokens keep theirs",
        .worked = "each from a log-normal through the 10th, 50th and 90th percentile of its estimate",
        .result = candidate.confidence,
        .measure = Measure::Share};
    const UserTimes point = judgedTimes(candidate);
    addLimit(e, "first token", targets.ttft, point.ttft);
    addLimit(e, "each token", targets.tpot, point.tpot);
    if (targets.tokensPerSecond && *targets.tokensPerSecond > 0)
        addLimit(e, "each token at the wanted speed", Seconds(1 / *targets.tokensPerSecond), point.tpot);
    addLimit(e, "whole answer", targets.latency, point.latency);
    addKeepsUp(e, "whole answer beside as many as may be there", "until as many have come", point.keepsUp);
    addKeepsUp(e, "prompt in its own pool", "until one has come for each of its replicas",
               point.promptsKeepUp);
    if (e.numbers.empty())
        e.notes = {"No target was set: whatever fits is as sure as anything."};
    return e;
}

Explanation explainCarried(const Candidate& candidate)
{
    Explanation e{
        .figure = "carried",
        .title = "Users at once with all targets met",
        .formula = candidate.simulated
            ? Message("the largest number of users at which a replay of the traffic still keeps every "
                      "target, found to within a fiftieth")
            : "the largest number of users at which every target is still kept and the cache "
              "still fits, found by halving",
        .worked
        = say("{} of {} each", counted(candidate.deployment.layout.replicas, "{} replica", "{} replicas"),
              counted(candidate.maxConcurrency / std::max(1, candidate.deployment.layout.replicas), "{} user",
                      "{} users")),
        .result = candidate.maxConcurrency,
        .measure = Measure::Whole};
    e.numbers = {{"requests a second", candidate.maxRequestsPerSecond, Measure::RequestRate,
                  "users / time of a whole answer at that load"},
                 {"sequences that memory holds", candidate.point.prediction.memory.maxBatch, Measure::Count,
                  explainedBy("max-batch")}};
    e.notes = {candidate.concurrencyLimit == Capacity::Limit::Memory
                   ? Message("One more would not fit into memory.")
                   : candidate.concurrencyLimit == Capacity::Limit::EngineSequences
                   ? Message("One more is beyond what the engine runs at once.")
                   : "One more would miss a target."};
    return e;
}

} // namespace headroom
