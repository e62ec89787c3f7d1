#include "calib/judge/gates.h"

#include "calib/measure/timing.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

// Errors that a calibration of an accelerator stays below; what published timings allow (docs/executor.md).
void addFormGates(std::vector<GateRecord>& gates, const FormFit& form)
{
    const GroupedErrors& errors = form.crossValidated;
    const std::string name = slotName(form.slot);
    const auto add = [&](std::string_view what, double value, double most) {
        gates.push_back({.name = fmt::format("{}, {} error", name, what), .value = value, .most = most});
    };
    switch (form.slot.cls) {
    case OpClass::Gemm:
        add("median", errors.median, 0.06);
        add("mean", errors.mean, 0.09);
        add("90th percentile of the", errors.p90, 0.19);
        return;
    case OpClass::GroupedGemm:
        add("median", errors.median, 0.05);
        add("mean", errors.mean, 0.10);
        return;
    case OpClass::DecodeAttention:
    case OpClass::DecodeMla:
        add("mean", errors.mean, 0.07);
        return;
    case OpClass::PrefillAttention:
    case OpClass::PrefillMla:
    case OpClass::Stream:
    case OpClass::Scan:
        add("mean", errors.mean, 0.10);
        return;
    case OpClass::Collective:
        return; // two ranks of one machine say nothing of the whole form
    }
}

struct Repeatability {
    double median = 0;
    double p95 = 0;
};
Repeatability repeatabilityOf(const SampleTable& table)
{
    std::vector<double> changes;
    for (const auto& [first, second] : table.looks)
        if (first.perLaunch.base() > 0 && second.perLaunch.base() > 0)
            changes.push_back(std::abs(std::log(second.perLaunch / first.perLaunch)));
    if (changes.empty())
        return {};
    std::sort(changes.begin(), changes.end());
    const auto place = static_cast<std::size_t>(std::ceil(0.95 * double(changes.size()))) - 1;
    return {medianOf(changes), changes[place]};
}

double rounded(double value) { return std::round(value * 1e4) / 1e4; }

} // namespace

std::vector<GateRecord> gatesOf(const SampleFit& fit, const SampleTable& table, const HoldOutRecord& holdOut,
                                const std::string& deviceKind)
{
    // A processor shares its cores and its clock with everything else that runs: it is judged by whole
    // layers.
    const bool cpu = deviceKind == "cpu";
    std::vector<GateRecord> gates;
    if (!cpu) {
        for (const FormFit& form : fit.forms)
            addFormGates(gates, form);
        if (fit.exactError > 0)
            gates.push_back({.name = "measured matrix, mean error", .value = fit.exactError, .most = 0.05});
    }
    constexpr double fewestLayers = 10;
    constexpr double allLayers = 40;
    gates.push_back({.name = "whole layers held out",
                     .value = double(holdOut.layers),
                     .least = fewestLayers,
                     .most = 1e6});
    if (holdOut.layers > 0) {
        if (cpu)
            gates.push_back({.name = "whole layer, median error", .value = holdOut.median, .most = 0.15});
        else
            gates.push_back({.name = "whole layer, mean error", .value = holdOut.mean, .most = 0.06});
        gates.push_back(
            {.name = "whole layer, worst error", .value = holdOut.worst, .most = cpu ? 0.6 : 0.15});
        // Of few layers all may well be inside.
        gates.push_back({.name = "share of whole layers inside their 90 % interval",
                         .value = holdOut.coverage,
                         .least = 0.85,
                         .most = cpu || double(holdOut.layers) < allLayers ? 1 : 0.95});
    }
    if (!table.looks.empty()) {
        const Repeatability repeats = repeatabilityOf(table);
        gates.push_back(
            {.name = "second look, median change", .value = repeats.median, .most = cpu ? 0.05 : 0.01});
        gates.push_back({.name = "second look, 95th percentile of the change",
                         .value = repeats.p95,
                         .most = cpu ? 0.5 : 0.04});
    }
    for (GateRecord& gate : gates)
        gate.value = rounded(gate.value);
    return gates;
}

std::vector<std::string> failedGates(const std::vector<GateRecord>& gates)
{
    std::vector<std::string> out;
    for (const GateRecord& gate : gates)
        if (!gate.passed())
            out.push_back(
                gate.value > gate.most
                    ? fmt::format("{}: {:.4g}, at most {:.4g}", gate.name, gate.value, gate.most)
                    : fmt::format("{}: {:.4g}, at least {:.4g}", gate.name, gate.value, gate.least));
    return out;
}

} // namespace headroom
