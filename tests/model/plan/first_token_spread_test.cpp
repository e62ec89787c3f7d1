// How unsure a first token is, by who stands before it.
#include "model/closed_form/first_token_spread.h"
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

} // namespace headroom::tests
