// DeepSeek-V4's attention and residual streams (transformers, modular_deepseek_v4.py; DeepSeek's inference
// code). Counted are the products of the attention that is really computed: the window, and of the merged
// tokens all or those that the indexer chooses.
#include "model/count/operator_builder.h"

namespace headroom {

namespace {

// Keys that `queryTokens` new tokens behind `past` others see on average, the window and the merged ones.
double meanKeys(const Mixer& mixer, double past, double queryTokens)
{
    const double near = meanKeysSeen(past, queryTokens, double(mixer.window));
    if (mixer.compression == 0)
        return near;
    const double merged = mixer.compression;
    return near + meanKeysSeen(past, queryTokens, double(mixer.indexTopK) * merged) / merged;
}

// Attention over keys that are the values too, one for all heads.
Op sharedKeyOp(const Mixer& mixer, OpName name, double heads, double sequences, double queryTokens,
               double keys, double kvByte, double act)
{
    const double rows = sequences * queryTokens;
    const double width = heads * mixer.headDim;
    const bool prompt = name == OpName::PrefillAttention;
    // A prompt's queries read the keys of all of them once, a decode step its own sequence's.
    const double read = prompt ? std::max(keys, queryTokens) : keys;
    return {.name = name,
            .cls = prompt ? OpClass::PrefillMla : OpClass::DecodeMla,
            .flops = Flops(4 * width * keys * rows),
            .kvBytes = Bytes(sequences * read * mixer.headDim * kvByte),
            .activationBytes = Bytes(rows * 2 * width * act),
            .batch = sequences,
            .queryTokens = queryTokens,
            .context = keys,
            .queryHeads = heads,
            .kvHeads = 1,
            .headDim = double(mixer.headDim),
            .narrowKv = kvByte <= 1};
}

} // namespace

void OperatorBuilder::compressed(const Mixer& mixer, double count) const
{
    const double heads = mixer.queryHeads / tp;
    const double width = heads * mixer.headDim;
    const double kvByte = bytesPerElement(d.kv);
    const double queryTokens = prefillSequences > 0 ? prefillRows / prefillSequences : 0;
    const double merged = mixer.compression;
    const double computed = 2.0 * compressorWidths(mixer);

    // Queries' latent and the key are not split: every rank needs them whole.
    gemm(OpName::MlaDown, WeightPart::Mixer, count, rows, mixer.qLoraRank + mixer.headDim, hidden);
    gemm(OpName::MlaUp, WeightPart::Mixer, count, rows, width, mixer.qLoraRank);
    emit(streamOp(OpName::RopeAppend, rows, ropeBytesPerRow(width, mixer.headDim, act), mixer.headDim * act),
         count);
    if (mixer.compression > 0)
        gemm(OpName::MlaDown, WeightPart::Mixer, count, rows, computed * mixer.headDim, hidden);
    if (mixer.indexHeads > 0) {
        const double indexWidth = double(mixer.indexHeads) * mixer.indexHeadDim;
        gemm(OpName::Indexer, WeightPart::Mixer, count, rows, computed * mixer.indexHeadDim, hidden);
        gemm(OpName::Indexer, WeightPart::Mixer, count, rows, indexWidth, mixer.qLoraRank);
        // Scores against every merged index key, one byte each.
        const double keysRead
            = (decodeSequences * shape.decodeContext + prefillSequences * shape.prefillPast + prefillRows)
            / merged;
        const double pairs
            = (decodeRows * shape.decodeContext
               + (prefillRows > 0 ? prefillRows * meanKeysSeen(shape.prefillPast, queryTokens, 0) : 0))
            / merged;
        sink(Op{.name = OpName::Indexer,
                .cls = OpClass::Scan,
                .count = count,
                .flops = Flops(2 * indexWidth * pairs),
                .kvBytes = Bytes(keysRead * mixer.indexHeadDim),
                .unit = d.gpu->has(MathUnit::Fp8) ? MathUnit::Fp8 : matrices.half,
                .m = rows});
    }
    const auto attend = [&](OpName name, double sequences, double queries, double keys) {
        if (sequences <= 0 || queries <= 0)
            return;
        Op op = sharedKeyOp(mixer, name, heads, sequences, queries, keys, kvByte, act);
        op.unit = matrices.half;
        emit(op, count);
    };
    attend(OpName::PrefillAttention, prefillSequences, queryTokens,
           meanKeys(mixer, shape.prefillPast, queryTokens));
    attend(OpName::DecodeAttention, decodeSequences, shape.decodeQueries,
           meanKeys(mixer, shape.decodeContext, shape.decodeQueries));
    const double groups = mixer.outGroups / tp;
    gemm(OpName::AttentionOut, WeightPart::Mixer, count, rows, groups * mixer.outLoraRank,
         double(mixer.queryHeads) * mixer.headDim / mixer.outGroups);
    gemm(OpName::AttentionOut, WeightPart::Mixer, count, rows, hidden, groups * mixer.outLoraRank);
}

void OperatorBuilder::hyperConnections(double count) const
{
    const double streams = d.llm->residualStreams;
    if (streams == 0)
        return;
    constexpr double sites = 2; // around the mixer and around the MLP
    gemm(OpName::MixerIn, WeightPart::Norm, sites * count, rows, (2 + streams) * streams, streams * hidden);
    // At each site the streams are read for their weights, to be joined and to be mixed, and written back.
    constexpr double passes = 4;
    stream(OpName::Norm, sites * count, rows, passes * streams * hidden * act);
}

} // namespace headroom
