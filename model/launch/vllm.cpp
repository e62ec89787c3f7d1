// vLLM: docs/serving/parallelism_scaling.md, docs/serving/data_parallel_deployment.md at 017e9f44; two pools:
// docs/features/nixl_connector_usage.md at 026c83f9; experts: docs.vllm.ai,
// serving/expert_parallel_deployment (allgather_reducescatter is the default).
#include "model/launch/quote.h"
#include "model/launch/wish.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::launching {

namespace {

// Of DeepEP's two kinds, one for large steps and one for those of decodes, a server has one.
std::string expertKernels(const Wish& w)
{
    if (w.d.gpu->platform == Platform::Rocm)
        return "--all2all-backend with MoRI's kernels";
    switch (w.role) {
    case LaunchRole::Prompts:
        return "--all2all-backend deepep_high_throughput";
    case LaunchRole::Decodes:
        return "--all2all-backend deepep_low_latency";
    case LaunchRole::All:
        break;
    }
    return "--all2all-backend deepep_high_throughput, or deepep_low_latency where prompts are few,";
}

} // namespace

void vllm(Wish& w)
{
    const Layout& l = w.d.layout;
    w.command.program = {"vllm", "serve", checkpoint(*w.d.llm)};
    w.flag("--tensor-parallel-size", l.tp);
    if (l.pp > 1)
        w.flag("--pipeline-parallel-size", l.pp);
    if (l.dp > 1)
        w.flag("--data-parallel-size", l.dp);
    if (l.ep > 1)
        w.flag("--enable-expert-parallel");
    noteExpertKernels(w, expertKernels(w));
    if (w.d.balance() == ExpertBalance::Balanced)
        w.flag("--enable-eplb");
    if (l.redundantExperts > 0)
        w.flag("--eplb-config", fmt::format(R"({{"num_redundant_experts":{}}})", l.redundantExperts));
    if (w.d.overlapsBatches)
        w.flag("--enable-dbo");
    if (w.resolved.scenario.eager)
        w.flag("--enforce-eager");
    weightType(w, "--quantization", "--dtype");
    w.flag("--kv-cache-dtype",
           cacheType(w, {{DType::Fp8, "fp8"}, {DType::Nvfp4, "nvfp4"}}, "--kv-cache-dtype"));
    if (w.resolved.scenario.state)
        w.flag("--mamba-ssm-cache-dtype", torchName(*w.resolved.scenario.state));
    w.flag("--max-model-len", longestSequence(w.resolved));
    limits(w, "--max-num-seqs", "--max-num-batched-tokens");
    w.flag("--gpu-memory-utilization", ratio(w.d.engine->memoryFraction));
    if (w.d.engine->blockTokens > 1)
        w.flag("--block-size", w.d.engine->blockTokens);
    const SpeculativeDecoding& s = w.d.speculative;
    if (const std::string method = draftMethod(s); !method.empty())
        w.flag("--speculative-config",
               fmt::format("{{\"method\":{}{},\"num_speculative_tokens\":{}}}", jsonQuoted(method),
                           s.draft != nullptr ? ",\"model\":" + jsonQuoted(checkpoint(*s.draft)) : "",
                           s.draftTokens));
    if (w.command.nodes > 1 && l.dp > 1) {
        const int local = std::max(1, l.dp / w.command.nodes);
        w.command.nodeFlags = {{"--data-parallel-size-local", {std::to_string(local)}},
                               {"--data-parallel-address", {headAddress}},
                               {"--data-parallel-rpc-port", {"13345"}}};
        w.command.workerFlags
            = {{"--headless", {}},
               {"--data-parallel-start-rank", {LaunchVariable{.kind = Kind::NodeRank, .factor = local}}}};
    } else if (w.command.nodes > 1) {
        w.command.nodeFlags = {{"--nnodes", {std::to_string(w.command.nodes)}},
                               {"--node-rank", {nodeRank}},
                               {"--master-addr", {headAddress}}};
        w.command.workerFlags = {{"--headless", {}}};
    }
    if (w.role != LaunchRole::All) {
        w.flag("--kv-transfer-config",
               fmt::format(R"({{"kv_connector":"NixlConnector","kv_role":"{}"}})",
                           w.role == LaunchRole::Prompts ? "kv_producer" : "kv_consumer"));
        // The address that the other pool fetches the cache from; a port for each data-parallel rank.
        w.command.environment = {
            {"VLLM_NIXL_SIDE_CHANNEL_HOST", {LaunchVariable{.kind = Kind::OwnAddress}}},
            {"VLLM_NIXL_SIDE_CHANNEL_PORT",
             {LaunchVariable{
                 .kind = Kind::Slot, .base = w.role == LaunchRole::Prompts ? 5600 : 5700, .factor = l.dp}}}};
    }
    w.flag("--port", w.command.port);
}

} // namespace headroom::launching
