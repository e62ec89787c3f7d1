// How far ranges reach to either side, in answers as in replays.
#include "model/catalogue/engine_releases.h"
#include "model/closed_form/operating_point.h"
#include "model/deploy/range_parts.h"
#include "model/ranges/served_spread.h"
#include "model/resolve/resolve.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace headroom::tests {
namespace {

template <typename Q>
double up(const Estimate<Q>& of)
{
    return std::log(of.high / of.value);
}
template <typename Q>
double down(const Estimate<Q>& of)
{
    return std::log(of.value / of.low);
}

Scenario askedOf(const char* model)
{
    Scenario s;
    s.model = model;
    s.gpus = {"h200-sxm-141gb"};
    s.gpuCount = 8;
    s.engine = "vllm-2025";
    s.engineVersion = "2030-01"; // no model is new to it
    s.batch = 16;
    return s;
}

Resolved machineFor(const Scenario& s)
{
    Result<Resolved> machine = resolve(s, shipped());
    REQUIRE(machine.has_value());
    return std::move(*machine);
}

bool tellsOfNewExperts(const Resolved& machine)
{
    return std::any_of(machine.warnings.begin(), machine.warnings.end(), [](const Remark& each) {
        return each.text.english().find("tuned for these experts") != std::string::npos;
    });
}

} // namespace

TEST_CASE("what a service gives falls behind by more than it gets ahead, times of tokens by as much")
{
    const Resolved machine = machineFor(askedOf("llama-3.3-70b"));
    const OperatingPoint point = operateAt(machine.deployment, machine.load, 16);
    CHECK(up(point.ttft) / down(point.ttft) >= slowerByMore / fasterByLess - 1e-9);
    CHECK(up(point.latency) > down(point.latency));
    CHECK(up(point.tpot) == doctest::Approx(down(point.tpot)));
    const Prediction& p = point.prediction;
    // One quantity has one range: a rate that of its time.
    CHECK(down(p.requestTokensPerSecond) == doctest::Approx(up(p.latency)));
    CHECK(up(p.requestTokensPerSecond) == doctest::Approx(down(p.latency)));
    CHECK(down(p.tokensPerSecond) == doctest::Approx(up(p.tpot)));
    CHECK(down(p.tokensPerSecondPerUser) == doctest::Approx(up(p.tpot)));
    CHECK(down(p.requestsPerSecond) > up(p.requestsPerSecond));
    CHECK(down(p.service.outputTokensPerSecond) == doctest::Approx(down(p.requestsPerSecond)));
    if (p.service.priceKnown)
        CHECK(up(p.service.dollarsPerMillionOutputTokens) == doctest::Approx(down(p.requestsPerSecond)));
    // Whoever measured his own server knows to which side it errs.
    Engine own = *machine.deployment.engine;
    own.partWhereFewWait = own.partOfTokenTimes = 1;
    Deployment mine = machine.deployment;
    mine.engine = &own;
    const OperatingPoint known = operateAt(mine, machine.load, 16);
    CHECK(up(known.prediction.requestsPerSecond)
          == doctest::Approx(down(known.prediction.requestsPerSecond)).epsilon(0.01));
}

TEST_CASE("the fast side ends where the machine does")
{
    const RangeSides sides{.slower = 1.2, .faster = 1 / 1.2};
    const double e = std::exp(0.3);
    const Estimate<Seconds> even{Seconds(1), Seconds(1 / e), Seconds(e)};
    CHECK(up(reaching(even, sides)) == doctest::Approx(0.36));
    CHECK(down(reaching(even, sides)) == doctest::Approx(0.25));
    const Estimate<Seconds> bounded{Seconds(1), Seconds(0.9), Seconds(e)};
    CHECK(reaching(bounded, sides).low == Seconds(0.9));
    const Estimate<TokensPerSecond> rate{TokensPerSecond(1), TokensPerSecond(1 / e), TokensPerSecond(1.1)};
    CHECK(reaching(rate, sides, true).high == TokensPerSecond(1.1));
    CHECK(down(reaching(rate, sides, true)) == doctest::Approx(0.36));
    CHECK(reaching(even, RangeSides{}) == even);
    CHECK(up(widened(even, 0.4 / deviationsToNinetieth)) == doctest::Approx(0.5));
    CHECK(down(widened(even, 0.4 / deviationsToNinetieth)) == doctest::Approx(0.5));
    CHECK(widened(bounded, 0.4).low == bounded.low);
}

TEST_CASE("experts that are as new as the engine's build make it slower, maybe, and never faster")
{
    Scenario s = askedOf("glm-4.6"); // September 2025
    const Resolved later = machineFor(s);
    CHECK_FALSE(later.deployment.newExperts);
    CHECK_FALSE(tellsOfNewExperts(later));
    for (const char* version : {"0.11.0", "0.10.2", "2025-10", "2025-08"}) {
        CAPTURE(version);
        s.engineVersion = version;
        const Resolved fresh = machineFor(s);
        CHECK(fresh.deployment.newExperts);
        CHECK(tellsOfNewExperts(fresh));
        const OperatingPoint before = operateAt(later.deployment, later.load, 16);
        const OperatingPoint now = operateAt(fresh.deployment, fresh.load, 16);
        CHECK(now.tpot.value == before.tpot.value);
        CHECK(now.tpot.low.base() == doctest::Approx(before.tpot.low.base()));
        CHECK(now.tpot.high > before.tpot.high);
        CHECK(up(now.tpot) >= deviationsToNinetieth * lnSpreadOfNewExperts);
        CHECK(now.ttft.high > before.ttft.high);
        CHECK(down(now.prediction.requestsPerSecond) > down(before.prediction.requestsPerSecond));
        CHECK(up(now.prediction.requestsPerSecond)
              == doctest::Approx(up(before.prediction.requestsPerSecond)));
    }
    s.engineVersion = "0.12.0"; // two months later and more
    CHECK_FALSE(machineFor(s).deployment.newExperts);
    s.engineVersion.clear();
    s.engine = "vllm 0.11"; // the name has the version
    CHECK(machineFor(s).scenario.engineVersion == "0.11");
    CHECK(machineFor(s).deployment.newExperts);
    // A model without experts runs the kernels of those before it.
    s = askedOf("qwen3-32b");
    s.engineVersion = "2025-04";
    CHECK_FALSE(machineFor(s).deployment.newExperts);
}

