#include "model/scenario/alternatives.h"
#include "model/scenario/easier_ends.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace headroom;

namespace {

Problems set(Scenario& scenario, std::string_view key, std::string_view text)
{
    const ScenarioKey* const found = findScenarioKey(key);
    REQUIRE(found != nullptr);
    return found->set(scenario, text);
}

} // namespace

TEST_CASE("every key has a name of its own, a help text and refuses an empty word")
{
    std::set<std::string_view> names;
    for (const ScenarioKey& key : scenarioKeys()) {
        CAPTURE(key.name);
        CHECK(names.insert(key.name).second);
        CHECK_FALSE(key.help.empty());
        Scenario scenario;
        CHECK_FALSE(key.set(scenario, "").empty());
        CHECK(scenario == Scenario{});
    }
}

TEST_CASE("a wrong value is refused and leaves the scenario as it was")
{
    const std::pair<const char*, const char*> wrong[] = {
        {"tp", "0"},
        {"tp", "2.5"},
        {"tp", "-4"},
        {"tp", "99999999999"},
        {"batch", "nan"},
        {"rps", "0"},
        {"ttft", "-1"},
        {"ttft", "3 parsecs"},
        {"percentile", "100"},
        {"headroom", "1"},
        {"weights", "b16"},
        {"compute", "fp7"},
        {"prefix-cached", "2"},
        {"gpu", "a,,b"},
        {"gpu", "0xH100"},
        {"gpu", "65536x2xH100"},
        {"layouts", "tp8"},
        {"layouts", "tp8,tp"},
        {"layouts", "tp8,tp0"},
        {"layouts", "tp8tp4,tp2"},
        {"layouts", "tp8,,tp4"},
        {"price", "-2"},
        {"seed", "1.5"},
        {"objective", "joy"},
        {"gpu-memory-fraction", "0"},
        {"beams", "1e99"},
        {"latency", "1e308 ms"},
        {"concurrency", "500%"},
        {"concurrency", "1e9"},
        {"percentile", "90%"},
        {"growth", "1e9"},
        {"prompt", "lognormal:mean=100,p99=900,"},
        {"prompt", "lognormal:mean=100,mean=200,p99=900"},
        {"traffic", "nonsense"},
        {"traffic", "poison:peak=3"},
        {"traffic", "poisson:peek=3"},
        {"traffic", "poisson:peak=nan"},
        {"traffic", "poisson:peak=3,"},
        {"traffic", "poisson:"},
        {"traffic", "poisson:peak=3,peak=1"},
        {"traffic", "closed:peak=3"},
        {"spec-decode", "ngram"},
        {"spec-decode", "ngram:g=4"},
        {"spec-decode", "ngram:g=4,a=0.4,"},
        {"spec-decode", "ngram:g=4,a=0.4,b=1"},
        {"spec-decode", "ngram:g=4,g=8,a=0.4"},
        {"spec-decode", "mtp:g=0,a=0.4"},
        {"spec-decode", "draft::g=4,a=0.7"},
        {"spec-decode", "guess:g=4,a=0.7"},
    };
    for (const auto& [key, text] : wrong) {
        CAPTURE(key);
        CAPTURE(text);
        Scenario scenario;
        CHECK_FALSE(set(scenario, key, text).empty());
        CHECK(scenario == Scenario{});
    }
}

TEST_CASE("a list of more accelerators than there are is refused unread")
{
    std::string many = "h100";
    for (int i = 0; i < 1000; ++i)
        many += ",h100";
    Scenario scenario;
    CHECK(set(scenario, "gpu", many).front().what.english().starts_with("expected at most 500 accelerators"));
    CHECK(scenario == Scenario{});
}

TEST_CASE("values are read as people write them")
{
    Scenario s;
    CHECK(set(s, "gpu", "4xH100").empty());
    CHECK(s.gpus == std::vector<std::string>{"H100"});
    CHECK(s.gpuCount == 4);
    CHECK(set(s, "gpu", "a100-sxm-80gb,h100-sxm-80gb").empty());
    CHECK(s.gpus.size() == 2);
    CHECK(set(s, "ttft", "500ms").empty());
    CHECK(s.targets.ttft->base() == doctest::Approx(0.5));
    CHECK(set(s, "ttft", "1.5").empty());
    CHECK(s.targets.ttft->base() == 1.5);
    CHECK(set(s, "traffic", "gamma:cv=2,peak=3").empty());
    CHECK(s.traffic == "gamma:cv=2,peak=3");
    CHECK(set(s, "spec-decode", "draft:llama-3.2-1b:g=4,a=0.7").empty());
    CHECK(set(s, "growth", "50%").empty());
    CHECK(s.growthPerYear == doctest::Approx(0.5));
    CHECK(set(s, "headroom", "20%").empty());
    CHECK(s.headroom == doctest::Approx(0.2));
    CHECK(set(s, "price", "3.6").empty());
    CHECK(perHour(*s.money.gpuPrice) == doctest::Approx(3.6));
    CHECK(set(s, "weights", "FP8").empty());
    CHECK(s.weights == DType::Fp8);
}

