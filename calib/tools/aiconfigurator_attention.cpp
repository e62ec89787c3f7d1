#include "calib/tools/aiconfigurator_readers.h"
#include "calib/tools/cached_timings.h"

#include <fmt/format.h>

namespace headroom {

namespace {

// Keys that fit shorten even what takes little longer than a launch.
bool cachedKeys(const OpSample& sample, const Gpu& gpu)
{
    constexpr double mostOfTime = 0.1; // that the memory would take
    const Seconds fromMemory = sample.op.kvBytes / gpu.memoryBandwidth;
    return servedFromCache(sample.op, gpu, 1)
        || (sample.op.kvBytes < gpu.l2Cache && fromMemory > sample.time * mostOfTime
            && fromMemory > sample.op.flops / gpu.peak(sample.op.unit));
}

} // namespace

Samples readAttention(const TimingTable& t, const Gpu& gpu, bool decode)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const std::string arithmetic = t.text(i, "attn_dtype");
        const std::string cache = t.text(i, "kv_cache_dtype");
        const double headDim = t.number(i, "head_dim", 128);
        const double window = t.number(i, "window_size");
        const double heads = t.number(i, "num_heads");
        double kvHeads = t.number(i, "num_key_value_heads");
        if (kvHeads == 0)
            kvHeads = heads; // the table's way to write multi-head attention
        const double tokens = decode ? t.number(i, "step") + 1 : t.number(i, "isl");
        const double ms = t.number(i, "latency");
        const bool half = arithmetic.empty() || arithmetic == "bfloat16";
        const bool usual = window == 0 && (headDim == 64 || headDim == 128 || headDim == 256) && half
            && heads / kvHeads <= 16 && tokens >= 64;
        const double cacheBytes = cache == "fp8" ? 1 : 2;
        if (!usual || ms <= 0 || (!decode && cacheBytes < 2))
            continue;
        const Op op = publishedAttention(gpu, decode, t.number(i, "batch_size"), tokens, heads, kvHeads,
                                         headDim, cacheBytes);
        OpSample sample
            = sampleOf(op, ms * 1e-3, fmt::format("{}/{}x{}", heads, kvHeads, headDim),
                       fmt::format("{} {}/{}x{}", t.text(i, "kernel_source"), heads, kvHeads, headDim));
        if (!decode || !cachedKeys(sample, gpu))
            out.push_back(std::move(sample));
    }
    return decode ? withoutImpossible(std::move(out), gpu) : out;
}

Samples readLatentAttention(const TimingTable& t, const Gpu& gpu, bool decode)
{
    Samples out;
    for (std::size_t i = 0; i < t.rows(); ++i) {
        const double tokens = decode ? t.number(i, "step") + 1 : t.number(i, "isl");
        const double ms = t.number(i, "latency");
        const bool narrow = t.text(i, "kv_cache_dtype") == "fp8";
        if (ms <= 0 || tokens < 64 || (!decode && narrow))
            continue;
        const Op op = publishedMla(gpu, decode, t.number(i, "batch_size"), tokens, t.number(i, "num_heads"),
                                   narrow ? 1 : 2);
        OpSample sample
            = sampleOf(op, ms * 1e-3, fmt::format("{}", t.number(i, "num_heads")),
                       fmt::format("{} {}", t.text(i, "kernel_source"), t.number(i, "num_heads")));
        if (!decode || !cachedKeys(sample, gpu))
            out.push_back(std::move(sample));
    }
    return decode ? withoutImpossible(std::move(out), gpu) : out;
}

} // namespace headroom
