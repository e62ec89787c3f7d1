// Layers that keep a state instead of a cache: Mamba, the gated delta rule, lightning attention.
#include "model/count/mixer_count.h"
#include "model/count/operator_builder.h"

namespace headroom {

namespace {

// Tokens of a prompt for each of which a state is read and written once: the block length that the chunked
// algorithms of these layers use.
constexpr double scanBlock = 64;

// What a token of a prompt costs within its block, beside the state.
struct WithinBlocks {
    double flops = 0;
    double bytes = 0;
};

// One rank's widths.
struct RecurrentWidths {
    double in = 0;    // of the input projection
    double out = 0;   // that comes out of the recurrence
    double state = 0; // elements of the recurrent state of one sequence
    double conv = 0;  // of the short convolution
    int taps = 0;
    DType stateType = DType::Bf16;
    WithinBlocks within;
    double uncompiled = 0; // kernels that nothing compiles in a step without graphs
};

void recurrentOperators(const OperatorBuilder& build, const RecurrentWidths& w, double count)
{
    build.gemm(OpName::MixerIn, WeightPart::Mixer, count, build.rows, w.in, build.hidden);
    // Each token multiplies the state twice (update and read). Prompts are worked on in blocks; a token more
    // of a sequence is one pass over its state, which kernels of their own stream.
    const auto recur = [&](OpClass cls, double rows, double touches, const WithinBlocks& within) {
        build.sink(Op{.name = OpName::Scan,
                      .cls = cls,
                      .count = count,
                      .flops = Flops((4 * w.state + 2 * w.conv * w.taps + within.flops) * rows),
                      .kvBytes = Bytes(2 * touches * w.state * bytesPerElement(w.stateType)),
                      .activationBytes = Bytes(rows * ((2 * w.conv + 2 * w.out) * build.act + within.bytes)),
                      .unit = build.matrices.half,
                      .m = rows,
                      .uncompiled = build.eagerly(w.uncompiled)});
    };
    if (build.prefillRows > 0)
        recur(OpClass::Scan, build.prefillRows,
              std::max(build.prefillSequences, build.prefillRows / scanBlock), w.within);
    if (build.decodeSequences > 0)
        recur(OpClass::Stream, build.rows - build.prefillRows, build.decodeSequences, {});
    build.gemm(OpName::MixerOut, WeightPart::Mixer, count, build.rows, build.hidden, w.out);
}

// arXiv 2312.00752.
class Mamba1Count final : public MixerCount {
public:
    explicit Mamba1Count(const Mamba1& mixer) : m(mixer) {}

    void tensors(std::int64_t hidden, Sink<Tensor> visit) const override
    {
        const std::int64_t inner = m.innerDim;
        const std::int64_t state = m.stateDim;
        const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
            visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
        };
        tensor(TensorRole::Linear, 2 * inner, hidden, inner);
        tensor(TensorRole::Vector, inner, m.convKernel + (m.convBias ? 1 : 0), inner);
        tensor(TensorRole::Linear, m.dtRank + 2 * state, inner, inner);
        tensor(TensorRole::Linear, inner, m.dtRank, inner);
        tensor(TensorRole::Vector, inner, state + 2, inner); // A, D and the bias of dt
        if (m.innerNorms)
            tensor(TensorRole::Vector, m.dtRank + 2 * state, 1, 0);
        tensor(TensorRole::Linear, hidden, inner, inner);
    }
    void operators(const OperatorBuilder& build, double count) const override
    {
        const double out = m.innerDim / build.tp;
        // dt, B and C come from the inner width through two more matrices.
        build.gemm(OpName::MixerIn, WeightPart::Mixer, count, build.rows, m.dtRank + 2.0 * m.stateDim, out);
        build.gemm(OpName::MixerIn, WeightPart::Mixer, count, build.rows, out, m.dtRank);
        recurrentOperators(build,
                           {.in = 2 * out,
                            .out = out,
                            .state = out * m.stateDim,
                            .conv = out,
                            .taps = m.convKernel,
                            .stateType = m.stateType},
                           count);
    }
    [[nodiscard]] Message obstacle(int tp) const override
    {
        return unlessDivisible("state-space channels", m.innerDim, tp);
    }
    [[nodiscard]] double liveValues(int tp) const override
    {
        return 4.0 * m.innerDim / tp; // x and z, x after the convolution, y
    }
    [[nodiscard]] StateElements stateElements() const override
    {
        return {.recurrent = std::int64_t{m.innerDim} * m.stateDim,
                .convolution = std::int64_t{m.innerDim} * m.convKernel,
                .units = m.innerDim,
                .taps = m.convKernel,
                .type = m.stateType};
    }

private:
    const Mamba1& m;
};

// arXiv 2405.21060.
class Mamba2Count final : public MixerCount {
public:
    explicit Mamba2Count(const Mamba2& mixer) : m(mixer) {}

