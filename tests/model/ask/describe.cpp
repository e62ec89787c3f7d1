#include "tests/model/ask/describe.h"

#include "model/scenario/scenario_values.h"
#include "model/scenario/stated_layout.h"
#include "tests/model/ask/small_vocabulary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace headroom::tests {

namespace {

std::string lengthText(const LengthDistribution& length)
{
    return length.kind == LengthDistribution::Kind::Fixed ? fmt::format("{:g}", length.fixed) : length.text;
}

} // namespace

std::string describe(const ask::Question& question)
{
    const Scenario& s = question.scenario;
    const Scenario d;
    std::string out;
    switch (question.kind) {
    case ask::QuestionKind::Size:
        out = "size";
        break;
    case ask::QuestionKind::Predict:
        out = "predict";
        break;
    case ask::QuestionKind::Fit:
        out = "fit";
        break;
    case ask::QuestionKind::Capacity:
        out = "capacity";
        break;
    case ask::QuestionKind::Models:
        out = "models";
        break;
    case ask::QuestionKind::Memory:
        out = question.asked == ask::Asked::KvOfToken      ? "memory-of-token"
            : question.asked == ask::Asked::LongestContext ? "longest-context"
                                                           : "memory";
        break;
    }
    const auto add
        = [&](std::string_view key, const std::string& value) { out += fmt::format(" {}={}", key, value); };
    const auto number = [&](std::string_view key, double value, double usual) {
        if (value != usual)
            add(key, fmt::format("{:.6g}", value));
    };
    const auto optional = [&](std::string_view key, const auto& value) {
        if (value)
            add(key, fmt::format("{:.6g}", static_cast<double>(*value)));
    };
    const auto time = [&](std::string_view key, const std::optional<Seconds>& value) {
        if (value)
            add(key, fmt::format("{:.6g}", value->base()));
    };
    add("model", s.model);
    if (!s.gpus.empty())
        add("gpus", fmt::format("{}", fmt::join(s.gpus, ",")));
    optional("count", s.gpuCount);
    if (!s.gpuCounts.empty())
        add("counts", fmt::format("{}", fmt::join(s.gpuCounts, ",")));
    if (!s.boxSizes.empty()) {
        std::string boxes;
        for (const std::optional<int>& box : s.boxSizes)
            boxes += (boxes.empty() ? "" : ",") + (box ? std::to_string(*box) : "-");
        add("boxes", boxes);
    }
    if (!s.layouts.empty())
        add("layouts", textOf(s.layouts));
    if (!s.gpuLayouts.empty()) {
        std::string own;
        for (const StatedLayout& layout : s.gpuLayouts)
            own += (own.empty() ? "" : ",") + (layout == StatedLayout{} ? "-" : textOf(layout));
        add("own-layouts", own);
    }
    if (s.engine != d.engine)
        add("engine", s.engine);
    optional("tp", s.tp);
    optional("pp", s.pp);
    optional("ep", s.ep);
    optional("dp", s.dp);
    optional("replicas", s.replicas);
    if (s.weights)
        add("weights", std::string(name(*s.weights)));
    if (!s.weightTypes.empty())
        add("weights", scenarioValue(s, "weights"));
    if (s.kv)
        add("kv", std::string(name(*s.kv)));
    if (lengthText(s.prompt) != "1024")
        add("prompt", lengthText(s.prompt));
    if (lengthText(s.output) != "256")
        add("output", lengthText(s.output));
    number("prefix", s.prefixCached, 0);
    optional("batch", s.batch);
    optional("users", s.concurrency);
    optional("rps", s.requestsPerSecond);
    optional("tps", s.targets.tokensPerSecond);
    time("ttft", s.targets.ttft);
    time("tpot", s.targets.tpot);
    time("latency", s.targets.latency);
    number("percentile", s.targets.percentile, 90);
    if (s.money.gpuPrice)
        add("price", fmt::format("{:.6g}", perHour(*s.money.gpuPrice)));
    if (s.money.buy && !s.money.purchasePrice)
        add("buy", "yes");
    if (s.money.purchasePrice)
        add("buy", fmt::format("{:.6g}", s.money.purchasePrice->base()));
    number("years", s.money.amortisationYears, d.money.amortisationYears);
    number("kwh", s.money.electricityPerKwh, d.money.electricityPerKwh);
    number("pue", s.money.pue, d.money.pue);
    optional("budget", s.money.budgetPerHour);
    if (s.money.purchaseBudget)
        add("purchase-budget", fmt::format("{:.6g}", s.money.purchaseBudget->base()));
    if (s.objective != d.objective)
        add("objective",
            s.objective == Objective::CheapestHour        ? "cheapest"
                : s.objective == Objective::FastestStream ? "fastest"
                                                          : std::string(objectiveKey(s.objective)));
    number("headroom", s.headroom, d.headroom);
    number("peak", s.peakFactor, 1);
    number("spares", s.spares, 0);
    number("growth", s.growthPerYear, 0);
    if (s.traffic != d.traffic)
        add("traffic", s.traffic);
    const auto types = [&](std::string_view key, const std::vector<DType>& allowed) {
        std::string all;
        for (const DType type : allowed)
            all += (all.empty() ? "" : ",") + std::string(name(type));
        if (!all.empty())
            add(key, all);
    };
    number("lora", s.loraAdapters, 0);
    number("rank", s.loraRank, d.loraRank);
    optional("job-tokens", s.jobTokens);
    optional("job-requests", s.jobRequests);
    time("deadline", s.deadline);
    optional("tokens-per-month", s.tokensPerMonth);
    optional("messages-per-minute", s.messagesPerMinute);
    if (s.powerCap)
        add("power", fmt::format("{:.6g}", s.powerCap->base()));
    optional("max-gpus", s.mostGpus);
    optional("gpus-per-box", s.gpusPerBox);
    optional("max-boxes", s.mostBoxes);
    optional("memory-share", s.memoryFraction);
    optional("max-tokens", s.maxBatchedTokens);
    optional("max-sequences", s.maxSequences);
    optional("block", s.blockTokens);
    number("beams", s.beams, 1);
    if (!s.speculation.empty())
        add("speculation", s.speculation);
    if (s.money.apiPrice)
        add("api", fmt::format("{:g}/{:g}", s.money.apiPrice->input, s.money.apiPrice->output));
    if (!s.money.provider.empty())
        add("provider", s.money.provider);
    if (s.money.priceKind)
        add("price-kind", std::string(name(*s.money.priceKind)));
    number("hours-per-day", s.money.hoursPerDay, 24);
    number("days-per-week", s.money.daysPerWeek, 7);
    types("allow-weights", s.allowed.weights);
    types("allow-kv", s.allowed.kv);
    if (s.allowed.tune)
        add("tune", "yes");
    if (s.prefill.pools != Disaggregation::No)
        add("pools", s.prefill.pools == Disaggregation::Try ? "try" : "only");
    return out;
}

std::string answered(std::string_view text)
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    const auto question = ask::read(text, vocabulary);
    if (question)
        return describe(*question);
    std::string out = "refused:";
    for (const Problem& problem : question.error())
        out += " " + problem.where + " " + problem.what.english() + ";";
    return out;
}

} // namespace headroom::tests
