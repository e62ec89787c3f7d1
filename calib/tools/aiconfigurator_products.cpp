#include "calib/tools/aiconfigurator_readers.h"
#include "calib/tools/cached_timings.h"

#include <fmt/format.h>
#include <set>
#include <utility>

namespace headroom {

namespace {

// Shapes that layers of language models have; the grids go far beyond, and forms should not bend for those.
bool shapeOfALayer(double m, double n, double k)
{
    return n >= 256 && k >= 256 && n * k >= 5e5 && n * k <= 1.5e9 && m <= 16384;
}

// A matrix little larger than the cache may still have come from there in part, as a timing tells that is
// shorter than the memory takes for it: of such a matrix only what multiplies longer than it reads is taken.
Samples withoutPartlyCached(Samples samples, const Gpu& gpu)
{
    std::set<std::pair<GemmClass, std::string>> cached;
    for (const OpSample& sample : samples)
        if (sample.op.weightBytes / gpu.memoryBandwidth > sample.time)
            cached.emplace(sample.op.gemm, sample.group);
    std::erase_if(samples, [&](const OpSample& sample) {
        return cached.count({sample.op.gemm, sample.group}) > 0 && readsLongest(sample.op, gpu);
    });
    return samples;
}

} // namespace

std::optional<GemmClass> gemmClassOfName(const std::string& name)
{
    if (name == "bfloat16" || name == "float16" || name == "half")
        return GemmClass::Half;
    if (name == "fp8")
        return GemmClass::Fp8;
    if (name == "fp8_block")
        return GemmClass::Fp8Block;
    if (name == "nvfp4")
        return GemmClass::Fp4;
    if (name == "int8_wo")
        return GemmClass::WeightOnly8;
    if (name == "int4_wo")
        return GemmClass::WeightOnly4;
    if (name == "w4a16_mxfp4")
        return GemmClass::Mxfp4;
    if (name == "sq")
        return GemmClass::Int8;
    return std::nullopt;
}

Samples readProducts(const TimingTable& t, const Gpu& gpu)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const auto type = gemmClassOfName(t.text(i, "gemm_dtype"));
        const double m = t.number(i, "m");
        const double n = t.number(i, "n");
        const double k = t.number(i, "k");
        const double ms = t.number(i, "latency");
        if (!type || ms <= 0 || !shapeOfALayer(m, n, k))
            continue;
        const Op op = publishedGemm(gpu, m, n, k, *type);
        constexpr double copies = 2; // seen in the timings of the card with the largest cache for its memory
        if (!servedFromCache(op, gpu, copies))
            out.push_back(sampleOf(op, ms * 1e-3, fmt::format("{}x{}", n, k),
                                   fmt::format("{} {}x{}", t.text(i, "kernel_source"), n, k)));
    }
    return withoutPartlyCached(std::move(out), gpu);
}

} // namespace headroom
