#include "calib/tools/published_samples.h"
#include "model/count/op_work.h"
#include "model/text/text_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <fmt/format.h>

namespace headroom {

namespace fs = std::filesystem;
using Samples = std::vector<OpSample>;

// microsoft/vidur: times of the layers of whole models against tokens and tensor-parallel width,
// milliseconds.
Result<bool> readVidur(const fs::path& folder, PublishedCollector& into)
{
    struct File {
        std::string_view name;
        std::string_view gpu;
    };
    constexpr std::array files{File{"mlp_a100.csv", "a100-sxm-80gb"}, File{"mlp_h100.csv", "h100-sxm-80gb"},
                               File{"mlp_a40.csv", "a40"}};
    for (const File& file : files) {
        const Gpu* gpu = into.gpu(file.gpu);
        if (!gpu || !fs::exists(folder / file.name))
            continue;
        const Result<TimingTable> table = openTable(folder / file.name);
        if (!table)
            return refuse(table.error());
        const TimingTable& t = *table;
        Samples gemms;
        Samples streams;
        for (std::size_t i = 0; i < t.rows(); ++i) {
            const double m = t.number(i, "num_tokens");
            const double tp = std::max(1.0, t.number(i, "num_tensor_parallel_workers", 1));
            const double hidden = t.number(i, "n_embd");
            const double inner = t.number(i, "n_expanded_embd") / tp;
            const double heads = t.number(i, "n_head");
            const double headDim = hidden / heads;
            const double kvWidth = 2 * std::max(1.0, t.number(i, "n_kv_head") / tp) * headDim;
            const bool gated = t.text(i, "use_gated_mlp") == "True";
            const auto gemm = [&](std::string_view column, double n, double k) {
                const double ms = t.number(i, column);
                if (ms >= 0.004) // printed in microseconds: below 4 the rounding is an error of its own
                    gemms.push_back(sampleOf(publishedGemm(*gpu, m, n, k, GemmClass::Half), ms * 1e-3,
                                             t.text(i, "model"), fmt::format("{} {}x{}", column, n, k)));
            };
            gemm("attn_pre_proj_ms", heads / tp * headDim + kvWidth, hidden);
            gemm("attn_post_proj_ms", hidden, heads / tp * headDim);
            gemm("mlp_up_proj_ms", (gated ? 2 : 1) * inner, hidden);
            gemm("mlp_down_proj_ms", hidden, inner);
            const auto stream = [&](OpName name, std::string_view column, double bytesPerRow) {
                const double ms = t.number(i, column);
                if (ms >= 0.002)
                    streams.push_back(sampleOf(streamOp(name, m, bytesPerRow), ms * 1e-3, t.text(i, "model"),
                                               fmt::format("{} of {}", column, bytesPerRow)));
            };
            // Servers add the residual inside the norm: alone, as "add_ms", it is no operator of theirs.
            stream(OpName::Activation, "mlp_act_ms", activationBytesPerRow(inner, gated, 2));
            stream(OpName::Norm, "input_layernorm_ms", 2 * hidden * 2);
        }
        const std::string origin
            = fmt::format("microsoft/vidur@7d47513 data/profiling/compute ({}) (MIT)", file.name);
        constexpr int profiled = 2024; // the year of the repository's first release
        into.add(file.gpu, "vllm", origin, std::move(gemms), profiled);
        into.add(file.gpu, "vllm", origin + ", elementwise", std::move(streams), profiled);
    }
    return true;
}

namespace {

// Widths that the layer profiles were taken for.
struct ProfiledModel {
    std::string_view name;
    double hidden, inner, heads, kvHeads, headDim, vocab;
};
constexpr std::array profiledModels{
    ProfiledModel{"Llama-3.1-8B", 4096, 14336, 32, 8, 128, 128256},
    ProfiledModel{"Qwen3-32B", 5120, 25600, 64, 8, 128, 151936},
    ProfiledModel{"Qwen3-30B-A3B-Instruct-2507", 2048, 768, 32, 4, 128, 151936}};

void readProfiledLayers(const TimingTable& t, const Gpu& gpu, const ProfiledModel& model, double tp,
                        Samples& gemms, Samples& streams)
{
    const double width = model.heads / tp * model.headDim;
    const double kvWidth = 2 * std::max(1.0, model.kvHeads / tp) * model.headDim;
    const double inner = model.inner / tp;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const std::string layer = t.text(i, "layer");
        const double rows = t.has("tokens") ? t.number(i, "tokens") : t.number(i, "sequences");
        const double seconds = t.number(i, "time_us") * 1e-6;
        const auto gemm = [&](double n, double k) {
            gemms.push_back(sampleOf(publishedGemm(gpu, rows, n, k, GemmClass::Half), seconds,
                                     fmt::format("{}x{}", n, k)));
        };
        const auto stream = [&](OpName name, double bytesPerRow) {
            streams.push_back(sampleOf(streamOp(name, rows, bytesPerRow), seconds, layer));
        };
        if (seconds <= 0)
            continue;
        if (layer == "qkv_proj")
            gemm(width + kvWidth, model.hidden);
        else if (layer == "o_proj")
            gemm(model.hidden, width);
        else if (layer == "gate_up_proj")
            gemm(2 * inner, model.hidden);
        else if (layer == "down_proj")
            gemm(model.hidden, inner);
        else if (layer == "lm_head")
            gemm(model.vocab / tp, model.hidden);
        else if (layer == "layernorm")
            stream(OpName::Norm, normBytesPerRow(model.hidden, 2));
        else if (layer == "act_fn")
            stream(OpName::Activation, activationBytesPerRow(inner, true, 2));
        else if (layer == "rotary_emb")
            stream(OpName::RopeAppend, 2 * (width + kvWidth / 2) * 2);
    }
}

void readProfiledAttention(const TimingTable& t, const Gpu& gpu, const ProfiledModel& model, double tp,
                           Samples& prefill, Samples& decode)
{
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const double chunk = t.number(i, "prefill_chunk");
        const double past = t.number(i, "kv_prefill");
        const double sequences = t.number(i, "n_decode");
        const double context = t.number(i, "kv_decode");
        const double seconds = t.number(i, "time_us") * 1e-6;
        const double heads = model.heads / tp;
        const double kvHeads = std::max(1.0, model.kvHeads / tp);
        if (seconds <= 0)
            continue;
        if (chunk == 0 && sequences > 0)
            decode.push_back(sampleOf(
                publishedAttention(gpu, true, sequences, context + 1, heads, kvHeads, model.headDim, 2),
                seconds, fmt::format("{}", context)));
        else if (chunk > 0 && sequences == 0) {
            const AttentionShape shape{.batch = 1,
                                       .queryTokens = chunk,
                                       .past = past,
                                       .queryHeads = heads,
                                       .kvHeads = kvHeads,
                                       .headDim = model.headDim};
            prefill.push_back(
                sampleOf(prefillAttentionOp(shape, MathUnit::Bf16), seconds, fmt::format("{}", past)));
        }
    }
}

} // namespace

