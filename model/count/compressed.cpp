// DeepSeek-V4's attention (transformers, modular_deepseek_v4.py; DeepSeek's inference code). Counted are the
// products of the attention that is really computed: the window, and of the merged tokens all or those that
// the indexer chooses.
#include "model/count/mixer_count.h"
#include "model/count/operator_builder.h"

namespace headroom {

namespace {

class CompressedCount final : public MixerCount {
public:
    explicit CompressedCount(const Compressed& mixer) : m(mixer) {}

    void tensors(std::int64_t hidden, Sink<Tensor> visit) const override;
    void operators(const OperatorBuilder& build, double count) const override;

    [[nodiscard]] Message obstacle(int tp) const override
    {
        if (m.queryHeads % tp != 0)
            return notDivisible("query heads", m.queryHeads, tp);
        return unlessDivisible("groups of heads", m.outGroups, tp);
    }

    // q and what attention writes, the latents, keys and gates to be merged.
    [[nodiscard]] double liveValues(int tp) const override
    {
        const double merged = 2.0 * m.compressorWidths() * (m.headDim + m.indexHeadDim);
        return 2 * double(m.queryHeads) * m.headDim / tp + m.qLoraRank + m.headDim
            + double(m.outGroups) * m.outLoraRank / tp + (m.compression > 0 ? merged : 0);
    }

    [[nodiscard]] std::int64_t kvElementsPerToken() const override
    {
        // Readers refuse what does not divide.
        return m.compression > 0 ? (m.headDim + m.indexHeadDim) / m.compression : 0;
    }
    // Keys and gates of the tokens that are not merged yet, and the window of keys.
    [[nodiscard]] StateElements stateElements() const override
    {
        const std::int64_t widths = m.compressorWidths();
        return {.recurrent = 2 * widths * widths * m.compression * (m.headDim + m.indexHeadDim),
                .window = m.window * m.headDim,
                .type = m.stateType};
    }
    [[nodiscard]] bool ownPages() const override { return true; }
    [[nodiscard]] Message cacheShape() const override
    {
        return say("({} key + {} index) / {} merged tokens", m.headDim, m.indexHeadDim, m.compression);
    }
    [[nodiscard]] Message keptOf(const Message& all) const override
    {
        return say("{}, beside the last {} tokens whole", all, m.window);
    }

private:
    void index(const OperatorBuilder& build, double count) const;
    [[nodiscard]] double meanKeys(double past, double queryTokens) const;
    [[nodiscard]] Op sharedKeyOp(const OperatorBuilder& build, OpName name, double sequences,
                                 double queryTokens, double keys) const;

