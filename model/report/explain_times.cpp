#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/rules_of_thumb.h"
#include "model/closed_form/step_budget.h"
#include "model/count/parameters.h"
#include "model/deploy/boxes.h"
#include "model/deploy/paid.h"
#include "model/report/explained_figures.h"
#include "model/report/op_rows.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

// What joins the GPUs of a replica, with its sources.
Message linksOf(const Deployment& d)
{
    std::vector<Message> out;
    if (sharesBox(d))
        out.push_back(joined({asIs(d.node->intra.name), citationOf(d.node->citations, "intra")}, ", "));
    if (spansBoxes(d))
        out.push_back(joined({asIs(d.node->inter.name), citationOf(d.node->citations, "inter")}, ", "));
    return joined(std::move(out), "; ");
}

// The parts of a step on one GPU, and what makes their sum the time that the step takes.
void addParts(Explanation& e, const Deployment& d, const StepCost& step, Seconds taken, Source source)
{
    const Message efficiency = efficiencySource(d, source);
    const auto add = [&](const Message& part, Seconds time, const Message& whence) {
        if (time.base() > 0)
            e.numbers.push_back({part, time.base(), Measure::Time, whence});
    };
    add("arithmetic", step.compute, say("FLOPs / (peak × efficiency), {}", efficiency));
    add("memory", step.memory, say("bytes / (bandwidth × efficiency), {}", efficiency));
    add("links", step.link, linksOf(d));
    add("launches", step.launch, efficiency);
    add("engine's own time", step.host, citationOf(d.engine->citations, "host"));
    const Seconds sum = step.compute + step.memory + step.link + step.launch + step.host;
    constexpr double told = 0.001; // of the step: less is rounding
    if ((sum - taken) / taken > told)
        add("− what runs at the same time", sum - taken,
            "arithmetic and memory overlap: the longer one rules");
    if ((taken - sum) / taken > told)
        add("other stages and launching", taken - sum,
            "the other stages of a pipeline, and kernels launched later than they could run");
}

void addHardware(Explanation& e, const Deployment& d)
{
    e.numbers.push_back(
        {"peak", d.gpu->peak(d.compute).base(), Measure::WorkRate, citationOf(d.gpu->citations, "compute")});
    e.numbers.push_back({"bandwidth", d.gpu->memoryBandwidth.base(), Measure::Bandwidth,
                         citationOf(d.gpu->citations, "memory")});
}

// The three operators that take most of a step.
Message longest(const Resolved& r, Code phase)
{
    std::vector<OpRow> rows = operatorRows(r.deployment, r.load);
    std::erase_if(rows, [phase](const OpRow& row) { return !(row.phase == phase); });
    std::sort(rows.begin(), rows.end(),
              [](const OpRow& a, const OpRow& b) { return a.seconds * a.count > b.seconds * b.count; });
    std::vector<Message> out;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, rows.size()); ++i)
        out.push_back(say("{} {} ({} × {}, {}-bound)", rows[i].name,
                          inUnits(rows[i].seconds * rows[i].count, Measure::Time),
                          inUnits(rows[i].count, Measure::Whole), inUnits(rows[i].seconds, Measure::Time),
                          boundName(rows[i].bound)));
    return out.empty() ? Message() : say("Longest operators: {}", joined(std::move(out), ", "));
}

Interval of(const Estimate<Seconds>& time)
{
    return {time.value.base(), time.low.base(), time.high.base(), time.source};
}

Message range(const Interval& i)
{
    return say("10th to 90th percentile: {} to {}.", inUnits(i.low, Measure::Time),
               inUnits(i.high, Measure::Time));
}

// Of those that are not seen together with the first.
double tokensAfterFirst(const Resolved& r)
{
    return std::max(0.0, r.load.outputTokens - 1) - tokensBesideFirst(r.deployment, r.load.outputTokens);
}

} // namespace

