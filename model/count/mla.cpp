// Multi-head latent attention.
#include "model/count/mixer_count.h"
#include "model/count/operator_builder.h"

namespace headroom {

namespace {

class MlaCount final : public MixerCount {
public:
    explicit MlaCount(const Mla& mixer) : m(mixer) {}

    void tensors(std::int64_t hidden, Sink<Tensor> visit) const override;
    void operators(const OperatorBuilder& build, double count) const override;

    [[nodiscard]] Message obstacle(int tp) const override
    {
        return unlessDivisible("query heads", m.queryHeads, tp);
    }

    // The latents, q, k and v unfolded for prefill, and what attention writes.
    [[nodiscard]] double liveValues(int tp) const override
    {
        const double unfolded
            = double(m.queryHeads) * (2.0 * (m.qkNopeDim + m.qkRopeDim) + 2.0 * m.valueHeadDim);
        return m.qLoraRank + m.kvLoraRank + m.qkRopeDim + unfolded / tp;
    }

    [[nodiscard]] std::int64_t kvElementsPerToken() const override
    {
        return m.kvLoraRank + m.qkRopeDim + (m.indexHeads > 0 ? m.indexHeadDim : 0);
    }
    // Every rank has a copy.
    [[nodiscard]] Bytes layerKvBytesPerToken(DType kv, int) const override
    {
        const LatentBytes latent = latentBytesPerToken(m, kv);
        return Bytes(latent.attended + latent.index);
    }
    [[nodiscard]] Message cacheShape() const override
    {
        return say("({} latent + {} rope)", m.kvLoraRank, m.qkRopeDim);
    }

private:
    void index(const OperatorBuilder& build, double count, double queryIn) const;
    void attend(const OperatorBuilder& build, double count) const;

