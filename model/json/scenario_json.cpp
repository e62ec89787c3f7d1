#include "model/json/scenario_json.h"

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
    if (s.concurrency)
        out["concurrency"] = numberJson(*s.concurrency);
    if (s.requestsPerSecond)
        out["requests_per_s"] = numberJson(*s.requestsPerSecond);
    if (s.targets.any())
        out["targets"] = targetsJson(s.targets);
    if (!s.speculation.empty())
        out["spec_decode"] = s.speculation;
    return out;
}

} // namespace headroom
