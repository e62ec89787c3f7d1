// What is served of requests that come at a rate: the rate itself, as long as the service keeps up.
#include "model/advise/size.h"
#include "model/closed_form/offered_rate.h"
#include "model/resolve/predict_scenario.h"
#include "model/search/search.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>

namespace headroom::tests {
namespace {

Scenario chatAt(double requestsPerSecond)
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.prompt = LengthDistribution::of(1000);
    s.output = LengthDistribution::of(300);
    s.requestsPerSecond = requestsPerSecond;
    return s;
}

Prediction predictedAt(double requestsPerSecond)
{
    const Result<Resolved> r = resolve(chatAt(requestsPerSecond), shipped());
    REQUIRE(r.has_value());
    return predictScenario(*r);
}

template <typename Q>
void checkFixed(const Estimate<Q>& estimate, double value)
{
    CHECK(estimate.value.base() == doctest::Approx(value));
    CHECK(estimate.low == estimate.value);
    CHECK(estimate.high == estimate.value);
}

} // namespace

TEST_CASE("A rate that is easily kept is what is served, by machines that cost the same")
{
    for (const double rate : {0.01, 1.0}) {
        const Prediction p = predictedAt(rate);
        checkFixed(p.requestsPerSecond, rate);
        checkFixed(p.service.outputTokensPerSecond, rate * 300);
        checkFixed(p.service.totalTokensPerSecond, rate * 1300);
        REQUIRE(p.service.priceKnown);
        checkFixed(p.service.dollarsPerMillionOutputTokens, p.service.price.base() / (rate * 300) * 1e6);
        // Power is as unsure as it was.
        const Estimate<Joules>& joules = p.service.joulesPerOutputToken;
        CHECK(joules.value.base() == doctest::Approx(p.service.power.value.base() / (rate * 300)));
        CHECK(joules.high / joules.value == doctest::Approx(p.service.power.high / p.service.power.value));
        CHECK(joules.low / joules.value == doctest::Approx(p.service.power.low / p.service.power.value));
    }
}

TEST_CASE("A service of stated rate is told the same by a prediction and by a search")
{
    Scenario s = chatAt(1);
    s.tp = 1;
    s.replicas = 1;
    SearchOptions options;
    options.explain = false;
    const auto plan = size(s, shipped(), options);
    REQUIRE(plan.has_value());
    const Prediction& found = (*plan)->answer.point.prediction;
    const Prediction p = predictedAt(1);
    CHECK(found.requestsPerSecond.value.base() == doctest::Approx(p.requestsPerSecond.value.base()));
    CHECK(found.requestsPerSecond.high == found.requestsPerSecond.low);
    CHECK(found.service.dollarsPerMillionOutputTokens.high
          == found.service.dollarsPerMillionOutputTokens.low);
}

TEST_CASE("What a slower machine would not keep up with is served in part, and never more than comes")
{
    Prediction p;
    p.requestsPerSecond = {RequestsPerSecond(7), RequestsPerSecond(5), RequestsPerSecond(9), Source::Prior};
    p.service.outputTokensPerSecond
        = {TokensPerSecond(700), TokensPerSecond(500), TokensPerSecond(900), Source::Prior};
    UserTimes point;
    point.keepsUp = KeepsUp{{Seconds(8), Seconds(6), Seconds(12.5), Source::Prior}, Seconds(10)};
    REQUIRE(serveOffered(p, RequestsPerSecond(6), point));
    CHECK(p.requestsPerSecond.value.base() == doctest::Approx(6));
    CHECK(p.requestsPerSecond.high.base() == doctest::Approx(6));
    CHECK(p.requestsPerSecond.low.base() == doctest::Approx(6 * 10 / 12.5));
    CHECK(p.service.outputTokensPerSecond.low.base() == doctest::Approx(600 * 10 / 12.5));

    // The pool that computes prompts is what holds most back.
    point.promptsKeepUp = KeepsUp{{Seconds(8), Seconds(6), Seconds(20), Source::Prior}, Seconds(10)};
    REQUIRE(serveOffered(p, RequestsPerSecond(6), point));
    CHECK(p.requestsPerSecond.low.base() == doctest::Approx(6 * 10 / 20.0));

    // Where it does not keep up as it is, a full batch stays what it was.
    point.promptsKeepUp->time.value = Seconds(11);
    const Prediction before = p;
    CHECK_FALSE(serveOffered(p, RequestsPerSecond(6), point));
    CHECK(p.requestsPerSecond == before.requestsPerSecond);
}

} // namespace headroom::tests