TEST_CASE("two pools that must keep each other busy are less sure than one")
{
    ServedFigures figures;
    figures.lnSpreadDecode = figures.lnSpreadPrefill = 0.1;
    figures.latency.mean = Seconds(1); // all of it decodes
    const Resolved machine = machineFor(askedOf("llama-3.3-70b"));
    const PlayedRun run{.decodes = &machine.deployment, .prompts = &machine.deployment};
    const double one = lnSpreadOf(figures, run, Metric::Tpot, Statistic::Mean);
    const double first = lnSpreadOf(figures, run, Metric::Ttft, Statistic::Mean);
    figures.twoPools = true;
    CHECK(lnSpreadOf(figures, run, Metric::Tpot, Statistic::Mean)
          == doctest::Approx(std::hypot(one, amongPools)));
    CHECK(lnSpreadOf(figures, run, Metric::Ttft, Statistic::Mean)
          == doctest::Approx(std::hypot(first, amongPoolsFirst)));
    Load load = machine.load;
    load.batch = 16;
    load.promptElsewhere = true;
    const Prediction apart = Predictor(machine.deployment, load).at(16);
    CHECK(up(apart.tpot)
          == doctest::Approx(std::hypot(up(apart.decode.rate), deviationsToNinetieth * amongPools)));
}

TEST_CASE("a version that the engine does not note is refused")
{
    Scenario s = askedOf("glm-4.6");
    for (const char* version : {"0.99", "2025", "2025-13", "soon"}) {
        CAPTURE(version);
        s.engineVersion = version;
        const Result<Resolved> machine = resolve(s, shipped());
        REQUIRE_FALSE(machine.has_value());
        CHECK(machine.error().front().where == "engine-version");
    }
}

TEST_CASE("a version is of the longest one that it begins with")
{
    Engine engine;
    engine.releases = {{"0.5.3rc0", "2025-09"}, {"0.5.3", "2025-10"}, {"0.5.30", "2027-01"}};
    CHECK(monthOf(engine, "0.5.3") == "2025-10");
    CHECK(monthOf(engine, "0.5.3.post3") == "2025-10");
    CHECK(monthOf(engine, "0.5.3rc0") == "2025-09");
    CHECK(monthOf(engine, "0.5.30") == "2027-01");
    CHECK(monthOf(engine, "0.5") == "2025-09");
    CHECK(monthOf(engine, "0.4").empty());
    CHECK(monthOf(engine, "").empty());
    CHECK(monthOf(engine, "0.5.31").empty());
    CHECK(newestMonth(engine) == "2027-01");
    CHECK(monthNumber("2026-01").value() - monthNumber("2025-11").value() == 2);
    CHECK_FALSE(monthNumber("2025").has_value());
    CHECK_FALSE(monthNumber("2025-00").has_value());
}

TEST_CASE("models without experts are as sure as others in what they share, and surer in the rest")
{
    Engine engine;
    engine.lnSpreadPrefill = 0.3;
    engine.lnSpreadSourcePrefill = 0.4;
    engine.lnSpreadDecode = 0.1;
    Llm dense, experts;
    dense.kinds.emplace_back();
    experts.kinds.emplace_back().mlp.kind = MlpKind::Moe;
    const Deployment ofDense{.llm = &dense, .engine = &engine}, ofExperts{.llm = &experts, .engine = &engine};
    CHECK(lnSpreadOfPrompts(ofExperts) == doctest::Approx(0.5));
    CHECK(lnSpreadOfPrompts(ofDense) == doctest::Approx(0.5 * ofModelsWithoutExperts));
    CHECK(lnSpreadOfDecodes(ofDense) == doctest::Approx(0.1 * ofModelsWithoutExperts));
    engine.partWhereFewWait = 1; // one's own runs tell of one's own model
    CHECK(lnSpreadOfPrompts(ofDense) == doctest::Approx(0.5));
}

TEST_CASE("a replay's ranges reach to the same sides as an answer's")
{
    const Resolved machine = machineFor(askedOf("llama-3.3-70b"));
    ServedFigures figures;
    figures.lnSpreadDecode = figures.lnSpreadPrefill = 0.2;
    const PlayedRun run{.decodes = &machine.deployment, .prompts = &machine.deployment};
    const auto ofMetric = [&](Metric metric) { return rangeOf(figures, run, metric, Statistic::Mean); };
    const RangeFactors ttft = ofMetric(Metric::Ttft), tpot = ofMetric(Metric::Tpot),
                       served = ofMetric(Metric::OutputThroughput);
    CHECK(std::log(ttft.high) / -std::log(ttft.low) == doctest::Approx(slowerByMore / fasterByLess));
    CHECK(tpot.high * tpot.low == doctest::Approx(1));
    CHECK(-std::log(served.low) / std::log(served.high) == doctest::Approx(slowerByMore / fasterByLess));
    PlayedRun clock = run;
    clock.kind = RunKind::OpenLoop;
    CHECK(sidesOf(clock, Metric::RequestRate) == RangeSides{});
    CHECK(sidesOf(clock, Metric::Ttft) == sidesOf(run, Metric::Ttft));
}

} // namespace headroom::tests