    void tensors(std::int64_t hidden, Sink<Tensor> visit) const override
    {
        const std::int64_t inner = m.innerDim;
        const std::int64_t heads = m.heads;
        const std::int64_t grouped = 2 * std::int64_t{m.groups} * m.stateDim; // B and C
        const std::int64_t tapsAndBias = m.convKernel + (m.convBias ? 1 : 0);
        const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
            visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
        };
        tensor(TensorRole::Linear, 2 * inner + heads, hidden, heads); // z, x, dt
        tensor(TensorRole::Linear, grouped, hidden, m.groups);
        tensor(TensorRole::Vector, inner, tapsAndBias, heads);
        tensor(TensorRole::Vector, grouped, tapsAndBias, m.groups);
        tensor(TensorRole::Vector, 3 * heads, 1, heads); // A, D and the bias of dt
        tensor(TensorRole::Vector, inner, 1, heads);     // gated norm
        tensor(TensorRole::Linear, hidden, inner, heads);
    }
    void operators(const OperatorBuilder& build, double count) const override
    {
        const double out = m.innerDim / build.tp;
        const double conv = out + headsPerRank(m.groups, build.tp) * 2 * m.stateDim;
        recurrentOperators(build,
                           {.in = out + conv + m.heads / build.tp,
                            .out = out,
                            .state = out * m.stateDim,
                            .conv = conv,
                            .taps = m.convKernel,
                            .stateType = m.stateType},
                           count);
    }
    [[nodiscard]] Message obstacle(int tp) const override
    {
        if (m.heads % tp != 0)
            return notDivisible("recurrent heads", m.heads, tp);
        const bool groupsFit = m.groups == 0 || m.groups % tp == 0 || tp % m.groups == 0;
        return groupsFit ? Message() : notDivisible("state-space groups", m.groups, tp);
    }
    [[nodiscard]] double liveValues(int tp) const override
    {
        return (4.0 * m.innerDim + m.heads + 4.0 * m.groups * m.stateDim) / tp;
    }
    [[nodiscard]] StateElements stateElements() const override
    {
        return {.recurrent = std::int64_t{m.innerDim} * m.stateDim,
                .convolution = (m.innerDim + 2 * std::int64_t{m.groups} * m.stateDim) * m.convKernel,
                .units = m.heads,
                .taps = m.convKernel,
                .type = m.stateType};
    }

private:
    const Mamba2& m;
};

// Gated delta rule as in Qwen3-Next: q and k by key head; v, z, beta and the decay by value head.
class DeltaNetCount final : public MixerCount {
public:
    explicit DeltaNetCount(const DeltaNet& mixer) : m(mixer) {}

    void tensors(std::int64_t hidden, Sink<Tensor> visit) const override
    {
        const std::int64_t keys = std::int64_t{m.keyHeads} * m.keyDim;
        const std::int64_t values = std::int64_t{m.valueHeads} * m.valueDim;
        const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
            visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
        };
        tensor(TensorRole::Linear, 2 * keys, hidden, m.keyHeads);
        tensor(TensorRole::Linear, 2 * values, hidden, m.valueHeads);
        tensor(TensorRole::Linear, 2 * std::int64_t{m.valueHeads}, hidden, m.valueHeads);
        tensor(TensorRole::Vector, 2 * keys, m.convKernel, m.keyHeads);
        tensor(TensorRole::Vector, values, m.convKernel, m.valueHeads);
        tensor(TensorRole::Vector, 2 * std::int64_t{m.valueHeads}, 1, m.valueHeads);
        tensor(TensorRole::Vector, m.valueDim, 1, 0);
        tensor(TensorRole::Linear, hidden, values, m.valueHeads);
    }
    void operators(const OperatorBuilder& build, double count) const override
    {
        const double out = double(m.valueHeads) * m.valueDim / build.tp;
        const double conv = 2 * double(m.keyHeads) * m.keyDim / build.tp + out;
        recurrentOperators(build,
                           {.in = conv + out + 2 * m.valueHeads / build.tp,
                            .out = out,
                            .state = out * m.keyDim,
                            .conv = conv,
                            .taps = m.convKernel,
                            .stateType = m.stateType,
                            .within = within(out / std::max(1.0, double(m.valueDim)), build.act),
                            .uncompiled = besideKernels},
                           count);
    }
    [[nodiscard]] Message obstacle(int tp) const override
    {
        if (m.valueHeads % tp != 0)
            return notDivisible("recurrent heads", m.valueHeads, tp);
        return unlessDivisible("recurrent key heads", m.keyHeads, tp);
    }
    // q and k, v, z, the convolved three, and what the scan writes.
    [[nodiscard]] double liveValues(int tp) const override
    {
        const double keys = static_cast<double>(m.keyHeads) * m.keyDim;
        const double values = static_cast<double>(m.valueHeads) * m.valueDim;
        return (4 * keys + 4 * values) / tp;
    }
    [[nodiscard]] StateElements stateElements() const override
    {
        const std::int64_t keys = std::int64_t{m.keyHeads} * m.keyDim;
        const std::int64_t values = std::int64_t{m.valueHeads} * m.valueDim;
        return {.recurrent = values * m.keyDim,
                .convolution = (2 * keys + values) * m.convKernel,
                .units = m.valueHeads,
                .taps = m.convKernel,
                .type = m.stateType};
    }

