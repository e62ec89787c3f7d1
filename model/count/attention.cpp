// MHA, GQA and MQA.
#include "model/count/mixer_count.h"
#include "model/count/operator_builder.h"
#include "model/count/rank_share.h"

namespace headroom {

namespace {

class AttentionCount final : public MixerCount {
public:
    explicit AttentionCount(const Attention& mixer) : m(mixer) {}

    void tensors(std::int64_t hidden, Sink<Tensor> visit) const override;
    void operators(const OperatorBuilder& build, double count) const override;

    [[nodiscard]] Message obstacle(int tp) const override
    {
        if (m.queryHeads % tp != 0)
            return notDivisible("query heads", m.queryHeads, tp);
        const bool fits = m.kvHeads == 0 || m.kvHeads % tp == 0 || tp % m.kvHeads == 0;
        return fits ? Message() : notDivisible("key-value heads", m.kvHeads, tp);
    }

    // q, k, v, the gate, and what attention writes.
    [[nodiscard]] double liveValues(int tp) const override
    {
        const double heads = m.queryHeads;
        const double query = heads * m.headDim * (m.outputGate ? 2 : 1);
        const double kv = std::max(static_cast<double>(m.kvHeads) / tp, 1.0) * (m.headDim + m.valueWidth());
        return (query + heads * m.valueWidth()) / tp + kv;
    }

    [[nodiscard]] std::int64_t kvElementsPerToken() const override
    {
        return std::int64_t{m.kvHeads} * (m.headDim + m.valueWidth());
    }
    [[nodiscard]] Bytes layerKvBytesPerToken(DType kv, int tp) const override
    {
        return static_cast<double>(kvElementsPerToken()) * shareOfFullest(m.kvHeads, tp) / m.kvShareGroup
            * kvBytesPerElement(kv);
    }
    [[nodiscard]] std::int64_t cacheCap() const override { return m.window > 0 ? m.window : m.chunk; }
    [[nodiscard]] int layersPerCache() const override { return m.kvShareGroup; }
    [[nodiscard]] Message cacheShape() const override
    {
        return say("2 × {} KV heads × {}", m.kvHeads, m.headDim);
    }
    [[nodiscard]] Message keptOf(const Message& all) const override
    {
        if (m.window > 0)
            return say("{}, the last {} tokens only", all, m.window);
        return m.chunk > 0 ? say("{}, its chunk of {} tokens only", all, m.chunk) : all;
    }

private:
    const Attention& m;
};

void AttentionCount::tensors(std::int64_t hidden, Sink<Tensor> visit) const
{
    const std::int64_t query = std::int64_t{m.queryHeads} * m.headDim;
    const std::int64_t keys = std::int64_t{m.kvHeads} * m.headDim;
    const std::int64_t values = m.valueIsKey ? 0 : std::int64_t{m.kvHeads} * m.valueWidth();
    const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
        if (rows > 0)
            visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
    };
    tensor(TensorRole::Linear, m.outputGate ? 2 * query : query, hidden, m.queryHeads);
    tensor(TensorRole::Key, keys, hidden, m.kvHeads);
    tensor(TensorRole::Value, values, hidden, m.kvHeads);
    tensor(TensorRole::AttentionOut, hidden, std::int64_t{m.queryHeads} * m.valueWidth(), m.queryHeads);
    if (m.qkvBias) {
        tensor(TensorRole::Vector, query, 1, m.queryHeads);
        tensor(TensorRole::Vector, keys + values, 1, m.kvHeads);
    }
    if (m.outBias)
        tensor(TensorRole::Vector, hidden, 1, 0);
    if (m.qkNorm == QkNorm::PerHead)
        tensor(TensorRole::Vector, 2 * std::int64_t{m.headDim}, 1, 0);
    if (m.qkNorm == QkNorm::FullWidth || m.qkNorm == QkNorm::PerHeadWeights) {
        tensor(TensorRole::Vector, query, 1, m.queryHeads);
        tensor(TensorRole::Vector, keys, 1, m.kvHeads);
    }
    if (m.sinks)
        tensor(TensorRole::Vector, m.queryHeads, 1, m.queryHeads);
}

// Engines that compute a prompt in pieces keep as many tokens beside a window, for its first and its last
// query; steps of decodes go over them too (llama.cpp: llama_kv_cache_iswa, n_swa + n_ubatch cells).
double windowSlack(const Deployment& d) { return d.engine != nullptr ? double(d.engine->pipelinePiece) : 0; }

void AttentionCount::operators(const OperatorBuilder& build, double count) const
{
    const double queryHeads = m.queryHeads / build.tp;
    const double kvHeads = headsPerRank(m.kvHeads, build.tp);
    const double headDim = m.headDim;
    const double kvByte = bytesPerElement(build.d.kv);
    const double queryWidth = queryHeads * headDim;
    const double valueDim = m.valueWidth();
    const double kvWidth = kvHeads * (headDim + valueDim);
    const double projected = m.valueIsKey ? kvHeads * headDim : kvWidth;
    const double gate = m.outputGate ? queryWidth : 0;

    build.gemm(OpName::Qkv, WeightPart::Mixer, count, build.rows, queryWidth + gate + projected,
               build.hidden);
    Op rope = streamOp(OpName::RopeAppend, build.rows, ropeBytesPerRow(queryWidth, kvWidth, build.act),
                       kvWidth * kvByte);
    // Norms of queries and keys; queries and gate put apart, the gate's sigmoid and its product
    // (vllm-project/vllm@002d6073: model_executor/models/qwen3_next.py, the path of no fused kernel).
    rope.uncompiled = build.eagerly((m.qkNorm != QkNorm::None ? 2 : 0) + (m.outputGate ? 4 : 0));
    build.emit(rope, count);

    AttentionShape attend{.limit = double(m.window),
                          .chunk = m.window > 0 ? 0 : double(m.chunk),
                          .queryHeads = queryHeads,
                          .kvHeads = kvHeads,
                          .headDim = (headDim + valueDim) / 2, // half of the work is with keys
                          .kvBytesPerElement = kvByte,
                          .activationBytes = build.act};
    const MathUnit unit = build.matrices.half;
    if (build.prefillRows > 0) {
        attend.batch = build.prefillSequences;
        attend.queryTokens = build.prefillRows / build.prefillSequences;
        attend.past = build.shape.prefillPast;
        build.emit(prefillAttentionOp(attend, unit), count);
    }
    if (build.decodeSequences > 0) {
        attend.batch = build.decodeSequences;
        attend.queryTokens = build.shape.decodeQueries;
        attend.past = build.shape.decodeContext;
        attend.span = build.shape.decodeSpan;
        if (m.window > 0)
            attend.limit += windowSlack(build.d);
        build.emit(decodeAttentionOp(attend, unit), count);
    }
    build.gemm(OpName::AttentionOut, WeightPart::Mixer, count, build.rows, build.hidden,
               queryHeads * valueDim);
}

} // namespace

void withCount(const Attention& mixer, MixerUse use) { use(AttentionCount(mixer)); }

} // namespace headroom