TEST_CASE("of a range the end that takes more is planned for, and the other is kept")
{
    Scenario s;
    CHECK(set(s, "concurrency", "100-300").empty());
    CHECK(s.concurrency == 300);
    CHECK(s.easier.concurrency == 100);
    CHECK(set(s, "ttft", "500ms-2s").empty());
    CHECK(s.targets.ttft == Seconds(0.5));
    CHECK(s.easier.ttft == Seconds(2));
    CHECK(scenarioValue(s, "concurrency") == "100-300");
    CHECK(scenarioValue(s, "ttft") == "0.5-2");
    CHECK(rangeProblems(s).size() == 2);

    const auto easier = withEasierEnds(s);
    REQUIRE(easier);
    CHECK(easier->concurrency == 100);
    CHECK(easier->targets.ttft == Seconds(2));
    CHECK_FALSE(easier->easier.any());

    CHECK(set(s, "concurrency", "1e2").empty()); // no range any more, nor one by its exponent
    CHECK(s.concurrency == 100);
    CHECK_FALSE(s.easier.concurrency);
    for (const char* const wrong : {"300-100", "20-20", "-20", "20-", "20-x", "1e-400-3"}) {
        CAPTURE(wrong);
        Scenario untouched;
        CHECK_FALSE(set(untouched, "tps", wrong).empty());
        CHECK(untouched == Scenario{});
    }
    CHECK(set(s, "rps", "1e-2-3e-1").empty());
    CHECK(s.requestsPerSecond == 0.3);
    CHECK(s.easier.requestsPerSecond == 0.01);
    CHECK(withoutScenarioKey(s, "rps").easier.requestsPerSecond == std::nullopt);
}

TEST_CASE("accelerators may have numbers of their own")
{
    Scenario s;
    CHECK(set(s, "gpu", "8xH100, 4xB200").empty());
    CHECK(s.gpus == std::vector<std::string>{"H100", "B200"});
    CHECK(s.gpuCounts == std::vector{8, 4});
    CHECK_FALSE(s.gpuCount);
    CHECK(scenarioValue(s, "gpu") == "8xH100,4xB200");
    CHECK(withoutScenarioKey(s, "gpu") == Scenario{});
    // One number is of all of them, and naming them anew forgets the numbers.
    CHECK(set(s, "gpu", "4xH100,4xB200").empty());
    CHECK(s.gpuCounts.empty());
    CHECK(s.gpuCount == 4);
    s = {};
    CHECK(set(s, "gpu", "8xH100,4xB200").empty());
    CHECK(set(s, "gpu", "L40S").empty());
    CHECK(s.gpuCounts.empty());
    CHECK_FALSE(s.gpuCount);
    // A number of all beside them is kept, to be refused, whichever was said first.
    CHECK(set(s, "gpus", "8").empty());
    CHECK(set(s, "gpu", "8xH100,4xB200").empty());
    CHECK_FALSE(statedTwice(s).empty());
    // Of the third nothing was said.
    CHECK_FALSE(set(s, "gpu", "8xH100,4xB200,L40S").empty());
}

