#include "model/report/prediction_text.h"

#include "model/closed_form/operating_point.h"
#include "model/memory/loading_time.h"
#include "model/report/columns.h"
#include "model/report/layout_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace headroom {

namespace {

struct Line {
    std::string what;
    std::string figure;
    std::string remark;
};

std::string share(double fraction, const char* what)
{
    return fmt::format("{} of {}", forPeople(fraction, Measure::Share), what);
}

std::string boundRemark(const StepCost& step, double compute, double memory)
{
    return fmt::format("{}-bound: {}, {}", boundName(step.bound).text, share(compute, "peak compute"),
                       share(memory, "memory bandwidth"));
}

std::string subtitle(const Resolved& r)
{
    const Deployment& d = r.deployment;
    return fmt::format(
        "{} weights, {} KV cache, {} arithmetic; prompt {}, output {}, {} at once in each replica",
        name(d.weights), name(d.kv), name(d.compute), forPeople(r.load.promptTokens, Measure::Length),
        forPeople(r.load.outputTokens, Measure::Length),
        r.load.batch == 1 ? "1 sequence" : forPeople(r.load.batch, Measure::Whole) + " sequences");
}

std::string fitSentence(const Prediction& p)
{
    const GpuMemory& one = p.memory.perGpu;
    const std::string of = fmt::format("{} of {} on each GPU", forPeople(one.used.base(), Measure::Storage),
                                       forPeople(one.usable.base(), Measure::Storage));
    if (p.memory.fits)
        return "yes: " + of;
    return fmt::format("no: {} over",
                       forPeople(std::max(0.0, one.used.base() - one.usable.base()), Measure::Storage))
        + ", " + of;
}

std::vector<Line> answerLines(const Resolved& r, const Prediction& p)
{
    std::vector<Line> lines;
    lines.push_back({"Fits", fitSentence(p),
                     fmt::format("room for {} sequences, {} of cache",
                                 forPeople(std::floor(p.memory.maxBatch), Measure::Whole),
                                 forPeople(p.memory.kvCapacityTokens, Measure::Length))});
    if (const std::optional<LoadingTime> loading = loadingTime(r.deployment))
        lines.push_back({"Weights load in", forPeople(loading->fromStorage.base(), Measure::Time),
                         fmt::format("from storage at {:.3g} GB/s; from the box's own memory {}",
                                     r.deployment.node->storageRead.base() / 1e9,
                                     forPeople(loading->fromHostMemory.base(), Measure::Time))});
    lines.push_back({"First token (TTFT)", forPeople(p.ttft, Measure::Time),
                     boundRemark(p.prefill, p.prefillComputeUtilisation, p.prefillMemoryUtilisation)});
    lines.push_back({"Each token after (TPOT)", forPeople(p.tpot, Measure::Time),
                     boundRemark(p.decode, p.decodeComputeUtilisation, p.decodeMemoryUtilisation)});
    lines.push_back({"  while prompts come in", forPeople(p.tpotUnderLoad, Measure::Time), {}});
    lines.push_back({"Speed for one user", forPeople(p.tokensPerSecondPerUser, Measure::TokenRate), {}});
    lines.push_back({"Whole request", forPeople(p.latency, Measure::Time),
                     fmt::format("TTFT + TPOT × {:.0f}", std::max(0.0, r.load.outputTokens - 1))});
    if (r.load.batch > 1) { // what `size` tells of it
        const UserTimes felt = operateAt(r.deployment, r.load, r.load.batch);
        const auto time = [](const Estimate<Seconds>& t) { return forPeople(t.value.base(), Measure::Time); };
        lines.push_back({"At this load", forPeople(felt.tokensPerSecondPerUser, Measure::TokenRate),
                         fmt::format("others' prompts between: TTFT {}, TPOT {}, request {}", time(felt.ttft),
                                     time(felt.tpot), time(felt.latency))});
    }
    lines.push_back({"Service", forPeople(p.service.outputTokensPerSecond, Measure::TokenRate),
                     fmt::format("output; {} with prompts, {}",
                                 forPeople(p.service.totalTokensPerSecond.value.base(), Measure::TokenRate),
                                 forPeople(p.requestsPerSecond.value.base(), Measure::RequestRate))});
    if (p.service.priceKnown)
        lines.push_back({"Cost", forPeople(perHour(p.service.price), Measure::HourlyPrice),
                         forPeople(p.service.dollarsPerMillionOutputTokens, Measure::MillionPrice)
                             + " for 1M output tokens"});
    else
        lines.push_back({"Cost", "unknown", "give --price"});
    if (p.service.power.value > Watts())
        lines.push_back({"Power", forPeople(p.service.power, Measure::Power),
                         forPeople(p.service.joulesPerOutputToken.value.base(), Measure::Energy)
                             + " for each output token"});
    else
        lines.push_back({"Power", "unknown", {}});
    return lines;
}

Table memoryTable(const Prediction& p)
{
    const GpuMemory& m = p.memory.perGpu;
    const auto usable = m.usable.base();
    Table table{
        {{"part", "on each GPU"}, {"bytes", "", Measure::Storage}, {"share", "of usable", Measure::Share}},
        {}};
    const auto add = [&](const char* part, Bytes bytes) {
        table.rows.push_back(
            {std::string(part), bytes.base(), usable > 0 ? Cell(bytes.base() / usable) : Cell()});
    };
    add("weights", m.weights);
    add("KV cache", m.kv);
    add("activations", m.activation);
    add("runtime", m.runtime);
    add("used", m.used);
    add("usable", m.usable);
    add("offered by the driver", m.capacity);
    return table;
}

// What keeps the deployment from more: said in the words a buyer can act on.
std::string limit(const Resolved& r, const Prediction& p)
{
    if (!p.memory.fits)
        return p.memory.maxBatch >= 1
            ? fmt::format("memory: at most {:.0f} sequences at once", std::floor(p.memory.maxBatch))
            : "memory: the model leaves no room for even one sequence";
    switch (p.decode.bound) {
    case Bound::Compute:
        return "arithmetic: more sequences at once would slow everyone down";
    case Bound::Memory:
        return r.load.batch * 2 <= p.memory.maxBatch ? "memory bandwidth: more sequences at once cost little"
                                                     : "memory bandwidth, and soon the room for the cache";
    case Bound::Link:
        return "the link between GPUs: fewer GPUs for a replica would wait less";
    case Bound::Launch:
        return "launching kernels: the GPU waits for its host";
    }
    return {};
}

std::string sourceSentence(const Prediction& p)
{
    return fmt::format("ranges are the 10th to 90th percentile; efficiencies: {}",
                       sourceName(worse(p.ttft.source, p.tpot.source)).text);
}

} // namespace

