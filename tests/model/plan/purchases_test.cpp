#include "model/advise/purchases.h"
#include "model/advise/size.h"
#include "model/search/search.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace headroom::tests {

namespace {

std::vector<Candidate> candidatesOf(const Scenario& scenario)
{
    const auto plan = size(scenario, shipped(), {.prune = true, .simulate = false, .explain = false});
    REQUIRE(plan);
    return (*plan)->candidates;
}

double hourly(const Candidate& c) { return perHour(c.point.prediction.service.price); }
double speed(const Candidate& c) { return c.point.tokensPerSecondPerUser.value.base(); }

Scenario onA100()
{
    Scenario scenario;
    scenario.model = "llama-3.1-70b";
    scenario.gpus = {"a100-sxm-80gb"};
    scenario.targets.tokensPerSecond = 20;
    return scenario;
}

} // namespace

TEST_CASE("every purchase is told once, the best first")
{
    const std::vector<Candidate> all = candidatesOf(onA100());
    const std::vector<const Candidate*> shown = purchases(all);
    REQUIRE(!shown.empty());
    CHECK(shown.front() == &all.front());
    std::set<int> counts;
    for (const Candidate* c : shown)
        CHECK(counts.insert(c->gpus()).second);
    CHECK(std::is_sorted(shown.begin(), shown.end())); // in the order of the candidates
}

TEST_CASE("whatever is not told is the same purchase as something better or costs no less and gives no more")
{
    for (const int users : {0, 40}) {
        Scenario scenario = onA100();
        scenario.gpus = {"a100-sxm-80gb", "h100-sxm-80gb"};
        if (users > 0)
            scenario.concurrency = users;
        const std::vector<Candidate> all = candidatesOf(scenario);
        const std::vector<const Candidate*> shown = purchases(all);
        CHECK(shown.size() < all.size());
        for (const Candidate& c : all) {
            if (std::find(shown.begin(), shown.end(), &c) != shown.end())
                continue;
            CAPTURE(c.gpus());
            const bool samePurchase = std::any_of(all.begin(), all.end(), [&](const Candidate& other) {
                return &other < &c && other.deployment.gpu == c.deployment.gpu && other.gpus() == c.gpus();
            });
            const bool beaten = std::any_of(shown.begin(), shown.end(), [&](const Candidate* other) {
                return other->meets && hourly(*other) <= 1.01 * hourly(c)
                    && (!c.point.prediction.memory.fits
                        || (1.01 * speed(*other) >= speed(c)
                            && 1.01 * other->maxConcurrency >= c.maxConcurrency));
            });
            const bool tenfold = users > 0 && hourly(c) > 10 * hourly(all.front());
            CHECK((samePurchase || beaten || tenfold));
        }
    }
}

TEST_CASE("the answer and machines of stated sizes are told, whatever beats them in other things")
{
    Scenario scenario = onA100();
    scenario.gpus = {"a100-sxm-80gb", "h100-sxm-80gb", "b200-sxm-180gb", "l40s", "h200-sxm-141gb"};
    for (const Objective objective : {Objective::LeastEnergy, Objective::CheapestTokens,
                                      Objective::MostThroughput, Objective::FastestStream}) {
        scenario.objective = objective;
        const std::vector<Candidate> all = candidatesOf(scenario);
        CHECK(purchases(all).front() == &all.front());
    }
    scenario.objective = Objective::FewestGpus;
    scenario.gpus = {"h100-sxm-80gb", "b200-sxm-180gb"};
    scenario.gpuCounts = {8, 2};
    const std::vector<Candidate> all = candidatesOf(scenario);
    const std::vector<const Candidate*> shown = purchases(all);
    for (const char* gpu : {"h100-sxm-80gb", "b200-sxm-180gb"})
        CHECK(std::any_of(shown.begin(), shown.end(),
                          [&](const Candidate* c) { return c->deployment.gpu->id == gpu; }));
}

TEST_CASE("of a machine that is there its layouts are told, and fewer of its GPUs only where that is better")
{
    Scenario scenario = onA100();
    scenario.gpuCount = 8;
    scenario.objective = Objective::MostUsers;
    const std::vector<Candidate> all = candidatesOf(scenario);
    const std::vector<const Candidate*> shown = purchases(all);
    CHECK(shown.size() >= 3);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        CAPTURE(i);
        CHECK((shown[i]->gpus() == 8 || !shown[i]->meets));
        for (std::size_t k = 0; k < i; ++k)
            CHECK_FALSE(samePurchase(*shown[k], *shown[i]));
    }
}

TEST_CASE("the same layout in more replicas is told once")
{
    const std::vector<Candidate> all = candidatesOf(onA100());
    const std::vector<const Candidate*> shown = withoutReplicas(purchases(all));
    CHECK(shown.size() < purchases(all).size());
    for (const Candidate* c : shown)
        for (const Candidate* before : shown) {
            if (before == c)
                break;
            Layout one = before->deployment.layout;
            one.replicas = c->deployment.layout.replicas;
            CHECK_FALSE((one == c->deployment.layout && before->deployment.weights == c->deployment.weights
                         && before->deployment.kv == c->deployment.kv));
        }
}

TEST_CASE("fewer GPUs that do not meet the targets are told with their reason")
{
    const std::vector<Candidate> all = candidatesOf(onA100());
    const std::vector<const Candidate*> shown = purchases(all);
    const auto one
        = std::find_if(shown.begin(), shown.end(), [](const Candidate* c) { return c->gpus() == 1; });
    REQUIRE(one != shown.end());
    CHECK(!(*one)->meets);
    CHECK(!(*one)->reason.empty());
}

} // namespace headroom::tests
