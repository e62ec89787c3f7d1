#pragma once

#include "model/count/mixer_count.h"
#include "model/deploy/layout.h"

#include <algorithm>

namespace headroom {

constexpr std::int64_t ceilDivide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Share of `units` heads or channels that the fullest of `tp` ranks holds.
inline double shareOfFullest(std::int64_t units, int tp)
{
    if (units <= 0 || tp <= 1)
        return 1;
    return static_cast<double>(ceilDivide(units, tp)) / static_cast<double>(units);
}

// Share of a tensor that the fullest rank holds: whole heads, groups or columns; whole experts over ep.
inline double rankShare(const Tensor& tensor, const Layout& layout)
{
    if (tensor.part == Part::Experts) {
        const int perExpert = std::max(1, layout.dp * layout.tp / layout.ep);
        const double columns = shareOfFullest(tensor.units, perExpert);
        return columns / layout.ep * (1 + double(layout.redundantExperts) / std::max(1, tensor.experts));
    }
    return shareOfFullest(tensor.units, layout.tp);
}

constexpr double adapterBytes = 2; // of one value of an adapter

// One matrix that a LoRA adapter goes beside, as one rank holds the adapter's two factors: cols x r and r x
// rows.
struct Adapted {
    double rows = 0;
    double cols = 0;
    double copies = 1;
    Part part = Part::Mixer;
    bool inputSplit = false; // the second matrix of a pair, whose input tensor parallelism splits
};

// Every linear layer but routers and routed experts. The factor that meets the split dimension is split, the
// other copied (S-LoRA, arXiv 2311.03285 §6; vLLM does the same).
template <typename Visit>
void forEachAdapted(const Llm& llm, const LayerKind& kind, const Layout& layout, const Visit& visit)
{
    forEachTensor(llm, kind, [&](const Tensor& tensor) {
        const bool inputSplit = tensor.role == TensorRole::AttentionOut || tensor.role == TensorRole::Down;
        const bool adapted = inputSplit || tensor.role == TensorRole::Linear || tensor.role == TensorRole::Key
            || tensor.role == TensorRole::Value;
        if (!adapted || tensor.part == Part::Experts || tensor.part == Part::Router)
            return;
        const double share = rankShare(tensor, layout);
        visit(Adapted{.rows = static_cast<double>(tensor.rows) * (inputSplit ? 1 : share),
                      .cols = static_cast<double>(tensor.cols) * (inputSplit ? share : 1),
                      .copies = static_cast<double>(tensor.copies),
                      .part = tensor.part,
                      .inputSplit = inputSplit});
    });
}

} // namespace headroom
