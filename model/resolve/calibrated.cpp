#include "model/resolve/calibrated.h"

#include "model/efficiency/form_slot.h"
#include "model/resolve/adopted_form.h"
#include "model/resolve/calibration_use.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Kernels under another driver may run at another speed.
constexpr double otherDriver = 1.1;

constexpr std::string_view linksKey = "links";

void adoptCitation(EfficiencySet& into, const EfficiencySet& from, std::string_view key)
{
    std::erase_if(into.citations, [&](const Citation& citation) { return citation.key == key; });
    for (const Citation& citation : from.citations)
        if (citation.key == key)
            into.citations.push_back(citation);
}

EfficiencySet withLinksOf(const EfficiencySet& links, const EfficiencySet& rest)
{
    EfficiencySet out = rest;
    for (const FormSlot& slot : allFormSlots())
        if (fitted(uncertaintyOf(links, slot)))
            adoptForm(out, links, slot);
    out.links = links.links;
    adoptCitation(out, links, linksKey);
    return out;
}

} // namespace

Gpu measuredGpu(const Gpu& gpu, const MeasuredMachine& machine)
{
    Gpu own = gpu;
    if (machine.kind != "cpu")
        return own;
    own.name = machine.name;
    own.smCount = machine.units;
    own.memorySold = machine.memory;
    constexpr double forTheSystem = 0.05; // as the catalogue's stand-in assumes
    own.memoryUsable = machine.memory * (1 - forTheSystem);
    own.memoryUsableKnown = false;
    own.memoryType = "as measured";
    own.memoryBandwidth = machine.read;
    own.l2Cache = machine.cache;
    own.peaks = machine.sustained;
    own.outOfOrder.clear();
    return own;
}

Calibrated applyCalibration(const EfficiencySet& measured, const EfficiencySet& known, const Gpu& gpu,
                            const Node& node, const Engine& engine)
{
    CalibrationUse use(measured, known, gpu, node, engine);
    use.tellWidening();
    use.adoptMachine();
    use.tellLinks();
    use.chooseForms();
    use.adoptEngineRuns();
    return use.take();
}

EfficiencySet mergeCalibrations(const EfficiencySet& older, const EfficiencySet& newer)
{
    if (linksAlone(newer) && !linksAlone(older))
        return withLinksOf(newer, older);
    EfficiencySet out = newer;
    if (!out.links && older.links) {
        out.links = older.links;
        adoptCitation(out, older, linksKey);
    }
    // Efficiencies of links are shares of one machine's.
    const bool otherMachine = newer.links && older.links && newer.links->node != older.links->node;
    for (const FormSlot& slot : allFormSlots())
        if (!fitted(uncertaintyOf(newer, slot)) && fitted(uncertaintyOf(older, slot))
            && !(otherMachine && slot.cls == OpClass::Collective)) {
            adoptForm(out, older, slot);
            const bool driverMoved = older.calibration && newer.calibration
                && older.calibration->machine.driver != newer.calibration->machine.driver;
            if (driverMoved)
                uncertaintyOf(out, slot).lnSpread *= otherDriver;
        }
    // A correction belongs to the form it was measured beside: the older ones go with the older forms.
    for (const ExactShape& shape : older.exactShapes) {
        const FormSlot slot{.cls = OpClass::Gemm, .gemm = shape.gemm};
        if (!fitted(uncertaintyOf(newer, slot)))
            out.exactShapes.push_back(shape);
    }
    return out;
}

} // namespace headroom
