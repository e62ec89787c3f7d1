#include "model/scenario/scenario_keys.h"

#include "model/base/quantity_text.h"
#include "model/base/scheduler_kind.h"
#include "model/base/spelling.h"
#include "model/scenario/arrival_shape.h"
#include "model/scenario/money_keys.h"
#include "model/scenario/speculation_words.h"
#include "model/scenario/stated_layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

namespace headroom {

namespace {

Problems wrong(const Message& expected, std::string_view text, Message hint = {})
{
    return {{"", say("expected {}, got '{}'", expected, asIs(text)), std::move(hint)}};
}

struct Range {
    double low;
    double high;
    Code words; // "a number of GPUs from 1 to 65536"
};
constexpr Range gpusRange{1, 65536, "a whole number from 1 to 65536"};
constexpr Range usersRange{1, 1e7, "a number from 1 to 1e7"}; // a tenth of the largest services' weekly users
constexpr Range countRange{1, 1e12, "a whole number from 1 to 1e12"};
constexpr Range fromZeroRange{0, 65536, "a whole number from 0 to 65536"};
constexpr Range positiveRange{1e-9, 1e12, "a number above 0"};
constexpr Range notNegativeRange{0, 1e12, "a number from 0 up"};
constexpr Range shareRange{0, 1, "a fraction from 0 to 1"};
constexpr Range openShareRange{0, 0.99, "a fraction from 0 to 0.99"};
constexpr Range fillRange{0.01, 1, "a fraction from 0.01 to 1"};
constexpr Range growthRange{0, 100, "a fraction from 0 to 100"};
constexpr Range percentRange{1, 99.99, "a percentile from 1 to 99.99"};
constexpr Range factorRange{1, 1e6, "a factor from 1 up"};

// "90%" is 0.9 where a fraction is wanted.
std::optional<double> shareFromText(std::string_view text)
{
    const bool percent = text.size() > 1 && text.back() == '%';
    const Result<double> number = numberFromText(percent ? text.substr(0, text.size() - 1) : text);
    if (!number)
        return std::nullopt;
    return percent ? *number / 100 : *number;
}

// A share or a factor: the only numbers that may be said in percent.
template <typename T>
Problems setShare(T& field, std::string_view text, const Range& range)
{
    const std::optional<double> number = shareFromText(text);
    if (!number || *number < range.low || *number > range.high)
        return wrong(range.words, text);
    field = *number;
    return {};
}

template <typename T>
Problems setNumber(T& field, std::string_view text, const Range& range)
{
    const Result<double> number = numberFromText(text);
    if (!number || *number < range.low || *number > range.high)
        return wrong(range.words, text);
    field = *number;
    return {};
}

template <typename T>
Problems setWhole(T& field, std::string_view text, const Range& range)
{
    const Result<double> number = numberFromText(text);
    if (!number || *number < range.low || *number > range.high || *number != std::floor(*number))
        return wrong(range.words, text);
    if constexpr (requires { typename T::value_type; })
        field = static_cast<typename T::value_type>(*number);
    else
        field = static_cast<T>(*number);
    return {};
}

constexpr double longestTime = 1e6; // seconds: eleven days for one request

// "0.5", "0.5 s" or "500ms".
Problems setSeconds(std::optional<Seconds>& field, std::string_view text)
{
    std::string spaced(text);
    const auto unit = std::find_if(spaced.begin(), spaced.end(), [](char c) {
        return std::isalpha(static_cast<unsigned char>(c)) != 0 && c != 'e' && c != 'E';
    });
    Result<double> seconds = numberFromText(text);
    if (!seconds && unit != spaced.end() && unit != spaced.begin()) {
        if (*(unit - 1) != ' ')
            spaced.insert(unit, ' ');
        seconds = quantityFromText(spaced, Dim{.second = 1});
    }
    if (!seconds || *seconds <= 0 || *seconds > longestTime)
        return wrong("a time in seconds above 0 and up to 1e6, such as 0.5 or 500ms", text);
    field = Seconds(*seconds);
    return {};
}

// The ends of "20-30"; empty where one number stands there.
std::optional<std::pair<std::string_view, std::string_view>> endsOf(std::string_view text)
{
    // A sign or an exponent is no dash between two ends.
    for (std::size_t dash = text.find('-', 1); dash != std::string_view::npos;
         dash = text.find('-', dash + 1))
        if (text[dash - 1] != 'e' && text[dash - 1] != 'E' && dash + 1 < text.size())
            return std::pair(text.substr(0, dash), text.substr(dash + 1));
    return std::nullopt;
}

// One number, or two with a dash between them: the one that takes more is planned for.
enum class Harder : std::uint8_t { Larger, Smaller };
template <typename T, typename SetOne>
Problems setRange(std::optional<T>& planned, std::optional<T>& easier, std::string_view text, Harder harder,
                  SetOne setOne)
{
    const auto ends = endsOf(text);
    if (!ends) {
        Problems bad = setOne(planned, text);
        if (bad.empty())
            easier.reset();
        return bad;
    }
    std::optional<T> from;
    std::optional<T> to;
    if (Problems bad = setOne(from, ends->first); !bad.empty())
        return bad;
    if (Problems bad = setOne(to, ends->second); !bad.empty())
        return bad;
    if (!(*from < *to))
        return wrong("a range from its smaller end to its larger one, such as 20-30", text);
    planned = harder == Harder::Larger ? to : from;
    easier = harder == Harder::Larger ? from : to;
    return {};
}

Problems setNumberRange(std::optional<double>& planned, std::optional<double>& easier, std::string_view text,
                        const Range& range)
{
    return setRange(planned, easier, text, Harder::Larger,
                    [&range](std::optional<double>& field, std::string_view one) {
                        return setNumber(field, one, range);
                    });
}

Problems setSecondsRange(std::optional<Seconds>& planned, std::optional<Seconds>& easier,
                         std::string_view text)
{
    return setRange(planned, easier, text, Harder::Smaller, setSeconds);
}

Problems setLengths(LengthDistribution& field, std::string_view text)
{
    Result<LengthDistribution> lengths = lengthsFromText(text);
    if (!lengths)
        return std::move(lengths.error());
    field = std::move(*lengths);
    return {};
}

// Kept as it was said; refused when `read` refuses it.
template <typename T>
Problems setReadable(std::string& field, std::string_view text, Result<T> (*read)(std::string_view))
{
    Result<T> value = read(text);
    if (!value)
        return std::move(value.error());
    field = text;
    return {};
}

Problems setTraffic(Scenario& scenario, std::string_view text)
{
    return setReadable(scenario.traffic, text, serve::arrivalsFromText);
}

Problems setSpeculation(Scenario& scenario, std::string_view text)
{
    return setReadable(scenario.speculation, text, speculationWords);
}

Problems setText(std::string& field, std::string_view text)
{
    if (text.empty())
        return wrong("a name", text);
    field = text;
    return {};
}

std::vector<std::string> dtypeNames()
{
    std::vector<std::string> names;
    for (const DTypeFacts& type : allDTypes())
        names.emplace_back(type.name);
    return names;
}

Problems setType(std::optional<DType>& field, std::string_view text)
{
    const std::optional<DType> type = dtypeFromName(text);
    if (!type) {
        Message hint = spellingHint(text, dtypeNames());
        return wrong("a number type", text,
                     hint.empty() ? say("known are {}", joinedNames(dtypeNames(), ", ")) : std::move(hint));
    }
    field = type;
    return {};
}

Problems setUnit(std::optional<MathUnit>& field, std::string_view text)
{
    const std::optional<MathUnit> unit = mathUnitFromName(text);
    if (!unit)
        return wrong("an arithmetic type", text, "one of fp32, tf32, fp16, bf16, fp8, int8, fp4, int4");
    field = unit;
    return {};
}

// Several times what is sold: each is looked up, and one that is unknown for the nearest.
constexpr std::size_t mostGpus = 500;

// "4x" before the name of an accelerator, and "2x4x": two boxes of four. False where none is there.
bool takeCount(std::string_view& name, std::optional<int>& count, Problems& bad)
{
    const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    if (digits == 0 || digits + 1 >= name.size() || (name[digits] != 'x' && name[digits] != 'X'))
        return false;
    bad = setWhole(count, name.substr(0, digits), gpusRange);
    name.remove_prefix(digits + 1);
    return true;
}

bool allAlike(const auto& values)
{
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to{}) == values.end();
}

// ":tp8pp2" behind the name of an accelerator: its own layout. A file may have a colon in its name.
StatedLayout takeLayout(std::string_view& name)
{
    const std::size_t colon = name.rfind(':');
    const std::optional<StatedLayout> layout
        = colon == std::string_view::npos ? std::nullopt : layoutFromText(name.substr(colon + 1));
    if (layout)
        name = name.substr(0, colon);
    return layout.value_or(StatedLayout{});
}

// "a100-sxm-80gb", "4xH100" or several with commas. "4xH100,B200": four of either; "2x8xH100": two boxes of
// eight; "8xH100:tp4": in a layout of its own.
Problems setGpus(Scenario& scenario, std::string_view text)
{
    std::vector<std::string> gpus;
    std::vector<int> counts;
    std::vector<std::optional<int>> boxes;
    std::vector<StatedLayout> layouts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string_view name = text.substr(begin, comma - begin);
        begin = comma + 1;
        const auto skipSpaces = [&name] {
            while (name.starts_with(' '))
                name.remove_prefix(1);
        };
        skipSpaces();
        std::optional<int> count;
        std::optional<int> box;
        Problems bad;
        if (takeCount(name, count, bad) && bad.empty() && takeCount(name, box, bad) && bad.empty()) {
            const double all = double(*count) * *box;
            bad = setWhole(count, std::to_string(static_cast<std::int64_t>(all)), gpusRange);
        }
        if (!bad.empty())
            return bad;
        if (count) {
            counts.push_back(*count);
            boxes.push_back(box);
        }
        skipSpaces();
        layouts.push_back(takeLayout(name));
        if (name.empty())
            return wrong("the name of an accelerator, or several with commas", text);
        gpus.emplace_back(name);
        if (gpus.size() > mostGpus)
            return wrong(say("at most {} accelerators", mostGpus), text.substr(0, 60));
    }
    const bool alike = allAlike(counts) && allAlike(boxes);
    if (!alike && counts.size() < gpus.size())
        return wrong("a number before each of them, or the same for all", text,
                     "for example 8xh100-sxm-80gb,4xb200-sxm-180gb");
    scenario.gpus = std::move(gpus);
    scenario.gpuCounts.clear();
    scenario.boxSizes.clear();
    scenario.gpuLayouts.clear();
    if (std::any_of(layouts.begin(), layouts.end(), [](const auto& own) { return own != StatedLayout{}; }))
        scenario.gpuLayouts = std::move(layouts);
    if (!alike && !allAlike(boxes))
        scenario.boxSizes = std::move(boxes);
    else if (!boxes.empty() && boxes.front())
        scenario.gpusPerBox = boxes.front();
    if (!alike)
        scenario.gpuCounts
            = std::move(counts); // beside a number of all: refused, in whichever order they were said
    else if (!counts.empty())
        scenario.gpuCount = counts.front();
    return {};
}

