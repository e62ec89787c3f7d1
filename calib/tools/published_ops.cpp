#include "calib/tools/published_samples.h"
#include "model/count/op_work.h"
#include "model/count/usual_weight_bytes.h"

namespace headroom {
namespace {

MathUnit unitFor(GemmClass type, const Gpu& gpu)
{
    const MathUnit half = gpu.has(MathUnit::Bf16) ? MathUnit::Bf16 : MathUnit::Fp16;
    MathUnit unit = half;
    if (type == GemmClass::Fp32)
        unit = MathUnit::Fp32;
    else if (type == GemmClass::Fp8 || type == GemmClass::Fp8Block)
        unit = MathUnit::Fp8;
    else if (type == GemmClass::Int8)
        unit = MathUnit::Int8;
    else if (type == GemmClass::Fp4)
        unit = MathUnit::Fp4;
    return gpu.has(unit) ? unit : half;
}

} // namespace

Op publishedGemm(const Gpu& gpu, double m, double n, double k, GemmClass type)
{
    return gemmOp(OpName::Qkv, {.m = m, .n = n, .k = k, .weightBytesPerElement = usualWeightBytes(type)},
                  type, unitFor(type, gpu));
}

Op publishedAttention(const Gpu& gpu, bool decode, double batch, double tokens, double heads, double kvHeads,
                      double headDim, double cacheBytes)
{
    const AttentionShape shape{.batch = batch,
                               .queryTokens = decode ? 1 : tokens,
                               .past = decode ? tokens - 1 : 0,
                               .queryHeads = heads,
                               .kvHeads = kvHeads,
                               .headDim = headDim,
                               .kvBytesPerElement = cacheBytes};
    const MathUnit unit = unitFor(GemmClass::Half, gpu);
    return decode ? decodeAttentionOp(shape, unit) : prefillAttentionOp(shape, unit);
}

Op publishedMla(const Gpu& gpu, bool decode, double batch, double tokens, double heads, double cacheBytes)
{
    // DeepSeek-V3's latent attention, which these tables time.
    const LatentShape shape{.batch = batch,
                            .queryTokens = decode ? 1 : tokens,
                            .past = decode ? tokens - 1 : 0,
                            .heads = heads,
                            .latent = 512,
                            .rope = 64,
                            .nope = 128,
                            .value = 128,
                            .kvBytesPerElement = cacheBytes};
    const MathUnit unit = unitFor(GemmClass::Half, gpu);
    return decode ? decodeLatentOp(shape, unit) : prefillLatentOp(shape, unit);
}

Op publishedExperts(const Gpu& gpu, const PublishedMoe& moe)
{
    const double share = 1 / moe.expertRanks;
    const double evenly = distinctExperts(moe.experts, moe.chosen, moe.tokens) * share;
    const ExpertShape shape{.rows = moe.rankRows > 0 ? moe.rankRows : moe.tokens * moe.chosen * share,
                            .routed = moe.tokens * moe.chosen,
                            .experts = moe.rankExperts > 0 ? moe.rankExperts : evenly,
                            .held = moe.experts * share,
                            .tokens = moe.tokens,
                            .inner = moe.hidden,
                            .slice = moe.slice,
                            .gated = moe.gated,
                            .even = moe.even,
                            .weightBytesPerElement = usualWeightBytes(moe.type)};
    return expertOp(shape, moe.type, unitFor(moe.type, gpu));
}

Op publishedCollective(CollectiveClass cls, int ranks, double messageBytes)
{
    return collectiveOp(OpName::AllReduce, cls, messageBytes, ranks, 1);
}

} // namespace headroom
