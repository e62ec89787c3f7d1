// How many users a machine carries, against a slow twin: every layout of it, replayed with a few users more.
#include "model/advise/size.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/machines_to_try.h"
#include "model/search/replays.h"
#include "tests/model/plan/seeded_choice.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fmt/format.h>

namespace headroom::tests {
namespace {

class CapacityCases : SeededChoice {
public:
    using SeededChoice::SeededChoice;

    Scenario next()
    {
        Scenario s;
        s.model = one<const char*, 4>({"qwen3-8b", "qwen3-32b", "llama-3.1-70b", "gpt-oss-20b"});
        s.gpus = {one<const char*, 4>({"h100-sxm-80gb", "a100-sxm-80gb", "l40s", "geforce-rtx-4090"})};
        s.gpuCount = one<int, 4>({1, 2, 4, 8});
        s.prompt = LengthDistribution::of(one<double, 3>({256, 1024, 3072}));
        s.output = LengthDistribution::of(one<double, 3>({64, 128, 256}));
        s.objective = Objective::MostUsers;
        if (const double speed = one<double, 4>({0, 12, 20, 35}); speed > 0)
            s.targets.tokensPerSecond = speed;
        return s;
    }
};

bool stands(const Candidate& played, const Scenario& scenario)
{
    return played.simulated && played.simulated->stable
        && played.simulated->attainment * 100 >= scenario.targets.percentile;
}

void checkAgainstAllLayouts(const Scenario& asked)
{
    const auto plan = size(asked, shipped(), {.explain = false});
    if (!plan || !(*plan)->meets)
        return;
    const Scenario deciding = decidingLoad(asked, {})->scenario;
    const double told = (*plan)->answer.maxConcurrency;
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
            CHECK_FALSE(stands(Replays(deciding, none, control, 1).playedWith(c, {.users = more}), deciding));
        }
    if (told >= 2)
        CHECK(stands(Replays(deciding, none, control, 1).playedWith((*plan)->answer, {.users = told}),
                     deciding));
}

void checkCapacityCases(int count, unsigned seed)
{
    CapacityCases cases(seed);
    for (int i = 0; i < count; ++i) {
        const Scenario s = cases.next();
        CAPTURE(fmt::format("{} on {} x {}, {} + {} tokens, {} tokens/s", s.model, *s.gpuCount,
                            s.gpus.front(), s.prompt.mean(), s.output.mean(),
                            s.targets.tokensPerSecond.value_or(0)));
        checkAgainstAllLayouts(s);
    }
}

} // namespace

TEST_CASE("no layout of a machine carries more users than are told") { checkCapacityCases(6, 1); }

TEST_CASE("no layout of a machine carries more users than are told, at length" * doctest::skip())
{
    checkCapacityCases(100, 2);
}

} // namespace headroom::tests
