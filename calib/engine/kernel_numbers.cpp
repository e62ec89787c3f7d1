#include "calib/engine/kernel_numbers.h"

#include <algorithm>

namespace headroom {

namespace {

GemmForm& gemmOf(EngineState& state, GemmClass type)
{
    return state.efficiency.gemm[static_cast<std::size_t>(type)];
}

// How wide the prior of a form is before an engine's runs are seen: at least 15 %, for nobody timed these
// kernels, at most a factor of two.
double believed(const Uncertainty& uncertainty) { return std::clamp(uncertainty.lnSpread, 0.15, 0.7); }

// What is known may be above what a kernel can do already: then it is made no faster.
double leastFor(const EngineState& known, double share) { return std::min(share / known.mostShare, 1.0); }

void addProducts(std::vector<KernelNumber>& out, const FormSlot& slot, const EngineState& known)
{
    const GemmClass type = slot.gemm;
    const GemmForm& form = known.efficiency.form(type);
    const double spread = believed(form.uncertainty);
    out.push_back({.name = say("{}, pass over the weights", slotName(slot)),
                   .lnSpread = spread,
                   .least = leastFor(known, form.memoryEfficiency),
                   .set = [type](EngineState& s, double v) { gemmOf(s, type).memoryEfficiency /= v; }});
    out.push_back({.name = say("{}, arithmetic", slotName(slot)),
                   .lnSpread = spread,
                   .least = leastFor(known, form.computeEfficiency),
                   .set = [type](EngineState& s, double v) { gemmOf(s, type).computeEfficiency /= v; }});
    if (form.vectorRows > 0 && form.vectorMemory > 0)
        out.push_back({.name = say("{}, one row", slotName(slot)),
                       .lnSpread = spread,
                       .least = leastFor(known, form.vectorMemory),
                       .set = [type](EngineState& s, double v) {
                           gemmOf(s, type).vectorMemory /= v;
                           gemmOf(s, type).vectorCompute /= v;
                       }});
}

void addExperts(std::vector<KernelNumber>& out, const FormSlot& slot, const EngineState& known)
{
    const auto at = static_cast<std::size_t>(slot.gemm);
    const GroupedGemmForm& form = known.efficiency.grouped[at];
    out.push_back({.name = say("{}, pass over the weights", slotName(slot)),
                   .lnSpread = believed(form.uncertainty),
                   .least = leastFor(known, std::max(form.memoryEfficiency, form.spreadMemory)),
                   .set = [at](EngineState& s, double v) {
                       s.efficiency.grouped[at].memoryEfficiency /= v;
                       s.efficiency.grouped[at].spreadMemory /= v;
                   }});
    out.push_back({.name = say("{}, arithmetic", slotName(slot)),
                   .lnSpread = believed(form.uncertainty),
                   .least = leastFor(known, std::max(form.computeEfficiency, form.spreadCompute)),
                   .set = [at](EngineState& s, double v) {
                       s.efficiency.grouped[at].computeEfficiency /= v;
                       s.efficiency.grouped[at].spreadCompute /= v;
                   }});
}

// The largest share of a form of attention, none of which may outgrow its bounds.
double largestShare(const EfficiencySet& set, const FormSlot& slot)
{
    return visitForm(set, slot, [](const auto& form) {
        double most = 0;
        if constexpr (requires { form.computeEfficiency; })
            most = std::max(most, form.computeEfficiency);
        if constexpr (requires { form.memoryEfficiency; })
            most = std::max(most, form.memoryEfficiency);
        if constexpr (requires { form.rowEfficiency; })
            most = std::max(most, form.rowEfficiency);
        return most;
    });
}

// How attention grows with what it looks at; what is there without it stays.
void addAttention(std::vector<KernelNumber>& out, const FormSlot& slot, const EngineState& known)
{
    const EfficiencySet& set = known.efficiency;
    out.push_back({.name = say("{}, slope with the context", slotName(slot)),
                   .lnSpread = believed(uncertaintyOf(set, slot)),
                   .least = leastFor(known, largestShare(set, slot)),
                   .set = [slot](EngineState& s, double v) {
                       visitForm(s.efficiency, slot, [v](auto& form) {
                           if constexpr (requires { form.computeEfficiency; })
                               form.computeEfficiency /= v;
                           if constexpr (requires { form.memoryEfficiency; })
                               form.memoryEfficiency /= v;
                           if constexpr (requires { form.rowEfficiency; })
                               form.rowEfficiency /= v;
                       });
                   }});
}

// Norms, activations and what else passes over activations between products. Engines differ in them by
// factors: how much is one kernel, in how many bits activations are kept.
constexpr double lnSpreadOfPasses = 0.7;

void addPasses(std::vector<KernelNumber>& out, const FormSlot& slot, const EngineState& known)
{
    const StreamForm& form = known.efficiency.stream;
    out.push_back({.name = say("{}, pass over the activations", slotName(slot)),
                   .lnSpread = lnSpreadOfPasses,
                   .least = leastFor(known, std::max(form.memoryEfficiency, form.activationEfficiency)),
                   .set = [](EngineState& s, double v) {
                       s.efficiency.stream.memoryEfficiency /= v;
                       s.efficiency.stream.activationEfficiency /= v;
                   }});
    out.push_back({.name = say("{}, a launch", slotName(slot)),
                   .lnSpread = lnSpreadOfPasses,
                   .set = [](EngineState& s, double v) {
                       s.efficiency.stream.launch = s.efficiency.stream.launch * v;
                   }});
}

constexpr double leastHostTime = 1e-5;  // seconds: below, no run can tell it from none
constexpr double lnSpreadOfHosts = 0.7; // hosts differ by factors, as their processors do

void addHost(std::vector<KernelNumber>& out, const EngineState& known)
{
    const Engine& engine = known.engine;
    const double step = std::max(engine.stepHostTime.base(), leastHostTime);
    const double sequence = std::max(engine.stepHostTimePerSequence.base(), leastHostTime / 10);
    out.push_back({.name = "host, a step",
                   .lnSpread = lnSpreadOfHosts,
                   .usual = step,
                   .set = [](EngineState& s, double v) { s.engine.stepHostTime = Seconds(v); }});
    out.push_back({.name = "host, a sequence of a step",
                   .lnSpread = lnSpreadOfHosts,
                   .usual = sequence,
                   .set = [](EngineState& s, double v) { s.engine.stepHostTimePerSequence = Seconds(v); }});
}

} // namespace

std::vector<KernelNumber> kernelNumbers(const EngineState& known, const std::vector<FormSlot>& timed)
{
    std::vector<KernelNumber> out;
    for (const FormSlot& slot : timed)
        switch (slot.cls) {
        case OpClass::Gemm:
            addProducts(out, slot, known);
            break;
        case OpClass::GroupedGemm:
            addExperts(out, slot, known);
            break;
        case OpClass::PrefillAttention:
        case OpClass::PrefillMla:
        case OpClass::DecodeAttention:
        case OpClass::DecodeMla:
            addAttention(out, slot, known);
            break;
        case OpClass::Stream:
            addPasses(out, slot, known);
            break;
        case OpClass::Scan:
        case OpClass::Collective: // of the links, which no engine changes
            break;
        }
    addHost(out, known);
    return out;
}

void splitOneRow(EfficiencySet& set, const std::vector<FormSlot>& timed)
{
    for (const FormSlot& slot : timed) {
        GemmForm& form = set.gemm[static_cast<std::size_t>(slot.gemm)];
        if (slot.cls != OpClass::Gemm || form.vectorMemory > 0)
            continue;
        form.vectorRows = std::max(form.vectorRows, 1.0);
        form.vectorMemory = form.memoryEfficiency;
        form.vectorCompute = form.computeEfficiency;
    }
}

} // namespace headroom
