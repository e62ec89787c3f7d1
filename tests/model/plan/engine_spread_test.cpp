// How unsure a first token is, by who stands before it.
#include "model/closed_form/engine_spread.h"
#include "model/closed_form/operating_point.h"
#include "model/resolve/resolve.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>

namespace headroom::tests {

TEST_CASE("A first token where few wait is as unsure as its operators and half of its engine")
{
    Engine engine;
    engine.lnSpreadPrefill = 0.3;
    engine.lnSpreadSourcePrefill = 0.4; // 0.5 together
    Deployment d;
    d.engine = &engine;
    const double whole = std::hypot(0.2, 0.5) * deviationsToNinetieth;
    const Estimate<Seconds> prompt{Seconds(2), Seconds(2 * std::exp(-whole)), Seconds(2 * std::exp(whole)),
                                   Source::Prior};
    const auto at = [&](double users, bool openLoop) {
        return promptOfFirstToken(prompt, d, {.batch = users, .openLoop = openLoop});
    };
    const double few = std::hypot(0.2, 0.25) * deviationsToNinetieth;
    for (const Estimate<Seconds>& one : {at(1, false), at(1, true), at(64, true)}) {
        CHECK(one.value == prompt.value);
        CHECK(std::log(one.high / one.value) == doctest::Approx(few));
        CHECK(std::log(one.value / one.low) == doctest::Approx(few));
    }
    CHECK(at(2, false) == prompt);
    engine.partWhereFewWait = 1; // one's own runs
    CHECK(std::log(at(1, false).high / prompt.value) == doctest::Approx(whole));
}

TEST_CASE(
    "Answers are as unsure of a lone first token as published runs ask for, and of a full server's more")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    const Result<Resolved> machine = resolve(s, shipped());
    REQUIRE(machine.has_value());
    const ReplicaCurve curve(machine->deployment, machine->load);
    const auto range = [](const Estimate<Seconds>& time) { return std::log(time.high / time.low); };
    const double alone = range(curve.timesAt(1).ttft);
    CHECK(alone < range(curve.timesAt(16).ttft));
    const Engine& engine = *machine->deployment.engine;
    CHECK(alone >= engine.lnSpreadPrefill * engine.partWhereFewWait * 2 * deviationsToNinetieth);
}

TEST_CASE("Times of tokens are surer than what a service gives, in answers as in replays of runs")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.batch = 16;
    const Result<Resolved> machine = resolve(s, shipped());
    REQUIRE(machine.has_value());
    Deployment d = machine->deployment;
    Engine engine = *d.engine;
    d.engine = &engine;
    const auto range = [](const auto& of) { return std::log(of.high / of.low); };
    const Prediction told = predict(d, machine->load);
    engine.partOfTokenTimes = 1;
    const Prediction whole = predict(d, machine->load);
    CHECK(told.tpot.value == whole.tpot.value);
    CHECK(range(told.tpot) < range(whole.tpot));
    CHECK(range(told.requestsPerSecond) > range(told.tpot));
    CHECK(range(told.service.outputTokensPerSecond) == doctest::Approx(range(told.requestsPerSecond)));
    // The curve that a search looks at has the same range as the prediction that is told.
    const OperatingPoint point = operateAt(d, machine->load, 16);
    CHECK(range(point.prediction.tpot) == doctest::Approx(range(whole.tpot)));
    CHECK(range(point.tpot) == doctest::Approx(range(whole.tpotUnderLoad)).epsilon(0.02));
}

} // namespace headroom::tests
