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

// "a100-sxm-80gb", "4xH100" or several with commas. "4xH100,B200": four of either; "2x8xH100": two boxes of
// eight.
Problems setGpus(Scenario& scenario, std::string_view text)
{
    std::vector<std::string> gpus;
    std::vector<int> counts;
    std::vector<std::optional<int>> boxes;
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
    ScenarioKey{"model", "ID", "the LLM: an id of `list models` or any usual spelling",
                [](Scenario& s, Text t) { return setText(s.model, t); }},
    ScenarioKey{"gpu", "ID",
                "the accelerator, or several with commas; '4xH100' says how many, '8xH100,4xB200' of each, "
                "'2x8xH100' in two boxes of eight",
                setGpus},
    ScenarioKey{"gpus", "N", "accelerators in the whole service",
                [](Scenario& s, Text t) { return setWhole(s.gpuCount, t, gpusRange); }},
    ScenarioKey{"node", "ID", "the box they stand in; default: the usual one of the accelerator",
                [](Scenario& s, Text t) { return setText(s.node, t); }},
    ScenarioKey{
        "gpus-per-box", "N",
        "accelerators in each box: 4 where boxes of eight are half filled; default: all that it holds",
        [](Scenario& s, Text t) { return setWhole(s.gpusPerBox, t, gpusRange); }},
    ScenarioKey{"storage", "GB/s", "at which a box reads weights; default: the box's own storage",
                setStorage},
    ScenarioKey{"engine", "ID",
                "serving engine, 'ideal' for the physical floor; default: the usual one of the accelerator",
                [](Scenario& s, Text t) { return setText(s.engine, t); }},
    ScenarioKey{"engine-version", "VERSION|YYYY-MM",
                "of the engine's build, or the month it is of; default: the newest that the preset lists",
                [](Scenario& s, Text t) { return setText(s.engineVersion, t); }},
    ScenarioKey{"tp", "N", "tensor-parallel GPUs",
                [](Scenario& s, Text t) { return setWhole(s.tp, t, gpusRange); }},
    ScenarioKey{"pp", "N", "pipeline stages",
                [](Scenario& s, Text t) { return setWhole(s.pp, t, gpusRange); }},
    ScenarioKey{"ep", "N", "GPUs that experts are spread over",
                [](Scenario& s, Text t) { return setWhole(s.ep, t, gpusRange); }},
    ScenarioKey{"redundant-experts", "N", "further copies of experts, spread over ep with the others",
                [](Scenario& s, Text t) { return setWhole(s.redundantExperts, t, fromZeroRange); }},
    ScenarioKey{"expert-balance", "as-routed|balanced",
                "load of experts' ranks: as tokens are routed, or moved by a load balancer (EPLB); default: "
                "balanced where experts are redundant",
                setExpertBalance},
    ScenarioKey{"overlap-batches", "yes|no",
                "two micro-batches of a step, one exchanges experts' tokens while the other computes",
                [](Scenario& s, Text t) { return setYesNo(s.overlapsBatches, t); }},
    ScenarioKey{"dynamic-chunks", "yes|no",
                "parts of a long prompt that grow shorter, so that each takes as long in a pipeline",
                [](Scenario& s, Text t) { return setYesNo(s.dynamicChunks, t); }},
    ScenarioKey{"dp", "N", "data-parallel attention ranks inside a replica",
                [](Scenario& s, Text t) { return setWhole(s.dp, t, gpusRange); }},
    ScenarioKey{"replicas", "N", "independent copies of the service",
                [](Scenario& s, Text t) { return setWhole(s.replicas, t, gpusRange); }},
    ScenarioKey{"layouts", "LIST", "layouts to weigh against each other: tp8pp2,tp16", setLayouts},
    ScenarioKey{"weights", "TYPE", "how weights are stored: bf16, fp8, int4, mxfp4, q4_k_m, …",
                [](Scenario& s, Text t) { return setType(s.weights, t); }},
    ScenarioKey{"keep-16bit", "PARTS",
                "layers that a narrow checkpoint leaves in 16 bits besides head and router: attention, mlp, "
                "shared-experts (\"ignore\" or \"modules_to_not_convert\" of its config.json), or nothing",
                [](Scenario& s, Text t) { return setWideParts(s.keepsWide, t); }},
    ScenarioKey{"kv", "TYPE", "how the KV cache is stored; default 16 bit",
                [](Scenario& s, Text t) { return setType(s.kv, t); }},
    ScenarioKey{"state", "TYPE",
                "how the state of recurrent layers is stored: fp32, bf16 or fp16; default: the model's",
                [](Scenario& s, Text t) { return setType(s.state, t); }},
    ScenarioKey{"compute", "TYPE", "arithmetic of matrix products; default follows the weights",
                [](Scenario& s, Text t) { return setUnit(s.compute, t); }},
    ScenarioKey{"allow", "TYPES", "types that `size` may try besides, for weights and KV cache: fp8,int4",
                setAllowed},
    ScenarioKey{"allow-weights", "TYPES", "types that `size` may try for the weights only",
                [](Scenario& s, Text t) { return setTypes(s.allowed.weights, t); }},
    ScenarioKey{"allow-kv", "TYPES", "types that `size` may try for the KV cache only",
                [](Scenario& s, Text t) { return setTypes(s.allowed.kv, t); }},
    ScenarioKey{"tune", "yes|no",
                "let `size` try other batch limits and chunk sizes of the engine; default no",
                [](Scenario& s, Text t) { return setYesNo(s.allowed.tune, t); }},
    ScenarioKey{"disaggregate", "no|try|only",
                "prompts on GPUs of their own, their cache sent to those that decode; default no", setPools},
    ScenarioKey{"prefill-gpu", "ID", "accelerator of the pool that computes prompts; default: the same",
                [](Scenario& s, Text t) { return setText(s.prefill.gpu, t); }},
    ScenarioKey{"prefill-tp", "N", "tensor-parallel GPUs in that pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.tp, t, gpusRange); }},
    ScenarioKey{"prefill-pp", "N", "pipeline stages in that pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.pp, t, gpusRange); }},
    ScenarioKey{"prefill-ep", "N", "GPUs that experts are spread over in that pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.ep, t, gpusRange); }},
    ScenarioKey{"prefill-dp", "N", "data-parallel attention ranks in that pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.dp, t, gpusRange); }},
    ScenarioKey{"prefill-replicas", "N", "replicas of that pool",
                [](Scenario& s, Text t) { return setWhole(s.prefill.replicas, t, gpusRange); }},
    ScenarioKey{"prompt", "TOKENS", "prompt length or distribution; default 1024",
                [](Scenario& s, Text t) { return setLengths(s.prompt, t); }},
    ScenarioKey{"output", "TOKENS", "output length or distribution; default 256",
                [](Scenario& s, Text t) { return setLengths(s.output, t); }},
    ScenarioKey{"prefix-cached", "FRACTION", "share of the prompt found in the prefix cache",
                [](Scenario& s, Text t) { return setShare(s.prefixCached, t, shareRange); }},
    ScenarioKey{"batch", "N", "concurrent sequences in one replica",
                [](Scenario& s, Text t) { return setNumber(s.batch, t, usersRange); }},
    ScenarioKey{"concurrency", "N",
                "users at once, whole service; a range, 100-300, tells what both ends take",
                [](Scenario& s, Text t) {
                    return setNumberRange(s.concurrency, s.easier.concurrency, t, usersRange);
                }},
    ScenarioKey{"rps", "RATE", "requests a second, whole service",
                [](Scenario& s, Text t) {
                    return setNumberRange(s.requestsPerSecond, s.easier.requestsPerSecond, t, positiveRange);
                }},
    ScenarioKey{"messages-per-minute", "N", "that each of the users sends", setMessages},
    ScenarioKey{"tokens-per-month", "N", "of prompts and answers together, whole service: 2B",
                setTokensPerMonth},
    ScenarioKey{"job-tokens", "N", "a job of so many tokens, prompts and answers together: 1B", setJobTokens},
    ScenarioKey{"job-requests", "N", "a job of so many requests: 5M", setJobRequests},
    ScenarioKey{"deadline", "TIME", "by which a job must be done: 8h, 7d", setDeadline},
    ScenarioKey{"tps", "RATE", "target: tokens a second for each user; a range: 20-30",
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
    ScenarioKey{"percentile", "P", "of requests that must meet the targets; default 90",
                [](Scenario& s, Text t) { return setNumber(s.targets.percentile, t, percentRange); }},
    ScenarioKey{"headroom", "FRACTION", "share of capacity kept free; default 0.1",
                [](Scenario& s, Text t) { return setShare(s.headroom, t, openShareRange); }},
    ScenarioKey{"objective", "WHAT", objectiveKeys.text(), setObjective},
    ScenarioKey{"evidence", "any|family|measured",
                "what figures may rest on: estimates too, timings of the family, or of the very accelerator",
                setEvidence},
    ScenarioKey{"price", "USD", "per GPU and hour; default: the catalogue's cloud price", setPrice},
    ScenarioKey{"provider", "NAME", "whose prices: an offer of the accelerator's entry", setProvider},
    ScenarioKey{"price-kind", "on-demand|reserved|spot", "kind of those prices", setPriceKind},
    ScenarioKey{"hours-per-day", "N", "that the machines run; default 24", setHoursPerDay},
    ScenarioKey{"days-per-week", "N", "that the machines run; default 7", setDaysPerWeek},
    ScenarioKey{"buy", "yes|no",
                "buy the machines: purchase price, power and electricity in place of rent; default no",
                [](Scenario& s, Text t) { return setYesNo(s.money.buy, t); }},
    ScenarioKey{"purchase", "USD", "price of one GPU when it is bought", setPurchase},
    ScenarioKey{"server", "USD", "price of one box without its accelerators when it is bought", setServer},
    ScenarioKey{"amortisation", "YEARS", "over which a purchase is written off; default 4",
                [](Scenario& s, Text t) { return setNumber(s.money.amortisationYears, t, positiveRange); }},
    ScenarioKey{
        "electricity", "USD", "per kWh; default 0.12",
        [](Scenario& s, Text t) { return setNumber(s.money.electricityPerKwh, t, notNegativeRange); }},
    ScenarioKey{"pue", "FACTOR", "power of the building over that of the machines; default 1.3",
                [](Scenario& s, Text t) { return setShare(s.money.pue, t, factorRange); }},
    ScenarioKey{"years", "N", "that costs are told over; default: those of the amortisation", setYears},
    ScenarioKey{"hosting", "USD", "room for a kW and month, without its electricity; default 0", setHosting},
    ScenarioKey{"staff", "FRACTION", "of the purchase in a year: people, repairs, insurance; default 0",
                setStaff},
    ScenarioKey{"residual", "FRACTION", "of the purchase that is got back in the end; default 0",
                setResidual},
    ScenarioKey{"interest", "FRACTION",
                "in a year, of a loan that pays the purchase; default 0: paid at once", setInterest},
    ScenarioKey{"api-price", "IN/OUT", "an API's dollars for a million tokens, to weigh against: 0.5/1.5",
                setApiPrice},
    ScenarioKey{"budget", "USD", "most the service may cost an hour",
                [](Scenario& s, Text t) { return setNumber(s.money.budgetPerHour, t, positiveRange); }},
    ScenarioKey{"purchase-budget", "USD", "most that all of it may cost when it is bought",
                setPurchaseBudget},
    ScenarioKey{"calibration", "FILE|none",
                "measured efficiencies of a machine of yours; default: those of this machine, where they are",
                [](Scenario& s, Text t) { return setText(s.calibration, t); }},
    ScenarioKey{"gpu-memory-fraction", "FRACTION",
                "share of a card the engine may fill; default: the engine's",
                [](Scenario& s, Text t) { return setShare(s.memoryFraction, t, fillRange); }},
    ScenarioKey{"max-batched-tokens", "N", "largest step; default: the engine's",
                [](Scenario& s, Text t) { return setWhole(s.maxBatchedTokens, t, countRange); }},
    ScenarioKey{"max-sequences", "N", "running at once in a replica; default: the engine's",
                [](Scenario& s, Text t) { return setWhole(s.maxSequences, t, countRange); }},
    ScenarioKey{"block-size", "TOKENS", "page of the KV cache; default: the engine's",
                [](Scenario& s, Text t) { return setWhole(s.blockTokens, t, gpusRange); }},
    ScenarioKey{"eager", "yes|no",
                "kernels are launched one by one, no graphs are captured (vLLM's --enforce-eager, SGLang's "
                "--disable-cuda-graph)",
                [](Scenario& s, Text t) { return setYesNo(s.eager, t); }},
    ScenarioKey{"receive-interval", "STEPS",
                "between two looks of the engine at what has arrived (SGLang's --scheduler-recv-interval)",
                [](Scenario& s, Text t) {
                    return setWhole(s.receiveInterval, t, Range{1, 1000, "a whole number from 1 to 1000"});
                }},
    ScenarioKey{"prompt-wait", "STEPS",
                "that prompts are held back beside decodes, for more to begin together (TensorRT-LLM's "
                "batch_wait_timeout_iters)",
                [](Scenario& s, Text t) {
                    return setWhole(s.promptWait, t, Range{0, 1000, "a whole number from 0 to 1000"});
                }},
    ScenarioKey{"prompt-wait-share", "FRACTION",
                "of the largest step that prompts and decodes fill, at which they wait no longer "
                "(TensorRT-LLM's batch_wait_max_tokens_ratio)",
                [](Scenario& s, Text t) { return setShare(s.promptWaitShare, t, fillRange); }},
    ScenarioKey{"scheduler", schedulerChoices.text(), "how requests become batches; default: the engine's",
                setScheduler},
    ScenarioKey{"spec-decode", "HOW", "draft:MODEL:g=4,a=0.7, ngram:g=4,a=0.4 or mtp:g=1,a=0.8",
                setSpeculation},
    ScenarioKey{"lora-adapters", "N", "LoRA adapters kept on the GPUs",
                [](Scenario& s, Text t) { return setWhole(s.loraAdapters, t, fromZeroRange); }},
    ScenarioKey{"lora-rank", "N", "their rank; default 16",
                [](Scenario& s, Text t) { return setWhole(s.loraRank, t, gpusRange); }},
    ScenarioKey{"beams", "N", "beam search width; default 1",
                [](Scenario& s, Text t) { return setWhole(s.beams, t, gpusRange); }},
    ScenarioKey{"overhead", "FACTOR", "multiplies compute, as privacy-preserving inference does",
                [](Scenario& s, Text t) { return setShare(s.overheadMultiplier, t, factorRange); }},
    ScenarioKey{"prefill-skipped", "FRACTION", "of prefill compute saved by the model's design (SwiftKV)",
                [](Scenario& s, Text t) { return setShare(s.prefillSkipped, t, openShareRange); }},
    ScenarioKey{"peak-factor", "FACTOR", "busy hour over the stated load; default 1",
                [](Scenario& s, Text t) { return setShare(s.peakFactor, t, factorRange); }},
    ScenarioKey{"spares", "N", "replicas that may fail",
                [](Scenario& s, Text t) { return setWhole(s.spares, t, fromZeroRange); }},
    ScenarioKey{"growth", "FRACTION", "of the load in a year",
                [](Scenario& s, Text t) { return setShare(s.growthPerYear, t, growthRange); }},
    ScenarioKey{"power-cap", "KW", "most that the machines may draw with everything busy", setPowerCap},
    ScenarioKey{"max-gpus", "N", "most accelerators that the service may have", setMostGpus},
    ScenarioKey{"max-boxes", "N", "most boxes that the service may have", setMostBoxes},
    ScenarioKey{"traffic", "SHAPE", "poisson, constant, gamma:cv=2, weibull:… or closed", setTraffic},
    ScenarioKey{"load-tool", "no|online|offline",
                "the load as a benchmark client sends it: all users at once, or a rate with so many users in "
                "flight at most; lengths as stated, every request counted",
                setLoadTool},
    ScenarioKey{"trace", "FILE", "arrivals and lengths as recorded",
                [](Scenario& s, Text t) { return setText(s.trace, t); }},
    ScenarioKey{"requests", "N", "to simulate; default 2000",
                [](Scenario& s, Text t) { return setWhole(s.requests, t, countRange); }},
    ScenarioKey{"seed", "N", "of random arrivals and lengths",
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