Explanation explainTtft(const Resolved& r, const Prediction& p)
{
    const Deployment& d = r.deployment;
    const double beside = tokensBesideFirst(d, r.load.outputTokens);
    const Seconds untilText = p.tpot.value * beside;
    const Message prompt = inUnits(r.load.promptTokens * (1 - r.load.prefixCached), Measure::Length);
    const Message admission = inUnits(p.ttft.value - p.prefill.latency.value - untilText);
    const Message prefill = inUnits(p.prefill.latency.value);
    Explanation e{
        .title = "Time to the first token of one prompt alone",
        .formula
        = "admission + prefill: sum over operators of arithmetic and memory (the longer rules) + links + "
          "launches + engine, at least launching every kernel outside captured graphs",
        .worked = beside > 0
            ? say("{} of admission + {} of prefill for {} + {} until the first piece of the answer",
                  admission, prefill, prompt, inUnits(untilText))
            : say("{} of admission + {} of prefill for {}", admission, prefill, prompt),
        .result = p.ttft.value.base(),
        .measure = Measure::Time};
    addParts(e, d, p.prefill, p.prefill.latency.value, p.ttft.source);
    if (const Seconds before = p.ttft.value - p.prefill.latency.value - untilText; before.base() > 0)
        e.numbers.push_back(
            {"admission", before.base(), Measure::Time, citationOf(d.engine->citations, "host")});
    if (untilText.base() > 0)
        e.numbers.push_back({"until the first piece", untilText.base(), Measure::Time, explainedBy("tpot")});
    addHardware(e, d);
    e.notes = {longest(r, "prefill"), range(of(p.ttft))};
    if (const PromptSteps parts = promptSteps(d, r.load); parts.count > 1)
        e.notes.push_back(say("The engine computes the prompt in {:.0f} parts of {} each.", parts.count,
                              inUnits(parts.each.prefillTokens, Measure::Length)));
    return e;
}

Explanation explainTpot(const Resolved& r, const Prediction& p)
{
    const Deployment& d = r.deployment;
    const Seconds floor = p.decode.bytes / (d.gpu->memoryBandwidth * double(d.layout.gpusPerReplica()));
    Explanation e{
        .title = "Time for each token after the first, no prompts beside it",
        .formula
        = "one decode step: sum over operators of arithmetic and memory (the longer rules) + links + "
          "launches + engine, at least launching every kernel outside captured graphs",
        .worked = say("{} moved over {} × {} are {} at best; with efficiencies, links and launches {}",
                      inUnits(p.decode.bytes.base(), Measure::Storage), d.layout.gpusPerReplica(),
                      inUnits(d.gpu->memoryBandwidth.base(), Measure::Bandwidth), inUnits(floor),
                      inUnits(p.tpot.value)),
        .result = p.tpot.value.base(),
        .measure = Measure::Time};
    const bool drafts
        = d.speculative.kind != SpeculativeDecoding::Kind::None; // then a step is several tokens
    addParts(e, d, p.decode, drafts ? p.decode.rate.value : p.tpot.value, p.tpot.source);
    addHardware(e, d);
    if (drafts)
        e.notes.push_back(say("Speculative decoding: {} drafted tokens, each accepted with "
                              "probability {}, give (1 − a^(g+1)) / "
                              "(1 − a) tokens a step.",
                              d.speculative.draftTokens, d.speculative.acceptance));
    e.notes.push_back(longest(r, "decode"));
    e.notes.push_back(range(of(p.tpot)));
    return e;
}

Explanation explainTpotUnderLoad(const Resolved& r, const Prediction& p)
{
    Explanation e{
        .title = "Time for each token while prompts keep the batch full",
        .formula = "each finished request is followed by a prompt: batch / output prompts for each token",
        .worked = say("{} × {} / {} prompts in each step: {} becomes {}",
                      inUnits(r.load.promptTokens, Measure::Length), inUnits(r.load.batch, Measure::Whole),
                      inUnits(r.load.outputTokens, Measure::Length), inUnits(p.tpot.value),
                      inUnits(p.tpotUnderLoad.value)),
        .result = p.tpotUnderLoad.value.base(),
        .measure = Measure::Time};
    e.numbers = {{"without prompts", p.tpot.value.base(), Measure::Time, explainedBy("tpot")},
                 {"one prompt", p.prefill.rate.value.base(), Measure::Time, explainedBy("ttft")}};
    e.notes.emplace_back(
        "Prompts come in chunks that some of the steps take along, or whole between the steps.");
    e.notes.push_back(range(of(p.tpotUnderLoad)));
    return e;
}

