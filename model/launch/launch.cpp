#include "model/launch/launch.h"

#include "model/closed_form/step_budget.h"
#include "model/count/stored_type.h"
#include "model/launch/quote.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <optional>

namespace headroom {

namespace {

// Flags as read in the engines' own sources; the commits are those the engine presets cite:
// vLLM docs/serving/parallelism_scaling.md, docs/serving/data_parallel_deployment.md at 017e9f44;
// SGLang python/sglang/srt/server_args.py, docs/docs/references/multi_node_deployment/multi_node.mdx;
// for two pools vLLM docs/features/nixl_connector_usage.md at 026c83f9, SGLang
// docs/advanced_features/pd_disaggregation.md at 08edc506, TensorRT-LLM
// docs/source/features/disagg-serving.md at 0434b982; TensorRT-LLM
// docs/source/commands/trtllm-serve/trtllm-serve.rst at 0434755f; TGI launcher/src/main.rs; LMDeploy
// lmdeploy/cli/utils.py; llama.cpp common/arg.cpp at e95dae18.

using Kind = LaunchVariable::Kind;
const LaunchVariable nodeRank{.kind = Kind::NodeRank};
const LaunchVariable headAddress{.kind = Kind::HeadAddress};

struct Wish {
    const Resolved& resolved;
    const Deployment& d;
    LaunchRole role = LaunchRole::All;
    LaunchCommand command;
    Problems problems;

    void flag(std::string name, std::string value = {})
    {
        command.flags.emplace_back(std::move(name), std::move(value));
    }
    void flag(std::string name, std::int64_t value) { flag(std::move(name), std::to_string(value)); }
    void refuse(ProblemText what, ProblemText hint)
    {
        problems.push_back({"launch", std::move(what), std::move(hint)});
    }
};

// The longest sequence the plan had room for, in whole blocks of 256, never beyond what the model was made
// for.
std::int64_t plannedSequence(const Resolved& r)
{
    const double tokens = r.scenario.prompt.quantile(0.99) + r.scenario.output.quantile(0.99);
    return static_cast<std::int64_t>(std::ceil(tokens / 256) * 256);
}

std::int64_t longestSequence(const Resolved& r)
{
    const std::int64_t most = r.deployment.llm->maxContext;
    return most > 0 ? std::min(plannedSequence(r), most) : plannedSequence(r);
}

// What the server refuses, that nobody wonders at it.
std::optional<std::string> lengthNote(const Resolved& r)
{
    const std::int64_t planned = plannedSequence(r);
    const std::int64_t most = r.deployment.llm->maxContext;
    if (most > 0 && planned == most)
        return std::nullopt;
    return most > 0 && planned > most
        ? fmt::format("requests of at most {} tokens, prompt and answer together, which {} was made for: "
                      "the server refuses longer ones, and up to {} were planned",
                      most, r.deployment.llm->name, planned)
        : fmt::format("requests of at most {} tokens, prompt and answer together, as planned: "
                      "the server refuses longer ones",
                      planned);
}

std::string checkpoint(const Llm& llm) { return llm.hfId.empty() ? llm.id : llm.hfId; }

// A name that begins with a hyphen would be read as an option, and one with control characters is no name.
void refuseOptions(Wish& w)
{
    const auto judge = [&w](const Llm& llm) {
        const std::string name = checkpoint(llm);
        const bool control
            = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; });
        if (name.starts_with('-') || control)
            w.refuse(fmt::format("the checkpoint of {} has no name that a program can be given", llm.name),
                     "hf_id or id of its file: no hyphen at the start, no control characters");
    };
    judge(*w.d.llm);
    if (w.d.speculative.draft != nullptr)
        judge(*w.d.speculative.draft);
}

DType nativeType(const Llm& llm)
{
    return llm.nativeQuantization ? llm.nativeQuantization->type : llm.nativeType;
}

bool isHalf(DType type) { return type == DType::Bf16 || type == DType::Fp16; }

std::string torchName(DType type)
{
    return type == DType::Bf16 ? "bfloat16"
        : type == DType::Fp16  ? "float16"
        : type == DType::Fp32  ? "float32"
                               : "auto";
}

// What to do about weights of another type than the checkpoint's: fp8 is made while loading, others must be
// downloaded.
void weightType(Wish& w, const std::string& quantizationFlag, const std::string& dtypeFlag)
{
    const DType native = nativeType(*w.d.llm);
    if (w.d.weights == native || (isHalf(w.d.weights) && isHalf(native))) {
        w.flag(dtypeFlag, isHalf(w.d.weights) ? torchName(w.d.weights) : "auto");
        return;
    }
    w.flag(dtypeFlag, "auto");
    if (w.d.weights == DType::Fp8 && isHalf(native))
        w.flag(quantizationFlag, "fp8");
    else
        w.command.notes.push_back(fmt::format("the checkpoint is {}: give one quantised to {} instead of {}",
                                              name(native), name(w.d.weights), checkpoint(*w.d.llm)));
}

