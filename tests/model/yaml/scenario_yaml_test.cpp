#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/yaml/scenario_yaml.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace headroom;

namespace {

// A value for every key that differs from the default; a key that is missing here fails the test.
const std::map<std::string, std::string, std::less<>>& aValueForEach()
{
    static const std::map<std::string, std::string, std::less<>> values{
        {"model", "llama-3.1-70b"},
        {"gpu", "a100-sxm-80gb,h100-sxm-80gb"},
        {"gpus", "4"},
        {"node", "dgx-h100"},
        {"gpus-per-box", "4"},
        {"storage", "7"},
        {"engine", "sglang"},
        {"tp", "4"},
        {"pp", "2"},
        {"ep", "8"},
        {"dp", "2"},
        {"replicas", "3"},
        {"layouts", "tp8pp2,tp16"},
        {"weights", "fp8"},
        {"kv", "fp8"},
        {"keep-16bit", "attention,shared-experts"},
        {"state", "bf16"},
        {"compute", "fp8"},
        {"prompt", "lognormal:mean=1155,p99=7000"},
        {"output", "uniform:128-2048"},
        {"prefix-cached", "0.5"},
        {"batch", "16"},
        {"concurrency", "200"},
        {"rps", "12.5"},
        {"tps", "20"},
        {"ttft", "0.75"},
        {"tpot", "0.05"},
        {"latency", "9.5"},
        {"percentile", "99"},
        {"headroom", "0.2"},
        {"objective", "energy"},
        {"evidence", "family"},
        {"price", "2.49"},
        {"purchase", "30000"},
        {"amortisation", "3"},
        {"electricity", "0.2"},
        {"pue", "1.1"},
        {"budget", "50"},
        {"purchase-budget", "250000"},
        {"calibration", "mine.yaml"},
        {"gpu-memory-fraction", "0.85"},
        {"max-batched-tokens", "8192"},
        {"max-sequences", "128"},
        {"block-size", "32"},
        {"receive-interval", "10"},
        {"engine-version", "2025-10"},
        {"prompt-wait", "20"},
        {"prompt-wait-share", "0.9"},
        {"scheduler", "static"},
        {"spec-decode", "ngram:g=4,a=0.4"},
        {"lora-adapters", "8"},
        {"lora-rank", "32"},
        {"beams", "4"},
        {"overhead", "1.5"},
        {"prefill-skipped", "0.5"},
        {"peak-factor", "2.5"},
        {"spares", "1"},
        {"growth", "0.4"},
        {"traffic", "gamma:cv=2"},
        {"load-tool", "offline"},
        {"redundant-experts", "32"},
        {"expert-balance", "balanced"},
        {"overlap-batches", "yes"},
        {"dynamic-chunks", "yes"},
        {"eager", "yes"},
        {"trace", "day.csv"},
        {"allow", "fp8"},
        {"allow-weights", "fp8"},
        {"allow-kv", "fp8"},
        {"tune", "yes"},
        {"disaggregate", "try"},
        {"prefill-gpu", "h100-sxm-80gb"},
        {"prefill-tp", "2"},
        {"prefill-pp", "2"},
        {"prefill-ep", "4"},
        {"prefill-dp", "4"},
        {"prefill-replicas", "3"},
        {"buy", "yes"},
        {"messages-per-minute", "2"},
        {"tokens-per-month", "2000000000"},
        {"job-tokens", "1000000000"},
        {"job-requests", "5000000"},
        {"deadline", "28800"},
        {"provider", "Verda"},
        {"price-kind", "spot"},
        {"hours-per-day", "10"},
        {"days-per-week", "5"},
        {"server", "70000"},
        {"years", "5"},
        {"hosting", "184.06"},
        {"staff", "0.05"},
        {"residual", "0.1"},
        {"interest", "0.06"},
        {"api-price", "0.5/1.5"},
        {"power-cap", "40"},
        {"max-gpus", "64"},
        {"max-boxes", "8"},
        {"requests", "500"},
        {"seed", "7"}};
    return values;
}

Scenario everythingSaid()
{
    Scenario scenario;
    scenario.name = "a busy day: \"peak\"";
    for (const ScenarioKey& key : scenarioKeys()) {
        const auto value = aValueForEach().find(key.name);
        REQUIRE_MESSAGE(value != aValueForEach().end(), std::string(key.name));
        REQUIRE_MESSAGE(key.set(scenario, value->second).empty(), std::string(key.name));
    }
    return scenario;
}

} // namespace

TEST_CASE("each key's text reads back as the same scenario, and can be taken back")
{
    const Scenario all = everythingSaid();
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string value = scenarioValue(all, key.name);
        CHECK_MESSAGE(!value.empty(), std::string(key.name));
        Scenario one;
        CHECK_MESSAGE(key.set(one, value).empty(), std::string(key.name));
        CHECK_MESSAGE(one != Scenario{}, std::string(key.name));
        CHECK_MESSAGE(scenarioValue(one, key.name) == value, std::string(key.name));
        CHECK_MESSAGE(withoutScenarioKey(one, key.name) == Scenario{}, std::string(key.name));
    }
}

TEST_CASE("types allowed for the weights alone stay with the weights")
{
    Scenario scenario;
    for (const ScenarioKey& key : scenarioKeys())
        if (std::string_view(key.name) == "allow-weights")
            CHECK(key.set(scenario, "int4").empty());
    CHECK(scenarioValue(scenario, "allow").empty()); // which would mean the cache too
    CHECK(scenarioValue(scenario, "allow-weights") == "int4");
    CHECK(scenarioValue(scenario, "allow-kv").empty());
}

TEST_CASE("a scenario file says everything a scenario says")
{
    const Scenario all = everythingSaid();
    const Result<Scenario> back = parseScenario(writeScenario(all), "all.yaml");
    REQUIRE(back);
    CHECK(*back == all);
}

TEST_CASE("what nobody said is not in the file, and stays open")
{
    CHECK(writeScenario(Scenario{}) == "name: \"\"\n");
    CHECK(parseScenario(writeScenario(Scenario{}), "nothing.yaml") == Scenario{});
    CHECK_FALSE(parseScenario("", "empty.yaml"));
    CHECK_FALSE(parseScenario("just words", "words.yaml"));
    const Result<Scenario> one
        = parseScenario("model: llama-3.1-8b\ngpu: [a100-sxm-80gb, h200-sxm]\n", "one.yaml");
    REQUIRE(one);
    CHECK(one->gpus == std::vector<std::string>{"a100-sxm-80gb", "h200-sxm"});
    CHECK_FALSE(one->tp.has_value());
}

TEST_CASE("every mistake of a scenario file is told at once, with its place and the nearest spelling")
{
    const Result<Scenario> bad = parseScenario("modell: x\ntp: four\nrps: {a: 1}\n", "bad.yaml");
    REQUIRE_FALSE(bad);
    REQUIRE(bad.error().size() == 3);
    CHECK(bad.error()[0].where == "bad.yaml:1:1 modell");
    CHECK(bad.error()[0].hint.english().find("model") != std::string::npos);
    CHECK(bad.error()[1].where == "bad.yaml:2:5 tp");
    CHECK(bad.error()[1].what.english().find("'four'") != std::string::npos);
    CHECK(bad.error()[2].where.starts_with("bad.yaml:3:"));
}