private:
    // The product for decay and update rate, two copies of its halves, zeros to write to, the output gate put
    // together, the output copied to its place (vllm-project/vllm@0218d050: model_executor/layers/mamba/
    // gdn_linear_attn.py, forward).
    static constexpr double besideKernels = 6;

    // The gated delta rule is chunked in kernels that hand on through memory (fla-org/flash-linear-attention:
    // ops/gated_delta_rule/chunk.py: scaled products of keys, their inverse, corrected keys and values,
    // states, outputs): a head reads its keys four times and its query once, writes and reads corrected keys,
    // values and new values, and reads or writes a row of the block's matrix four times, twice of them in 32
    // bits.
    [[nodiscard]] WithinBlocks within(double heads, double act) const
    {
        const double keys = m.keyDim;
        const double values = m.valueDim;
        constexpr double bytesOfRow = 2 * 4.0 + 2 * 2.0; // of the matrix, for each column
        return {.flops = heads * 2 * scanBlock * (3 * keys + 2 * values),
                .bytes = heads * ((7 * keys + 5 * values) * act + bytesOfRow * scanBlock)};
    }

    const DeltaNet& m;
};

// Lightning attention of MiniMax-01 (arXiv 2501.08313): q, k, v, an output gate, a norm of the output.
class LightningCount final : public MixerCount {
public:
    explicit LightningCount(const Lightning& mixer) : m(mixer) {}

    void tensors(std::int64_t hidden, Sink<Tensor> visit) const override
    {
        const std::int64_t width = std::int64_t{m.queryHeads} * m.headDim;
        const std::int64_t projections = m.outputGate ? 4 : 3;
        visit(Tensor{Part::Mixer, TensorRole::Linear, projections * width, hidden, 1, m.queryHeads});
        visit(Tensor{Part::Mixer, TensorRole::Vector, width, 1, 1, m.queryHeads});
        visit(Tensor{Part::Mixer, TensorRole::AttentionOut, hidden, width, 1, m.queryHeads});
    }
    void operators(const OperatorBuilder& build, double count) const override
    {
        const double out = double(m.queryHeads) * m.headDim / build.tp;
        recurrentOperators(
            build, {.in = 4 * out, .out = out, .state = out * m.headDim, .stateType = m.stateType}, count);
    }
    [[nodiscard]] Message obstacle(int tp) const override
    {
        return unlessDivisible("query heads", m.queryHeads, tp);
    }
    [[nodiscard]] double liveValues(int tp) const override
    {
        return (m.outputGate ? 5.0 : 4.0) * m.queryHeads * m.headDim / tp;
    }
    [[nodiscard]] StateElements stateElements() const override
    {
        return {.recurrent = std::int64_t{m.queryHeads} * m.headDim * m.headDim,
                .units = m.queryHeads,
                .type = m.stateType};
    }

private:
    const Lightning& m;
};

} // namespace

void withCount(const Mamba1& mixer, MixerUse use) { use(Mamba1Count(mixer)); }
void withCount(const Mamba2& mixer, MixerUse use) { use(Mamba2Count(mixer)); }
void withCount(const DeltaNet& mixer, MixerUse use) { use(DeltaNetCount(mixer)); }
void withCount(const Lightning& mixer, MixerUse use) { use(LightningCount(mixer)); }

} // namespace headroom
