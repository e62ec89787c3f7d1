#include "calib/validate/run_figures.h"
#include "headroom_source_dir.h"
#include "model/base/estimate.h"
#include "model/import/measured_csv.h"
#include "model/ranges/served_ranges.h"
#include "model/scenario/scenario_keys.h"
#include "model/search/answer_traffic.h"
#include "model/serve/serving_run.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <random>
#include <sstream>
#include <vector>

using namespace headroom;

namespace {

const std::string inTurn = "--routing round-robin";

// What the shell and the command line make of a printed command: flags and their words.
Scenario typed(const std::string& command)
{
    Scenario out;
    std::istringstream in(command);
    std::string word;
    in >> word >> word;
    while (in >> word) {
        REQUIRE(word.starts_with("--"));
        if (word == inTurn.substr(0, inTurn.find(' '))) { // a flag of the verb, no key of a scenario
            in >> word;
            continue;
        }
        const ScenarioKey* const key = findScenarioKey(word.substr(2));
        REQUIRE_MESSAGE(key != nullptr, word);
        std::string value;
        in >> value;
        const bool quoted = value.starts_with('\'');
        while (quoted && (value.size() < 2 || !value.ends_with('\'')) && in >> word)
            value += ' ' + word;
        REQUIRE_MESSAGE(key->set(out, quoted ? value.substr(1, value.size() - 2) : value).empty(), command);
    }
    return out;
}

// As `headroom simulate` plays it.
struct Simulated {
    serve::Measures measures;
    ServedRanges ranges;
};
Simulated simulated(const std::string& command, const Catalogue& catalogue)
{
    const Scenario scenario = typed(command);
    const Result<Resolved> machine = resolve(scenario, catalogue);
    REQUIRE(machine.has_value());
    auto plan = trafficOn(asItIs(*machine, scenario), scenario);
    REQUIRE(plan.has_value());
    if (command.ends_with(inTurn))
        plan->setup.routing = serve::Routing::RoundRobin;
    const auto run = serve::makeServingRun(*plan);
    REQUIRE(run.has_value());
    return {run->measures,
            ServedRanges(machine->scenario, {machine->deployment, machine->load}, std::nullopt, *plan, *run)};
}

// Runs of the shipped rows, drawn by a seed, and the commands that ask for them: the same figures to the bit.
void compareCommands(std::size_t wanted, unsigned seed)
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue.has_value());
    const auto rows = readMeasuredCsv(std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "validation"
                                      / "measured.csv");
    REQUIRE(rows.has_value());
    std::vector<std::size_t> order(rows->size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    std::size_t compared = 0;
    for (std::size_t i = 0; i < order.size() && compared < wanted; ++i) {
        const auto found = caseOf((*rows)[order[i]], **catalogue);
        if (std::holds_alternative<Message>(found))
            continue;
        const RowCase& run = std::get<RowCase>(found);
        const RunFigures judged = runFigures(run);
        if (!judged.refused.empty())
            continue;
        const std::string command = simulateCommand(run);
        const Simulated told = simulated(command, **catalogue);
        const serve::Measures& measures = told.measures;
        CAPTURE(command);
        CHECK(measures.ttft == judged.ttft);
        CHECK(measures.tpot == judged.tpot);
        CHECK(measures.interToken == judged.interToken);
        CHECK(measures.latency == judged.latency);
        if (run.load.kind != RunKind::Saturated)
            CHECK(measures.outputRate.base() == judged.outputRate);
        if (!run.load.lengthsGuessed && !run.prompts)
            for (const Metric metric : {Metric::Ttft, Metric::Tpot, Metric::Latency, Metric::InterToken,
                                        Metric::OutputThroughput}) {
                const RangeFactors range = rangeOf(judged, playedRun(run), metric, Statistic::P95);
                CHECK(told.ranges.of(metric, Statistic::P95).low == doctest::Approx(range.low));
                CHECK(told.ranges.of(metric, Statistic::P95).high == doctest::Approx(range.high));
            }
        ++compared;
    }
    CHECK(compared == wanted);
}

} // namespace

TEST_CASE("measured runs and the commands that ask for them give the same figures to the bit")
{
    compareCommands(20, 20261124);
}

// Long; by hand with --no-skip.
TEST_CASE("two hundred measured runs and the commands that ask for them give the same figures to the bit"
          * doctest::skip())
{
    compareCommands(200, 21);
}
