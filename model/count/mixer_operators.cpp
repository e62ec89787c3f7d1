#include "model/count/cache.h"
#include "model/count/operator_builder.h"

namespace headroom {

namespace {

// Heads on one of `tp` ranks: query heads divide, kv heads are replicated when there are fewer than ranks.
double headsPerRank(double heads, double tp) { return std::max(heads / tp, std::min(heads, 1.0)); }

// Prompts whose queries each read the keys an indexer chose for them, in the latent space.
Op gatheredLatentOp(LatentShape shape, double fewestHeads, MathUnit unit)
{
    const double cached = shape.batch * (shape.past + shape.queryTokens) * (shape.latent + shape.rope);
    shape.heads = std::max(shape.heads, fewestHeads);
    shape.nope = shape.value = shape.latent;
    Op op = prefillLatentOp(shape, unit);
    op.kvBytes = Bytes(cached * shape.kvBytesPerElement);
    return op;
}

// What a token of a prompt costs within its block, beside the state.
struct WithinBlocks {
    double flops = 0;
    double bytes = 0;
};
// The gated delta rule is chunked in kernels that hand on through memory (fla-org/flash-linear-attention:
// ops/gated_delta_rule/chunk.py: scaled products of keys, their inverse, corrected keys and values, states,
// outputs): a head reads its keys four times and its query once, writes and reads corrected keys, values and
// new values, and reads or writes a row of the block's matrix four times, twice of them in 32 bits.
WithinBlocks deltaRuleWithin(const Mixer& mixer, double heads, double block, double act)
{
    const double keys = mixer.stateKeyDim;
    const double values = mixer.stateValueDim;
    constexpr double bytesOfRow = 2 * 4.0 + 2 * 2.0; // of the matrix, for each column
    return {.flops = heads * 2 * block * (3 * keys + 2 * values),
            .bytes = heads * ((7 * keys + 5 * values) * act + bytesOfRow * block)};
}

} // namespace

void OperatorBuilder::mixer(const Mixer& mixer, double count) const
{
    switch (mixer.kind) {
    case MixerKind::None:
        return;
    case MixerKind::Attention:
        return attention(mixer, count);
    case MixerKind::Mla:
        return mla(mixer, count);
    case MixerKind::Mamba1:
    case MixerKind::Mamba2:
    case MixerKind::DeltaNet:
    case MixerKind::Lightning:
        return recurrent(mixer, count);
    case MixerKind::Compressed:
        return compressed(mixer, count);
    }
}

void OperatorBuilder::attention(const Mixer& mixer, double count) const
{
    const double queryHeads = mixer.queryHeads / tp;
    const double kvHeads = headsPerRank(mixer.kvHeads, tp);
    const double headDim = mixer.headDim;
    const double kvByte = bytesPerElement(d.kv);
    const double queryWidth = queryHeads * headDim;
    const double valueDim = valueWidth(mixer);
    const double kvWidth = kvHeads * (headDim + valueDim);
    const double projected = mixer.valueIsKey ? kvHeads * headDim : kvWidth;
    const double gate = mixer.outputGate ? queryWidth : 0;

    gemm(OpName::Qkv, WeightPart::Mixer, count, rows, queryWidth + gate + projected, hidden);
    emit(streamOp(OpName::RopeAppend, rows, ropeBytesPerRow(queryWidth, kvWidth, act), kvWidth * kvByte),
         count);

    AttentionShape attend{.limit = double(mixer.window),
                          .chunk = mixer.window > 0 ? 0 : double(mixer.chunk),
                          .queryHeads = queryHeads,
                          .kvHeads = kvHeads,
                          .headDim = (headDim + valueDim) / 2, // half of the work is with keys
                          .kvBytesPerElement = kvByte,
                          .activationBytes = act};
    const MathUnit unit = matrices.half;
    if (prefillRows > 0) {
        attend.batch = prefillSequences;
        attend.queryTokens = prefillRows / prefillSequences;
        attend.past = shape.prefillPast;
        emit(prefillAttentionOp(attend, unit), count);
    }
    if (decodeSequences > 0) {
        attend.batch = decodeSequences;
        attend.queryTokens = shape.decodeQueries;
        attend.past = shape.decodeContext;
        attend.span = shape.decodeSpan;
        emit(decodeAttentionOp(attend, unit), count);
    }
    gemm(OpName::AttentionOut, WeightPart::Mixer, count, rows, hidden, queryHeads * valueDim);
}

void OperatorBuilder::mla(const Mixer& mixer, double count) const
{
    const double heads = mixer.queryHeads / tp;
    const double latent = mixer.kvLoraRank;
    const double rope = mixer.qkRopeDim;
    const double nope = mixer.qkNopeDim;
    const double value = mixer.valueHeadDim;
    const double queryIn = mixer.qLoraRank > 0 ? mixer.qLoraRank : hidden;
    const LatentBytes cached = latentBytesPerToken(mixer, d.kv);
    const double limit = double(mixer.indexTopK); // sparse attention reads only the chosen keys

    // Down projections are not split: every rank needs the whole latent.
    gemm(OpName::MlaDown, WeightPart::Mixer, count, rows, (mixer.qLoraRank > 0 ? queryIn : 0) + latent + rope,
         hidden);
    gemm(OpName::MlaUp, WeightPart::Mixer, count, rows, heads * (nope + rope), queryIn);
    emit(streamOp(OpName::RopeAppend, rows, ropeBytesPerRow(heads * (nope + rope), latent + rope, act),
                  cached.attended),
         count);
    if (mixer.indexHeads > 0) {
        const double indexWidth = double(mixer.indexHeads) * mixer.indexHeadDim;
        gemm(OpName::Indexer, WeightPart::Mixer, count, rows, indexWidth, queryIn);
        // Its key and the weight of each of its heads come from the hidden state; queries and keys are turned
        // and narrowed.
        gemm(OpName::Indexer, WeightPart::Mixer, count, rows, mixer.indexHeadDim, hidden);
        gemm(OpName::Indexer, WeightPart::Router, count, rows, mixer.indexHeads, hidden);
        stream(OpName::Indexer, count, rows, indexWidth * (act + 1));
        stream(OpName::Indexer, count, rows, mixer.indexHeadDim * (act + 1.0));
        // Scores against every cached index key.
        const double decodeKeys = decodeSequences * shape.decodeContext;
        const double prefillKeys = prefillSequences * shape.prefillPast + prefillRows;
        const double pairs = decodeRows * shape.decodeContext
            + (prefillRows > 0
                   ? prefillRows * meanKeysSeen(shape.prefillPast, prefillRows / prefillSequences, 0)
                   : 0);
        sink(Op{.name = OpName::Indexer,
                .cls = OpClass::Scan,
                .count = count,
                .flops = Flops(2 * indexWidth * pairs),
                .kvBytes = Bytes((decodeKeys + prefillKeys) * cached.index),
                .unit = d.gpu->has(MathUnit::Fp8) ? MathUnit::Fp8 : matrices.half,
                .m = rows});
        // The best keys of each query are chosen from its scores, in fp32.
        constexpr double scoreBytes = 4;
        stream(OpName::Indexer, count, rows, rows > 0 ? 2 * pairs / rows * scoreBytes : 0);
    }

    LatentShape attend{.limit = limit,
                       .heads = heads,
                       .latent = latent,
                       .rope = rope,
                       .nope = nope,
                       .value = value,
                       .kvBytesPerElement = cached.attended / (latent + rope),
                       .activationBytes = act};
    const MathUnit unit = matrices.half;
    if (prefillRows > 0) {
        attend.batch = prefillSequences;
        attend.queryTokens = prefillRows / prefillSequences;
        attend.past = shape.prefillPast;
        const bool gathers = d.engine && !d.engine->kernels.empty(); // the physical floor need not
        if (gathers && limit > 0 && attend.past + attend.queryTokens > limit) {
            // Each query has keys of its own, which only the latent space shares among the heads: prompts
            // attend as decodes do, in kernels that take at least so many heads (vllm-project/vllm:
            // flashmla_sparse.py).
            const double fewest = d.gpu->has(MathUnit::Fp4) ? 128 : 64;
            gemm(OpName::MlaUp, WeightPart::Mixer, count, prefillRows, latent, heads * nope);
            gemm(OpName::MlaUp, WeightPart::Mixer, count, prefillRows, latent, heads * value);
            emit(gatheredLatentOp(attend, fewest, unit), count);
        } else {
            // Keys and values are expanded from the latent, cached ones of earlier chunks again.
            gemm(OpName::MlaUp, WeightPart::Mixer, count, prefillRows + prefillSequences * shape.prefillPast,
                 heads * (nope + value), latent);
            emit(prefillLatentOp(attend, unit), count);
        }
    }
    if (decodeSequences > 0) {
        // Absorbed form: the query goes into the latent space and the result comes out of it, head by head.
        gemm(OpName::MlaUp, WeightPart::Mixer, count, decodeRows, latent, heads * nope);
        gemm(OpName::MlaUp, WeightPart::Mixer, count, decodeRows, latent, heads * value);
        attend.batch = decodeSequences;
        attend.queryTokens = shape.decodeQueries;
        attend.past = shape.decodeContext;
        emit(decodeLatentOp(attend, unit), count);
    }
    gemm(OpName::AttentionOut, WeightPart::Mixer, count, rows, hidden, heads * value);
}

void OperatorBuilder::recurrent(const Mixer& mixer, double count) const
{
    double in = 0;    // width of the input projection on one rank
    double out = 0;   // width that comes out of the recurrence
    double state = 0; // elements of the recurrent state of one sequence
    double conv = 0;  // width of the short convolution
    switch (mixer.kind) {
    case MixerKind::Mamba1:
        out = mixer.innerDim / tp;
        in = 2 * out;
        state = out * mixer.stateDim;
        conv = out;
        // dt, B and C come from the inner width through two more matrices.
        gemm(OpName::MixerIn, WeightPart::Mixer, count, rows, mixer.dtRank + 2.0 * mixer.stateDim, out);
        gemm(OpName::MixerIn, WeightPart::Mixer, count, rows, out, mixer.dtRank);
        break;
    case MixerKind::Mamba2:
        out = mixer.innerDim / tp;
        conv = out + headsPerRank(mixer.groups, tp) * 2 * mixer.stateDim;
        in = out + conv + mixer.stateHeads / tp;
        state = out * mixer.stateDim;
        break;
    case MixerKind::DeltaNet:
        out = double(mixer.stateHeads) * mixer.stateValueDim / tp;
        conv = 2 * double(mixer.stateKeyHeads) * mixer.stateKeyDim / tp + out;
        in = conv + out + 2 * mixer.stateHeads / tp;
        state = out * mixer.stateKeyDim;
        break;
    default: // Lightning
        out = double(mixer.queryHeads) * mixer.headDim / tp;
        in = 4 * out;
        state = out * mixer.headDim;
        break;
    }
    gemm(OpName::MixerIn, WeightPart::Mixer, count, rows, in, hidden);
    // Each token multiplies the state twice (update and read); a prompt reads and writes it once per 64
    // tokens, the block length that the chunked algorithms of these layers use.
    constexpr double scanBlock = 64;
    const double stateBytes = bytesPerElement(mixer.stateType);
    const double touches
        = decodeSequences + (prefillRows > 0 ? std::max(prefillSequences, prefillRows / scanBlock) : 0);
    const WithinBlocks within = mixer.kind == MixerKind::DeltaNet
        ? deltaRuleWithin(mixer, out / std::max(1.0, double(mixer.stateValueDim)), scanBlock, act)
        : WithinBlocks{};
    sink(
        Op{.name = OpName::Scan,
           .cls = OpClass::Scan,
           .count = count,
           .flops = Flops(4 * state * rows + 2 * conv * mixer.convKernel * rows + within.flops * prefillRows),
           .kvBytes = Bytes(2 * touches * state * stateBytes),
           .activationBytes = Bytes(rows * (2 * conv + 2 * out) * act + within.bytes * prefillRows),
           .unit = matrices.half,
           .m = rows});
    gemm(OpName::MixerOut, WeightPart::Mixer, count, rows, hidden, out);
}

} // namespace headroom
