#include "model/json/simulate_json.h"

#include "model/json/scenario_json.h"
#include "model/json/value_json.h"

#include <vector>

namespace headroom {

namespace {

using serve::ClassMeasures;
using serve::LoadSample;
using serve::Measures;
using serve::ReplicaLog;
using serve::ServingRun;
using serve::Spread;

Json spreadJson(const Spread& spread)
{
    const auto seconds = [&](Seconds time) { return spread.count > 0 ? numberJson(time.base()) : Json(); };
    return {{"mean", seconds(spread.mean)}, {"p50", seconds(spread.p50)}, {"p75", seconds(spread.p75)},
            {"p90", seconds(spread.p90)},   {"p95", seconds(spread.p95)}, {"p99", seconds(spread.p99)}};
}

// What grows for as long as an overloaded service is watched is not given.
Json queuedJson(const ServingRun& run, const Spread& spread)
{
    return spreadJson(run.timesMeanSomething() ? spread : Spread{});
}

// Where 8 of 10 servers that others set up are: [low, high] of each figure above.
Json rangesJson(const ServingRun& run, const ServedRanges& ranges)
{
    const Measures& m = run.measures;
    const auto around = [&](double value, Metric metric, Statistic statistic) {
        const RangeFactors& range = ranges.of(metric, statistic);
        return Json{numberJson(value * range.low), numberJson(value * range.high)};
    };
    const auto times = [&](const Spread& spread, Metric metric, bool tells) {
        Json out = Json::object();
        for (const Statistic each : {Statistic::Mean, Statistic::P50, Statistic::P75, Statistic::P90,
                                     Statistic::P95, Statistic::P99})
            out[std::string(statisticName(each))]
                = tells && spread.count > 0 ? around(valueOf(spread, each).base(), metric, each) : Json();
        return out;
    };
    const bool tells = run.timesMeanSomething();
    return {{"ttft_s", times(m.ttft, Metric::Ttft, tells)},
            {"tpot_s", times(m.tpot, Metric::Tpot, true)},
            {"itl_s", times(m.interToken, Metric::InterToken, true)},
            {"latency_s", times(m.latency, Metric::Latency, tells)},
            {"output_tokens_per_s", around(m.outputRate.base(), Metric::OutputThroughput, Statistic::Mean)},
            {"requests_per_s", around(m.requestRate.base(), Metric::RequestRate, Statistic::Mean)}};
}

Json classJson(const ServingRun& run, const ClassMeasures& one)
{
    return {{"name", one.name},
            {"requests", one.requests},
            {"ttft_s", queuedJson(run, one.ttft)},
            {"tpot_s", spreadJson(one.tpot)},
            {"latency_s", queuedJson(run, one.latency)},
            {"queue_s", queuedJson(run, one.queue)},
            {"slo_attainment", numberJson(one.attainment)},
            {"goodput_requests_per_s", numberJson(one.goodput.base())},
            {"promised", one.promised},
            {"kept", one.kept()}};
}

Json samplesJson(const std::vector<ReplicaLog>& replicas)
{
    Json out = Json::array();
    for (const ReplicaLog& log : replicas) {
        Json samples = Json::array();
        for (const LoadSample& sample : log.samples)
            samples.push_back(
                {numberJson(sample.time.base()), sample.running, sample.waiting, sample.kvTokens});
        out.push_back(
            {{"columns", {"time_s", "running", "waiting", "kv_tokens"}}, {"rows", std::move(samples)}});
    }
    return out;
}

Json together(const std::vector<Message>& first, const std::vector<Message>& more)
{
    Json out = inEnglish(first);
    for (const Message& each : more)
        out.push_back(each.english());
    return out;
}

} // namespace

std::string simulateJson(const Resolved& resolved, const ServingRun& run, const ServedRanges& ranges,
                         std::optional<Seconds> wall)
{
    const Measures& m = run.measures;
    Json document{
        {"schema", "headroom.simulate/1"},
        {"scenario", scenarioJson(resolved)},
        {"requests", m.requests},
        {"finished", m.finished},
        {"refused", m.refused},
        {"measured", m.measured},
        {"partial", m.partial},
        {"verdict", run.verdict.stable ? "stable" : "overloaded"},
        {"reason", run.verdict.reason.english()},
        {"offered_requests_per_s", numberJson(run.verdict.offered.base())},
        {"largest_stable_requests_per_s", numberJson(run.verdict.capacity.base())},
        {"limited_by", serve::limitName(run.verdict.limit).english()},
        {"ttft_s", queuedJson(run, m.ttft)},
        {"tpot_s", spreadJson(m.tpot)},
        {"itl_s", spreadJson(m.interToken)},
        {"latency_s", queuedJson(run, m.latency)},
        {"queue_s", queuedJson(run, m.queue)},
        {"client",
         {{"ttft_s", queuedJson(run, m.clientTtft)}, {"latency_s", queuedJson(run, m.clientLatency)}}},
        {"output_tokens_per_s", numberJson(m.outputRate.base())},
        {"prompt_tokens_per_s", numberJson(m.promptRate.base())},
        {"requests_per_s", numberJson(m.requestRate.base())},
        {"goodput_requests_per_s", numberJson(m.goodput.base())},
        {"slo_attainment", numberJson(m.attainment)},
        {"peak_kv_tokens", m.peakKvTokens},
        {"mean_kv_tokens", numberJson(m.meanKvTokens)},
        {"cached_prompt_share", numberJson(m.cachedShare)},
        {"preemptions", m.preemptions},
        {"mean_batch", numberJson(m.meanBatch)},
        {"gpu_busy", numberJson(m.busy)},
        {"steps", m.steps},
        {"simulated_s", numberJson(m.simulated.base())},
        {"seed", run.seed}};
    if (wall)
        document["wall_s"] = numberJson(wall->base());
    if (m.recordedTtft.count > 0)
        document["recorded"] = {{"ttft_s", spreadJson(m.recordedTtft)},
                                {"tpot_s", spreadJson(m.recordedTpot)},
                                {"latency_s", spreadJson(m.recordedLatency)}};
    if (m.whileQueued)
        document["while_queued"] = {{"output_tokens_per_s", numberJson(m.whileQueued->output.base())},
                                    {"prompt_tokens_per_s", numberJson(m.whileQueued->prompt.base())},
                                    {"requests_per_s", numberJson(m.whileQueued->requests.base())}};
    document["ranges"] = rangesJson(run, ranges);
    Json& classes = document["classes"] = Json::array();
    for (const ClassMeasures& one : m.classes)
        classes.push_back(classJson(run, one));
    document["load_over_time"] = samplesJson(run.simulation.replicas);
    if (!run.simulation.prefillReplicas.empty())
        document["prefill_load_over_time"] = samplesJson(run.simulation.prefillReplicas);
    document["assumptions"] = together(textsOf(resolved.assumptions), run.assumptions);
    document["warnings"] = together(textsOf(resolved.warnings), run.warnings);
    return documentText(document);
}

std::string simulateJsonWithoutRoom(const Resolved& resolved, const std::string& reason)
{
    return documentText({{"schema", "headroom.simulate/1"},
                         {"scenario", scenarioJson(resolved)},
                         {"requests", 0},
                         {"verdict", "overloaded"},
                         {"reason", reason},
                         {"largest_stable_requests_per_s", 0},
                         {"assumptions", inEnglish(textsOf(resolved.assumptions))},
                         {"warnings", inEnglish(textsOf(resolved.warnings))}});
}

} // namespace headroom