Explanation explainUserSpeed(const Resolved&, const Prediction& p)
{
    Explanation e{.title = "Tokens a second for one user, no prompts beside it",
                  .formula = "1 / TPOT",
                  .worked = say("1 / {}", inUnits(p.tpot.value)),
                  .result = p.tokensPerSecondPerUser.value.base(),
                  .measure = Measure::TokenRate};
    e.numbers = {{"TPOT", p.tpot.value.base(), Measure::Time, explainedBy("tpot")}};
    e.notes.emplace_back("Over a whole request, with the wait for the first token, it is output / latency:");
    e.notes.push_back(say("{}.", inUnits(p.requestTokensPerSecond, Measure::TokenRate)));
    return e;
}

namespace {

// batch × replicas × output over this.
Seconds timeOf(const RequestCycle& cycle, const Prediction& p)
{
    return cycle.admission + cycle.inLine.value + cycle.prompt.value + cycle.turn.value
        + p.tpotUnderLoad.value * cycle.beside + p.tpot.value * cycle.alone;
}

} // namespace

Explanation explainThroughput(const Resolved& r, const Prediction& p)
{
    const RequestCycle cycle = requestCycle(p, r.deployment, r.load);
    const double tokens = r.load.batch * r.deployment.layout.replicas * std::max(r.load.outputTokens, 1.0);
    const bool ownPrompt = cycle.prompt.value > Seconds();
    const double full = tokens / timeOf(cycle, p).base();
    const double result = p.service.outputTokensPerSecond.value.base();
    Explanation e{
        .title = "Output tokens a second of the service",
        .formula = ownPrompt
            ? Message(
                "batch × replicas × output / (admission + own prompt + tokens beside prompts × TPOT under "
                "load + other tokens × TPOT)")
            : "batch × replicas × output / (admission + tokens beside prompts × TPOT under load)",
        .worked = say("{} × {} × {:.0f} / {} = {}", inUnits(r.load.batch, Measure::Whole),
                      r.deployment.layout.replicas, std::max(r.load.outputTokens, 1.0),
                      inUnits(timeOf(cycle, p)), inUnits(full, Measure::TokenRate)),
        .result = result,
        .measure = Measure::TokenRate};
    e.numbers
        = {{"admission, before a prompt is computed", (cycle.admission + cycle.inLine.value).base(),
            Measure::Time, explainedBy("ttft")},
           {"tokens beside prompts", cycle.beside, Measure::Count,
            "of a request: prompts of the others of its batch are computed meanwhile"},
           {"TPOT under load", p.tpotUnderLoad.value.base(), Measure::Time, explainedBy("tpot-under-load")},
           {"requests", p.requestsPerSecond.value.base(), Measure::RequestRate,
            "output tokens / tokens of a request"}};
    if (p.gathered.share > 0)
        e.numbers.push_back({"turns of users who begin together", cycle.turn.value.base(), Measure::Time,
                             "users with short answers, whom the steps before admission gather"});
    if (ownPrompt) {
        e.numbers.push_back({"own prompt", cycle.prompt.value.base(), Measure::Time, explainedBy("ttft")});
        e.numbers.push_back(
            {"other tokens", cycle.alone, Measure::Count, "no prompt is computed beside them"});
        e.numbers.push_back({"TPOT", p.tpot.value.base(), Measure::Time, explainedBy("tpot")});
    }
    constexpr double told = 0.001; // of it: less is rounding
    if (std::abs(result / full - 1) > told) {
        e.worked = say("{}; {} of it at this load", e.worked, inUnits(result / full, Measure::Share));
        e.numbers.push_back({"of this, at the load", result / full, Measure::Share,
                             "replicas that stand by, users who are fewer than fill them, the rate that is "
                             "asked, or what a replay of "
                             "the traffic gave"});
    }
    return e;
}

