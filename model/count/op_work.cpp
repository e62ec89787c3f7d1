#include "model/count/op_work.h"

#include "model/base/whole_power.h"

#include <algorithm>
#include <cmath>

namespace headroom {

Op gemmOp(OpName name, const GemmShape& s, GemmClass cls, MathUnit unit)
{
    return {.name = name,
            .cls = OpClass::Gemm,
            .flops = Flops(2 * s.m * s.n * s.k),
            .weightBytes = Bytes(s.n * s.k * s.weightBytesPerElement),
            .activationBytes = Bytes(s.m * (s.n + s.k) * s.activationBytes),
            .unit = unit,
            .gemm = cls,
            .m = s.m,
            .n = s.n,
            .k = s.k};
}

Op prefillAttentionOp(const AttentionShape& s, MathUnit unit)
{
    const double keys = s.chunk > 0 ? meanKeysInChunks(s.past, s.queryTokens, s.chunk)
                                    : meanKeysSeen(s.past, s.queryTokens, s.limit);
    const double cached = s.chunk > 0 ? std::fmod(s.past, s.chunk)
        : s.limit > 0                 ? std::min(s.past, s.limit)
                                      : s.past;
    const double rows = s.batch * s.queryTokens;
    const double queryWidth = s.queryHeads * s.headDim;
    return {.name = OpName::PrefillAttention,
            .cls = OpClass::PrefillAttention,
            .flops = Flops(4 * queryWidth * keys * rows),
            .kvBytes
            = Bytes(s.batch * (cached + s.queryTokens) * 2 * s.kvHeads * s.headDim * s.kvBytesPerElement),
            .activationBytes = Bytes(rows * 2 * queryWidth * s.activationBytes),
            .unit = unit,
            .batch = s.batch,
            .queryTokens = s.queryTokens,
            .context = keys,
            .queryHeads = s.queryHeads,
            .kvHeads = s.kvHeads,
            .headDim = s.headDim,
            .narrowKv = s.kvBytesPerElement <= 1};
}

Op decodeAttentionOp(const AttentionShape& s, MathUnit unit)
{
    const double context = s.past + s.queryTokens;
    const double apart = std::min(s.span, 2 * s.past);
    const double keys = s.chunk > 0 ? meanKeysInChunks(s.past - apart / 2, s.queryTokens + apart, s.chunk)
        : s.limit > 0               ? std::min(context, s.limit)
                                    : context;
    const double rows = s.batch * s.queryTokens;
    const double queryWidth = s.queryHeads * s.headDim;
    return {.name = OpName::DecodeAttention,
            .cls = OpClass::DecodeAttention,
            .flops = Flops(4 * queryWidth * keys * rows),
            .kvBytes = Bytes(s.batch * keys * 2 * s.kvHeads * s.headDim * s.kvBytesPerElement),
            .activationBytes = Bytes(rows * 2 * queryWidth * s.activationBytes),
            .unit = unit,
            .batch = s.batch,
            .queryTokens = s.queryTokens,
            .context = keys,
            .queryHeads = s.queryHeads,
            .kvHeads = s.kvHeads,
            .headDim = s.headDim,
            .narrowKv = s.kvBytesPerElement <= 1};
}

Op prefillLatentOp(const LatentShape& s, MathUnit unit)
{
    const double keys = meanKeysSeen(s.past, s.queryTokens, s.limit);
    const double rows = s.batch * s.queryTokens;
    const double width = s.nope + s.rope + s.value;
    return {.name = OpName::PrefillAttention,
            .cls = OpClass::PrefillMla,
            .flops = Flops(2 * s.heads * width * keys * rows),
            .kvBytes = Bytes(s.batch * (s.past + s.queryTokens) * s.heads * width * s.activationBytes),
            .activationBytes = Bytes(rows * s.heads * width * s.activationBytes),
            .unit = unit,
            .batch = s.batch,
            .queryTokens = s.queryTokens,
            .context = keys,
            .queryHeads = s.heads,
            .kvHeads = s.heads,
            .headDim = s.nope + s.rope,
            .narrowKv = false};
}

Op decodeLatentOp(const LatentShape& s, MathUnit unit)
{
    const double context = s.past + s.queryTokens;
    const double keys = s.limit > 0 ? std::min(context, s.limit) : context;
    const double rows = s.batch * s.queryTokens;
    return {.name = OpName::DecodeAttention,
            .cls = OpClass::DecodeMla,
            .flops = Flops(2 * s.heads * (2 * s.latent + s.rope) * keys * rows),
            .kvBytes = Bytes(s.batch * keys * (s.latent + s.rope) * s.kvBytesPerElement),
            .activationBytes = Bytes(rows * s.heads * (2 * s.latent + s.rope) * s.activationBytes),
            .unit = unit,
            .batch = s.batch,
            .queryTokens = s.queryTokens,
            .context = keys,
            .queryHeads = s.heads,
            .kvHeads = 1,
            .headDim = s.latent + s.rope,
            .narrowKv = s.kvBytesPerElement < 1.5}; // 8 bits and their scales
}

Op expertOp(const ExpertShape& s, GemmClass cls, MathUnit unit)
{
    const double branches = s.gated ? 2 : 1;
    const double matrix = (branches + 1) * s.slice * s.inner;
    return {.name = OpName::Experts,
            .cls = OpClass::GroupedGemm,
            .flops = Flops(2 * s.rows * matrix),
            .weightBytes = Bytes(s.experts * matrix * s.weightBytesPerElement),
            .activationBytes
            = Bytes(s.rows * (2 * s.inner + (2 * branches + 1) * s.slice) * s.activationBytes),
            .unit = unit,
            .gemm = cls,
            .m = s.rows / std::max(s.experts, 1e-9),
            .n = s.slice,
            .k = s.inner,
            .experts = s.experts,
            .expertsHeld = s.held,
            .tokens = s.tokens,
            .evenRows = s.even,
            .batch = s.routed > 0 ? s.routed : s.rows};
}

Op streamOp(OpName name, double rows, double bytesPerRow, double kvBytesPerRow)
{
    return {.name = name,
            .cls = OpClass::Stream,
            .kvBytes = Bytes(rows * kvBytesPerRow),
            .activationBytes = Bytes(rows * bytesPerRow),
            .m = rows};
}

Op collectiveOp(OpName name, CollectiveClass cls, double messageBytes, int ranks, int nodes)
{
    return {.name = name,
            .cls = OpClass::Collective,
            .collective = cls,
            .ranks = ranks,
            .nodes = nodes,
            .message = Bytes(messageBytes)};
}

TokenPlaces tokenPlaces(const ExpertExchange& x)
{
    const double ofRanks = distinctPlaces(x.ranks, x);
    return {ofRanks, x.nodes <= 1 || x.straight ? 1 : distinctPlaces(x.nodes, x)};
}

Op expertExchangeOp(const ExpertExchange& x, const TokenPlaces& places)
{
    const double nodes = std::max(1, x.nodes);
    const double token = x.rows * x.rowBytes;
    Op op = collectiveOp(OpName::AllToAll, CollectiveClass::ExpertExchange, token * places.ranks, x.ranks,
                         x.nodes);
    if (nodes <= 1)
        return op;
    const double elsewhere = 1 - 1 / nodes; // of what is dealt out evenly
    if (x.straight) {
        op.message = Bytes(token * x.chosen / nodes);
        op.across = Bytes(token * x.chosen * elsewhere);
    } else {
        op.across = Bytes(token * places.nodes * elsewhere);
    }
    return op;
}

namespace {

// Ways to choose so many; of a part that is not whole, between those of its neighbours.
double ways(double of, double chosen)
{
    double out = 1;
    for (double i = 0; i < chosen; ++i)
        out *= std::max(0.0, of - i) / (i + 1);
    return out;
}

} // namespace

double distinctPlaces(double places, const ExpertExchange& x)
{
    const auto amongAll = [&](double all) { return all * (1 - wholePower(1 - 1 / all, x.chosen)); };
    if (x.groups <= 0 || x.groupsChosen >= x.groups || places <= 1)
        return places > 0 ? amongAll(places) : 0;
    if (places >= x.groups) // each group is on places of its own
        return amongAll(places * x.groupsChosen / x.groups);
    // A place holds several groups: so many of them are among the chosen ones, which share the token's
    // experts.
    const double here = x.groups / places;
    double missed = 0;
    double all = 0;
    for (double n = 0; n <= std::min(here, x.groupsChosen); ++n) {
        const double chance = ways(here, n) * ways(x.groups - here, x.groupsChosen - n);
        missed += chance * wholePower(1 - n / x.groupsChosen, x.chosen);
        all += chance;
    }
    return places * (1 - missed / all);
}

double distinctExperts(double experts, double chosen, double tokens)
{
    return experts > 0 ? experts * (1 - std::pow(1 - chosen / experts, tokens)) : 0;
}

double meanKeysInChunks(double past, double queryTokens, double chunk)
{
    // Keys that the first `positions` positions see together: whole chunks, and the last one as far as it
    // goes.
    const auto upTo = [chunk](double positions) {
        const double whole = std::floor(positions / chunk);
        const double rest = positions - whole * chunk;
        return whole * chunk * (chunk + 1) / 2 + rest * (rest + 1) / 2;
    };
    return queryTokens > 0 ? (upTo(past + queryTokens) - upTo(past)) / queryTokens
                           : std::fmod(past, chunk) + 1;
}

double meanKeysSeen(double past, double queryTokens, double limit)
{
    const double all = past + (queryTokens + 1) / 2;
    if (limit <= 0)
        return all;
    // Query i (1-based) sees min(past + i, limit) keys.
    const double ramp = std::clamp(limit - past, 0.0, queryTokens);
    const double rampSum = ramp * (past + (ramp + 1) / 2);
    return queryTokens > 0 ? (rampSum + (queryTokens - ramp) * limit) / queryTokens : std::min(all, limit);
}

} // namespace headroom