std::string ratio(double value) { return fmt::format("{:.4g}", value); }

void limits(Wish& w, const char* sequences, const char* tokens)
{
    if (w.d.engine->maxSequences > 0)
        w.flag(sequences, w.d.engine->maxSequences);
    const double prompt = w.resolved.scenario.prompt.quantile(0.99);
    if (const double budget = stepBudget(w.d, prompt, w.resolved.load.batch / w.d.layout.dp); budget > 0)
        w.flag(tokens, std::llround(budget));
}

void oneNodeOnly(Wish& w)
{
    if (w.command.nodes > 1)
        w.refuse(w.d.engine->name + " runs a replica on one node only",
                 "a smaller layout, or vllm, sglang, tensorrt-llm");
}

std::string draftMethod(const SpeculativeDecoding& s)
{
    using Draft = SpeculativeDecoding::Kind;
    return s.kind == Draft::DraftModel && s.draft != nullptr ? "draft_model"
        : s.kind == Draft::NGram                             ? "ngram"
        : s.kind == Draft::Mtp                               ? "mtp"
                                                             : "";
}

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
    if (w.d.expertBalance == ExpertBalance::Balanced)
        w.flag("--enable-eplb");
    if (l.redundantExperts > 0)
        w.flag("--eplb-config", fmt::format(R"({{"num_redundant_experts":{}}})", l.redundantExperts));
    if (w.d.overlapsBatches)
        w.flag("--enable-dbo");
    weightType(w, "--quantization", "--dtype");
    w.flag("--kv-cache-dtype", w.d.kv == DType::Fp8 ? "fp8" : "auto");
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
    if (w.d.expertBalance == ExpertBalance::Balanced)
        w.flag("--enable-eplb");
    if (l.redundantExperts > 0)
        w.flag("--ep-num-redundant-experts", l.redundantExperts);
    if (w.d.overlapsBatches)
        w.flag("--enable-two-batch-overlap");
    if (w.d.dynamicChunks)
        w.flag("--enable-dynamic-chunking");
    weightType(w, "--quantization", "--dtype");
    w.flag("--kv-cache-dtype", w.d.kv == DType::Fp8 ? "fp8_e4m3" : "auto");
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

void tensorRtLlm(Wish& w)
{
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
    config += fmt::format("  dtype: {}\n", w.d.kv == DType::Fp8 ? "fp8" : "auto");
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
        w.command.notes.push_back(fmt::format("give a checkpoint quantised to {} (ModelOpt) instead of {}",
                                              name(w.d.weights), checkpoint(*w.d.llm)));
}

void lmdeploy(Wish& w)
{
    const Layout& l = w.d.layout;
    w.command.program = {"lmdeploy", "serve", "api_server", checkpoint(*w.d.llm)};
    w.flag("--backend", std::string("turbomind"));
    w.flag("--tp", l.tp);
    if (l.dp > 1)
        w.flag("--dp", l.dp);
    if (l.ep > 1)
        w.flag("--ep", l.ep);
    if (l.pp > 1)
        w.refuse("LMDeploy has no pipeline parallelism", "--pp 1, or another engine");
    w.flag("--dtype", isHalf(w.d.weights) ? torchName(w.d.weights) : "auto");
    switch (w.d.weights) {
    case DType::Int4:
        w.flag("--model-format", std::string("awq"));
        break;
    case DType::Fp8:
        w.flag("--model-format", std::string("fp8"));
        break;
    case DType::Mxfp4:
        w.flag("--model-format", std::string("mxfp4"));
        break;
    default:
        w.flag("--model-format", std::string("hf"));
        break;
    }
    if (w.d.kv == DType::Fp8)
        w.refuse("LMDeploy's cache is 16, 8 (int8) or 4 bit, not fp8", "--kv int8");
    w.flag("--quant-policy", w.d.kv == DType::Int8 ? 8 : w.d.kv == DType::Int4 ? 4 : 0);
    w.flag("--session-len", longestSequence(w.resolved));
    limits(w, "--max-batch-size", "--max-prefill-token-num");
    w.flag("--cache-max-entry-count", ratio(w.d.engine->memoryFraction));
    if (w.d.engine->blockTokens > 1)
        w.flag("--cache-block-seq-len", w.d.engine->blockTokens);
    if (w.d.engine->prefixCache)
        w.flag("--enable-prefix-caching");
    w.flag("--server-port", w.command.port);
    if (w.command.nodes > 1)
        w.command.nodeFlags = {{"--nnodes", {std::to_string(w.command.nodes)}},
                               {"--node-rank", {nodeRank}},
                               {"--dist-init-addr", {headAddress}}};
}

