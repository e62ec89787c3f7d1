#include "model/json/show_json.h"

#include "model/count/cache.h"
#include "model/count/parameters.h"
#include "model/count/weights.h"
#include "model/json/value_json.h"

namespace headroom {

namespace {

Json sourcesJson(const std::vector<Citation>& citations)
{
    Json out = Json::object();
    for (const Citation& citation : citations)
        out[citation.key] = citation.text;
    return out;
}

Json namesJson(const std::vector<DType>& types)
{
    Json out = Json::array();
    for (const DType type : types)
        out.push_back(std::string(name(type)));
    return out;
}

Json linkJson(const Link& link)
{
    return {{"name", link.name},
            {"bytes_per_s_per_gpu", numberJson(link.perGpuPerDirection.base())},
            {"latency_s", numberJson(link.latency.base())}};
}

Json paramsJson(const Llm& llm, const ParameterCount& n)
{
    return {{"total", n.total},
            {"active", n.active},
            {"published", llm.published.total > 0 ? Json(llm.published.total) : Json()},
            {"published_exact", llm.published.exact},
            {"comparable", n.comparable},
            {"published_includes", llm.published.includes},
            {"by_part",
             {{"embedding", n.embedding},
              {"mixers", n.mixers},
              {"dense_mlp", n.denseMlp},
              {"routers", n.routers},
              {"experts", n.experts},
              {"shared_experts", n.sharedExperts},
              {"norms", n.norms},
              {"head", n.head},
              {"mtp", n.mtp}}}};
}

} // namespace

std::string showJson(const Llm& llm)
{
    const ParameterCount n = countParameters(llm);
    const DType native = llm.nativeQuantization ? llm.nativeQuantization->type : llm.nativeType;
    Json weights = Json::object();
    for (const DTypeFacts& type : allDTypes())
        weights[std::string(type.name)] = numberJson(countWeights(llm, type.type).total().base());
    return documentText({{"schema", "headroom.show/1"},
                         {"kind", "model"},
                         {"id", llm.id},
                         {"name", llm.name},
                         {"hf_id", llm.hfId},
                         {"developer", llm.developer},
                         {"architecture", llm.architecture},
                         {"licence", llm.licence},
                         {"aliases", llm.aliases},
                         {"params", paramsJson(llm, n)},
                         {"published_type", std::string(name(native))},
                         {"weights_bytes", std::move(weights)},
                         {"kv_bytes_per_token", numberJson(kvBytesPerToken(llm, DType::Bf16).base())},
                         {"state_bytes_per_sequence", numberJson(stateBytes(llm).base())},
                         {"layers", llm.layerCount()},
                         {"hidden", llm.hidden},
                         {"vocab", llm.vocab},
                         {"max_context_tokens", llm.maxContext},
                         {"source", sourcesJson(llm.citations)},
                         {"notes", llm.notes}});
}

std::string showJson(const Gpu& gpu)
{
    Json peaks = Json::object();
    for (std::size_t unit = 0; unit < mathUnitCount; ++unit)
        if (gpu.has(MathUnit(unit)))
            peaks[std::string(name(MathUnit(unit)))] = numberJson(gpu.peak(MathUnit(unit)).base());
    return documentText({{"schema", "headroom.show/1"},
                         {"kind", "gpu"},
                         {"id", gpu.id},
                         {"name", gpu.name},
                         {"vendor", gpu.vendor},
                         {"architecture", gpu.architecture},
                         {"family", gpu.family},
                         {"aliases", gpu.aliases},
                         {"memory_bytes", numberJson(gpu.memorySold.base())},
                         {"usable_bytes", numberJson(gpu.memoryUsable.base())},
                         {"usable_known", gpu.memoryUsableKnown},
                         {"bandwidth_bytes_per_s", numberJson(gpu.memoryBandwidth.base())},
                         {"dense_flops_per_s", std::move(peaks)},
                         {"link", gpu.linkName},
                         {"link_bytes_per_s", numberJson(gpu.linkPerDirection.base())},
                         {"pcie_bytes_per_s", numberJson(gpu.pciePerDirection.base())},
                         {"tdp_w", numberJson(gpu.tdp.base())},
                         {"usd_per_hour", gpu.cloudPrice ? numberJson(perHour(*gpu.cloudPrice)) : Json()},
                         {"purchase_usd", gpu.purchasePrice ? numberJson(gpu.purchasePrice->base()) : Json()},
                         {"release_year", gpu.releaseYear},
                         {"node", gpu.defaultNode},
                         {"source", sourcesJson(gpu.citations)},
                         {"notes", gpu.notes}});
}

std::string showJson(const Node& node)
{
    return documentText({{"schema", "headroom.show/1"},
                         {"kind", "node"},
                         {"id", node.id},
                         {"name", node.name},
                         {"aliases", node.aliases},
                         {"gpus", node.gpus},
                         {"gpus_per_node", node.gpusPerNode},
                         {"intra", linkJson(node.intra)},
                         {"inter", linkJson(node.inter)},
                         {"host", linkJson(node.host)},
                         {"storage_bytes_per_s", numberJson(node.storageRead.base())},
                         {"host_power_w", numberJson(node.hostPower.base())},
                         {"source", sourcesJson(node.citations)},
                         {"notes", node.notes}});
}

std::string showJson(const Engine& engine)
{
    return documentText({{"schema", "headroom.show/1"},
                         {"kind", "engine"},
                         {"id", engine.id},
                         {"name", engine.name},
                         {"version", engine.version},
                         {"aliases", engine.aliases},
                         {"max_batched_tokens", engine.maxBatchedTokens},
                         {"max_sequences", engine.maxSequences},
                         {"block_tokens", engine.blockTokens},
                         {"latent_prompts_per_step", numberJson(engine.latent.promptsPerStep)},
                         {"latent_answer_steps", numberJson(engine.latent.answerSteps)},
                         {"latent_heads", engine.latent.heads},
                         {"latent_prompts_absorbed_on", engine.latent.absorbsPromptsOn},
                         {"memory_fraction", numberJson(engine.memoryFraction)},
                         {"runtime_bytes", numberJson(engine.runtimeMemory.base())},
                         {"graph_bytes", numberJson(engine.graphMemory.base())},
                         {"step_host_s", numberJson(engine.stepHostTime.base())},
                         {"step_host_per_sequence_s", numberJson(engine.stepHostTimePerSequence.base())},
                         {"step_host_per_rank_s", numberJson(engine.rankHostTime.base())},
                         {"step_host_across_boxes_s", numberJson(engine.boxesHostTime.base())},
                         {"kernel_gap_s", numberJson(engine.kernelGap.base())},
                         {"request_host_s", numberJson(engine.requestHostTime.base())},
                         {"tokenise_per_token_s", numberJson(engine.tokeniseTime.base())},
                         {"weights", namesJson(engine.weightTypes)},
                         {"kv", namesJson(engine.kvTypes)},
                         {"source", sourcesJson(engine.citations)},
                         {"notes", engine.notes}});
}

} // namespace headroom