Explanation explainLatency(const Resolved& r, const Prediction& p)
{
    const double after = tokensAfterFirst(r);
    Explanation e{.title = "Time of a whole request, no prompts beside it",
                  .formula = "a straight line, y = k·x + b: TPOT × tokens after the first + TTFT",
                  .worked = say("{} × {:.0f} + {}", inUnits(p.tpot.value), after, inUnits(p.ttft.value)),
                  .result = p.latency.value.base(),
                  .measure = Measure::Time};
    e.numbers = {{"k, TPOT", p.tpot.value.base(), Measure::Time, explainedBy("tpot")},
                 {"x, tokens after the first", after, Measure::Whole, "scenario"},
                 {"b, TTFT", p.ttft.value.base(), Measure::Time, explainedBy("ttft")}};
    e.notes.emplace_back("Some write latency = TTFT + TPOT × N with N all output tokens; here the first "
                         "token comes with TTFT.");
    return e;
}

Explanation explainCost(const Resolved& r, const Prediction& p)
{
    const Gpu& gpu = *r.deployment.gpu;
    const double one = gpu.cloudPrice ? perHour(*gpu.cloudPrice) : 0;
    const double kwh = r.deployment.ownPowerPrice;
    const int boxes = nodesOf(r.deployment);
    const int paid = paidGpus(r.deployment, p.service.gpus, boxes);
    const double box
        = perHour(r.deployment.terms.perBox) + (boxes > 1 ? perHour(r.deployment.terms.perLinked) : 0.0);
    Message rent = say("{} × {}", paid, inUnits(one, Measure::HourlyPrice));
    if (box > 0)
        rent = say("{} + {} × {}", rent, boxes, inUnits(box, Measure::HourlyPrice));
    const Message power = inUnits(p.service.power.value.base(), Measure::Power);
    Explanation e{.title = "Cost of an hour",
                  .formula = box > 0
                      ? Message("GPUs × price of one + boxes × price of a box + power × price of a kWh × PUE")
                      : kwh > 0 ? Message("GPUs × price of one + power × price of a kWh × PUE")
                                : "GPUs × price of one",
                  .worked = !gpu.cloudPrice ? Message("no price is known: give --price")
                      : kwh > 0             ? say("{} + {} × {}", rent, power, inUnits(kwh, Measure::Money))
                                            : rent,
                  .result = p.service.priceKnown ? perHour(p.service.price) : 0,
                  .measure = Measure::HourlyPrice};
    e.numbers
        = {{"GPUs", double(paid), Measure::Whole,
            paid > p.service.gpus ? Message("those that are paid: they come in whole boxes or instances")
                                  : "TP × PP × DP × replicas"}};
    if (box > 0)
        e.numbers.push_back({"price of a box", box, Measure::HourlyPrice,
                             r.scenario.money.serverPrice
                                 ? Message("given in the scenario")
                                 : citationOf(r.deployment.node->citations, "price")});
    if (gpu.cloudPrice)
        e.numbers.push_back(
            {"price of one", one, Measure::HourlyPrice,
             r.ownGpu ? Message("given in the scenario") : citationOf(gpu.citations, "price")});
    if (!gpu.cloudPriceRange.empty() && !r.ownGpu)
        e.notes.push_back(say("Others ask: {}", gpu.cloudPriceRange));
    return e;
}

Explanation explainCostPerMillion(const Resolved&, const Prediction& p)
{
    const double hourly = p.service.priceKnown ? perHour(p.service.price) : 0;
    const double tokens = p.service.outputTokensPerSecond.value.base() * secondsPerHour;
    Explanation e{.title = "Cost of a million output tokens",
                  .formula = "cost of an hour / output tokens of an hour × 1,000,000",
                  .worked = say("{} / {} × 1,000,000", inUnits(hourly, Measure::HourlyPrice),
                                inUnits(tokens, Measure::Length)),
                  .result = p.service.dollarsPerMillionOutputTokens.value.base(),
                  .measure = Measure::MillionPrice};
    e.numbers = {{"cost of an hour", hourly, Measure::HourlyPrice, explainedBy("cost")},
                 {"output", p.service.outputTokensPerSecond.value.base(), Measure::TokenRate,
                  explainedBy("throughput")}};
    e.notes.emplace_back("At this batch around the clock: an idle hour costs the same and yields nothing.");
    return e;
}

