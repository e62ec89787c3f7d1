#include "calib/judge/hold_out.h"

#include "model/cost/forms.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom {

namespace {

constexpr double ninetyPercent = 1.6448536269514722; // half width of a normal's 90 % interval
constexpr std::size_t opClassCount = 9;

// Errors of one class of operators go together, those of different classes do not: as the planner sums them.
LayerError judge(const SweepPoint& point, Seconds measured, const Gpu& gpu, const EfficiencySet& set)
{
    static const Node alone;
    LayerError out{.what = point.what, .measured = measured, .predicted = {}, .lnSpread = 0};
    std::array<double, opClassCount> spread{};
    for (const kernels::Task& task : point.tasks) {
        const Op op = kernels::workOf(task);
        const OpTime time = timeOp(op, gpu, alone, set);
        out.predicted += time.total;
        spread[static_cast<std::size_t>(op.cls)] += time.total.base() * time.lnSpread;
    }
    double variance = 0;
    for (const double part : spread)
        variance += part * part;
    out.lnSpread = std::sqrt(variance) / out.predicted.base();
    return out;
}

} // namespace

std::vector<LayerError> judgeLayers(const Sweep& sweep, const SampleTable& table, const Gpu& gpu,
                                    const EfficiencySet& set)
{
    std::vector<LayerError> out;
    for (std::size_t i = 0; i < sweep.points.size(); ++i)
        if (sweep.points[i].kind == PointKind::Layer && table.points[i] && table.points[i]->refused.empty())
            out.push_back(judge(sweep.points[i], table.points[i]->timing.perLaunch, gpu, set));
    return out;
}

HoldOutRecord summarise(const std::vector<LayerError>& layers)
{
    HoldOutRecord out;
    if (layers.empty())
        return out;
    std::vector<double> errors;
    std::vector<double> widths; // of the 90 % interval that would just hold the layer, over the one it has
    for (const LayerError& layer : layers) {
        errors.push_back(std::abs(layer.predicted / layer.measured - 1));
        const double ln = std::abs(std::log(layer.predicted / layer.measured));
        widths.push_back(ln / (ninetyPercent * std::max(layer.lnSpread, 1e-9)));
    }
    const double count = double(layers.size());
    for (const double error : errors)
        out.mean += error / count;
    out.layers = static_cast<std::int64_t>(layers.size());
    out.median = medianOf(errors);
    out.worst = *std::max_element(errors.begin(), errors.end());
    std::sort(widths.begin(), widths.end());
    out.coverage = double(std::upper_bound(widths.begin(), widths.end(), 1.0) - widths.begin()) / count;
    const auto ninetieth = static_cast<std::size_t>(std::ceil(0.9 * count)) - 1;
    out.intervalRatio = std::max(1.0, widths[ninetieth]);
    return out;
}

} // namespace headroom