Problems setLayouts(Scenario& scenario, std::string_view text)
{
    Result<std::vector<StatedLayout>> layouts = layoutsFromText(text);
    if (!layouts)
        return layouts.error();
    scenario.layouts = *std::move(layouts);
    return {};
}

Problems setObjective(Scenario& scenario, std::string_view text)
{
    const std::optional<Objective> found = objectiveFromKey(text);
    if (!found)
        return wrong("what to optimise", text, say("one of {}", asIs(objectiveKeys.text())));
    scenario.objective = *found;
    return {};
}

struct LoadToolName {
    std::string_view name;
    LoadTool tool;
};
constexpr std::array loadTools{LoadToolName{"no", LoadTool::No}, LoadToolName{"online", LoadTool::Online},
                               LoadToolName{"offline", LoadTool::Offline}};

Problems setLoadTool(Scenario& scenario, std::string_view text)
{
    const auto* const found = std::find_if(loadTools.begin(), loadTools.end(),
                                           [text](const LoadToolName& known) { return known.name == text; });
    if (found == loadTools.end())
        return wrong("whose habits the load has", text, "one of no, online, offline");
    scenario.loadTool = found->tool;
    return {};
}

Problems setExpertBalance(Scenario& scenario, std::string_view text)
{
    if (text != "as-routed" && text != "balanced")
        return wrong("how experts' load is dealt out", text, "as-routed or balanced");
    scenario.expertBalance = text == "balanced" ? ExpertBalance::Balanced : ExpertBalance::AsRouted;
    return {};
}

