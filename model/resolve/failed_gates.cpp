#include "model/resolve/failed_gates.h"

#include <algorithm>

namespace headroom {

namespace {

// What a miss nobody wrote down the size of is worth, and the most that one condition can say.
constexpr double leastWidth = 1.1;
constexpr double mostWidth = 4;

double missedBy(const GateRecord& gate)
{
    const double by = gate.value > gate.most ? (gate.most > 0 ? gate.value / gate.most : mostWidth)
                                             : (gate.value > 0 ? gate.least / gate.value : mostWidth);
    return std::clamp(by, leastWidth, mostWidth);
}

bool ofForm(const GateRecord& gate, const FormSlot& slot)
{
    return gate.name.starts_with(slotName(slot) + ", ");
}

bool ofAnyForm(const GateRecord& gate)
{
    const std::vector<FormSlot>& slots = allFormSlots();
    return std::any_of(slots.begin(), slots.end(), [&](const FormSlot& slot) { return ofForm(gate, slot); });
}

} // namespace

double widthOfFailures(const EfficiencySet& measured)
{
    if (measured.trusted)
        return 1;
    if (!measured.calibration)
        return leastWidth;
    double width = measured.calibration->holdOut.intervalRatio;
    bool formsAlone = !measured.calibration->gates.empty();
    for (const GateRecord& gate : measured.calibration->gates)
        if (!gate.passed() && !ofAnyForm(gate)) {
            width = std::max(width, missedBy(gate));
            formsAlone = false;
        }
    return formsAlone ? std::max(width, 1.0) : std::max(width, leastWidth);
}

double widthOfFailures(const EfficiencySet& measured, const FormSlot& slot)
{
    double width = widthOfFailures(measured);
    if (!measured.trusted && measured.calibration)
        for (const GateRecord& gate : measured.calibration->gates)
            if (!gate.passed() && ofForm(gate, slot))
                width = std::max(width, missedBy(gate));
    return width;
}

} // namespace headroom
