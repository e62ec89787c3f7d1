#include "model/resolve/calibration_use.h"

#include "headroom_version.h"
#include "model/base/quantity_text.h"
#include "model/cost/forms.h"
#include "model/efficiency/form_gates.h"
#include "model/resolve/adopted_form.h"
#include "model/resolve/failed_gates.h"
#include "model/resolve/kernel_owner.h"
#include "model/resolve/settled_clocks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

bool dataCentre(std::string_view family)
{
    constexpr std::array families{"ampere-dc", "hopper", "blackwell-dc", "ampere-ada-server", "volta"};
    return std::find(families.begin(), families.end(), family) != families.end();
}

// Kernels of another version of the program may run at another speed.
constexpr double otherVersion = 1.1;

Message driverText(const MeasuredMachine& machine)
{
    return machine.driver.empty() ? Message() : say(", driver {}", machine.driver);
}

} // namespace

CalibrationUse::CalibrationUse(const EfficiencySet& measured, const EfficiencySet& known, const Gpu& gpu,
                               const Node& node, const Engine& engine)
    : m_measured(measured),
      m_known(known),
      m_gpu(gpu),
      m_node(node),
      m_engine(engine),
      m_widening(wideningFor(measured, gpu)),
      m_factor(m_widening.factor),
      m_out{.efficiency = known, .gpu = {}, .engine = {}, .assumptions = {}, .warnings = {}}
{
    if (thisCard())
        m_ratios = rateRatios(measured, known, gpu);
}

CalibrationUse::Widening CalibrationUse::wideningFor(const EfficiencySet& measured, const Gpu& gpu)
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

bool CalibrationUse::ofThisEngine() const
{
    return m_measured.engineRuns ? m_measured.engineRuns->engine == m_engine.id
                                 : m_measured.implementation == m_known.implementation;
}

bool CalibrationUse::otherLinks() const { return m_measured.links && m_measured.links->node != m_node.id; }

void CalibrationUse::tellWidening()
{
    const std::string what = m_measured.calibration ? m_measured.calibration->machine.name : m_measured.gpu;
    if (m_widening.factor > 1)
        m_out.warnings.push_back(
            say("the calibration is of {}, {}: intervals are {} times wider and {:.0f} % for the difference",
                what, m_widening.because, m_widening.factor, m_widening.bias * 100));
    if (!m_measured.trusted) {
        const double width = widthOfFailures(m_measured);
        const std::vector<Message> told
            = m_measured.calibration ? toldFailures(m_measured.calibration->gates) : std::vector<Message>{};
        const Message missed = told.empty() ? joinedNames(m_measured.failedGates, "; ") : joined(told, "; ");
        m_out.warnings.push_back(
            width > 1
                ? say("the calibration is not trusted ({}): intervals are {:.2g} times wider", missed, width)
                : say("single forms of the calibration missed a condition ({}): they are wider "
                      "by as much",
                      missed));
    }
    const std::string tool = m_measured.calibration ? m_measured.calibration->run.tool
        : m_measured.links                          ? m_measured.links->tool
                                                    : std::string();
    if (!tool.empty() && tool != "headroom " HEADROOM_VERSION) {
        m_factor *= otherVersion;
        m_out.warnings.push_back(say("the calibration is by {}, this is headroom {}: intervals are "
                                     "{} times wider",
                                     tool, asIs(HEADROOM_VERSION), otherVersion));
    }
}

void CalibrationUse::adoptMachine()
{
    if (linksAlone(m_measured))
        return;
    EfficiencySet& set = m_out.efficiency;
    set.eagerLaunch = m_measured.eagerLaunch;
    set.deviceSpread = std::max(m_measured.deviceSpread, set.deviceSpread);
    set.calibration = m_measured.calibration;
    set.citations.insert(set.citations.end(), m_measured.citations.begin(), m_measured.citations.end());
    if (ofThisEngine()) {
        set.id = m_measured.id;
        set.implementation = m_measured.implementation;
        set.trusted = m_measured.trusted;
        set.failedGates = m_measured.failedGates;
        set.graphNode = m_measured.graphNode;
    } else {
        set.id = m_known.id + ", on " + m_measured.id;
    }
    if (!m_measured.calibration)
        return;
    const CalibrationRecord& record = *m_measured.calibration;
    m_out.assumptions.push_back(ofThisEngine()
                                    ? say("operator times measured on {} on {}{}", record.machine.name,
                                          record.run.created, driverText(record.machine))
                                    : say("rates of the machine measured on {} on {}{}", record.machine.name,
                                          record.run.created, driverText(record.machine)));
    if (record.machine.kind == "cpu" && thisCard())
        m_out.gpu = measuredGpu(m_gpu, record.machine);
}

void CalibrationUse::tellLinks()
{
    if (!m_measured.links)
        return;
    const LinksRecord& links = *m_measured.links;
    m_out.efficiency.links = links;
    if (linksAlone(m_measured))
        m_out.efficiency.citations.insert(m_out.efficiency.citations.end(), m_measured.citations.begin(),
                                          m_measured.citations.end());
    if (otherLinks())
        m_out.warnings.push_back(say("the calibration's links are those of {}, this is {}: exchanges keep "
                                     "the catalogue's figures",
                                     links.node, m_node.id));
    else if (links.nodes == 1)
        m_out.assumptions.push_back(say("exchanges measured between {} ranks of one machine on {} with {}",
                                        links.ranks, links.created, links.library));
    else
        m_out.assumptions.push_back(say("exchanges measured between {} ranks in {} machines on {} with {}",
                                        links.ranks, links.nodes, links.created, links.library));
}

