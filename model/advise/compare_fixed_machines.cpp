#include "model/advise/compare_fixed_machines.h"

#include "model/advise/ask_of_all.h"
#include "model/advise/size.h"
#include "model/scenario/one_machine.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

using Plan = std::shared_ptr<const SizingPlan>;

struct Planned {
    Scenario asked; // of this machine alone
    Plan plan;
};

// What decides between machines whose sizes were stated: fewer GPUs was not asked for.
Objective objectiveAmong(const Scenario& asked)
{
    if (asked.objective != Objective::FewestGpus)
        return asked.objective;
    return asked.targets.any() ? Objective::CheapestHour : Objective::FastestStream;
}

bool betterMachine(const SizingPlan& first, const SizingPlan& second, Objective objective)
{
    const Candidate& a = first.answer;
    const Candidate& b = second.answer;
    // By what is told of them.
    if (objective == Objective::MostUsers && a.meets && b.meets)
        return first.usersCarried().told > second.usersCarried().told;
    if (objective != Objective::MostThroughput || !a.meets || !b.meets)
        return better(a, b, objective);
    // Of the whole machine: inside one of them the search compares what each GPU gives.
    const auto total
        = [](const Candidate& c) { return c.point.prediction.service.outputTokensPerSecond.value.base(); };
    return total(a) > total(b);
}

Message whatDecided(const Scenario& asked)
{
    if (asked.objective != Objective::FewestGpus)
        return "machines of stated sizes were compared by the objective";
    return asked.targets.any()
        ? Message("machines of stated sizes were compared: the cheapest that meets the targets is the answer")
        : "machines of stated sizes were compared: the fastest for each user is the answer";
}

// The answers of all first, the winner's before the others, then what else was judged.
std::vector<Candidate> candidatesOf(const std::vector<Planned>& machines)
{
    std::vector<Candidate> out;
    for (const Planned& machine : machines)
        out.push_back(machine.plan->answer);
    for (const Planned& machine : machines)
        out.insert(out.end(), machine.plan->candidates.begin() + 1, machine.plan->candidates.end());
    return out;
}

// A plan for each machine; `cannot`: why nothing runs on one of them. Refused where none has a plan.
Result<std::vector<Planned>> planEach(const Scenario& asked, const Catalogue& catalogue,
                                      const SearchOptions& search, const RunControl& control,
                                      Problems& cannot)
{
    std::vector<Planned> machines;
    Problems problems;
    for (std::size_t i = 0; i < asked.gpus.size(); ++i) {
        const Scenario one = ofOneMachine(asked, i);
        RunControl part{.stop = control.stop};
        part.progress = [&](double fraction, std::string_view stage) {
            control.progress((double(i) + fraction) / double(asked.gpus.size() + 1), stage);
        };
        Result<Plan> plan = size(one, catalogue, search, part);
        if (plan) {
            machines.push_back({one, *std::move(plan)});
            continue;
        }
        for (Problem& problem : plan.error()) {
            Problems& to = problem.where == "layout" ? cannot : problems;
            if (problem.where == "layout")
                problem.where = fmt::format("{} x {}", *one.gpuCount, one.gpus.front());
            if (std::find(to.begin(), to.end(), problem) == to.end())
                to.push_back(std::move(problem));
        }
    }
    if (!problems.empty() || machines.empty())
        return refuse(problems.empty() ? std::move(cannot) : std::move(problems));
    return machines;
}

void warn(SizingPlan& out, const std::vector<Planned>& machines, Objective objective, const Problems& cannot)
{
    for (const Planned& machine : machines) {
        const Candidate& its = machine.plan->answer;
        if (objective == Objective::CheapestHour && !its.point.prediction.service.priceKnown)
            out.warnings.push_back(say("no price is known for {}: give --price", its.deployment.gpu->name));
        if (its.gpus() < *machine.asked.gpuCount)
            out.warnings.push_back(say("{} of {} {} are used: costs are of those, the rest stand idle",
                                       its.gpus(), *machine.asked.gpuCount, its.deployment.gpu->name));
    }
    for (const Problem& problem : cannot)
        out.warnings.push_back(say("{}: {}", problem.where, Message(problem.what)));
}

} // namespace

Result<Plan> compareFixedMachines(const Scenario& asked, const Catalogue& catalogue,
                                  const SearchOptions& options, const RunControl& control)
{
    SearchOptions search = options;
    search.explain = false; // of the winner alone
    search.safer = options.explain;
    if (Problems twice = countedTwice(asked); !twice.empty())
        return refuse(std::move(twice));
    Problems cannot;
    auto planned = planEach(asked, catalogue, search, control, cannot);
    if (!planned)
        return refuse(planned.error());
    std::vector<Planned>& machines = *planned;
    const Objective objective = objectiveAmong(asked);
    std::stable_sort(machines.begin(), machines.end(), [&](const Planned& a, const Planned& b) {
        return betterMachine(*a.plan, *b.plan, objective);
    });
    SizingPlan out = *machines.front().plan;
    if (options.explain) {
        RunControl last{.stop = control.stop};
        last.progress = [&](double fraction, std::string_view stage) {
            const double steps = double(asked.gpus.size());
            control.progress((steps + fraction) / (steps + 1), stage);
        };
        if (const auto explained = explainAnswer(out, machines.front().asked, catalogue, options, last);
            !explained)
            return refuse(explained.error());
        askOfAll(out, machines.front().asked, asked);
    }
    out.candidates = candidatesOf(machines);
    out.scenario.gpus = asked.gpus;
    out.scenario.gpuCounts = asked.gpuCounts;
    out.scenario.gpuCount.reset();
    out.evaluated = 0;
    for (const Planned& machine : machines)
        out.evaluated += machine.plan->evaluated;
    out.assumptions.emplace_back(whatDecided(asked));
    warn(out, machines, objective, cannot);
    return std::make_shared<const SizingPlan>(std::move(out));
}

} // namespace headroom