std::string predictionText(const Resolved& r, const Prediction& p)
{
    std::string out = deploymentText(r.deployment) + '\n' + subtitle(r) + "\n\n";
    const std::vector<Line> lines = answerLines(r, p);
    std::size_t figureWidth = 0;
    for (const Line& line : lines)
        figureWidth = std::max(figureWidth, line.figure.size());
    for (const Line& line : lines)
        out += line.remark.empty()
            ? fmt::format("{:<25}{}\n", line.what, line.figure)
            : fmt::format("{:<25}{:<{}}   {}\n", line.what, line.figure, figureWidth, line.remark);
    out += fmt::format("{:<25}{}\n", "Limited by", limit(r, p));
    out += '\n' + textTable(memoryTable(p));
    out += "\nAssumed\n";
    for (const Message& each : r.assumptions)
        out += "  - " + each.english() + '\n';
    out += "  - " + sourceSentence(p) + '\n';
    if (!r.warnings.empty())
        out += "\nTake care\n";
    for (const Message& each : r.warnings)
        out += "  - " + each.english() + '\n';
    return out;
}

std::string predictionMarkdown(const Resolved& r, const Prediction& p)
{
    std::string out
        = "## " + deploymentText(r.deployment) + "\n\n" + subtitle(r) + "\n\n| | | |\n|---|---|---|\n";
    for (const Line& line : answerLines(r, p))
        out += fmt::format("| {} | {} | {} |\n", line.what, line.figure, line.remark);
    out += fmt::format("| Limited by | {} | |\n\n", limit(r, p)) + markdownTable(memoryTable(p));
    out += "\n### Assumed\n\n";
    for (const Message& each : r.assumptions)
        out += "- " + each.english() + '\n';
    out += "- " + sourceSentence(p) + '\n';
    if (!r.warnings.empty())
        out += "\n### Take care\n\n";
    for (const Message& each : r.warnings)
        out += "- " + each.english() + '\n';
    return out;
}

} // namespace headroom