Explanation explainPower(const Resolved& r, const Prediction& p)
{
    const Deployment& d = r.deployment;
    Explanation e{
        .title = "Power of the service",
        .formula
        = "GPUs × (idle share + share that grows with utilisation of arithmetic and memory, + the host's)",
        .worked = d.gpu->tdp > Watts() ? Message() : "no power is known for this accelerator",
        .result = p.service.power.value.base(),
        .measure = Measure::Power};
    if (!(d.gpu->tdp > Watts()))
        return e;
    e.numbers = {
        {"board power at most", d.gpu->tdp.base(), Measure::Power, citationOf(d.gpu->citations, "power")},
        {"rest of the box", d.node->hostPower.base(), Measure::Power, citationOf(d.node->citations, "box")},
        {"arithmetic in use", p.decodeComputeUtilisation, Measure::Share, "decode"},
        {"memory bandwidth in use", p.decodeMemoryUtilisation, Measure::Share, "decode"}};
    e.notes.push_back(say("{} for each output token; a building adds its PUE.",
                          inUnits(p.service.joulesPerOutputToken, Measure::Energy)));
    return e;
}

Explanation explainReading(const Resolved&, const Prediction& p)
{
    Explanation e{.title = "As fast as someone reads",
                  .formula = "TPOT = 60 / (words a minute × tokens a word)",
                  .worked = say("this deployment: {} a token, {}", inUnits(p.tpot.value),
                                inUnits(p.tokensPerSecondPerUser.value.base(), Measure::TokenRate)),
                  .result = p.tokensPerSecondPerUser.value.base(),
                  .measure = Measure::TokenRate};
    for (const ReadingSpeed& speed : readingSpeeds()) {
        const Seconds tpot = tpotForReading(speed.wordsPerMinute, tokensPerWord);
        e.numbers.push_back({speed.who, 1 / tpot.base(), Measure::TokenRate,
                             say("{:.0f} words a minute × {} tokens a word: {} a token", speed.wordsPerMinute,
                                 tokensPerWord, inUnits(tpot))});
    }
    e.notes.emplace_back("20 tokens a second satisfies nearly everyone who reads; programs want more.");
    return e;
}

Explanation explainNoCache(const Resolved& r, const Prediction& p)
{
    const Deployment& d = r.deployment;
    const double active = double(countParameters(*d.llm).active);
    const FlopsPerSecond peak = d.gpu->peak(d.compute);
    const TokensPerSecond without = tokensPerSecondWithoutCache(
        d.layout.gpus(), peak, p.prefillComputeUtilisation, active, r.load.promptTokens);
    Explanation e{
        .title = "What the KV cache buys",
        .formula = "without it every token computes its whole prompt again: GPUs × peak × utilisation / (2 × "
                   "parameters × prompt)",
        .worked
        = say("{} × {} × {} / (2 × {} × {}) = {}; with the cache {}", d.layout.gpus(),
              inUnits(peak.base(), Measure::WorkRate), inUnits(p.prefillComputeUtilisation, Measure::Share),
              inUnits(active, Measure::Whole), inUnits(r.load.promptTokens, Measure::Whole),
              inUnits(without.base(), Measure::TokenRate),
              inUnits(p.service.outputTokensPerSecond.value.base(), Measure::TokenRate)),
        .result = without.base(),
        .measure = Measure::TokenRate};
    e.numbers = {{"peak", peak.base(), Measure::WorkRate, citationOf(d.gpu->citations, "compute")},
                 {"utilisation in prefill", p.prefillComputeUtilisation, Measure::Share, explainedBy("ttft")},
                 {"active parameters", active, Measure::Whole, explainedBy("params")}};
    e.notes.emplace_back("All answers together, one token each a second: divide among the users.");
    return e;
}

} // namespace headroom
