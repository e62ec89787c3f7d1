// SGLang: python/sglang/srt/server_args.py, docs/docs/references/multi_node_deployment/multi_node.mdx; two
// pools: docs/advanced_features/pd_disaggregation.md at 08edc506; experts: docs.sglang.io,
// advanced_features/expert_parallelism (none, the default, "uses all-reduce or all-gather");
// cache types: docs/advanced_features/quantized_kv_cache.md at 03cd2ec4.
#include "model/launch/wish.h"

namespace headroom::launching {

void sglang(Wish& w)
{
    const Layout& l = w.d.layout;
    w.command.program = {"python3", "-m", "sglang.launch_server"};
    w.flag("--model-path", checkpoint(*w.d.llm));
    w.flag("--tp-size", l.tp * l.dp); // with data-parallel attention the group's GPUs are counted here
    if (l.pp > 1)
        w.flag("--pp-size", l.pp);
    if (l.dp > 1) {
        w.flag("--dp-size", l.dp);
        w.flag("--enable-dp-attention");
    }
    if (l.ep > 1)
        w.flag("--ep-size", l.ep);
    noteExpertKernels(
        w, w.d.gpu->platform == Platform::Rocm ? "--moe-a2a-backend mori" : "--moe-a2a-backend deepep");
    if (w.d.balance() == ExpertBalance::Balanced)
        w.flag("--enable-eplb");
    if (l.redundantExperts > 0)
        w.flag("--ep-num-redundant-experts", l.redundantExperts);
    if (w.d.overlapsBatches)
        w.flag("--enable-two-batch-overlap");
    if (w.d.dynamicChunks)
        w.flag("--enable-dynamic-chunking");
    if (w.resolved.scenario.eager)
        w.flag("--disable-cuda-graph");
    weightType(w, "--quantization", "--dtype");
    w.flag("--kv-cache-dtype",
           cacheType(w, {{DType::Fp8, "fp8_e4m3"}, {DType::Nvfp4, "fp4_e2m1"}}, "--kv-cache-dtype"));
    if (w.resolved.scenario.state)
        w.flag("--mamba-ssm-dtype", torchName(*w.resolved.scenario.state));
    w.flag("--context-length", longestSequence(w.resolved));
    limits(w, "--max-running-requests", "--chunked-prefill-size");
    w.flag("--mem-fraction-static", ratio(w.d.engine->memoryFraction));
    if (w.d.engine->blockTokens > 0)
        w.flag("--page-size", w.d.engine->blockTokens);
    if (w.role != LaunchRole::All) {
        w.flag("--disaggregation-mode", std::string(w.role == LaunchRole::Prompts ? "prefill" : "decode"));
        w.flag("--disaggregation-transfer-backend", std::string("nixl"));
    }
    w.flag("--port", w.command.port);
    if (w.command.nodes > 1)
        w.command.nodeFlags = {{"--dist-init-addr", {headAddress, ":20000"}},
                               {"--nnodes", {std::to_string(w.command.nodes)}},
                               {"--node-rank", {nodeRank}}};
}

} // namespace headroom::launching
