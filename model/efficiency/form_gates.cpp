#include "model/efficiency/form_gates.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

// Errors that published timings say a form can stay below (docs/executor.md, "Gates").
struct Limits {
    double median = 0; // 0: not asked
    double mean = 0;
    double p90 = 0;
};

Limits limitsOf(OpClass cls)
{
    switch (cls) {
    case OpClass::Gemm:
        return {.median = 0.06, .mean = 0.09, .p90 = 0.19};
    case OpClass::GroupedGemm:
        return {.median = 0.05, .mean = 0.10};
    case OpClass::DecodeAttention:
    case OpClass::DecodeMla:
        return {.mean = 0.07};
    case OpClass::PrefillAttention:
    case OpClass::PrefillMla:
    case OpClass::Stream:
    case OpClass::Scan:
    case OpClass::Collective: // as what only moves bytes
        break;
    }
    return {.mean = 0.10};
}

constexpr Code medianError = "median error";
constexpr Code meanError = "mean error";
constexpr Code p90Error = "90th percentile of the error";
constexpr Code covered = "share inside the 90 % interval";

// Gates that are of no form (calib/judge/gates.cpp).
constexpr std::array<Code, 8> gatesOfRuns{
    "measured matrix, mean error", "whole layers held out",
    "whole layer, median error",   "whole layer, mean error",
    "whole layer, worst error",    "share of whole layers inside their 90 % interval",
    "second look, median change",  "second look, 95th percentile of the change"};

// A gate is stored by its name, which ends with what was asked of the form; empty: of something else.
Message conditionOf(const GateRecord& gate)
{
    for (const Code& what : {medianError, meanError, p90Error, covered})
        if (gate.name.ends_with(", " + std::string(what.text)))
            return what;
    return {};
}

Message missed(const Message& what, const GateRecord& gate)
{
    return gate.value > gate.most ? say("{}: {:.4g}, at most {:.4g}", what, gate.value, gate.most)
                                  : say("{}: {:.4g}, at least {:.4g}", what, gate.value, gate.least);
}

} // namespace

std::vector<GateRecord> formGates(const FormSlot& slot, const FormRecord& record)
{
    const Limits limits = limitsOf(slot.cls);
    std::vector<GateRecord> gates;
    const auto add = [&](Code what, double value, double least, double most) {
        if (most > 0)
            gates.push_back({.name = fmt::format("{}, {}", record.form, what.text),
                             .value = value,
                             .least = least,
                             .most = most});
    };
    add(medianError, record.medianError, 0, limits.median);
    add(meanError, record.meanError, 0, limits.mean);
    add(p90Error, record.p90Error, 0, limits.p90);
    constexpr double coverageLeast = 0.85;
    constexpr double coverageMost = 0.95;
    constexpr std::int64_t fewSamples = 40; // of few, all may well be inside
    add(covered, record.coverage, coverageLeast, record.samples < fewSamples ? 1 : coverageMost);
    return gates;
}

Message gateName(const GateRecord& gate)
{
    for (const Code& known : gatesOfRuns)
        if (gate.name == known.text)
            return known;
    const Message condition = conditionOf(gate);
    return condition.empty() ? asIs(gate.name)
                             : say("{}, {}", gate.name.substr(0, gate.name.rfind(", ")), condition);
}

std::vector<Message> toldFailures(const std::vector<GateRecord>& gates)
{
    std::vector<Message> out;
    for (const GateRecord& gate : gates)
        if (!gate.passed())
            out.push_back(missed(gateName(gate), gate));
    return out;
}

std::vector<Message> missedConditions(const std::vector<GateRecord>& gates)
{
    std::vector<Message> out;
    for (const GateRecord& gate : gates)
        if (!gate.passed())
            out.push_back(missed(conditionOf(gate), gate));
    return out;
}

std::vector<std::string> failedGates(const std::vector<GateRecord>& gates)
{
    return inEnglish(toldFailures(gates));
}

bool meetsGates(const FormSlot& slot, const FormRecord& record)
{
    const std::vector<GateRecord> gates = formGates(slot, record);
    return std::all_of(gates.begin(), gates.end(), [](const GateRecord& gate) { return gate.passed(); });
}

} // namespace headroom