void CalibrationUse::adopt(const FormSlot& slot, std::string_view origin)
{
    EfficiencySet& set = m_out.efficiency;
    adoptForm(set, m_measured, slot);
    Uncertainty& uncertainty = uncertaintyOf(set, slot);
    const double failures = m_measured.trusted ? 1 : widthOfFailures(m_measured, slot);
    uncertainty.lnSpread = std::hypot(uncertainty.lnSpread * m_factor * failures, m_widening.bias);
    uncertainty.source = worse(uncertainty.source, m_widening.source);
    set.origins.push_back({.form = slotName(slot), .text = std::string(origin)});
    // A library's choice of kernel for single matrices is that card's.
    if (slot.cls == OpClass::Gemm && thisCard()) {
        std::erase_if(set.exactShapes, [&](const ExactShape& shape) { return shape.gemm == slot.gemm; });
        std::copy_if(m_measured.exactShapes.begin(), m_measured.exactShapes.end(),
                     std::back_inserter(set.exactShapes),
                     [&](const ExactShape& shape) { return shape.gemm == slot.gemm; });
    }
}

void CalibrationUse::chooseForms()
{
    EfficiencySet& set = m_out.efficiency;
    const std::string scaledText = fmt::format(
        "{}'s, scaled by the machine's measured over published rates: bandwidth {:.2f}, arithmetic ",
        m_known.implementation, m_ratios.read);
    for (const FormSlot& slot : allFormSlots()) {
        const bool has = fitted(uncertaintyOf(m_measured, slot));
        if (slot.cls == OpClass::Collective) {
            if (has && !otherLinks())
                adopt(slot, "measured between these devices");
            continue;
        }
        if (ofThisEngine()) {
            const bool told
                = m_measured.engineRuns && uncertaintyOf(m_measured, slot).source != Source::Prior;
            if (has || told)
                adopt(slot, has ? "measured on this machine" : "as the calibration has it");
            continue;
        }
        const Uncertainty known = uncertaintyOf(set, slot);
        if (has && ownerOf(slot, m_measured, m_known.implementation) == KernelOwner::Library
            && (thisCard() || known.source > m_widening.source)) {
            adopt(slot, "the maker's library, measured on this machine");
            m_ofLibraries.push_back(slotName(slot));
            continue;
        }
        if (!thisCard() || linksAlone(m_measured) || !m_measured.calibration)
            continue;
        scaleForm(set, slot, m_ratios);
        m_scaled = true;
        set.origins.push_back({.form = slotName(slot),
                               .text = scaledText + fmt::format("{:.2f}", m_ratios.of(unitOfForm(slot)))});
    }
    if (ofThisEngine() && m_measured.calibration && !m_measured.engineRuns)
        set = atSettledClocks(std::move(set), m_measured.calibration->machine.settled);
    tellForms();
}

void CalibrationUse::tellForms()
{
    if (ofThisEngine())
        return;
    if (!m_ofLibraries.empty())
        m_out.assumptions.push_back(
            say("of the maker's libraries, measured here: {}", joinedNames(m_ofLibraries, ", ")));
    if (!m_scaled)
        return;
    if (m_out.gpu)
        m_out.assumptions.push_back(say(
            "all other operators by {}'s forms, which are shares of this machine's rates", m_engine.name));
    else
        m_out.assumptions.push_back(
            say("all other operators by {}'s published forms, scaled to this machine: bandwidth "
                "{:.2f}, 16-bit arithmetic {:.2f}, 8-bit {:.2f} of the published rate",
                m_engine.name, m_ratios.read, m_ratios.of(MathUnit::Bf16), m_ratios.of(MathUnit::Fp8)));
}

void CalibrationUse::adoptEngineRuns()
{
    if (!m_measured.engineRuns)
        return;
    const EngineRecord& runs = *m_measured.engineRuns;
    if (!ofThisEngine()) {
        m_out.warnings.push_back(
            say("the calibration holds runs of {}, this is {}: only the machine's rates are used",
                runs.engine, m_engine.id));
        return;
    }
    if (!thisCard())
        return; // another card's steps leave the host other times
    Engine own = m_engine;
    own.stepHostTime = runs.perStep;
    own.stepHostTimePerSequence = runs.perStepAndSequence;
    own.hostOverlap = 0; // what the runs show is what is left
    own.lnSpreadPrefill = runs.lnSpreadPrefill;
    own.lnSpreadDecode = runs.lnSpreadDecode;
    own.lnSpreadSourcePrefill = own.lnSpreadSourceDecode = 0; // nobody else set this server up
    own.partWhereFewWait = own.partOfTokenTimes = 1;
    m_out.engine = std::move(own);
    m_out.efficiency.engineRuns = runs;
    m_out.assumptions.push_back(
        say("fitted to {} runs of {} on {}", runs.points, m_engine.name, runs.created));
}

} // namespace headroom
