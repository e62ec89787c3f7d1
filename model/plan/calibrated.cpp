#include "model/plan/calibrated.h"

#include "model/catalogue/form_slot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

// How much wider figures are on another card than on the one they were measured on: the spread's factor, and
// what is not known of their middle (docs/executor.md, "Transfer").
struct Widening {
    double factor = 1;
    double bias = 0;
    Source source = Source::MeasuredHere;
    std::string_view because;
};

bool dataCentre(std::string_view family)
{
    constexpr std::array families{"ampere-dc", "hopper", "blackwell-dc", "ampere-ada-server", "volta"};
    return std::find(families.begin(), families.end(), family) != families.end();
}

Widening wideningFor(const EfficiencySet& measured, const Gpu& gpu)
{
    if (measured.gpu == gpu.id)
        return {.because = "the same accelerator"};
    if (measured.family == gpu.family)
        return {1.15, 0.04, Source::SameFamily, "another one of its family"};
    if (dataCentre(measured.family) && dataCentre(gpu.family))
        return {1.35, 0.07, Source::SameFamily, "a data-centre part of another family"};
    if (!measured.calibration || (measured.calibration->machine.kind == "cuda") == (gpu.vendor == "NVIDIA"))
        return {2, 0.2, Source::Prior, "of another class"};
    return {3, 0.3, Source::Prior, "nothing like it"};
}

// Kernels of another version of the program may run at another speed.
constexpr double otherVersion = 1.1;

bool fitted(const Uncertainty& uncertainty)
{
    return uncertainty.source == Source::MeasuredHere || uncertainty.source == Source::MeasuredPublished;
}

void adoptForm(EfficiencySet& into, const EfficiencySet& from, const FormSlot& slot)
{
    visitForm(into, slot, [&](auto& target) {
        visitForm(from, slot, [&](const auto& form) {
            if constexpr (std::is_same_v<std::remove_cvref_t<decltype(form)>,
                                         std::remove_cvref_t<decltype(target)>>)
                target = form;
        });
    });
    std::erase_if(into.records, [&](const FormRecord& record) { return record.form == slotName(slot); });
    for (const FormRecord& record : from.records)
        if (record.form == slotName(slot))
            into.records.push_back(record);
}

// A calibration that tells nothing of the device but its links.
bool linksAlone(const EfficiencySet& set) { return set.links && !set.calibration; }

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
                            const Node& node)
{
    Calibrated out{.efficiency = known, .gpu = {}, .assumptions = {}, .warnings = {}};
    const Widening widening = wideningFor(measured, gpu);
    double factor = widening.factor;
    const std::string what = measured.calibration ? measured.calibration->machine.name : measured.gpu;
    if (widening.factor > 1)
        out.warnings.push_back(fmt::format(
            "the calibration is of {}, {}: intervals are {} times wider and {:.0f} % for the difference",
            what, widening.because, widening.factor, widening.bias * 100));
    if (!measured.trusted) {
        const double ratio = measured.calibration ? measured.calibration->holdOut.intervalRatio : 1;
        factor *= std::max(ratio, 1.0);
        out.warnings.push_back(
            fmt::format("the calibration is not trusted ({}): intervals are {:.2g} times wider",
                        fmt::join(measured.failedGates, "; "), std::max(ratio, 1.0)));
    }
    if (measured.calibration) {
        const CalibrationRecord& record = *measured.calibration;
        out.assumptions.push_back(
            fmt::format("operator times measured on {} on {}{}", record.machine.name, record.run.created,
                        record.machine.driver.empty() ? "" : ", driver " + record.machine.driver));
        if (record.machine.kind == "cpu" && gpu.id == measured.gpu)
            out.gpu = measuredGpu(gpu, record.machine);
    }
    const std::string tool = measured.calibration ? measured.calibration->run.tool
        : measured.links                          ? measured.links->tool
                                                  : std::string();
    if (!tool.empty() && tool != "headroom " HEADROOM_VERSION) {
        factor *= otherVersion;
        out.warnings.push_back(fmt::format("the calibration is by {}, this is headroom {}: intervals are {} "
                                           "times wider",
                                           tool, HEADROOM_VERSION, otherVersion));
    }
    const bool otherLinks = measured.links && measured.links->node != node.id;
    if (measured.links && !otherLinks && measured.links->nodes == 1)
        out.assumptions.push_back(
            fmt::format("exchanges measured between {} ranks of one machine on {} with {}",
                        measured.links->ranks, measured.links->created, measured.links->library));
    else if (measured.links && !otherLinks)
        out.assumptions.push_back(fmt::format(
            "exchanges measured between {} ranks in {} machines on {} with {}", measured.links->ranks,
            measured.links->nodes, measured.links->created, measured.links->library));
    if (otherLinks)
        out.warnings.push_back(
            fmt::format("the calibration's links are those of {}, this is {}: exchanges keep "
                        "the catalogue's figures",
                        measured.links->node, node.id));
    for (const FormSlot& slot : allFormSlots()) {
        if (!fitted(uncertaintyOf(measured, slot)) || (otherLinks && slot.cls == OpClass::Collective))
            continue;
        adoptForm(out.efficiency, measured, slot);
        Uncertainty& uncertainty = uncertaintyOf(out.efficiency, slot);
        uncertainty.lnSpread = std::hypot(uncertainty.lnSpread * factor, widening.bias);
        uncertainty.source = worse(uncertainty.source, widening.source);
    }
    EfficiencySet& set = out.efficiency;
    set.links = measured.links;
    set.citations.insert(set.citations.end(), measured.citations.begin(), measured.citations.end());
    if (linksAlone(measured))
        return out;
    set.id = measured.id;
    set.implementation = measured.implementation;
    set.trusted = measured.trusted;
    set.failedGates = measured.failedGates;
    set.calibration = measured.calibration;
    set.graphNode = measured.graphNode;
    set.eagerLaunch = measured.eagerLaunch;
    set.deviceSpread = std::max(measured.deviceSpread, set.deviceSpread);
    if (widening.source == Source::MeasuredHere)
        set.exactShapes = measured.exactShapes; // a library's choice of kernel on that card
    return out;
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
                uncertaintyOf(out, slot).lnSpread *= otherVersion;
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
