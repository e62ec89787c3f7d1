#include "model/search/replay_run.h"

#include "model/search/answer_traffic.h"
#include "model/serve/serving_run.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {

namespace {

// Many replicas are alike: some of them with their part of the load say what all would, in less time.
// How large a part of the whole. Of two pools both have to give about the same, the one for prompts no less.
double takePart(Layout& layout, Layout* prompts, Scenario& scenario, const UserTimes& point)
{
    constexpr double alike = 0.03;
    constexpr int fewAlone = 24; // replicas with one user each, who hardly ever meets another
    const double users = std::max(1.0, point.users);
    double enough = layout.pp > 1 ? 100 : 300; // users at once: lanes go step by step, at ten times the cost
    constexpr double fewestTogether = 40;
    constexpr double rounds = 4; // of each of them, at least
    constexpr double steps = 5e5;
    if (const double affordable
        = steps * std::max(1.0, users / layout.pp) / (rounds * std::max(1.0, scenario.output.mean()));
        scenario.requestsPerSecond.value_or(0) == 0) // the longer their answers, the fewer
        enough = std::clamp(affordable, fewestTogether, enough);
    int part = users <= 1 ? fewAlone : std::max(1, static_cast<int>(std::ceil(enough / users)));
    const auto promptsOf = [&](int some) { return double(prompts->replicas) * some / layout.replicas; };
    const auto unlike = [&](int some) {
        const double exact = promptsOf(some);
        return exact < 1 || exact - std::floor(exact + 1e-9) > alike * exact;
    };
    while (prompts && part < layout.replicas && unlike(part))
        ++part;
    if (part >= layout.replicas)
        return 1;
    const double share = double(part) / layout.replicas;
    if (prompts)
        prompts->replicas = static_cast<int>(std::floor(promptsOf(part) + 1e-9));
    layout.replicas = part;
    if (scenario.concurrency)
        scenario.concurrency = std::max(1.0, std::ceil(*scenario.concurrency * share));
    if (scenario.requestsPerSecond)
        *scenario.requestsPerSecond *= share;
    return share;
}

// So many misses break the promise whatever follows. The first tenth of the requests, and the first of each
// who takes turns, are not counted where others are.
serve::EndsBroken endsBroken(const serve::ServingPlan& plan, const Targets& targets, bool orKept)
{
    const auto all = static_cast<double>(plan.traffic.requests);
    const auto users = static_cast<double>(plan.traffic.users);
    const double mayMiss = 1 - targets.percentile / 100;
    return {.firstCounted = static_cast<std::int32_t>(std::max(plan.around.warmUp * all, users)),
            .mostMisses = static_cast<std::int64_t>(std::ceil(mayMiss * all)),
            .clearlyKept = orKept ? mayMiss : 0,
            .besideFirst = plan.around.besideFirst};
}

} // namespace

std::optional<ReplayRun> replayRunOf(const Candidate& candidate, const Scenario& given,
                                     const std::optional<serve::Workload>& recorded, bool asksMost,
                                     RunEnds ends, PlayedLoads* known)
{
    Candidate working = candidate;
    const auto withoutSpares
        = [&](Layout& layout) { layout.replicas = std::max(1, layout.replicas - given.spares); };
    withoutSpares(working.deployment.layout);
    if (working.prompts)
        withoutSpares(working.prompts->deployment.layout);
    Scenario scenario = given;
    double share = 1;
    if (!recorded) {
        Layout* const prompts = working.prompts ? &working.prompts->deployment.layout : nullptr;
        share = takePart(working.deployment.layout, prompts, scenario, candidate.point);
    }
    scenario.replicas = working.deployment.layout.replicas;
    auto plan = trafficOn(working, scenario, asksMost);
    if (!plan)
        return std::nullopt;
    if (known)
        known->shareSteps(candidate, plan->setup);
    plan->setup.keepsSamples = false;
    plan->around.forVerdict = true;
    if (ends.broken && !recorded && scenario.targets.any())
        plan->setup.endsBroken = endsBroken(*plan, scenario.targets, ends.kept);
    return ReplayRun{.plan = *std::move(plan),
                     .closedForm = candidate.point,
                     .percentile = given.targets.percentile,
                     .share = share};
}

namespace {

ReplayOutcome outcomeOf(const ReplayRun& made, const serve::JudgedRun& run, const serve::Workload& workload)
{
    const serve::Measures& measures = run.measures;
    const UserTimes& closedForm = made.closedForm;
    return {.played
            = {.simulated
               = SimulatedService{.percentile = made.percentile,
                                  .ttft = measures.ttft.judged,
                                  .tpot = measures.tpot.judged,
                                  .latency = measures.latency.judged,
                                  .attainment = measures.attainment,
                                  .stable = run.verdict.stable,
                                  .mean = {measures.ttft.mean, measures.tpot.mean, measures.latency.mean},
                                  .closedForm
                                  = {closedForm.ttft.value, closedForm.tpot.value, closedForm.latency.value},
                                  .requestsPerSecond = measures.requestRate.base() / made.share,
                                  .broken = run.simulation.broken,
                                  .clear = run.simulation.kept,
                                  .takesTurns = workload.users > 0},
               .keepsTargets = run.answersYes() && !run.simulation.broken,
               .overloaded = run.verdict.stable ? Message() : run.verdict.reason}};
}

ReplayOutcome told(const std::shared_ptr<ReplayUnderWay>& run, serve::Simulation simulation, bool recorded)
{
    constexpr double ofARequest = 10; // to be made and measured, in the unit of the steps
    const serve::Workload& workload = run->underWay->workload();
    const std::int64_t steps = simulation.work;
    const std::int64_t work
        = steps + static_cast<std::int64_t>(ofARequest * static_cast<double>(workload.requests.size()));
    if (simulation.cut)
        return {.played = {.cut = true}, .steps = steps, .work = work};
    const serve::JudgedRun judged
        = serve::judgedRun(run->made.plan, workload, std::move(simulation), recorded);
    ReplayOutcome outcome = outcomeOf(run->made, judged, workload);
    outcome.steps = steps;
    outcome.work = work;
    if (judged.simulation.kept)
        outcome.underWay = run;
    return outcome;
}

} // namespace

ReplayOutcome playRun(ReplayRun made, const std::optional<serve::Workload>& recorded,
                      std::optional<std::int64_t> mostWork, const RunControl& control)
{
    if (mostWork)
        made.plan.setup.mostWork = *mostWork;
    auto workload = recorded ? Result<serve::Workload>(*recorded) : serve::makeWorkload(made.plan.traffic);
    if (!workload)
        return {};
    auto underWay = serve::UnderWay::with(made.plan.setup,
                                          std::make_shared<const serve::Workload>(*std::move(workload)));
    if (!underWay)
        return {};
    const auto run = std::make_shared<ReplayUnderWay>(ReplayUnderWay{std::move(made), *std::move(underWay)});
    ReplayOutcome outcome = told(run, run->underWay->run(control), recorded.has_value());
    // As measured it may not be so clear.
    if (outcome.underWay && !outcome.played.keepsTargets)
        return playOn(run, mostWork, control);
    return outcome;
}

ReplayOutcome playOn(const std::shared_ptr<ReplayUnderWay>& run, std::optional<std::int64_t> mostWork,
                     const RunControl& control)
{
    return told(run, run->underWay->goOn(mostWork, control), false);
}

} // namespace headroom
