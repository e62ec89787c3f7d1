#include "model/report/prediction_text.h"

#include "model/closed_form/operating_point.h"
#include "model/memory/loading_time.h"
#include "model/report/columns.h"
#include "model/report/layout_text.h"
#include "model/report/text_page.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

namespace {

struct Line {
    Message what;
    Message figure;
    Message remark;
};

Message boundRemark(const StepCost& step, double compute, double memory)
{
    return say("{}-bound: {} of peak compute, {} of memory bandwidth", boundName(step.bound),
               inUnits(compute, Measure::Share), inUnits(memory, Measure::Share));
}

Message subtitle(const Resolved& r)
{
    const Deployment& d = r.deployment;
    return say("{} weights, {} KV cache, {} arithmetic; prompt {}, output {}, {} at once in each replica",
               asIs(name(d.weights)), asIs(name(d.kv)), asIs(name(d.compute)),
               inUnits(r.load.promptTokens, Measure::Length), inUnits(r.load.outputTokens, Measure::Length),
               counted(r.load.batch, "{} sequence", "{} sequences"));
}

Message fitSentence(const Prediction& p)
{
    const GpuMemory& one = p.memory.perGpu;
    const Message of = say("{} of {} on each GPU", inUnits(one.used.base(), Measure::Storage),
                           inUnits(one.usable.base(), Measure::Storage));
    if (p.memory.fits)
        return say("yes: {}", of);
    return say("no: {} over, {}",
               inUnits(std::max(0.0, one.used.base() - one.usable.base()), Measure::Storage), of);
}

Line loadLine(const Resolved& r) // what `size` tells of it
{
    const UserTimes felt = operateAt(r.deployment, r.load, r.load.batch);
    const auto time = [](const Estimate<Seconds>& t) { return inUnits(t.value); };
    return {"At this load", inUnits(felt.tokensPerSecondPerUser, Measure::TokenRate),
            say("others' prompts between: TTFT {}, TPOT {}, request {}", time(felt.ttft), time(felt.tpot),
                time(felt.latency))};
}

std::vector<Line> costLines(const Service& service)
{
    std::vector<Line> lines;
    if (service.priceKnown)
        lines.push_back({"Cost", inUnits(perHour(service.price), Measure::HourlyPrice),
                         say("{} for 1M output tokens",
                             inUnits(service.dollarsPerMillionOutputTokens, Measure::MillionPrice))});
    else
        lines.push_back({"Cost", "unknown", "give --price"});
    if (service.power.value > Watts())
        lines.push_back({"Power", inUnits(service.power, Measure::Power),
                         say("{} for each output token",
                             inUnits(service.joulesPerOutputToken.value.base(), Measure::Energy))});
    else
        lines.push_back({"Power", "unknown", {}});
    return lines;
}

std::vector<Line> answerLines(const Resolved& r, const Prediction& p)
{
    std::vector<Line> lines;
    lines.push_back(
        {"Fits", fitSentence(p),
         say("room for {} sequences, {} of cache", inUnits(std::floor(p.memory.maxBatch), Measure::Whole),
             inUnits(p.memory.kvCapacityTokens, Measure::Length))});
    if (const std::optional<LoadingTime> loading = loadingTime(r.deployment))
        lines.push_back({"Weights load in", inUnits(loading->fromStorage),
                         say("from storage at {:.3g} GB/s; from the box's own memory {}",
                             r.deployment.node->storageRead.base() / 1e9, inUnits(loading->fromHostMemory))});
    lines.push_back({"First token (TTFT)", inUnits(p.ttft, Measure::Time),
                     boundRemark(p.prefill, p.prefillComputeUtilisation, p.prefillMemoryUtilisation)});
    lines.push_back({"Each token after (TPOT)", inUnits(p.tpot, Measure::Time),
                     boundRemark(p.decode, p.decodeComputeUtilisation, p.decodeMemoryUtilisation)});
    lines.push_back({"  while prompts come in", inUnits(p.tpotUnderLoad, Measure::Time), {}});
    lines.push_back({"Speed for one user", inUnits(p.tokensPerSecondPerUser, Measure::TokenRate), {}});
    lines.push_back({"Whole request", inUnits(p.latency, Measure::Time),
                     asIs(fmt::format("TTFT + TPOT × {:.0f}", std::max(0.0, r.load.outputTokens - 1)))});
    if (r.load.batch > 1)
        lines.push_back(loadLine(r));
    lines.push_back({"Service", inUnits(p.service.outputTokensPerSecond, Measure::TokenRate),
                     say("output; {} with prompts, {}",
                         inUnits(p.service.totalTokensPerSecond.value.base(), Measure::TokenRate),
                         inUnits(p.requestsPerSecond.value.base(), Measure::RequestRate))});
    for (Line& line : costLines(p.service))
        lines.push_back(std::move(line));
    return lines;
}

Table memoryTable(const Prediction& p)
{
    const GpuMemory& m = p.memory.perGpu;
    const auto usable = m.usable.base();
    Table table{
        {{"part", "on each GPU"}, {"bytes", "", Measure::Storage}, {"share", "of usable", Measure::Share}},
        {}};
    const auto add = [&](Code part, Bytes bytes) {
        table.rows.push_back(
            {Message(part), bytes.base(), usable > 0 ? Cell(bytes.base() / usable) : Cell()});
    };
    add("weights", m.weights);
    add("KV cache", m.kv);
    add("activations", m.activation);
    add("runtime", m.runtime);
    add("in use", m.used);
    add("usable", m.usable);
    add("offered by the driver", m.capacity);
    return table;
}

// What keeps the deployment from more: said in the words a buyer can act on.
Message limit(const Resolved& r, const Prediction& p)
{
    if (!p.memory.fits)
        return p.memory.maxBatch >= 1
            ? say("memory: at most {:.0f} sequences at once", std::floor(p.memory.maxBatch))
            : say("memory: the model leaves no room for even one sequence");
    switch (p.decode.bound) {
    case Bound::Compute:
        return "arithmetic: more sequences at once would slow everyone down";
    case Bound::Memory:
        if (r.load.batch * 2 <= p.memory.maxBatch)
            return "memory bandwidth: more sequences at once cost little";
        return "memory bandwidth, and soon the room for the cache";
    case Bound::Link:
        return "the link between GPUs: fewer GPUs for a replica would wait less";
    case Bound::Launch:
        return "launching kernels: the GPU waits for its host";
    }
    return {};
}

std::vector<Message> assumed(const Resolved& r, const Prediction& p)
{
    std::vector<Message> all = textsOf(r.assumptions);
    all.push_back(say("ranges are the 10th to 90th percentile; efficiencies: {}",
                      sourceName(worse(p.ttft.source, p.tpot.source))));
    return all;
}

std::string bullets(const TextPage& page, const std::string& title, const std::string& bullet,
                    const std::vector<Message>& messages)
{
    std::string out = messages.empty() ? std::string() : title;
    for (const Message& each : messages)
        out += bullet + page.tell(each) + '\n';
    return out;
}

} // namespace

