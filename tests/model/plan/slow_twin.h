#pragma once

#include "model/advise/size.h"
#include "model/scenario/service_load.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/machines_to_try.h"
#include "model/search/ranking.h"
#include "model/search/replays.h"
#include "model/search/safe_confidence.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <string>

// What is told, against every layout of an accelerator, replayed.
namespace headroom::tests {

// What is told takes no more than four in a hundred too many: less than two are not looked for.
inline int fewer(int count) { return std::max(1, count * 4 / 100); }

class Twin {
public:
    explicit Twin(const Scenario& deciding)
        : m_scenario(deciding), m_machines(machinesToTry(deciding, shipped()))
    {
        REQUIRE(m_machines);
    }

    // Of all layouts one with fewer GPUs than were told that keeps the targets, so sure at least; empty where
    // there is none. A gamble for the same bill is not.
    [[nodiscard]] std::string overlooked(const Candidate& told, double sure) const
    {
        return overlooked(told.gpus() - fewer(told.gpus()), sure, &told);
    }
    // With at most so many.
    [[nodiscard]] std::string overlooked(int gpus, double sure, const Candidate* told = nullptr) const
    {
        for (const auto& machine : m_machines->resolved)
            for (const Layout& layout : possibleLayouts(*machine, m_scenario)) {
                const int replicas = gpus / layout.gpusPerReplica();
                if (replicas < 1)
                    continue;
                const Candidate c
                    = judgeWith(judge(machine, layout, m_scenario), replicas, m_scenario, Depth::Whole);
                const Candidate played = replayed(c);
                if (played.meets && played.confidence >= sure
                    && (told == nullptr || !sameBillAndGamble(played, *told)))
                    return fmt::format("TP {} PP {} EP {} DP {} x {}: {:.0f} %", layout.tp, layout.pp,
                                       layout.ep, layout.dp, replicas, played.confidence * 100);
            }
        return {};
    }
    // One with one user at most in each replica that keeps the targets: nothing serves them faster.
    [[nodiscard]] std::string standsAlone() const
    {
        const ServiceLoad load = loadOf(m_scenario);
        for (const auto& machine : m_machines->resolved)
            for (const Layout& layout : possibleLayouts(*machine, m_scenario)) {
                const Candidate c = judge(machine, layout, m_scenario);
                const int replicas = static_cast<int>(std::ceil(std::max(load.users, 1.0)));
                if (c.point.prediction.memory.fits && replayed(judgeWith(c, replicas, m_scenario)).meets)
                    return fmt::format("TP {} PP {} EP {} DP {}", layout.tp, layout.pp, layout.ep, layout.dp);
            }
        return {};
    }
    [[nodiscard]] bool stands(const Candidate& service) const
    {
        const std::optional<serve::Workload> none;
        const RunControl control;
        return Replays(m_scenario, none, control, 1).playedWhole(service).meets;
    }
    [[nodiscard]] bool oneFewerFails(const Candidate& service) const
    {
        const int replicas = service.deployment.layout.replicas;
        const int left = replicas - fewer(replicas);
        return left < 1 || !replayed(judgeWith(service, left, m_scenario)).meets;
    }

private:
    [[nodiscard]] bool sameBillAndGamble(const Candidate& c, const Candidate& told) const
    {
        return c.confidence < leastConfidence && told.confidence >= leastConfidence
            && !cheaper(c, told, m_scenario.objective);
    }
    [[nodiscard]] Candidate replayed(const Candidate& c) const
    {
        const std::optional<serve::Workload> none;
        const RunControl control;
        return Replays(m_scenario, none, control, 1).playedWith(c, loadOf(m_scenario));
    }

    Scenario m_scenario;
    Result<MachinesToTry> m_machines;
};

enum class Held : std::uint8_t { Cheapest, SafeToo };

// No layout with fewer GPUs stands what the cheapest service, and the safe one, are told to stand.
inline void checkCheapest(const Scenario& s, const SizingPlan& plan, Held held)
{
    const Twin twin(decidingLoad(s, {})->scenario);
    const Candidate& least = plan.cheapest ? *plan.cheapest : plan.answer;
    CAPTURE(least.gpus());
    CHECK(twin.overlooked(least, 0) == "");
    CHECK(twin.oneFewerFails(least));
    if (!plan.safe)
        return;
    CAPTURE(plan.safe->gpus());
    CHECK(plan.safe->confidence >= safeConfidence);
    if (held == Held::SafeToo)
        CHECK(twin.overlooked(*plan.safe, safeConfidence) == "");
    if (!plan.likely)
        return;
    CAPTURE(plan.likely->gpus());
    CHECK(plan.likely->confidence >= leastConfidence); // that it is the least of them nobody says
    CHECK(plan.likely->gpus() > least.gpus());
    CHECK(plan.likely->gpus() < plan.safe->gpus());
}

inline bool keepsUp(const Candidate& played, const Scenario& scenario)
{
    return played.simulated && played.simulated->stable
        && played.simulated->attainment * 100 >= scenario.targets.percentile;
}

// No layout of a machine carries more users than are told.
inline void checkAgainstAllLayouts(const Scenario& asked)
{
    const auto plan = size(asked, shipped(), {.explain = false});
    if (!plan || !(*plan)->meets)
        return;
    const Scenario deciding = decidingLoad(asked, {})->scenario;
    const Candidate& most = (*plan)->mostLikely ? *(*plan)->mostLikely : (*plan)->answer;
    const double told = most.maxConcurrency;
    CHECK((*plan)->answer.maxConcurrency <= told); // of the safe layout too
    CAPTURE(told);
    const double more = std::ceil(told * 1.03) + 1;
    const auto machines = machinesToTry(deciding, shipped());
    REQUIRE(machines);
    const std::optional<serve::Workload> none;
    const RunControl control;
    for (const auto& machine : machines->resolved)
        for (const Layout& layout : possibleLayouts(*machine, deciding)) {
            const Candidate c = judge(machine, layout, deciding);
            // Who waits until there is room in the cache, or in the engine's list, is not served at once.
            const double room = ReplicaCurve(c.deployment, machine->load).capacity(Targets{}).users
                * c.deployment.layout.replicas;
            if (!c.point.prediction.memory.fits || more > room)
                continue;
            CAPTURE(fmt::format("TP {} PP {} EP {} x {}", layout.tp, layout.pp, layout.ep,
                                c.deployment.layout.replicas));
            CHECK_FALSE(
                keepsUp(Replays(deciding, none, control, 1).playedWith(c, {.users = more}), deciding));
        }
    if (told >= 2)
        CHECK(keepsUp(Replays(deciding, none, control, 1).playedWith(most, {.users = told}), deciding));
}

} // namespace headroom::tests