TEST_CASE("accelerators may stand in boxes of their own")
{
    Scenario s;
    CHECK(set(s, "gpu", "2x8xH100,3x4xGH200,8xB200").empty());
    CHECK(s.gpuCounts == std::vector{16, 12, 8});
    CHECK(s.boxSizes == std::vector<std::optional<int>>{8, 4, std::nullopt});
    CHECK_FALSE(s.gpusPerBox);
    CHECK(scenarioValue(s, "gpu") == "2x8xH100,3x4xGH200,8xB200");
    CHECK(withoutScenarioKey(s, "gpu") == Scenario{});
    CHECK(ofOneMachine(s, 1).gpuCount == 12);
    CHECK(ofOneMachine(s, 1).gpusPerBox == 4);
    CHECK_FALSE(ofOneMachine(s, 2).gpusPerBox);
    CHECK(set(s, "gpus-per-box", "8").empty());
    CHECK_FALSE(statedTwice(s).empty());
    // As many cards, but not in boxes as large.
    s = {};
    CHECK(set(s, "gpu", "2x4xH100,1x8xB200").empty());
    CHECK(s.gpuCounts == std::vector{8, 8});
    // Two boxes of eight of one, or of either.
    s = {};
    CHECK(set(s, "gpu", "2x8xH100,2x8xH200").empty());
    CHECK(s.gpuCounts.empty());
    CHECK(s.gpuCount == 16);
    CHECK(s.gpusPerBox == 8);
}

TEST_CASE("of layouts that are weighed each is a scenario, not split where only another one is")
{
    Scenario s;
    CHECK(set(s, "layouts", "TP8PP2,tp16").empty());
    CHECK(scenarioValue(s, "layouts") == "tp8pp2,tp16");
    const std::vector<Scenario> all = alternativesOf(s);
    REQUIRE(all.size() == 2);
    CHECK(all[0].tp == 8);
    CHECK(all[0].pp == 2);
    CHECK(all[1].tp == 16);
    CHECK(all[1].pp == 1);
    CHECK_FALSE(all[1].ep); // nobody named it
    // On each machine that is weighed, too.
    CHECK(set(s, "gpu", "16xH100,8xB200").empty());
    CHECK(alternativesOf(s).size() == 4);
    CHECK(statedTwice(s).empty());
    s.tp = 4;
    CHECK_FALSE(statedTwice(s).empty());
}

TEST_CASE("a layout of one of several accelerators is no other's")
{
    Scenario s;
    CHECK(set(s, "gpu", "2x8xH200:tp8pp2,72xGB200").empty());
    CHECK(scenarioValue(s, "gpu") == "2x8xH200:tp8pp2,72xGB200");
    CHECK(withoutScenarioKey(s, "gpu") == Scenario{});
    const std::vector<Scenario> all = alternativesOf(s);
    REQUIRE(all.size() == 2);
    CHECK(all[0].gpuCount == 16);
    CHECK(all[0].tp == 8);
    CHECK(all[0].pp == 2);
    CHECK(all[1].gpuCount == 72);
    CHECK_FALSE(all[1].tp);
    CHECK_FALSE(all[1].pp);
    CHECK(statedTwice(s).empty());
    s.tp = 4;
    CHECK_FALSE(statedTwice(s).empty());
    // Of accelerators whose number is open, too.
    s = {};
    CHECK(set(s, "gpu", "H100:tp4,H200:tp2").empty());
    REQUIRE(alternativesOf(s).size() == 2);
    CHECK(alternativesOf(s)[1].tp == 2);
    CHECK(set(s, "layouts", "tp8pp2,tp16").empty());
    CHECK_FALSE(statedTwice(s).empty());
}

TEST_CASE("of types of weights that are weighed each is a scenario, in each layout")
{
    Scenario s;
    CHECK(set(s, "weights", "bf16,fp8").empty());
    CHECK(scenarioValue(s, "weights") == "bf16,fp8");
    CHECK_FALSE(s.weights);
    REQUIRE(alternativesOf(s).size() == 2);
    CHECK(alternativesOf(s)[0].weights == DType::Bf16);
    CHECK(alternativesOf(s)[1].weights == DType::Fp8);
    CHECK(set(s, "layouts", "tp8pp2,tp16").empty());
    CHECK(alternativesOf(s).size() == 4);
    CHECK(set(s, "layouts", "tp8,tp16").empty());
    CHECK(set(s, "weights", "fp8").empty()); // one of them after all
    CHECK(s.weightTypes.empty());
    CHECK(s.weights == DType::Fp8);
    CHECK(set(s, "weights", "fp8,fp8").empty());
    CHECK(s.weightTypes.empty());
    CHECK_FALSE(set(s, "weights", "fp8,fp9").empty());
}

TEST_CASE("a mistyped number type names the nearest")
{
    Scenario s;
    const Problems problems = set(s, "weights", "bf61");
    REQUIRE(problems.size() == 1);
    CHECK(problems.front().hint.english().find("'bf16'") != std::string::npos);
}