    const Mla& m;
};

// DeepSeek-V2 (arXiv 2405.04434 §2.1); the indexer of DeepSeek-V3.2 has a LayerNorm with bias on its one key.
void MlaCount::tensors(std::int64_t hidden, Sink<Tensor> visit) const
{
    const std::int64_t heads = m.queryHeads;
    const std::int64_t query = heads * (m.qkNopeDim + m.qkRopeDim);
    const std::int64_t queryInput = m.qLoraRank > 0 ? m.qLoraRank : hidden;
    const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
        visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
    };
    if (m.qLoraRank > 0) {
        tensor(TensorRole::Linear, m.qLoraRank, hidden, 0);
        tensor(TensorRole::Vector, m.qLoraRank, 1, 0);
    }
    tensor(TensorRole::Linear, query, queryInput, heads);
    tensor(TensorRole::Linear, m.kvLoraRank + m.qkRopeDim, hidden, 0);
    tensor(TensorRole::Vector, m.kvLoraRank, 1, 0);
    tensor(TensorRole::Linear, heads * (m.qkNopeDim + m.valueHeadDim), m.kvLoraRank, heads);
    tensor(TensorRole::AttentionOut, hidden, heads * m.valueHeadDim, heads);
    if (m.indexHeads > 0) {
        tensor(TensorRole::Linear, std::int64_t{m.indexHeads} * m.indexHeadDim, queryInput, 0);
        tensor(TensorRole::Linear, m.indexHeadDim, hidden, 0);
        tensor(TensorRole::Vector, 2 * std::int64_t{m.indexHeadDim}, 1, 0);
        tensor(TensorRole::KeptLinear, m.indexHeads, hidden, 0);
    }
}

// Prompts that attend in the latent space, as decodes do: every head reads the same keys.
Op absorbedLatentOp(LatentShape shape, double heads, MathUnit unit)
{
    const double cached = shape.batch * (shape.past + shape.queryTokens) * (shape.latent + shape.rope);
    shape.heads = heads;
    shape.nope = shape.value = shape.latent;
    Op op = prefillLatentOp(shape, unit);
    op.kvBytes = Bytes(cached * shape.kvBytesPerElement);
    return op;
}

// Those whose queries each read the keys an indexer chose for them.
Op gatheredLatentOp(const LatentShape& shape, double heads, MathUnit unit)
{
    Op op = absorbedLatentOp(shape, heads, unit);
    op.gathers = true;
    return op;
}

void MlaCount::operators(const OperatorBuilder& build, double count) const
{
    const double heads = m.queryHeads / build.tp;
    const double latent = m.kvLoraRank;
    const double rope = m.qkRopeDim;
    const double nope = m.qkNopeDim;
    const double queryIn = m.qLoraRank > 0 ? m.qLoraRank : build.hidden;

    // Down projections are not split: every rank needs the whole latent.
    build.gemm(OpName::MlaDown, WeightPart::Mixer, count, build.rows,
               (m.qLoraRank > 0 ? queryIn : 0) + latent + rope, build.hidden);
    build.gemm(OpName::MlaUp, WeightPart::Mixer, count, build.rows, heads * (nope + rope), queryIn);
    build.emit(streamOp(OpName::RopeAppend, build.rows,
                        ropeBytesPerRow(heads * (nope + rope), latent + rope, build.act),
                        latentBytesPerToken(m, build.d.kv).attended),
               count);
    if (m.indexHeads > 0)
        index(build, count, queryIn);
    attend(build, count);
    build.gemm(OpName::AttentionOut, WeightPart::Mixer, count, build.rows, build.hidden,
               heads * m.valueHeadDim);
}

void MlaCount::index(const OperatorBuilder& build, double count, double queryIn) const
{
    const StepShape& shape = build.shape;
    const double indexWidth = double(m.indexHeads) * m.indexHeadDim;
    build.gemm(OpName::Indexer, WeightPart::Mixer, count, build.rows, indexWidth, queryIn);
    // Its key and the weight of each of its heads come from the hidden state; queries and keys are turned and
    // narrowed.
    build.gemm(OpName::Indexer, WeightPart::Mixer, count, build.rows, m.indexHeadDim, build.hidden);
    build.gemm(OpName::Indexer, WeightPart::Router, count, build.rows, m.indexHeads, build.hidden);
    build.stream(OpName::Indexer, count, build.rows, indexWidth * (build.act + 1));
    build.stream(OpName::Indexer, count, build.rows, m.indexHeadDim * (build.act + 1.0));
    // Scores against every cached index key.
    const double decodeKeys = build.decodeSequences * shape.decodeContext;
    const double prefillKeys = build.prefillSequences * shape.prefillPast + build.prefillRows;
    const double pairs = build.decodeRows * shape.decodeContext
        + (build.prefillRows > 0 ? build.prefillRows
                   * meanKeysSeen(shape.prefillPast, build.prefillRows / build.prefillSequences, 0)
                                 : 0);
    build.sink(Op{.name = OpName::Indexer,
                  .cls = OpClass::Scan,
                  .count = count,
                  .flops = Flops(2 * indexWidth * pairs),
                  .kvBytes = Bytes((decodeKeys + prefillKeys) * latentBytesPerToken(m, build.d.kv).index),
                  .unit = build.d.gpu->has(MathUnit::Fp8) ? MathUnit::Fp8 : build.matrices.half,
                  .m = build.rows});
    // The best keys of each query are chosen from its scores, in fp32.
    constexpr double scoreBytes = 4;
    build.stream(OpName::Indexer, count, build.rows,
                 build.rows > 0 ? 2 * pairs / build.rows * scoreBytes : 0);
}

void MlaCount::attend(const OperatorBuilder& build, double count) const
{
    const StepShape& shape = build.shape;
    const double heads = m.queryHeads / build.tp;
    const double latent = m.kvLoraRank;
    const double nope = m.qkNopeDim;
    const double value = m.valueHeadDim;
    const double limit = double(m.indexTopK); // sparse attention reads only the chosen keys
    LatentShape attend{.limit = limit,
                       .heads = heads,
                       .latent = latent,
                       .rope = double(m.qkRopeDim),
                       .nope = nope,
                       .value = value,
                       .kvBytesPerElement
                       = latentBytesPerToken(m, build.d.kv).attended / (latent + m.qkRopeDim),
                       .activationBytes = build.act};
    const MathUnit unit = build.matrices.half;
    const auto up = [&](double rows, double n, double k) {
        build.gemm(OpName::MlaUp, WeightPart::Mixer, count, rows, n, k);
    };
    if (build.prefillRows > 0) {
        attend.batch = build.prefillSequences;
        attend.queryTokens = build.prefillRows / build.prefillSequences;
        attend.past = shape.prefillPast;
        if (build.hasKernels() && limit > 0 && attend.past + attend.queryTokens > limit) {
            // Each query has keys of its own, which only the latent space shares among the heads: prompts
            // attend as decodes do, in kernels that take at least so many heads (vllm-project/vllm:
            // flashmla_sparse.py).
            const double fewest = build.d.gpu->has(MathUnit::Fp4) ? 128 : 64;
            up(build.prefillRows, latent, heads * nope);
            up(build.prefillRows, latent, heads * value);
            build.emit(gatheredLatentOp(attend, build.gatheringHeads(attend.heads, fewest), unit), count);
        } else if (limit == 0 && build.d.engine
                   && build.d.engine->latent.absorbsPrompts(build.d.gpu->family)) {
            up(build.prefillRows, latent, heads * nope);
            up(build.prefillRows, latent, heads * value);
            Op op = absorbedLatentOp(attend, attend.heads, unit);
            op.general = true;
            build.emit(op, count);
        } else {
            // Keys and values are expanded from the latent, cached ones of earlier chunks again.
            up(build.prefillRows + build.prefillSequences * shape.prefillPast, heads * (nope + value),
               latent);
            Op op = prefillLatentOp(attend, unit);
            op.general = build.d.engine && !build.d.engine->latent.hasKernelFor(heads);
            build.emit(op, count);
        }
    }
    if (build.decodeSequences > 0) {
        // Absorbed form: the query goes into the latent space and the result comes out of it, head by head.
        up(build.decodeRows, latent, heads * nope);
        up(build.decodeRows, latent, heads * value);
        attend.batch = build.decodeSequences;
        attend.queryTokens = shape.decodeQueries;
        attend.past = shape.decodeContext;
        build.emit(decodeLatentOp(attend, unit), count);
    }
}

} // namespace

void withCount(const Mla& mixer, MixerUse use) { use(MlaCount(mixer)); }

} // namespace headroom
