#include "model/scenario/scenario_values.h"

#include "model/base/quantity_text.h"
#include "model/scenario/stated_layout.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

struct ScenarioField {
    std::string_view key;
    std::string (*text)(const Scenario&);
    void (*reset)(Scenario&, const Scenario& untouched);
};

std::string textOf(double value) { return numberText(value); }
std::string textOf(int value) { return std::to_string(value); }
std::string textOf(std::int64_t value) { return std::to_string(value); }
std::string textOf(std::uint64_t value) { return std::to_string(value); }
std::string textOf(const std::string& value) { return value; }
std::string textOf(DType value) { return std::string(name(value)); }
std::string textOf(MathUnit value) { return std::string(name(value)); }
std::string textOf(bool value) { return value ? "yes" : "no"; }
std::string textOf(Disaggregation value)
{
    return value == Disaggregation::No ? "no" : value == Disaggregation::Try ? "try" : "only";
}
std::string textOf(EvidenceFloor value)
{
    return value == EvidenceFloor::Any ? "any" : value == EvidenceFloor::Family ? "family" : "measured";
}
std::string textOf(ExpertBalance value)
{
    return value == ExpertBalance::AsRouted ? "as-routed" : "balanced";
}
std::string textOf(LoadTool value)
{
    return value == LoadTool::No ? "no" : value == LoadTool::Online ? "online" : "offline";
}
std::string textOf(const std::vector<DType>& types)
{
    std::string out;
    for (const DType type : types)
        out += (out.empty() ? "" : ",") + std::string(name(type));
    return out;
}
std::string textOf(const WideParts& parts) { return widePartsText(parts); }
std::string textOf(Seconds value) { return numberText(value.base()); }
std::string textOf(PriceKind value) { return std::string(name(value)); }
std::string textOf(const ApiPrice& value) { return numberText(value.input) + '/' + numberText(value.output); }
std::string textOf(Dollars value) { return numberText(value.base()); }
std::string textOf(DollarsPerSecond value) { return numberText(perHour(value)); }
std::string textOf(const LengthDistribution& value) { return value.text; }
template <typename T>
std::string textOf(const std::optional<T>& value)
{
    return value ? textOf(*value) : std::string();
}
std::string textOf(Objective value) { return std::string(objectiveKey(value)); }

// "h100-sxm-80gb", "8xh100-sxm-80gb,4xb200-sxm-180gb", "2x8xh100-sxm-80gb,3x4xgh200-96gb".
std::string machinesOf(const Scenario& s)
{
    std::string out;
    for (std::size_t i = 0; i < s.gpus.size(); ++i) {
        out += i == 0 ? "" : ",";
        const std::optional<int> box = i < s.boxSizes.size() ? s.boxSizes[i] : std::nullopt;
        if (box && i < s.gpuCounts.size() && s.gpuCounts[i] % *box == 0)
            out += fmt::format("{}x{}x", s.gpuCounts[i] / *box, *box);
        else if (i < s.gpuCounts.size())
            out += std::to_string(s.gpuCounts[i]) + 'x';
        out += s.gpus[i];
        if (i < s.gpuLayouts.size() && s.gpuLayouts[i] != StatedLayout{})
            out += ':' + textOf(s.gpuLayouts[i]);
    }
    return out;
}

template <auto Member>
constexpr ScenarioField field(std::string_view key)
{
    return {key, [](const Scenario& s) { return textOf(s.*Member); },
            [](Scenario& s, const Scenario& untouched) { s.*Member = untouched.*Member; }};
}
template <auto Group, auto Member>
constexpr ScenarioField field(std::string_view key)
{
    return {key, [](const Scenario& s) { return textOf((s.*Group).*Member); },
            [](Scenario& s, const Scenario& untouched) { (s.*Group).*Member = (untouched.*Group).*Member; }};
}

// "20-30" where a range was said.
template <typename T>
std::string rangeText(const std::optional<T>& planned, const std::optional<T>& easier)
{
    if (!planned || !easier)
        return textOf(planned);
    return *easier < *planned ? textOf(*easier) + '-' + textOf(*planned)
                              : textOf(*planned) + '-' + textOf(*easier);
}

