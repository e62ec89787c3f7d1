#include "calib/judge/gates.h"

#include "calib/judge/form_record.h"
#include "calib/measure/timing.h"
#include "model/efficiency/form_gates.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

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

const FormRecord& recordOf(const EfficiencySet& set, const FormSlot& slot)
{
    return *std::find_if(set.records.begin(), set.records.end(),
                         [&](const FormRecord& record) { return record.form == slotName(slot); });
}

} // namespace

std::vector<GateRecord> gatesOf(const SampleFit& fit, const SampleTable& table, const HoldOutRecord& holdOut,
                                const std::string& deviceKind)
{
    // A processor shares its cores and its clock with everything else that runs: it is judged by whole
    // layers.
    const bool cpu = deviceKind == "cpu";
    std::vector<GateRecord> gates;
    if (!cpu) {
        for (const FormFit& form : fit.forms) {
            const std::vector<GateRecord> own = formGates(form.slot, recordOf(fit.set, form.slot));
            gates.insert(gates.end(), own.begin(), own.end());
        }
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

} // namespace headroom