std::string predictionText(const Resolved& r, const Prediction& p, ask::Language language)
{
    const TextPage page(language);
    std::string out = page.tell(deploymentText(r.deployment)) + '\n' + page.tell(subtitle(r)) + "\n\n";
    std::vector<Line> lines = answerLines(r, p);
    std::size_t figureWidth = 0;
    for (const Line& line : lines)
        figureWidth = std::max(figureWidth, widthOf(page.tell(line.figure)));
    lines.push_back({"Limited by", limit(r, p), {}});
    constexpr std::size_t labelWidth = 25;
    for (const Line& line : lines) {
        out += padded(page.tell(line.what), labelWidth);
        out += line.remark.empty()
            ? page.tell(line.figure) + '\n'
            : fmt::format("{}   {}\n", padded(page.tell(line.figure), figureWidth), page.tell(line.remark));
    }
    out += '\n' + textTable(memoryTable(p), page.teller());
    out += bullets(page, '\n' + page.tell("Assumed") + '\n', "  - ", assumed(r, p));
    out += bullets(page, '\n' + page.tell("Take care") + '\n', "  - ", textsOf(r.warnings));
    return out;
}

std::string predictionMarkdown(const Resolved& r, const Prediction& p, ask::Language language)
{
    const TextPage page(language);
    std::string out = "## " + page.tell(deploymentText(r.deployment)) + "\n\n" + page.tell(subtitle(r))
        + "\n\n| | | |\n|---|---|---|\n";
    std::vector<Line> lines = answerLines(r, p);
    lines.push_back({"Limited by", limit(r, p), {}});
    for (const Line& line : lines)
        out += fmt::format("| {} | {} | {} |\n", page.tell(line.what), page.tell(line.figure),
                           page.tell(line.remark));
    out += '\n' + markdownTable(memoryTable(p), page.teller());
    out += bullets(page, "\n### " + page.tell("Assumed") + "\n\n", "- ", assumed(r, p));
    out += bullets(page, "\n### " + page.tell("Take care") + "\n\n", "- ", textsOf(r.warnings));
    return out;
}

} // namespace headroom