// casys-kaist/LLMServingSim: <gpu>__<model>__tp<n>__<table>.csv of vLLM 0.19, microseconds.
Result<bool> readServingSim(const fs::path& folder, PublishedCollector& into)
{
    if (!fs::exists(folder))
        return true;
    for (const fs::path& file : tablesIn(folder)) {
        const std::string name = file.stem().string();
        const std::string_view id
            = name.rfind("RTX4090", 0) == 0 ? "geforce-rtx-4090" : "rtx-pro-6000-blackwell-workstation";
        const Gpu* gpu = into.gpu(id);
        const auto model
            = std::find_if(profiledModels.begin(), profiledModels.end(), [&](const ProfiledModel& m) {
                  return name.find(fmt::format("__{}__", m.name)) != std::string::npos;
              });
        const std::size_t split = name.find("__tp");
        if (!gpu || model == profiledModels.end() || split == std::string::npos)
            continue;
        const double tp = name[split + 4] - '0';
        const Result<TimingTable> table = openTable(file);
        if (!table)
            return refuse(table.error());
        Samples gemms, streams, prefill, decode;
        if (name.find("__attention") != std::string::npos)
            readProfiledAttention(*table, *gpu, *model, tp, prefill, decode);
        else if (name.find("__moe") == std::string::npos)
            readProfiledLayers(*table, *gpu, *model, tp, gemms, streams);
        const std::string origin
            = "casys-kaist/LLMServingSim@5daddb2 profiler/perf " + name + ", vLLM 0.19 (MIT)";
        into.add(id, "vllm", origin, std::move(gemms));
        into.add(id, "vllm", origin, std::move(streams));
        into.add(id, "vllm", origin, std::move(prefill));
        into.add(id, "vllm", origin, std::move(decode));
    }
    return true;
}

// PrincetonUniversity/LLMCompass: "M, N, K, 0.5493ms, 17.5Tflops" without a header; an MI210 through ROCm.
Result<bool> readLlmCompass(const fs::path& folder, PublishedCollector& into)
{
    const fs::path file = folder / "matmul_MI210.csv";
    const Gpu* gpu = into.gpu("instinct-mi210");
    if (!gpu || !fs::exists(file))
        return true;
    constexpr std::uintmax_t most = 1u << 20;
    const Result<std::string> text = readTextFile(file, most);
    if (!text)
        return refuse(text.error());
    const Result<std::vector<CsvRecord>> records = readCsvRecords(*text, file.filename().string());
    if (!records)
        return refuse(records.error());
    Samples samples;
    for (const CsvRecord& record : *records) {
        double number[4]{};
        for (std::size_t i = 0; i < 4 && i < record.cells.size(); ++i) {
            const std::string& cell = record.cells[i];
            const std::size_t start = cell.find_first_not_of(' ');
            if (start != std::string::npos)
                (void)std::from_chars(cell.data() + start, cell.data() + cell.size(), number[i]);
        }
        if (number[0] > 0 && number[3] > 0)
            samples.push_back(sampleOf(publishedGemm(*gpu, number[0], number[1], number[2], GemmClass::Half),
                                       number[3] * 1e-3, fmt::format("{}x{}", number[1], number[2])));
    }
    into.add("instinct-mi210", "rocm",
             "PrincetonUniversity/LLMCompass@2e015fd ae/figure5 real_hardware/matmul_MI210 (BSD-3)",
             std::move(samples));
    return true;
}

} // namespace headroom
