#include "calib/sweep/layer_tasks.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

namespace {

using kernels::Kernel;
using kernels::Task;

class LayerBuilder {
public:
    explicit LayerBuilder(const LayerCase& layer)
        : m_layer(layer), m_rows(layer.sequences * layer.queryTokens)
    {}

    [[nodiscard]] Task base(Kernel kernel, OpName name) const
    {
        Task task{.kernel = kernel, .name = name};
        task.weights = m_layer.weights;
        // Products alone multiply in 8 bits; what stands between them is in 16.
        const bool narrow = m_layer.activations == DType::Fp8 || m_layer.activations == DType::Int8;
        task.activations = narrow && kernel != Kernel::Gemm ? DType::Bf16 : m_layer.activations;
        task.kv = m_layer.kv;
        task.m = m_rows;
        return task;
    }
    void gemm(OpName name, std::int64_t n, std::int64_t k)
    {
        Task task = base(Kernel::Gemm, name);
        task.n = n;
        task.k = k;
        m_tasks.push_back(task);
    }
    void norm()
    {
        Task task = base(Kernel::NormResidual, OpName::Norm);
        task.k = m_layer.llm->hidden;
        task.hot = true;
        m_tasks.push_back(task);
    }
    void attention(const Attention& mixer)
    {
        const std::int64_t hidden = m_layer.llm->hidden;
        const int queryHeads = mixer.queryHeads / m_layer.tp;
        const int kvHeads = std::max(mixer.kvHeads / m_layer.tp, 1);
        gemm(OpName::Qkv, std::int64_t(queryHeads + 2 * kvHeads) * mixer.headDim, hidden);
        Task rope = base(Kernel::RopeAppend, OpName::RopeAppend);
        rope.queryHeads = queryHeads;
        rope.kvHeads = kvHeads;
        rope.headDim = mixer.headDim;
        rope.past = m_layer.past;
        rope.hot = true;
        m_tasks.push_back(rope);
        Task attend = m_layer.decode ? base(Kernel::DecodeAttention, OpName::DecodeAttention)
                                     : base(Kernel::PrefillAttention, OpName::PrefillAttention);
        attend.m = 0;
        attend.batch = m_layer.sequences;
        attend.queryTokens = m_layer.queryTokens;
        attend.past = m_layer.past;
        attend.queryHeads = queryHeads;
        attend.kvHeads = kvHeads;
        attend.headDim = mixer.headDim;
        m_tasks.push_back(attend);
        gemm(OpName::AttentionOut, hidden, std::int64_t(queryHeads) * mixer.headDim);
    }
    void mlp(const Mlp& mlp)
    {
        const std::int64_t hidden = m_layer.llm->hidden;
        if (mlp.kind == MlpKind::Moe) {
            Task experts = base(Kernel::Experts, OpName::Experts);
            experts.n = mlp.expertIntermediate / m_layer.tp;
            experts.k = hidden;
            experts.experts = mlp.experts;
            experts.expertsPerToken = mlp.expertsPerToken;
            experts.gated = mlp.gated;
            m_tasks.push_back(experts);
            return;
        }
        const std::int64_t width = mlp.intermediate / m_layer.tp;
        gemm(OpName::GateUp, (mlp.gated ? 2 : 1) * width, hidden);
        Task activation = base(Kernel::GatedActivation, OpName::Activation);
        activation.n = width;
        activation.gated = mlp.gated;
        activation.hot = true;
        m_tasks.push_back(activation);
        gemm(OpName::Down, hidden, width);
    }
    [[nodiscard]] std::vector<Task> take() { return std::move(m_tasks); }

private:
    const LayerCase& m_layer;
    std::int64_t m_rows;
    std::vector<Task> m_tasks;
};

bool executable(const LayerKind& kind)
{
    const auto* const mixer = std::get_if<Attention>(&kind.mixer);
    const bool plain = mixer && mixer->lookBack() == LookBack::Everything && mixer->rope && !mixer->outputGate
        && mixer->valueWidth() == mixer->headDim;
    const bool shared
        = kind.mlp.kind == MlpKind::Moe && (kind.mlp.sharedIntermediate > 0 || kind.mlp.latent > 0);
    return plain && kind.norms == 2 && kind.mlp.kind != MlpKind::None && !shared;
}

} // namespace

std::vector<Task> layerTasks(const LayerCase& layer)
{
    const LayerKind& kind = layer.llm->kinds[layer.kind];
    if (!executable(kind))
        return {};
    LayerBuilder build(layer);
    build.norm();
    build.attention(kind.attention());
    build.norm();
    build.mlp(kind.mlp);
    return build.take();
}

std::string describe(const LayerCase& layer)
{
    const std::string split = layer.tp > 1 ? fmt::format(" tp{}", layer.tp) : "";
    return fmt::format("layer {}{} {} {} {} x {} after {}", layer.llm->id, split, name(layer.weights),
                       layer.decode ? "decode" : "prefill", layer.sequences, layer.queryTokens, layer.past);
}

std::vector<MatrixShape> matricesOf(const Llm& model, int tp)
{
    std::vector<MatrixShape> out;
    for (std::size_t kind = 0; kind < model.kinds.size(); ++kind)
        for (const Task& task : layerTasks({.llm = &model, .kind = kind, .tp = tp}))
            if (task.kernel == Kernel::Gemm
                && std::none_of(out.begin(), out.end(),
                                [&](const MatrixShape& s) { return s.n == task.n && s.k == task.k; }))
                out.push_back({task.name, task.n, task.k});
    return out;
}

} // namespace headroom
