#include "model/efficiency/form_gates.h"

#include <algorithm>
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

} // namespace

std::vector<GateRecord> formGates(const FormSlot& slot, const FormRecord& record)
{
    const Limits limits = limitsOf(slot.cls);
    std::vector<GateRecord> gates;
    const auto add = [&](std::string_view what, double value, double least, double most) {
        if (most > 0)
            gates.push_back({.name = fmt::format("{}, {}", record.form, what),
                             .value = value,
                             .least = least,
                             .most = most});
    };
    add("median error", record.medianError, 0, limits.median);
    add("mean error", record.meanError, 0, limits.mean);
    add("90th percentile of the error", record.p90Error, 0, limits.p90);
    constexpr double coverageLeast = 0.85;
    constexpr double coverageMost = 0.95;
    constexpr std::int64_t fewSamples = 40; // of few, all may well be inside
    add("share inside the 90 % interval", record.coverage, coverageLeast,
        record.samples < fewSamples ? 1 : coverageMost);
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

bool meetsGates(const FormSlot& slot, const FormRecord& record)
{
    const std::vector<GateRecord> gates = formGates(slot, record);
    return std::all_of(gates.begin(), gates.end(), [](const GateRecord& gate) { return gate.passed(); });
}

} // namespace headroom
