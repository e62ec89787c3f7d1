#include "model/json/memory_json.h"

namespace headroom {

Json memoryJson(const MemoryNeed& need)
{
    const auto bytes = [](Bytes value) { return numberJson(value.base()); };
    Json out{{"weights", std::string(name(need.weightType))},
             {"kv", std::string(name(need.kvType))},
             {"engine", need.engine().id},
             {"users", numberJson(need.users)},
             {"context_tokens", numberJson(need.context)},
             {"weight_bytes", bytes(need.weights)},
             {"kv_bytes_per_token", bytes(need.kvOfToken)},
             {"windowed_layers", need.windowedLayers},
             {"window_tokens", need.window},
             {"kv_bytes_per_token_beyond_window", bytes(need.kvOfTokenBeyond)},
             {"kv_bytes_per_user", bytes(need.kvOfUser)},
             {"kv_bytes", bytes(need.kv)},
             {"activation_bytes", bytes(need.activation)},
             {"runtime_bytes", bytes(need.runtime)},
             {"total_bytes", bytes(need.total())},
             {"longest_context_of_model", need.llm().maxContext}};
    Json& holders = out["held_by"] = Json::array();
    for (const MemoryHolder& h : need.holders)
        holders.push_back({{"gpu", h.deployment.gpu->id},
                           {"gpus", h.deployment.layout.gpus()},
                           {"tp", h.deployment.layout.tp},
                           {"pp", h.deployment.layout.pp},
                           {"fits", h.plan.fits},
                           {"used_bytes_per_gpu", bytes(h.plan.perGpu.used)},
                           {"usable_bytes_per_gpu", bytes(h.plan.perGpu.usable)},
                           {"longest_context", numberJson(h.longestContext)}});
    Json& other = out["narrower_weights"] = Json::array();
    for (const NarrowerWeights& one : need.other)
        other.push_back({{"weights", std::string(name(one.type))}, {"weight_bytes", bytes(one.weights)}});
    out["warnings"] = inEnglish(need.warnings);
    return out;
}

} // namespace headroom