    const Compressed& m;
};

// Low-rank queries, one key that is the value too, a compressor of keys, an indexer with a compressor of its
// own, and an output projection in groups.
void CompressedCount::tensors(std::int64_t hidden, Sink<Tensor> visit) const
{
    const std::int64_t query = std::int64_t{m.queryHeads} * m.headDim;
    const std::int64_t outInner = std::int64_t{m.outGroups} * m.outLoraRank;
    const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
        visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
    };
    const auto compressor = [&](std::int64_t width) { // keys, gates, a bias for each merged place, a norm
        const std::int64_t computed = m.compressorWidths() * width;
        tensor(TensorRole::KeptLinear, 2 * computed, hidden, 0);
        tensor(TensorRole::Vector, m.compression, computed, 0);
        tensor(TensorRole::Vector, width, 1, 0);
    };
    tensor(TensorRole::Linear, m.qLoraRank, hidden, 0);
    tensor(TensorRole::Vector, m.qLoraRank, 1, 0);
    tensor(TensorRole::Linear, query, m.qLoraRank, m.queryHeads);
    tensor(TensorRole::Linear, m.headDim, hidden, 0);
    tensor(TensorRole::Vector, m.headDim, 1, 0);
    tensor(TensorRole::Linear, outInner, query / m.outGroups, m.outGroups);
    tensor(TensorRole::AttentionOut, hidden, outInner, m.outGroups);
    tensor(TensorRole::Vector, m.queryHeads, 1, m.queryHeads); // sinks
    if (m.compression > 0)
        compressor(m.headDim);
    if (m.indexHeads > 0) {
        compressor(m.indexHeadDim);
        tensor(TensorRole::Linear, std::int64_t{m.indexHeads} * m.indexHeadDim, m.qLoraRank, 0);
        tensor(TensorRole::KeptLinear, m.indexHeads, hidden, 0);
    }
}

// Keys that `queryTokens` new tokens behind `past` others see on average, the window and the merged ones.
double CompressedCount::meanKeys(double past, double queryTokens) const
{
    const double near = meanKeysSeen(past, queryTokens, double(m.window));
    if (m.compression == 0)
        return near;
    const double merged = m.compression;
    return near + meanKeysSeen(past, queryTokens, double(m.indexTopK) * merged) / merged;
}

// Attention over keys that are the values too, one for all heads.
Op CompressedCount::sharedKeyOp(const OperatorBuilder& build, OpName name, double sequences,
                                double queryTokens, double keys) const
{
    const double kvByte = bytesPerElement(build.d.kv);
    // Engines fill up with empty heads (vllm-project/vllm: deepseek_v4 attention.py, padded_heads;
    // InternLM/lmdeploy: _pad_query_heads).
    const double heads = build.gatheringHeads(m.queryHeads / build.tp, 64);
    const double rows = sequences * queryTokens;
    const double width = heads * m.headDim;
    const bool prompt = name == OpName::PrefillAttention;
    // A prompt's queries read the keys of all of them once, a decode step its own sequence's.
    const double read = prompt ? std::max(keys, queryTokens) : keys;
    return {.name = name,
            .cls = prompt ? OpClass::PrefillMla : OpClass::DecodeMla,
            .flops = Flops(4 * width * keys * rows),
            .kvBytes = Bytes(sequences * read * m.headDim * kvByte),
            .activationBytes = Bytes(rows * 2 * width * build.act),
            .unit = build.matrices.half,
            .batch = sequences,
            .queryTokens = queryTokens,
            .context = keys,
            .queryHeads = heads,
            .kvHeads = 1,
            .headDim = double(m.headDim),
            .narrowKv = kvByte <= 1,
            .gathers = prompt && build.hasKernels()};
}

void CompressedCount::index(const OperatorBuilder& build, double count) const
{
    const StepShape& shape = build.shape;
    const double merged = m.compression;
    const double queryTokens = build.prefillSequences > 0 ? build.prefillRows / build.prefillSequences : 0;
    const double indexWidth = double(m.indexHeads) * m.indexHeadDim;
    build.gemm(OpName::Indexer, WeightPart::Mixer, count, build.rows,
               2.0 * m.compressorWidths() * m.indexHeadDim, build.hidden);
    build.gemm(OpName::Indexer, WeightPart::Mixer, count, build.rows, indexWidth, m.qLoraRank);
    // Scores against every merged index key, one byte each.
    const double keysRead = (build.decodeSequences * shape.decodeContext
                             + build.prefillSequences * shape.prefillPast + build.prefillRows)
        / merged;
    const double pairs
        = (build.decodeRows * shape.decodeContext
           + (build.prefillRows > 0 ? build.prefillRows * meanKeysSeen(shape.prefillPast, queryTokens, 0)
                                    : 0))
        / merged;
    build.sink(Op{.name = OpName::Indexer,
                  .cls = OpClass::Scan,
                  .count = count,
                  .flops = Flops(2 * indexWidth * pairs),
                  .kvBytes = Bytes(keysRead * m.indexHeadDim),
                  .unit = build.d.gpu->has(MathUnit::Fp8) ? MathUnit::Fp8 : build.matrices.half,
                  .m = build.rows});
    // The best keys of each query are chosen from its scores, in fp32.
    constexpr double scoreBytes = 4;
    build.stream(OpName::Indexer, count, build.rows,
                 build.rows > 0 ? 2 * pairs / build.rows * scoreBytes : 0);
}

void CompressedCount::operators(const OperatorBuilder& build, double count) const
{
    const double width = m.queryHeads / build.tp * m.headDim;
    const double queryTokens = build.prefillSequences > 0 ? build.prefillRows / build.prefillSequences : 0;
    const auto gemm = [&](OpName name, double n, double k) {
        build.gemm(name, WeightPart::Mixer, count, build.rows, n, k);
    };
    // Queries' latent and the key are not split: every rank needs them whole.
    gemm(OpName::MlaDown, m.qLoraRank + m.headDim, build.hidden);
    gemm(OpName::MlaUp, width, m.qLoraRank);
    build.emit(streamOp(OpName::RopeAppend, build.rows, ropeBytesPerRow(width, m.headDim, build.act),
                        m.headDim * build.act),
               count);
    if (m.compression > 0)
        gemm(OpName::MlaDown, 2.0 * m.compressorWidths() * m.headDim, build.hidden);
    if (m.indexHeads > 0)
        index(build, count);
    const auto attend = [&](OpName name, double sequences, double queries, double keys) {
        if (sequences > 0 && queries > 0)
            build.emit(sharedKeyOp(build, name, sequences, queries, keys), count);
    };
    attend(OpName::PrefillAttention, build.prefillSequences, queryTokens,
           meanKeys(build.shape.prefillPast, queryTokens));
    attend(OpName::DecodeAttention, build.decodeSequences, build.shape.decodeQueries,
           meanKeys(build.shape.decodeContext, build.shape.decodeQueries));
    const double groups = m.outGroups / build.tp;
    gemm(OpName::AttentionOut, groups * m.outLoraRank, double(m.queryHeads) * m.headDim / m.outGroups);
    gemm(OpName::AttentionOut, build.hidden, groups * m.outLoraRank);
}

} // namespace

void withCount(const Compressed& mixer, MixerUse use) { use(CompressedCount(mixer)); }

} // namespace headroom
