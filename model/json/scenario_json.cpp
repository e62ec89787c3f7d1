#include "model/json/scenario_json.h"

#include <optional>

namespace headroom {

namespace {

// Only what was asked: a target that nobody set is no target.
Json targetsJson(const Targets& targets)
{
    Json out = Json::object();
    if (targets.tokensPerSecond)
        out["tokens_per_s_per_user"] = numberJson(*targets.tokensPerSecond);
    if (targets.ttft)
        out["ttft_s"] = numberJson(targets.ttft->base());
    if (targets.tpot)
        out["tpot_s"] = numberJson(targets.tpot->base());
    if (targets.latency)
        out["latency_s"] = numberJson(targets.latency->base());
    out["percentile"] = numberJson(targets.percentile);
    return out;
}

// What was asked: the rate that a job or a month makes is told beside it only where nothing else says it.
void tellLoad(Json& out, const Scenario& s)
{
    const bool job = s.jobTokens || s.jobRequests;
    if (s.requestsPerSecond && !job)
        out["requests_per_s"] = numberJson(*s.requestsPerSecond);
    const auto tell = [&out](const char* key, const std::optional<double>& value) {
        if (value)
            out[key] = numberJson(*value);
    };
    tell("messages_per_minute", s.messagesPerMinute);
    tell("tokens_per_month", s.tokensPerMonth);
    tell("job_tokens", s.jobTokens);
    tell("job_requests", s.jobRequests);
    tell("deadline_s", s.deadline ? std::optional(s.deadline->base()) : std::nullopt);
    tell("power_cap_w", s.powerCap ? std::optional(s.powerCap->base()) : std::nullopt);
    tell("max_gpus", s.mostGpus ? std::optional<double>(*s.mostGpus) : std::nullopt);
    tell("max_boxes", s.mostBoxes ? std::optional<double>(*s.mostBoxes) : std::nullopt);
}

} // namespace

namespace {

// The ends of ranges that were not planned for.
Json easierJson(const EasierEnds& ends)
{
    Json out = Json::object();
    const auto tell = [&out](const char* key, const std::optional<double>& value) {
        if (value)
            out[key] = numberJson(*value);
    };
    const auto seconds = [](const std::optional<Seconds>& time) {
        return time ? std::optional(time->base()) : std::nullopt;
    };
    tell("concurrency", ends.concurrency);
    tell("requests_per_s", ends.requestsPerSecond);
    tell("tokens_per_s_per_user", ends.tokensPerSecond);
    tell("ttft_s", seconds(ends.ttft));
    tell("tpot_s", seconds(ends.tpot));
    tell("latency_s", seconds(ends.latency));
    return out;
}

} // namespace

Json scenarioJson(const Resolved& resolved)
{
    const Scenario& s = resolved.scenario;
    const Deployment& d = resolved.deployment;
    Json out{{"model", d.llm->id},
             {"gpu", d.gpu->id},
             {"node", d.node->id},
             {"engine", d.engine->id},
             {"tp", d.layout.tp},
             {"pp", d.layout.pp},
             {"ep", d.layout.ep},
             {"dp", d.layout.dp},
             {"replicas", d.layout.replicas},
             {"weights", std::string(name(d.weights))},
             {"kv", std::string(name(d.kv))},
             {"compute", std::string(name(d.compute))},
             {"prompt_tokens", numberJson(resolved.load.promptTokens)},
             {"output_tokens", numberJson(resolved.load.outputTokens)},
             {"prefix_cached", numberJson(resolved.load.prefixCached)},
             {"batch", numberJson(resolved.load.batch)}};
    if (s.gpusPerBox)
        out["gpus_per_box"] = *s.gpusPerBox;
    if (s.concurrency)
        out["concurrency"] = numberJson(*s.concurrency);
    tellLoad(out, s);
    if (s.targets.any())
        out["targets"] = targetsJson(s.targets);
    if (s.easier.any())
        out["easier_ends"] = easierJson(s.easier);
    if (!s.speculation.empty())
        out["spec_decode"] = s.speculation;
    return out;
}

} // namespace headroom