constexpr auto schedulers = [] {
    std::array<std::string_view, allSchedulers.size()> names{};
    std::transform(allSchedulers.begin(), allSchedulers.end(), names.begin(), schedulerName);
    return names;
}();

Problems setScheduler(Scenario& scenario, std::string_view text)
{
    const std::vector<std::string> names(schedulers.begin(), schedulers.end());
    if (std::find(names.begin(), names.end(), text) == names.end()) {
        Message hint = spellingHint(text, names);
        return wrong("a scheduler", text,
                     hint.empty() ? say("one of {}", joinedNames(names, ", ")) : std::move(hint));
    }
    scenario.scheduler = text;
    return {};
}

Problems setTypes(std::vector<DType>& field, std::string_view text)
{
    std::vector<DType> types;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::optional<DType> type;
        if (Problems bad = setType(type, text.substr(begin, comma - begin)); !bad.empty())
            return bad;
        types.push_back(*type);
        begin = comma + 1;
    }
    field = std::move(types);
    return {};
}

Problems setWideParts(WideParts& field, std::string_view text)
{
    const std::optional<WideParts> parts = widePartsFromText(text);
    if (!parts)
        return {{"", say("'{}' is not a list of parts", std::string(text)),
                 "attention, mlp and shared-experts, parted by commas, or nothing"}};
    field = *parts;
    return {};
}

