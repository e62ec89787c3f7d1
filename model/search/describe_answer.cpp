#include "model/search/describe_answer.h"

#include "model/base/apart.h"
#include "model/base/three_digits.h"
#include "model/closed_form/rules_of_thumb.h"
#include "model/deploy/boxes.h"
#include "model/resolve/layout_ranges.h"
#include "model/scenario/service_load.h"
#include "model/scenario/stated_load.h"
#include "model/search/deciding_load.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/load_curve.h"
#include "model/serve/serving_setup.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

// As a replay gave it, where there was one.
Seconds firstToken(const Candidate& c) { return c.simulated ? c.simulated->ttft : c.point.ttft.value; }

// What widens the answer's ranges by how it is laid out, in place of what `machine` told of the layout that
// was stated.
void tellRanges(SizingPlan& plan, const Resolved& machine)
{
    const auto told = rangesOfLayout(machine.deployment);
    std::erase_if(plan.assumptions, [&](const Message& each) {
        return std::any_of(told.begin(), told.end(),
                           [&](const Message& one) { return one.english() == each.english(); });
    });
    for (const Message& each : rangesOfLayout(plan.answer.deployment))
        plan.assumptions.push_back(each);
    if (!plan.answer.prompts)
        return;
    plan.assumptions.push_back(serve::handOverTold());
    const auto times = [](const Estimate<Seconds>& time) { return std::log(time.high / time.value); };
    const double whole = times(plan.answer.point.ttft);
    const double free = times(plan.answer.prompts->free.ttft);
    const double wait = std::exp(std::sqrt(std::max(0.0, whole * whole - free * free)));
    constexpr double noticed = 1.05; // times either way
    if (wait >= noticed)
        plan.assumptions.push_back(say(
            "the range of the first token allows for the line before the prompts, up to {:.2f} times either "
            "way: it grows faster than prompts slow down",
            wait));
}

} // namespace

void describeChoice(SizingPlan& plan, const Scenario& scenario, const MachinesToTry& machines,
                    const Targets& assumed)
{
    const Resolved& machine = *plan.answer.machine;
    plan.assumptions = textsOf(machine.assumptions);
    plan.warnings = textsOf(machine.warnings);
    plan.scenario = machine.scenario;
    plan.scenario.gpus = scenario.gpus;
    plan.scenario.money = scenario.money;
    const Targets& targets = scenario.targets;
    const double each = plan.answer.point.tokensPerSecondPerUser.value.base();
    const double slowest = 1 / tpotForReading(readingSpeeds().front().wordsPerMinute, tokensPerWord).base();
    const bool somebodyReads = !requestsOfJob(scenario);
    if (plan.answer.meets && somebodyReads && !targets.tokensPerSecond && !targets.tpot && !targets.latency
        && each < slowest) {
        const auto [speed, reading] = apart(each, slowest);
        plan.warnings.push_back(
            say("{} tokens/s for each user are slower than people read ({}): no speed was asked for", speed,
                reading));
    }
    plan.assumed = assumed;
    if (assumed.ttft && *assumed.ttft > longWait)
        plan.assumptions.push_back(
            say("no speed was asked for: at least {} tokens/s for each user and a first token within {} s, "
                "longer than usual because the prompts are long",
                *assumed.tokensPerSecond, assumed.ttft->base()));
    else if (assumed.ttft)
        plan.assumptions.push_back(
            say("no speed was asked for: at least {} tokens/s for each user and a first token within {} s",
                *assumed.tokensPerSecond, assumed.ttft->base()));
    else if (assumed.any())
        plan.assumptions.push_back(
            say("no speed was asked for: at least {} tokens/s for each user", *assumed.tokensPerSecond));
    else if (!targets.any() && growsWithGpus(scenario.objective))
        plan.assumptions.push_back("no speed was asked for: it only has to fit and carry the load");
    if (scenario.gpus.empty())
        plan.assumptions.push_back(
            say("{} accelerators of NVIDIA and AMD were compared; others are tried when they are named",
                machines.kinds));
    if (scenario.prefill.pools != Disaggregation::No && machines.prompting.empty()
        && scenario.gpus.size() != 1)
        plan.assumptions.push_back(
            "both pools use the same accelerator; others are paired when they are named");
    if (!scenario.concurrency && !scenario.requestsPerSecond && !scenario.batch)
        plan.assumptions.push_back(
            fullyLoaded(scenario)
                ? Message("no load was stated: figures are for as many users at once as it carries")
                : "one user at a time decides the size; the most it carries is shown beside it");
    if (const double first = firstToken(plan.answer).base();
        plan.answer.meets && somebodyReads && first > longWait.base())
        plan.warnings.push_back(say("the first token comes after {} s", asIs(threeDigits(first))));
    const Deployment& chosen = plan.answer.deployment;
    if (spansBoxes(chosen) && takesWholeBoxes(chosen, scenario))
        plan.assumptions.push_back("a replica that does not fit into one box takes whole boxes");
    if (scenario.headroom > 0 && loadOf(scenario).stated() && !scenario.gpuCount && !scenario.replicas)
        plan.assumptions.push_back(say("{:.0f} % of the capacity kept free", scenario.headroom * 100));
    // An agent sends its whole conversation again with every turn, and an engine with a prefix cache computes
    // only what is new of it.
    constexpr double longPrompt = 8192; // tokens
    if (scenario.prompt.mean() >= longPrompt && scenario.prefixCached == 0
        && plan.answer.deployment.engine->prefixCache)
        plan.assumptions.push_back(
            "no part of the prompts is in the prefix cache; long chats and agents find "
            "most of theirs there: `--prefix-cached 0.8`");
    if (scenario.spares > 0)
        plan.assumptions.push_back(
            scenario.spares == 1 ? Message("figures hold with one replica out of service")
                                 : say("figures hold with {} replicas out of service", scenario.spares));
    tellRanges(plan, machine);
}

void describeLoad(SizingPlan& plan, const Scenario& asked, const BusiestLoad& busiest)
{
    if (!busiest.curve)
        return;
    plan.scenario.traffic = asked.traffic;
    plan.scenario.trace = asked.trace;
    plan.scenario.requestsPerSecond = asked.requestsPerSecond;
    const double minutes = std::round(busiest.curve->stretch.base() / 60);
    plan.assumptions.push_back(
        minutes > 1 ? say("the busiest {:.0f} minutes decide the size: {:.4g} requests/s, {:.4g} on average",
                          minutes, busiest.curve->peak(), busiest.curve->mean())
            : busiest.curve->stretch.base() < 55
            ? say("the whole trace of {:.0f} s decides the size: {:.4g} requests/s",
                  busiest.curve->stretch.base(), busiest.curve->peak())
            : say("the busiest minute decides the size: {:.4g} requests/s, {:.4g} on average",
                  busiest.curve->peak(), busiest.curve->mean()));
    if (!asked.trace.empty())
        plan.assumptions.push_back(
            say("lengths as recorded: {:.0f} prompt and {:.0f} output tokens on average",
                busiest.scenario.prompt.mean(), busiest.scenario.output.mean()));
    if (plan.meets)
        plan.day = fleetOver(*busiest.curve, plan.answer, asked.spares);
}

} // namespace headroom
