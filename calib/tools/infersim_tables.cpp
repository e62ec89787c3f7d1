#include "calib/tools/published_samples.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <optional>

namespace headroom {

namespace fs = std::filesystem;
using Samples = std::vector<OpSample>;

namespace {

// What the name of a table says of its rows.
struct Kernels {
    std::string_view sort; // "gemm", "mha", "mla", "grouped_gemm"
    bool decode = false;
    double heads = 0;
    double kvHeads = 0;
    double headDim = 0;
};

Kernels kernelsOf(const std::string& name)
{
    Kernels kernels{.sort = std::string_view(name).substr(0, name.find("__")),
                    .decode = name.find("decode") != std::string::npos};
    if (const std::size_t last = name.rfind("__"); last != std::string::npos)
        (void)std::sscanf(name.c_str() + last + 2, "%lf-%lf-%lf", &kernels.heads, &kernels.kvHeads,
                          &kernels.headDim);
    return kernels;
}

OpSample expertsOfRow(const TimingTable& t, std::size_t i, const Kernels& of, const Gpu& gpu)
{
    const double ranks = std::max(1.0, t.number(i, "num_gpus", 1));
    const double perGpu = t.number(i, of.decode ? "batch_size_per_gpu" : "seq_len_per_gpu");
    const double hidden = t.number(i, "hidden_size"), inner = t.number(i, "intermediate_size");
    return sampleOf(publishedExperts(gpu,
                                     {.tokens = perGpu * ranks,
                                      .hidden = hidden,
                                      .slice = inner,
                                      .chosen = t.number(i, "topk"),
                                      .experts = t.number(i, "num_experts"),
                                      .expertRanks = ranks,
                                      .type = GemmClass::Fp8Block}),
                    (t.number(i, "up_proj_us") + t.number(i, "down_proj_us")) * 1e-6,
                    fmt::format("{}x{}/{}", hidden, inner, ranks));
}

// Nothing where a row is of a kind that is not read.
std::optional<OpSample> sampleOfRow(const TimingTable& t, std::size_t i, const Kernels& of, const Gpu& gpu)
{
    if (of.sort == "grouped_gemm")
        return expertsOfRow(t, i, of, gpu);
    const double seconds = t.number(i, "latency_us") * 1e-6;
    if (of.sort == "gemm") {
        const double m = t.number(i, "m"), n = t.number(i, "n"), k = t.number(i, "k");
        return sampleOf(publishedGemm(gpu, m, n, k, GemmClass::Fp8Block), seconds,
                        fmt::format("{}x{}", n, k));
    }
    const double batch = of.decode ? t.number(i, "batch_size") : 1;
    const double tokens = t.number(i, of.decode ? "kv_len" : "seq_len");
    const double cache = t.text(i, "kv_dtype") == "fp8" ? 1 : 2;
    constexpr double mostShared = 16; // heads beside one key that its kernels are written for
    if (of.sort == "mha" && of.heads / of.kvHeads <= mostShared)
        return sampleOf(
            publishedAttention(gpu, of.decode, batch, tokens, of.heads, of.kvHeads, of.headDim, cache),
            seconds, fmt::format("{}/{}", of.heads, of.kvHeads));
    if (of.sort == "mla")
        return sampleOf(publishedMla(gpu, of.decode, batch, tokens, of.heads, cache), seconds,
                        fmt::format("{}", tokens));
    return std::nullopt;
}

} // namespace

// alibaba/InferSim: kernels of SGLang (DeepGEMM, FlashInfer, FlashMLA, FA3) on H20 and H800, microseconds.
Result<bool> readInferSim(const fs::path& folder, PublishedCollector& into)
{
    if (!fs::exists(folder))
        return true;
    for (const fs::path& file : tablesIn(folder)) {
        const std::string name = file.stem().string();
        const bool h20 = name.find("__h20__") != std::string::npos;
        const std::string_view gpu = h20 ? "h20-96gb" : "h800-sxm-80gb";
        const Gpu* found = into.gpu(gpu);
        if (!found)
            continue;
        const Result<TimingTable> table = openTable(file);
        if (!table) {
            // One file of the repository has no header; the others of its kind say the same.
            fmt::print(stderr, "passed over: {} {}\n", table.error().front().where,
                       table.error().front().what.english());
            continue;
        }
        Samples samples;
        const Kernels kernels = kernelsOf(name);
        for (std::size_t i = 0; i < table->rows(); ++i)
            if (auto sample = sampleOfRow(*table, i, kernels, *found); sample && sample->time.base() > 0)
                samples.push_back(*std::move(sample));
        into.add(gpu, "sglang", "alibaba/InferSim@f2293da bench_data/" + name + " (Apache-2.0)",
                 std::move(samples));
    }
    return true;
}

} // namespace headroom