struct DisaggregationName {
    std::string_view name;
    Disaggregation pools;
};
constexpr std::array disaggregations{DisaggregationName{"no", Disaggregation::No},
                                     DisaggregationName{"try", Disaggregation::Try},
                                     DisaggregationName{"only", Disaggregation::Only}};

Problems setPools(Scenario& scenario, std::string_view text)
{
    const auto* const found
        = std::find_if(disaggregations.begin(), disaggregations.end(),
                       [text](const DisaggregationName& known) { return known.name == text; });
    if (found == disaggregations.end())
        return wrong("whether prompts get GPUs of their own", text, "one of no, try, only");
    scenario.prefill.pools = found->pools;
    return {};
}

// "fp8", or "bf16,fp8": which of them is better is asked.
Problems setWeights(Scenario& scenario, std::string_view text)
{
    std::optional<DType> one;
    std::vector<DType> several;
    const bool list = text.find(',') != std::string_view::npos;
    if (Problems bad = list ? setTypes(several, text) : setType(one, text); !bad.empty())
        return bad;
    std::vector<DType> different;
    for (const DType type : several)
        if (std::find(different.begin(), different.end(), type) == different.end())
            different.push_back(type);
    constexpr std::size_t most = 8; // that anybody weighs; each is planned
    if (different.size() > most)
        return wrong("two to eight types", text, "for example bf16,fp8");
    scenario.weights = different.size() == 1 ? different.front() : one;
    scenario.weightTypes.clear();
    if (different.size() > 1)
        scenario.weightTypes = std::move(different);
    return {};
}

// "fp8" or several with commas: of weights and KV cache alike.
Problems setAllowed(Scenario& scenario, std::string_view text)
{
    std::vector<DType> types;
    if (Problems bad = setTypes(types, text); !bad.empty())
        return bad;
    scenario.allowed.weights = types;
    scenario.allowed.kv = std::move(types);
    return {};
}

struct EvidenceName {
    std::string_view name;
    EvidenceFloor floor;
};
constexpr std::array evidenceFloors{EvidenceName{"any", EvidenceFloor::Any},
                                    EvidenceName{"family", EvidenceFloor::Family},
                                    EvidenceName{"measured", EvidenceFloor::Measured}};

Problems setEvidence(Scenario& scenario, std::string_view text)
{
    const auto* const found = std::find_if(evidenceFloors.begin(), evidenceFloors.end(),
                                           [text](const EvidenceName& known) { return known.name == text; });
    if (found == evidenceFloors.end())
        return wrong("what figures may rest on", text, "one of any, family, measured");
    scenario.evidence = found->floor;
    return {};
}

// "7 GB/s", or a bare number of GB a second.
Problems setStorage(Scenario& scenario, std::string_view text)
{
    double gigabytes = 0;
    for (const std::string_view unit : {" GB/s", "GB/s"})
        if (text.ends_with(unit))
            text.remove_suffix(unit.size());
    Problems bad = setNumber(gigabytes, text, positiveRange);
    if (bad.empty())
        scenario.storageRead = BytesPerSecond(gigabytes * 1e9);
    return bad;
}

Problems setYesNo(bool& field, std::string_view text)
{
    if (text != "yes" && text != "no")
        return wrong("yes or no", text);
    field = text == "yes";
    return {};
}

Problems setPrice(Scenario& scenario, std::string_view text)
{
    double perHour = 0;
    Problems bad = setNumber(perHour, text, notNegativeRange);
    if (bad.empty())
        scenario.money.gpuPrice = dollarsPerHour(perHour);
    return bad;
}

Problems setPurchase(Scenario& scenario, std::string_view text)
{
    double price = 0;
    Problems bad = setNumber(price, text, notNegativeRange);
    if (bad.empty())
        scenario.money.purchasePrice = Dollars(price);
    return bad;
}

Problems setPurchaseBudget(Scenario& scenario, std::string_view text)
{
    double budget = 0;
    Problems bad = setNumber(budget, text, positiveRange);
    if (bad.empty())
        scenario.money.purchaseBudget = Dollars(budget);
    return bad;
}

