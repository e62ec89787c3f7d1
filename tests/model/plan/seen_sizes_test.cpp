// Sizes that were once answered wrong, against a slow twin.
#include "model/scenario/scenario_keys.h"
#include "tests/model/plan/slow_twin.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {
namespace {

struct SeenSize {
    std::string about;
    std::string flags;
};

std::vector<SeenSize> seenSizes()
{
    std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/data/seen_sizes.tsv");
    REQUIRE(file);
    std::vector<SeenSize> out;
    for (std::string line; std::getline(file, line);) {
        const std::size_t tab = line.find('\t');
        if (!line.starts_with('#') && tab != std::string::npos)
            out.push_back({line.substr(0, tab), line.substr(tab + 1)});
    }
    return out;
}

Scenario scenarioOf(const std::string& flags)
{
    Scenario s;
    std::istringstream words(flags);
    for (std::string flag, value; words >> flag >> value;) {
        const ScenarioKey* key = findScenarioKey(std::string_view(flag).substr(2));
        REQUIRE(key != nullptr);
        REQUIRE(key->set(s, value).empty());
    }
    s.headroom = 0; // so much is kept free whatever a replay says
    return s;
}

// Machines that were stated: the load stands on them as told, or no layout of theirs carries it.
void checkStated(const Scenario& s, const SizingPlan& plan)
{
    const Twin twin(decidingLoad(s, {})->scenario);
    if (plan.meets)
        CHECK(twin.stands(plan.answer));
    else
        CHECK(twin.overlooked(*s.gpuCount, 0) == "");
}

void checkSeen(const Scenario& s)
{
    const auto plan = size(s, shipped(), {.explain = false, .safer = true});
    REQUIRE(plan);
    const bool apart = s.prefill.pools != Disaggregation::No;
    if (s.objective == Objective::MostUsers)
        checkAgainstAllLayouts(s);
    else if (s.gpuCount)
        checkStated(s, **plan);
    else if (!(*plan)->meets)
        CHECK(Twin(decidingLoad(s, {})->scenario).standsAlone() == "");
    else if (apart) // the twin has no pools: it only says whether the answer stands
        CHECK(Twin(decidingLoad(s, {})->scenario).stands((*plan)->answer));
    else
        checkCheapest(s, **plan, Held::Cheapest);
}

} // namespace

TEST_CASE("the list of sizes that were answered wrong is read")
{
    CHECK(seenSizes().size() == 30);
    for (const SeenSize& size : seenSizes()) {
        CAPTURE(size.about);
        CHECK(!scenarioOf(size.flags).model.empty());
    }
}

// By hand: some minutes.
TEST_CASE("what was answered wrong agrees with every layout by replay" * doctest::skip())
{
    for (const SeenSize& size : seenSizes()) {
        CAPTURE(size.about);
        CAPTURE(size.flags);
        checkSeen(scenarioOf(size.flags));
    }
}

} // namespace headroom::tests