void tgi(Wish& w)
{
    oneNodeOnly(w);
    if (w.d.layout.pp > 1 || w.d.layout.dp > 1)
        w.refuse("TGI shards by tensor parallelism only", "--pp 1 --dp 1, or another engine");
    w.command.program = {"text-generation-launcher"};
    w.flag("--model-id", checkpoint(*w.d.llm));
    w.flag("--num-shard", w.d.layout.tp);
    const DType native = nativeType(*w.d.llm);
    // --dtype cannot stand beside --quantize.
    if (w.d.weights == DType::Fp8 && isHalf(native))
        w.flag("--quantize", std::string("fp8"));
    else if (isHalf(w.d.weights) && isHalf(native))
        w.flag("--dtype", torchName(w.d.weights));
    else if (w.d.weights != native)
        w.command.notes.push_back(fmt::format("give a checkpoint quantised to {} instead of {}",
                                              name(w.d.weights), checkpoint(*w.d.llm)));
    if (w.d.kv == DType::Fp8)
        w.flag("--kv-cache-dtype", std::string("fp8_e4m3fn"));
    const std::int64_t longest = longestSequence(w.resolved);
    w.flag("--max-total-tokens", longest);
    w.flag("--max-input-tokens",
           std::max<std::int64_t>(
               1, longest - static_cast<std::int64_t>(w.resolved.scenario.output.quantile(0.99))));
    limits(w, "--max-concurrent-requests", "--max-batch-prefill-tokens");
    w.flag("--cuda-memory-fraction", ratio(w.d.engine->memoryFraction));
    w.flag("--port", w.command.port);
}

void llamaCpp(Wish& w)
{
    oneNodeOnly(w);
    const auto slots = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(w.resolved.load.batch)));
    const auto cacheType = [](DType type) -> std::string {
        switch (type) {
        case DType::Q8_0:
        case DType::Int8:
            return "q8_0";
        case DType::Q4_0:
            return "q4_0";
        case DType::Bf16:
            return "bf16";
        case DType::Fp32:
            return "f32";
        default:
            return "f16";
        }
    };
    w.command.program = {"llama-server"};
    w.flag("-m", fmt::format("{}-{}.gguf", w.d.llm->id, name(w.d.weights)));
    w.flag("-c", slots * longestSequence(w.resolved)); // all slots share the context
    w.flag("-np", slots);
    if (w.d.engine->maxBatchedTokens > 0)
        w.flag("-b", w.d.engine->maxBatchedTokens);
    w.flag("-ngl", std::int64_t{999});
    if (w.d.layout.gpusPerReplica() > 1)
        w.flag("-sm", std::string(w.d.layout.tp > 1 ? "row" : "layer"));
    w.flag("-ctk", cacheType(w.d.kv));
    w.flag("-ctv", cacheType(w.d.kv));
    w.flag("--port", w.command.port);
    w.command.notes.push_back(
        fmt::format("the file is {} as GGUF in {}", checkpoint(*w.d.llm), name(w.d.weights)));
}

} // namespace

std::string configName(const LaunchCommand& command)
{
    return command.role.empty() ? "config.yml" : "config-" + command.role + ".yml";
}

Result<LaunchCommand> launchCommand(const Resolved& resolved, LaunchRole role)
{
    const Deployment& d = resolved.deployment;
    Wish wish{.resolved = resolved, .d = d, .role = role, .command = {}, .problems = {}};
    if (role != LaunchRole::All) {
        // Ports of their own, so that both pools may share a box.
        wish.command.role = role == LaunchRole::Prompts ? "prefill" : "decode";
        wish.command.port = role == LaunchRole::Prompts ? 8100 : 8200;
        if (!d.engine->disaggregates)
            wish.refuse(d.engine->name + " keeps prompts and decodes together",
                        "vllm, sglang and tensorrt-llm run them apart");
    }
    const int perNode = std::max(1, d.node->gpusPerNode);
    const int perReplica = d.layout.gpusPerReplica();
    wish.command.nodes = (perReplica + perNode - 1) / perNode;
    wish.command.gpusPerNode
        = std::min(perReplica, (perReplica + wish.command.nodes - 1) / wish.command.nodes);
    refuseOptions(wish);
    const std::string& id = d.engine->id;
    if (id.rfind("vllm", 0) == 0)
        vllm(wish);
    else if (id == "sglang")
        sglang(wish);
    else if (id == "tensorrt-llm")
        tensorRtLlm(wish);
    else if (id == "lmdeploy")
        lmdeploy(wish);
    else if (id == "tgi")
        tgi(wish);
    else if (id == "llama-cpp")
        llamaCpp(wish);
    else
        wish.refuse("no start line is known for " + d.engine->name,
                    "vllm, sglang, tensorrt-llm, lmdeploy, tgi, llama-cpp");
    if (!wish.problems.empty())
        return tl::unexpected<Problems>(std::move(wish.problems));
    if (auto note = lengthNote(resolved))
        wish.command.notes.push_back(*std::move(note));
    return std::move(wish.command);
}

} // namespace headroom