using Text = std::string_view;
constexpr std::array allKeys{
    ScenarioKey{"model", "ID", "the LLM: an id of `headroom list models`, or any usual spelling",
                [](Scenario& s, Text t) { return setText(s.model, t); }},
    ScenarioKey{
        "gpu", "ID",
        "the accelerator, or several with commas; 4xH100 says how many, 8xH100,4xB200 how many of each, "
        "2x8xH100 two boxes of eight, 16xH100:tp8pp2,8xB200 a layout of its own",
        setGpus},
    ScenarioKey{"gpus", "N", "accelerators in the whole service",
                [](Scenario& s, Text t) { return setWhole(s.gpuCount, t, gpusRange); }},
    ScenarioKey{"node", "ID", "the box they are installed in; default: the usual one for the accelerator",
                [](Scenario& s, Text t) { return setText(s.node, t); }},
    ScenarioKey{"gpus-per-box", "N",
                "accelerators installed in each box, such as 4 where boxes of eight are half full; default: "
                "as many as it holds",
                [](Scenario& s, Text t) { return setWhole(s.gpusPerBox, t, gpusRange); }},
    ScenarioKey{"storage", "GB/s", "rate at which a box reads weights from storage; default: the box's own",
                setStorage},
    ScenarioKey{
        "engine", "ID",
        "serving engine, or `ideal` for the physical floor; default: the usual one for the accelerator",
        [](Scenario& s, Text t) { return setText(s.engine, t); }},
    ScenarioKey{"engine-version", "VERSION|YYYY-MM",
                "the engine's build, or the month it came out in; default: the newest that its preset lists",
                [](Scenario& s, Text t) { return setText(s.engineVersion, t); }},
    ScenarioKey{"tp", "N", "tensor parallelism: GPUs that share every layer",
                [](Scenario& s, Text t) { return setWhole(s.tp, t, gpusRange); }},
    ScenarioKey{"pp", "N", "pipeline parallelism: stages that the layers are cut into",
                [](Scenario& s, Text t) { return setWhole(s.pp, t, gpusRange); }},
    ScenarioKey{"ep", "N", "expert parallelism: GPUs that the experts are spread over",
                [](Scenario& s, Text t) { return setWhole(s.ep, t, gpusRange); }},
    ScenarioKey{"redundant-experts", "N", "further copies of experts, spread over the same GPUs",
                [](Scenario& s, Text t) { return setWhole(s.redundantExperts, t, fromZeroRange); }},
    ScenarioKey{"expert-balance", "as-routed|balanced",
                "load of the GPUs that hold experts: as the router sends tokens, or evened out by a load "
                "balancer (EPLB); default: balanced where there are redundant experts",
                setExpertBalance},
    ScenarioKey{
        "overlap-batches", "yes|no",
        "split each step into two micro-batches: one exchanges experts' tokens while the other computes",
        [](Scenario& s, Text t) { return setYesNo(s.overlapsBatches, t); }},
    ScenarioKey{
        "dynamic-chunks", "yes|no",
        "cut a long prompt into chunks that grow shorter, so that each takes equally long in a pipeline",
        [](Scenario& s, Text t) { return setYesNo(s.dynamicChunks, t); }},
    ScenarioKey{"dp", "N", "data-parallel attention ranks inside a replica",
                [](Scenario& s, Text t) { return setWhole(s.dp, t, gpusRange); }},
    ScenarioKey{"replicas", "N", "independent copies of the service",
                [](Scenario& s, Text t) { return setWhole(s.replicas, t, gpusRange); }},
    ScenarioKey{"layouts", "LIST", "layouts to weigh against each other: tp8pp2,tp16", setLayouts},
    ScenarioKey{"weights", "TYPE",
                "type the weights are stored in: bf16, fp8, int4, mxfp4, q4_k_m, …; bf16,fp8 weighs both",
                setWeights},
    ScenarioKey{
        "keep-16bit", "PARTS",
        "layers that a low-precision checkpoint leaves in 16 bits besides head and router: attention, mlp, "
        "shared-experts, or nothing (\"ignore\" or \"modules_to_not_convert\" in its config.json)",
        [](Scenario& s, Text t) { return setWideParts(s.keepsWide, t); }},
    ScenarioKey{"kv", "TYPE", "type the KV cache is stored in; default: 16 bits",
                [](Scenario& s, Text t) { return setType(s.kv, t); }},
    ScenarioKey{"state", "TYPE",
                "type the state of recurrent layers is stored in: fp32, bf16 or fp16; default: the model's",
                [](Scenario& s, Text t) { return setType(s.state, t); }},
    ScenarioKey{"compute", "TYPE", "type that matrix products are computed in; default: follows the weights",
                [](Scenario& s, Text t) { return setUnit(s.compute, t); }},
    ScenarioKey{"allow", "TYPES",
                "further types that `size` may try for weights and KV cache, such as fp8,int4", setAllowed},
    ScenarioKey{"allow-weights", "TYPES", "further types that `size` may try for the weights only",
                [](Scenario& s, Text t) { return setTypes(s.allowed.weights, t); }},
    ScenarioKey{"allow-kv", "TYPES", "further types that `size` may try for the KV cache only",
                [](Scenario& s, Text t) { return setTypes(s.allowed.kv, t); }},
    ScenarioKey{"tune", "yes|no",
                "let `size` try other batch limits and chunk sizes of the engine; default: no",
                [](Scenario& s, Text t) { return setYesNo(s.allowed.tune, t); }},
    ScenarioKey{"disaggregate", "no|try|only",
                "compute prompts on GPUs of their own and send their cache to those that decode; default: no",
                setPools},
    ScenarioKey{"prefill-gpu", "ID", "accelerator of the prefill pool; default: the same",
                [](Scenario& s, Text t) { return setText(s.prefill.gpu, t); }},
    ScenarioKey{"prefill-tp", "N", "tensor parallelism in the prefill pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.tp, t, gpusRange); }},
    ScenarioKey{"prefill-pp", "N", "pipeline stages in the prefill pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.pp, t, gpusRange); }},
    ScenarioKey{"prefill-ep", "N", "GPUs that experts are spread over in the prefill pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.ep, t, gpusRange); }},
    ScenarioKey{"prefill-dp", "N", "data-parallel attention ranks in the prefill pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.dp, t, gpusRange); }},
    ScenarioKey{"prefill-replicas", "N", "replicas of the prefill pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.replicas, t, gpusRange); }},
    ScenarioKey{"prompt", "TOKENS",
                "prompt length: 1024, 8k, or a distribution such as uniform:128-2048 or file:lengths.csv; "
                "default: 1024",
                [](Scenario& s, Text t) { return setLengths(s.prompt, t); }},
    ScenarioKey{"output", "TOKENS", "output length, written the same way; default: 256",
                [](Scenario& s, Text t) { return setLengths(s.output, t); }},
    ScenarioKey{"prefix-cached", "FRACTION", "share of the prompt found in the prefix cache",
                [](Scenario& s, Text t) { return setShare(s.prefixCached, t, shareRange); }},
    ScenarioKey{"batch", "N", "concurrent sequences in one replica",
                [](Scenario& s, Text t) { return setNumber(s.batch, t, usersRange); }},
    ScenarioKey{"concurrency", "N",
                "users at once in the whole service; a range such as 100-300 shows what both ends take",
                [](Scenario& s, Text t) {
                    return setNumberRange(s.concurrency, s.easier.concurrency, t, usersRange);
                }},
    ScenarioKey{"rps", "RATE", "requests per second in the whole service",
                [](Scenario& s, Text t) {
                    return setNumberRange(s.requestsPerSecond, s.easier.requestsPerSecond, t, positiveRange);
                }},
    ScenarioKey{"messages-per-minute", "N", "messages that each user sends per minute", setMessages},
    ScenarioKey{"tokens-per-month", "N",
                "tokens per month in the whole service, prompts and outputs together, such as 2B",
                setTokensPerMonth},
    ScenarioKey{"job-tokens", "N", "a batch job of so many tokens, prompts and outputs together, such as 1B",
                setJobTokens},
    ScenarioKey{"job-requests", "N", "a batch job of so many requests, such as 5M", setJobRequests},
    ScenarioKey{"deadline", "TIME", "time by which the job must be done, such as 8h or 7d", setDeadline},
    ScenarioKey{"tps", "RATE", "target: tokens per second for each user, or a range such as 20-30",
                [](Scenario& s, Text t) {
                    return setNumberRange(s.targets.tokensPerSecond, s.easier.tokensPerSecond, t,
                                          positiveRange);
                }},
    ScenarioKey{"ttft", "SECONDS", "target: time to the first token",
                [](Scenario& s, Text t) { return setSecondsRange(s.targets.ttft, s.easier.ttft, t); }},
    ScenarioKey{"tpot", "SECONDS", "target: time for each token after the first",
                [](Scenario& s, Text t) { return setSecondsRange(s.targets.tpot, s.easier.tpot, t); }},
    ScenarioKey{"latency", "SECONDS", "target: time of a whole request",
                [](Scenario& s, Text t) { return setSecondsRange(s.targets.latency, s.easier.latency, t); }},
    ScenarioKey{"percentile", "P", "percentage of requests that must meet the targets; default: 90",
                [](Scenario& s, Text t) { return setNumber(s.targets.percentile, t, percentRange); }},
    ScenarioKey{"headroom", "FRACTION", "share of the capacity kept free; default: 0.1",
                [](Scenario& s, Text t) { return setShare(s.headroom, t, openShareRange); }},
    ScenarioKey{"objective", objectiveChoices.text(),
                "what is best: fewest GPUs, lowest cost per hour or per token, lowest energy, highest "
                "throughput, most users, or fastest for each user; default: gpus",
                setObjective},
    ScenarioKey{
        "evidence", "any|family|measured",
        "what figures may rest on: estimates too, timings of the family, or timings of the very accelerator",
        setEvidence},
    ScenarioKey{"price", "USD", "rent of one GPU for an hour; default: the catalogue's cloud price",
                setPrice},
    ScenarioKey{"provider", "NAME", "whose prices to use: one of the offers in the accelerator's entry",
                setProvider},
    ScenarioKey{"price-kind", "on-demand|reserved|spot", "which of its prices to use", setPriceKind},
    ScenarioKey{"hours-per-day", "N", "hours a day that the machines run; default: 24", setHoursPerDay},
    ScenarioKey{"days-per-week", "N", "days a week that the machines run; default: 7", setDaysPerWeek},
    ScenarioKey{"buy", "yes|no",
                "buy the machines: purchase price and electricity instead of rent; default: no",
                [](Scenario& s, Text t) { return setYesNo(s.money.buy, t); }},
    ScenarioKey{"purchase", "USD", "purchase price of one GPU", setPurchase},
    ScenarioKey{"server", "USD", "purchase price of one box without its accelerators", setServer},
    ScenarioKey{"amortisation", "YEARS", "years over which a purchase is written off; default: 4",
                [](Scenario& s, Text t) { return setNumber(s.money.amortisationYears, t, positiveRange); }},
    ScenarioKey{
        "electricity", "USD", "price of a kWh; default: 0.12",
        [](Scenario& s, Text t) { return setNumber(s.money.electricityPerKwh, t, notNegativeRange); }},
    ScenarioKey{"pue", "FACTOR", "power of the building over that of the machines; default: 1.3",
                [](Scenario& s, Text t) { return setShare(s.money.pue, t, factorRange); }},
    ScenarioKey{"years", "N", "years over which costs are added up; default: those of the write-off",
                setYears},
    ScenarioKey{"hosting", "USD", "cost of the room per kW and month, without electricity; default: 0",
                setHosting},
    ScenarioKey{"staff", "FRACTION",
                "people, repairs and insurance in a year, as a share of the purchase price; default: 0",
                setStaff},
    ScenarioKey{"residual", "FRACTION",
                "share of the purchase price that is recovered in the end; default: 0", setResidual},
    ScenarioKey{"interest", "FRACTION",
                "yearly interest of a loan that pays for the purchase; default: 0, paid at once",
                setInterest},
    ScenarioKey{
        "api-price", "IN/OUT",
        "price of an API to compare with, in dollars per million prompt and output tokens, such as 0.5/1.5",
        setApiPrice},
    ScenarioKey{"budget", "USD", "most that the service may cost per hour",
                [](Scenario& s, Text t) { return setNumber(s.money.budgetPerHour, t, positiveRange); }},
    ScenarioKey{"purchase-budget", "USD", "most that all of it may cost to buy", setPurchaseBudget},
    ScenarioKey{
        "calibration", "FILE|none",
        "efficiencies measured on a machine of yours; default: those of this machine, where there are any",
        [](Scenario& s, Text t) { return setText(s.calibration, t); }},
    ScenarioKey{"gpu-memory-fraction", "FRACTION",
                "share of a card's memory that the engine may use; default: the engine's",
                [](Scenario& s, Text t) { return setShare(s.memoryFraction, t, fillRange); }},
    ScenarioKey{"max-batched-tokens", "N", "most tokens in a step; default: the engine's",
                [](Scenario& s, Text t) { return setWhole(s.maxBatchedTokens, t, countRange); }},
    ScenarioKey{"max-sequences", "N", "most sequences that run at once in a replica; default: the engine's",
                [](Scenario& s, Text t) { return setWhole(s.maxSequences, t, countRange); }},
    ScenarioKey{"block-size", "TOKENS", "tokens in a page of the KV cache; default: the engine's",
                [](Scenario& s, Text t) { return setWhole(s.blockTokens, t, gpusRange); }},
    ScenarioKey{"eager", "yes|no",
                "launch kernels one by one instead of capturing graphs (vLLM's --enforce-eager, SGLang's "
                "--disable-cuda-graph)",
                [](Scenario& s, Text t) { return setYesNo(s.eager, t); }},
    ScenarioKey{
        "receive-interval", "STEPS",
        "steps between two looks of the engine at what has arrived (SGLang's --scheduler-recv-interval)",
        [](Scenario& s, Text t) {
            return setWhole(s.receiveInterval, t, Range{1, 1000, "a whole number from 1 to 1000"});
        }},
    ScenarioKey{"prompt-wait", "STEPS",
                "most steps that prompts wait for others, so that more begin together (TensorRT-LLM's "
                "batch_wait_timeout_iters)",
                [](Scenario& s, Text t) {
                    return setWhole(s.promptWait, t, Range{0, 1000, "a whole number from 0 to 1000"});
                }},
    ScenarioKey{"prompt-wait-share", "FRACTION",
                "how full of prompts and decodes the largest step must be for them to wait no longer "
                "(TensorRT-LLM's batch_wait_max_tokens_ratio)",
                [](Scenario& s, Text t) { return setShare(s.promptWaitShare, t, fillRange); }},
    ScenarioKey{"scheduler", schedulerChoices.text(), "how requests become batches; default: the engine's",
                setScheduler},
    ScenarioKey{"spec-decode", "HOW",
                "speculative decoding: draft:MODEL:g=4,a=0.7, ngram:g=4,a=0.4 or mtp:g=1,a=0.8",
                setSpeculation},
    ScenarioKey{"lora-adapters", "N", "LoRA adapters kept on the GPUs",
                [](Scenario& s, Text t) { return setWhole(s.loraAdapters, t, fromZeroRange); }},
    ScenarioKey{"lora-rank", "N", "rank of the adapters; default: 16",
                [](Scenario& s, Text t) { return setWhole(s.loraRank, t, gpusRange); }},
    ScenarioKey{"beams", "N", "beam search width; default: 1",
                [](Scenario& s, Text t) { return setWhole(s.beams, t, gpusRange); }},
    ScenarioKey{"overhead", "FACTOR", "multiplies compute, as privacy-preserving inference does",
                [](Scenario& s, Text t) { return setShare(s.overheadMultiplier, t, factorRange); }},
    ScenarioKey{"prefill-skipped", "FRACTION",
                "share of prefill compute saved by the model's design (SwiftKV)",
                [](Scenario& s, Text t) { return setShare(s.prefillSkipped, t, openShareRange); }},
    ScenarioKey{"peak-factor", "FACTOR", "load in the busy hour over the stated load; default: 1",
                [](Scenario& s, Text t) { return setShare(s.peakFactor, t, factorRange); }},
    ScenarioKey{"spares", "N", "replicas that may fail",
                [](Scenario& s, Text t) { return setWhole(s.spares, t, fromZeroRange); }},
    ScenarioKey{"growth", "FRACTION", "growth of the load in a year: 0.4 is 40 %",
                [](Scenario& s, Text t) { return setShare(s.growthPerYear, t, growthRange); }},
    ScenarioKey{"power-cap", "KW", "most power that the machines may draw when everything is busy",
                setPowerCap},
    ScenarioKey{"max-gpus", "N", "most accelerators that the service may have", setMostGpus},
    ScenarioKey{"max-boxes", "N", "most boxes that the service may have", setMostBoxes},
    ScenarioKey{"traffic", "SHAPE",
                "how requests arrive: poisson, constant, gamma:cv=2, weibull:cv=3, at-once, closed; a day "
                "with a peak is poisson:peak=2.5,hour=14",
                setTraffic},
    ScenarioKey{"load-tool", "no|online|offline",
                "load as a benchmark client sends it: all users at once, or a rate with a limit of requests "
                "in flight; lengths as stated, every request counted",
                setLoadTool},
    ScenarioKey{"trace", "FILE", "recorded arrivals and lengths",
                [](Scenario& s, Text t) { return setText(s.trace, t); }},
    ScenarioKey{"requests", "N", "requests to simulate; default: 2000",
                [](Scenario& s, Text t) { return setWhole(s.requests, t, countRange); }},
    ScenarioKey{"seed", "N", "seed of random arrivals and lengths",
                [](Scenario& s, Text t) {
                    return setWhole(s.seed, t, Range{0, 9007199254740992.0, "a whole number"});
                }},
};

} // namespace

std::span<const ScenarioKey> scenarioKeys() { return allKeys; }

const ScenarioKey* findScenarioKey(std::string_view name)
{
    const auto* const found = std::find_if(allKeys.begin(), allKeys.end(),
                                           [name](const ScenarioKey& key) { return key.name == name; });
    return found == allKeys.end() ? nullptr : &*found;
}

std::vector<std::string> scenarioKeyNames()
{
    std::vector<std::string> names;
    for (const ScenarioKey& key : allKeys)
        names.emplace_back(key.name);
    return names;
}

} // namespace headroom