template <auto Planned, auto Easier>
constexpr ScenarioField range(std::string_view key)
{
    return {key, [](const Scenario& s) { return rangeText(s.*Planned, s.easier.*Easier); },
            [](Scenario& s, const Scenario&) {
                (s.*Planned).reset();
                (s.easier.*Easier).reset();
            }};
}
template <auto Target, auto Easier>
constexpr ScenarioField targetRange(std::string_view key)
{
    return {key, [](const Scenario& s) { return rangeText(s.targets.*Target, s.easier.*Easier); },
            [](Scenario& s, const Scenario&) {
                (s.targets.*Target).reset();
                (s.easier.*Easier).reset();
            }};
}

using S = Scenario;
constexpr std::array fields{
    field<&S::model>("model"),
    ScenarioField{"gpu", machinesOf,
                  [](S& s, const S& u) {
                      s.gpus = u.gpus;
                      s.gpuCounts = u.gpuCounts;
                      s.boxSizes = u.boxSizes;
                      s.gpuLayouts = u.gpuLayouts;
                  }},
    field<&S::gpuCount>("gpus"),
    field<&S::node>("node"),
    field<&S::gpusPerBox>("gpus-per-box"),
    ScenarioField{
        "storage",
        [](const S& s) { return s.storageRead ? numberText(s.storageRead->base() / 1e9) : std::string(); },
        [](S& s, const S& u) { s.storageRead = u.storageRead; }},
    field<&S::engine>("engine"),
    field<&S::engineVersion>("engine-version"),
    field<&S::tp>("tp"),
    field<&S::pp>("pp"),
    field<&S::ep>("ep"),
    field<&S::redundantExperts>("redundant-experts"),
    field<&S::expertBalance>("expert-balance"),
    field<&S::overlapsBatches>("overlap-batches"),
    field<&S::dynamicChunks>("dynamic-chunks"),
    field<&S::dp>("dp"),
    field<&S::replicas>("replicas"),
    field<&S::layouts>("layouts"),
    ScenarioField{
        "weights",
        [](const S& s) { return s.weightTypes.empty() ? textOf(s.weights) : textOf(s.weightTypes); },
        [](S& s, const S& u) {
            s.weights = u.weights;
            s.weightTypes = u.weightTypes;
        }},
    field<&S::keepsWide>("keep-16bit"),
    field<&S::kv>("kv"),
    field<&S::state>("state"),
    field<&S::compute>("compute"),
    ScenarioField{
        "allow",
        [](const S& s) { return s.allowed.weights == s.allowed.kv ? textOf(s.allowed.kv) : std::string(); },
        [](S& s, const S& u) {
            s.allowed = {u.allowed.weights, u.allowed.kv, s.allowed.tune};
        }},
    field<&S::allowed, &AllowedDeviations::weights>("allow-weights"),
    field<&S::allowed, &AllowedDeviations::kv>("allow-kv"),
    field<&S::allowed, &AllowedDeviations::tune>("tune"),
    field<&S::prefill, &PrefillChoice::pools>("disaggregate"),
    field<&S::prefill, &PrefillChoice::gpu>("prefill-gpu"),
    field<&S::prefill, &PrefillChoice::tp>("prefill-tp"),
    field<&S::prefill, &PrefillChoice::pp>("prefill-pp"),
    field<&S::prefill, &PrefillChoice::ep>("prefill-ep"),
    field<&S::prefill, &PrefillChoice::dp>("prefill-dp"),
    field<&S::prefill, &PrefillChoice::replicas>("prefill-replicas"),
    field<&S::prompt>("prompt"),
    field<&S::output>("output"),
    field<&S::prefixCached>("prefix-cached"),
    field<&S::batch>("batch"),
    range<&S::concurrency, &EasierEnds::concurrency>("concurrency"),
    range<&S::requestsPerSecond, &EasierEnds::requestsPerSecond>("rps"),
    field<&S::messagesPerMinute>("messages-per-minute"),
    field<&S::tokensPerMonth>("tokens-per-month"),
    field<&S::jobTokens>("job-tokens"),
    field<&S::jobRequests>("job-requests"),
    field<&S::deadline>("deadline"),
    targetRange<&Targets::tokensPerSecond, &EasierEnds::tokensPerSecond>("tps"),
    targetRange<&Targets::ttft, &EasierEnds::ttft>("ttft"),
    targetRange<&Targets::tpot, &EasierEnds::tpot>("tpot"),
    targetRange<&Targets::latency, &EasierEnds::latency>("latency"),
    field<&S::targets, &Targets::percentile>("percentile"),
    field<&S::headroom>("headroom"),
    field<&S::objective>("objective"),
    field<&S::evidence>("evidence"),
    field<&S::money, &Money::gpuPrice>("price"),
    field<&S::money, &Money::provider>("provider"),
    field<&S::money, &Money::priceKind>("price-kind"),
    field<&S::money, &Money::hoursPerDay>("hours-per-day"),
    field<&S::money, &Money::daysPerWeek>("days-per-week"),
    field<&S::money, &Money::buy>("buy"),
    field<&S::money, &Money::purchasePrice>("purchase"),
    field<&S::money, &Money::serverPrice>("server"),
    field<&S::money, &Money::amortisationYears>("amortisation"),
    field<&S::money, &Money::electricityPerKwh>("electricity"),
    field<&S::money, &Money::pue>("pue"),
    field<&S::money, &Money::years>("years"),
    field<&S::money, &Money::hostingPerKwMonth>("hosting"),
    field<&S::money, &Money::staffShare>("staff"),
    field<&S::money, &Money::residualShare>("residual"),
    field<&S::money, &Money::interestPerYear>("interest"),
    field<&S::money, &Money::apiPrice>("api-price"),
    field<&S::money, &Money::budgetPerHour>("budget"),
    field<&S::money, &Money::purchaseBudget>("purchase-budget"),
    field<&S::calibration>("calibration"),
    field<&S::memoryFraction>("gpu-memory-fraction"),
    field<&S::maxBatchedTokens>("max-batched-tokens"),
    field<&S::maxSequences>("max-sequences"),
    field<&S::blockTokens>("block-size"),
    field<&S::eager>("eager"),
    field<&S::receiveInterval>("receive-interval"),
    field<&S::promptWait>("prompt-wait"),
    field<&S::promptWaitShare>("prompt-wait-share"),
    field<&S::scheduler>("scheduler"),
    field<&S::speculation>("spec-decode"),
    field<&S::loraAdapters>("lora-adapters"),
    field<&S::loraRank>("lora-rank"),
    field<&S::beams>("beams"),
    field<&S::overheadMultiplier>("overhead"),
    field<&S::prefillSkipped>("prefill-skipped"),
    field<&S::peakFactor>("peak-factor"),
    field<&S::spares>("spares"),
    field<&S::growthPerYear>("growth"),
    ScenarioField{
        "power-cap",
        [](const S& s) { return s.powerCap ? numberText(s.powerCap->base() / 1e3) : std::string(); },
        [](S& s, const S& u) { s.powerCap = u.powerCap; }},
    field<&S::mostGpus>("max-gpus"),
    field<&S::mostBoxes>("max-boxes"),
    field<&S::traffic>("traffic"),
    field<&S::loadTool>("load-tool"),
    field<&S::trace>("trace"),
    field<&S::requests>("requests"),
    field<&S::seed>("seed"),
};

const ScenarioField* findField(std::string_view key)
{
    const auto* const found = std::find_if(fields.begin(), fields.end(),
                                           [key](const ScenarioField& each) { return each.key == key; });
    return found == fields.end() ? nullptr : &*found;
}

} // namespace

std::string scenarioValue(const Scenario& scenario, std::string_view key)
{
    const ScenarioField* const found = findField(key);
    return found != nullptr ? found->text(scenario) : std::string();
}

Scenario withoutScenarioKey(Scenario scenario, std::string_view key)
{
    if (const ScenarioField* const found = findField(key))
        found->reset(scenario, Scenario{});
    return scenario;
}

} // namespace headroom
