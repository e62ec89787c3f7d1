// TensorRT-LLM: docs/source/commands/trtllm-serve/trtllm-serve.rst at 0434755f; two pools:
// docs/source/features/disagg-serving.md at 0434b982; experts' slots: llm-api/reference/MoeConfig (1.4);
// cache types: features/quantization (1.3: fp8, nvfp4; int8 was of the engine-building backend).
#include "model/closed_form/step_budget.h"
#include "model/launch/wish.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom::launching {

namespace {

int mostExperts(const Llm& llm)
{
    int most = 0;
    for (const LayerKind& kind : llm.kinds)
        most = std::max(most, kind.mlp.kind == MlpKind::Moe ? kind.mlp.experts : 0);
    return most;
}

} // namespace

void tensorRtLlm(Wish& w)
{
    capturedStepsOnly(w);
    const Layout& l = w.d.layout;
    w.command.program = {"trtllm-serve", checkpoint(*w.d.llm)};
    w.flag("--backend", std::string("pytorch"));
    w.flag("--tp_size", l.tp * l.dp);
    if (l.pp > 1)
        w.flag("--pp_size", l.pp);
    if (l.ep > 1)
        w.flag("--ep_size", l.ep);
    limits(w, "--max_batch_size", "--max_num_tokens");
    w.flag("--max_seq_len", longestSequence(w.resolved));
    w.flag("--kv_cache_free_gpu_memory_fraction", ratio(w.d.engine->memoryFraction));
    w.flag("--config", configName(w.command));
    w.flag("--port", w.command.port);
    std::string& config = w.command.configFile;
    config = "kv_cache_config:\n";
    config += fmt::format("  dtype: {}\n",
                          cacheType(w, {{DType::Fp8, "fp8"}, {DType::Nvfp4, "nvfp4"}}, "dtype"));
    config += fmt::format("  enable_block_reuse: {}\n", w.d.engine->prefixCache);
    if (w.d.engine->blockTokens > 1)
        config += fmt::format("  tokens_per_block: {}\n", w.d.engine->blockTokens);
    config += fmt::format("  free_gpu_memory_fraction: {}\n", ratio(w.d.engine->memoryFraction));
    if (l.dp > 1)
        config += "enable_attention_dp: true\n";
    if (l.dp > 1 && w.d.engine->balanceSteps > 0)
        config += fmt::format("attention_dp_config:\n  enable_balance: true\n  batching_wait_iters: 0\n"
                              "  timeout_iters: {}\n",
                              w.d.engine->balanceSteps);
    if (const PromptWait& wait = w.d.engine->promptWait; wait.steps > 0)
        config += fmt::format("batch_wait_timeout_iters: {}\nbatch_wait_max_tokens_ratio: {}\n", wait.steps,
                              ratio(wait.share));
    if (w.d.balance() == ExpertBalance::Balanced)
        config += fmt::format(
            "moe_config:\n  load_balancer:\n    num_slots: {}\n    layer_updates_per_iter: 1\n",
            mostExperts(*w.d.llm) + l.redundantExperts);
    if (mixesPrompts(w.d.engine->scheduler))
        config += "enable_chunked_prefill: true\n";
    if (const double steps = stepsToFirstText(w.d); steps > 0)
        config += fmt::format("stream_interval: {:g}\n", steps);
    if (w.d.speculative.kind == SpeculativeDecoding::Kind::Mtp)
        config += fmt::format("speculative_config: {{decoding_type: MTP, num_nextn_predict_layers: {}}}\n",
                              w.d.speculative.draftTokens);
    if (w.role == LaunchRole::Prompts)
        config += "disable_overlap_scheduler: true\n"; // a context server has none
    if (w.role != LaunchRole::All)
        config += "cache_transceiver_config:\n  backend: DEFAULT\n";
    const DType native = nativeType(*w.d.llm);
    if (w.d.weights != native && !(isHalf(w.d.weights) && isHalf(native)))
        w.command.notes.push_back(say("give a checkpoint quantised to {} (ModelOpt) instead of {}",
                                      asIs(name(w.d.weights)), checkpoint(*w.d.llm)));
}

} // namespace headroom::launching
