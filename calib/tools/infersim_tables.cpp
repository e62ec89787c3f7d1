#include "calib/tools/published_samples.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace headroom {

namespace fs = std::filesystem;
using Samples = std::vector<OpSample>;

// alibaba/InferSim: kernels of SGLang (DeepGEMM, FlashInfer, FlashMLA, FA3) on H20 and H800, microseconds.
Result<bool> readInferSim(const fs::path& folder, PublishedCollector& into)
{
    if (!fs::exists(folder))
        return true;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".csv")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
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
        const TimingTable& t = *table;
        Samples samples;
        const bool decode = name.find("decode") != std::string::npos;
        double heads = 0, kvHeads = 0, headDim = 0;
        if (const std::size_t last = name.rfind("__"); last != std::string::npos)
            (void)std::sscanf(name.c_str() + last + 2, "%lf-%lf-%lf", &heads, &kvHeads, &headDim);
        for (std::size_t i = 0; i < t.rows(); ++i) {
            if (name.rfind("gemm__", 0) == 0) {
                const double m = t.number(i, "m"), n = t.number(i, "n"), k = t.number(i, "k");
                samples.push_back(sampleOf(publishedGemm(*found, m, n, k, GemmClass::Fp8Block),
                                           t.number(i, "latency_us") * 1e-6, fmt::format("{}x{}", n, k)));
            } else if (name.rfind("mha__", 0) == 0) {
                const double batch = decode ? t.number(i, "batch_size") : 1;
                const double tokens = t.number(i, decode ? "kv_len" : "seq_len");
                const double cache = t.text(i, "kv_dtype") == "fp8" ? 1 : 2;
                if (heads / kvHeads <= 16)
                    samples.push_back(sampleOf(
                        publishedAttention(*found, decode, batch, tokens, heads, kvHeads, headDim, cache),
                        t.number(i, "latency_us") * 1e-6, fmt::format("{}/{}", heads, kvHeads)));
            } else if (name.rfind("mla__", 0) == 0) {
                const double batch = decode ? t.number(i, "batch_size") : 1;
                const double tokens = t.number(i, decode ? "kv_len" : "seq_len");
                const double cache = t.text(i, "kv_dtype") == "fp8" ? 1 : 2;
                samples.push_back(sampleOf(publishedMla(*found, decode, batch, tokens, heads, cache),
                                           t.number(i, "latency_us") * 1e-6, fmt::format("{}", tokens)));
            } else if (name.rfind("grouped_gemm__", 0) == 0) {
                const double ranks = std::max(1.0, t.number(i, "num_gpus", 1));
                const double perGpu = t.number(i, decode ? "batch_size_per_gpu" : "seq_len_per_gpu");
                const double hidden = t.number(i, "hidden_size"), inner = t.number(i, "intermediate_size");
                samples.push_back(sampleOf(publishedExperts(*found,
                                                            {.tokens = perGpu * ranks,
                                                             .hidden = hidden,
                                                             .slice = inner,
                                                             .chosen = t.number(i, "topk"),
                                                             .experts = t.number(i, "num_experts"),
                                                             .expertRanks = ranks,
                                                             .type = GemmClass::Fp8Block}),
                                           (t.number(i, "up_proj_us") + t.number(i, "down_proj_us")) * 1e-6,
                                           fmt::format("{}x{}/{}", hidden, inner, ranks)));
            }
        }
        samples.erase(std::remove_if(samples.begin(), samples.end(),
                                     [](const OpSample& s) { return s.time.base() <= 0; }),
                      samples.end());
        into.add(gpu, "sglang", "alibaba/InferSim@f2293da bench_data/" + name + " (Apache-2.0)",
                 std::move(samples));
    }
    return true;
}

} // namespace headroom
