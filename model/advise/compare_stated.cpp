#include "model/advise/compare_stated.h"

#include "model/advise/ask_of_all.h"
#include "model/advise/size.h"
#include "model/advise/stated_order.h"
#include "model/scenario/alternatives.h"
#include "model/scenario/stated_layout.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace headroom {

namespace {

using Plan = std::shared_ptr<const SizingPlan>;

struct Planned {
    Scenario asked; // of it alone
    Plan plan;
};

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

Message whatDecidedOfTypes(const Scenario& asked)
{
    if (asked.objective != Objective::FewestGpus)
        return "types of weights that were named were compared by the objective";
    return asked.targets.any()
        ? Message(
            "types of weights that were named were compared: the cheapest that meets the targets is the "
            "answer, of equally cheap ones the surest")
        : "types of weights that were named were compared: the fastest for each user is the answer";
}

Message whatDecided(const Scenario& asked)
{
    if (asked.gpuCounts.empty() && asked.layouts.empty() && asked.gpuLayouts.empty())
        return whatDecidedOfTypes(asked);
    if (asked.gpuCounts.empty() && asked.objective != Objective::FewestGpus)
        return "layouts that were named were compared by the objective";
    if (asked.gpuCounts.empty())
        return asked.targets.any()
            ? Message("layouts that were named were compared: the cheapest that meets the targets is the "
                      "answer, of equally cheap ones the surest")
            : "layouts that were named were compared: the fastest for each user is the answer";
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

// A problem of how a replica is split.
bool isPart(std::string_view where)
{
    return std::any_of(layoutParts.begin(), layoutParts.end(),
                       [&](const LayoutPart& part) { return part.word == where; });
}

// "16 x h100-sxm-80gb", "TP 8 x PP 2".
std::string titleOf(const Scenario& asked, const Scenario& one)
{
    std::vector<std::string> parts;
    if (!asked.gpuCounts.empty())
        parts.push_back(fmt::format("{} x {}", *one.gpuCount, one.gpus.front()));
    else if (!asked.gpuLayouts.empty())
        parts.push_back(one.gpus.front());
    StatedLayout layout;
    for (const LayoutPart& part : layoutParts)
        layout.*(part.size) = one.*(part.key);
    if ((!asked.layouts.empty() || !asked.gpuLayouts.empty()) && layout != StatedLayout{})
        parts.push_back(titleOf(layout));
    if (!asked.weightTypes.empty())
        parts.emplace_back(name(*one.weights));
    return fmt::format("{}", fmt::join(parts, ", "));
}

// A plan for each of them; `cannot`: why nothing runs on one. Refused where none has a plan.
Result<std::vector<Planned>> planEach(const Scenario& asked, const Catalogue& catalogue,
                                      const SearchOptions& search, const RunControl& control,
                                      Problems& cannot)
{
    std::vector<Planned> machines;
    Problems problems;
    const std::vector<Scenario> all = alternativesOf(asked);
    for (const Scenario& one : all) {
        RunControl part{.stop = control.stop};
        part.progress = [&, i = &one - all.data()](double fraction, std::string_view stage) {
            control.progress((double(i) + fraction) / double(all.size() + 1), stage);
        };
        Result<Plan> plan = size(one, catalogue, search, part);
        if (plan) {
            machines.push_back({one, *std::move(plan)});
            continue;
        }
        for (Problem& problem : plan.error()) {
            const bool layouts = !asked.layouts.empty() || !asked.gpuLayouts.empty();
            const bool ofOne = problem.where == "layout" || (layouts && isPart(problem.where))
                || (!asked.weightTypes.empty() && problem.where == "weights");
            Problems& to = ofOne ? cannot : problems;
            if (ofOne)
                problem.where = titleOf(asked, one);
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
        if (its.gpus() < machine.asked.gpuCount.value_or(0))
            out.warnings.push_back(say("{} of {} {} are used: costs are of those, the rest stand idle",
                                       its.gpus(), *machine.asked.gpuCount, its.deployment.gpu->name));
    }
    for (const Problem& problem : cannot)
        out.warnings.push_back(say("{}: {}", problem.where, Message(problem.what)));
}

} // namespace

Result<Plan> compareStated(const Scenario& asked, const Catalogue& catalogue, const SearchOptions& options,
                           const RunControl& control)
{
    SearchOptions search = options;
    search.explain = false; // of the winner alone
    search.safer = options.explain;
    if (Problems twice = statedTwice(asked); !twice.empty())
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
            const double steps = double(alternativesOf(asked).size());
            control.progress((steps + fraction) / (steps + 1), stage);
        };
        if (const auto explained = explainAnswer(out, machines.front().asked, catalogue, options, last);
            !explained)
            return refuse(explained.error());
        askOfAll(out, machines.front().asked, asked);
    }
    out.candidates = candidatesOf(machines);
    out.weighed.assign(out.candidates.begin(), out.candidates.begin() + std::ptrdiff_t(machines.size()));
    takeAlternatives(out.scenario, asked);
    out.scenario.weights = asked.weights;
    out.evaluated = 0;
    for (const Planned& machine : machines)
        out.evaluated += machine.plan->evaluated;
    out.assumptions.emplace_back(whatDecided(asked));
    if (!asked.weightTypes.empty())
        out.assumptions.emplace_back(
            "what a narrower type of weights costs in quality is not known here: types "
            "are compared by speed, memory and cost alone");
    if (machines.size() > 1)
        out.assumptions.emplace_back(
            "how sure the order is counts each as wrong on its own: what is alike in "
            "both errs alike, so that it is surer than that");
    warn(out, machines, objective, cannot);
    return std::make_shared<const SizingPlan>(std::move(out));
}

} // namespace headroom
