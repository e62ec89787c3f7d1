// Whether requests at a rate are still answered as fast as they come by a machine that is slower than is most
// likely, against a slow twin: it tries slower machines one by one.
#include "model/closed_form/operating_point.h"
#include "model/resolve/resolve.h"
#include "model/search/judge.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace headroom::tests {

namespace {

Resolved resolvedAs(const Scenario& scenario)
{
    auto resolved = resolve(scenario, shipped());
    if (!resolved)
        FAIL(resolved.error().front().where << " " << resolved.error().front().what.english());
    return *std::move(resolved);
}

// A machine `slower` times as slow answers at u users u / (latency × slower) requests a second. So many are
// there as answer the rate; none where no number of them does.
bool standsSlower(const ReplicaCurve& curve, double rate, const Targets& targets, double most, double slower)
{
    for (double users = 1e-3; users <= most; users = std::min(users * 1.01, users < most ? most : 2 * most)) {
        const UserTimes times = curve.timesAt(users);
        if (users < rate * slower * times.latency.value.base())
            continue;
        if (targets.tokensPerSecond && 1 / (times.tpot.value.base() * slower) < *targets.tokensPerSecond)
            return false;
        return !targets.latency || times.latency.value * slower <= *targets.latency;
    }
    return false;
}

double slowestThatStands(const ReplicaCurve& curve, double rate, const Targets& targets, double most)
{
    double slowest = 0;
    for (double slower = 1; slower < 4; slower *= 1.01)
        if (standsSlower(curve, rate, targets, most, slower))
            slowest = slower;
    return slowest;
}

} // namespace

TEST_CASE("What keeps up with a rate is what a slower machine keeps up with")
{
    std::mt19937 random(7);
    const auto one = [&](const auto& of) { return of[random() % of.size()]; };
    int asked = 0;
    for (int seed = 0; seed < 40; ++seed) {
        Scenario s;
        s.model = one(std::vector<std::string>{"llama-3.1-8b", "llama-3.1-70b", "qwen3-32b", "gpt-oss-120b"});
        s.gpus = {one(std::vector<std::string>{"h100-sxm-80gb", "l40s", "mi300x"})};
        s.tp = 4;
        s.prompt = LengthDistribution::of(one(std::vector<double>{200, 2000, 12000}));
        s.output = LengthDistribution::of(one(std::vector<double>{30, 400}));
        s.requestsPerSecond = 1; // its load is open
        const Resolved r = resolvedAs(s);
        const ReplicaCurve curve(r.deployment, r.load);
        const double most = curve.capacity(Targets{}).users;
        if (most < 1)
            continue;
        Targets targets;
        if (random() % 2)
            targets.tokensPerSecond = 0.6 / curve.timesAt(1).tpot.value.base();
        if (random() % 3 == 0)
            targets.latency = curve.timesAt(1).latency.value * 2.5;
        const double rate = curve.rateAt(std::max(1.0, most / 2)) * one(std::vector<double>{0.3, 0.6, 0.9});
        const double users = usersAtRate(curve, rate, most);
        if (missedTarget(curve.timesAt(users), targets) != TargetKind::None || users > most)
            continue;
        ++asked;
        const KeepsUp found = curve.keepsUpWith(rate, users, targets);
        const double slowest = slowestThatStands(curve, rate, targets, most);
        CAPTURE(seed);
        if (slowest < 3.9) // it may be enough to know that it is far
            CHECK(found.limit / found.time.value == doctest::Approx(slowest).epsilon(0.03));
        else
            CHECK(found.limit / found.time.value > 3.8);
    }
    CHECK(asked > 20);
}

TEST_CASE("A rate that is near the most a service carries is a gamble")
{
    Scenario s;
    s.model = "kimi-k2";
    s.gpus = {"instinct-mi355x"};
    s.tp = 2;
    s.dp = 2;
    s.ep = 4;
    s.replicas = 4;
    s.prompt = LengthDistribution::of(20480);
    s.output = LengthDistribution::of(800);
    s.targets.ttft = Seconds(4);
    const auto at = [&](double rate) {
        s.requestsPerSecond = rate;
        const auto machine = std::make_shared<const Resolved>(resolvedAs(s));
        return judge(machine, machine->deployment.layout, s);
    };
    const double most = at(1).maxRequestsPerSecond;
    // First tokens are in time at all of these: it is only the rate.
    CHECK(at(most * 0.1).confidence > 0.95);
    const double near = at(most * 0.97).confidence;
    CHECK(near > 0.5);
    CHECK(near < 0.6);
    double last = 1;
    for (double share = 0.1; share < 1; share += 0.1) {
        const double sure = at(most * share).confidence;
        CHECK(sure <= last * (1 + 1e-3));
        last = sure;
    }
}

TEST_CASE(
    "A stated rate beyond what its cards serve is missed by as many times, however fast its few users are")
{
    for (const char* gpu : {"h100-sxm-80gb", "l40s"})
        for (const int pp : {1, 2, 4}) {
            Scenario s;
            s.model = "llama-3.1-8b";
            s.gpus = {gpu};
            s.pp = pp;
            s.replicas = 2;
            s.prompt = LengthDistribution::of(2000);
            s.output = LengthDistribution::of(500);
            s.targets.tokensPerSecond = 1;
            const auto at = [&](double rate) {
                s.requestsPerSecond = rate;
                const auto machine = std::make_shared<const Resolved>(resolvedAs(s));
                return judge(machine, machine->deployment.layout, s);
            };
            CAPTURE(gpu);
            CAPTURE(pp);
            CHECK(at(1).missedBy <= 1);
            const double most = at(1).maxRequestsPerSecond;
            const Candidate few = at(most * 30);
            CHECK(!few.meets);
            CHECK(few.missedBy > 15);
            CHECK(few.missedBy < 45);
            CHECK(at(most * 60).missedBy == doctest::Approx(2 * few.missedBy));
        }
}

} // namespace headroom::tests
