// How many users a machine carries, against a slow twin: every layout of it, replayed with a few users more.
#include "tests/model/plan/seeded_choice.h"
#include "tests/model/plan/slow_twin.h"

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

// The safe layout was not the one that was told to carry most, and carried more.
TEST_CASE("what the safe layout carries at most is no more than what is most likely")
{
    Scenario s;
    s.model = "kimi-k2";
    s.gpus = {"instinct-mi300x"};
    s.gpuCount = 16;
    s.objective = Objective::MostUsers;
    s.targets.tokensPerSecond = 20;
    s.targets.ttft = Seconds(3);
    const auto plan = size(s, shipped(), {.explain = false});
    REQUIRE(plan);
    REQUIRE((*plan)->mostLikely);
    CHECK((*plan)->answer.maxConcurrency <= (*plan)->mostLikely->maxConcurrency);
    CHECK((*plan)->usersCarried().mostLikely == (*plan)->mostLikely->maxConcurrency);
}

TEST_CASE("no layout of a machine carries more users than are told, at length" * doctest::skip())
{
    checkCapacityCases(100, 2);
}

} // namespace headroom::tests
