#include "model/advise/size.h"
#include "model/deploy/paid.h"
#include "model/resolve/money.h"
#include "model/resolve/offers.h"
#include "model/resolve/resolve.h"
#include "model/scenario/stated_load.h"
#include "model/search/job_time.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace headroom::tests {

namespace {

Scenario llama(const char* model, const char* gpu, int gpus)
{
    Scenario s;
    s.model = model;
    s.gpus = {gpu};
    s.gpuCount = gpus;
    s.tp = gpus;
    return s;
}

bool says(const std::vector<Remark>& remarks, std::string_view words)
{
    return std::any_of(remarks.begin(), remarks.end(), [&](const Remark& each) {
        return each.text.english().find(words) != std::string::npos;
    });
}

double hourOf(const Resolved& r) { return perHour(predict(r.deployment, r.load).service.price); }

const SearchOptions quick{.prune = true, .simulate = false, .explain = false};

} // namespace

TEST_CASE("A module that nobody rents singly is paid with its whole instance")
{
    const auto one = resolve(llama("llama-3.1-8b", "instinct-mi300x", 1), shipped());
    REQUIRE(one);
    CHECK(hourOf(*one) == doctest::Approx(8 * 1.99));
    CHECK(says(one->assumptions, "rented in whole instances of 8"));
    const auto single = resolve(llama("llama-3.1-8b", "h100-sxm-80gb", 1), shipped());
    REQUIRE(single);
    CHECK(hourOf(*single) == doctest::Approx(2.46));
    CHECK(says(single->assumptions, "rents single ones at $2.46 an hour"));
}

TEST_CASE("What is paid by default is one offer: its price and its smallest instance")
{
    const auto ofBoxes = resolve(llama("llama-3.1-8b", "v100-sxm2-16gb", 1), shipped()); // 0.79 from eight on
    REQUIRE(ofBoxes);
    CHECK(ofBoxes->deployment.terms.unit == 8);
    CHECK(says(ofBoxes->assumptions, "(Lambda, 2026-08)"));
    const auto single = resolve(llama("llama-3.1-8b", "b200-sxm-180gb", 1), shipped());
    REQUIRE(single);
    CHECK(single->deployment.terms.unit == 1);
    CHECK(says(single->assumptions, "(Verda, 2026-08)"));
    CHECK(says(single->assumptions, "Verda rents single ones at $4.89 an hour"));
    const auto nobodys = resolve(llama("llama-3.1-8b", "instinct-mi300x", 1), shipped());
    REQUIRE(nobodys);
    CHECK(says(nobodys->assumptions, "`headroom show instinct-mi300x` tells its source"));
}

TEST_CASE("Whoever is known to rent a card on demand, the usual price is one of theirs")
{
    for (const std::string& id : shipped().gpuIds()) {
        const auto gpu = shipped().gpu(id);
        REQUIRE(gpu);
        const auto& offers = (*gpu)->offers;
        if (std::none_of(offers.begin(), offers.end(),
                         [](const RentOffer& o) { return o.kind == PriceKind::OnDemand; }))
            continue;
        CAPTURE(id);
        CHECK(offerTaken(**gpu, {}) != nullptr);
    }
}

TEST_CASE("A provider's price and its smallest instance are what is paid")
{
    Scenario s = llama("llama-3.1-8b", "h100-sxm-80gb", 1);
    s.money.provider = "aws";
    const auto aws = resolve(s, shipped());
    REQUIRE(aws);
    CHECK(hourOf(*aws) == doctest::Approx(8 * 3.93));
    CHECK(says(aws->assumptions, "(AWS, 2026-02)"));
    s.money.provider = "Verda";
    s.money.priceKind = PriceKind::Spot;
    const auto spot = resolve(s, shipped());
    REQUIRE(spot);
    CHECK(hourOf(*spot) == doctest::Approx(0.8015));
    CHECK(says(spot->assumptions, "as a spot instance"));
    s.money.provider = "Nobody";
    const auto none = resolve(s, shipped());
    REQUIRE(none);
    CHECK_FALSE(predict(none->deployment, none->load).service.priceKnown);
    CHECK(says(none->warnings, "nobody is known to rent"));
}

TEST_CASE("Modules are bought with their box, cards with a server that has room, a Mac as it is")
{
    const auto billOf = [](const char* gpu, Layout layout) {
        const auto r = resolveMachine(llama("llama-3.1-8b", gpu, 1), shipped());
        REQUIRE(r);
        Deployment d = r->deployment;
        d.layout = layout;
        return purchaseBill(d, *d.gpu->purchasePrice, {});
    };
    const Bill a100 = billOf("a100-sxm-80gb", {.tp = 2});
    CHECK(a100.gpus == 8);
    CHECK(a100.total().base() == doctest::Approx(8 * 15000 + 80000));
    const Bill l40s = billOf("l40s", {.tp = 4, .replicas = 3}); // two in one server, one in another
    CHECK(l40s.gpus == 12);
    CHECK(l40s.boxes == 2);
    CHECK(l40s.total().base() == doctest::Approx(12 * 8500 + 2 * 10424));
    CHECK_FALSE(l40s.networkKnown);
    const Bill h100 = billOf("h100-sxm-80gb", {.tp = 8, .replicas = 2});
    CHECK(h100.network.base() == doctest::Approx(2 * 15060));
    const Bill mac = billOf("apple-m3-ultra-80", {});
    CHECK(mac.total().base() == doctest::Approx(9500));
    CHECK(mac.serversKnown);
}

TEST_CASE("A purchase budget buys boxes, and an answer stays within what may stand there")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.money.purchaseBudget = Dollars(309999); // a box is 310,000
    const auto poor = size(s, shipped(), quick);
    REQUIRE(poor);
    CHECK_FALSE((*poor)->meets);
    s.money.purchaseBudget = Dollars(310000);
    const auto rich = size(s, shipped(), quick);
    REQUIRE(rich);
    CHECK((*rich)->meets);
    CHECK(purchaseOf((*rich)->answer)->base() == doctest::Approx(310000));
}

TEST_CASE("What an owner pays is one figure: an hour, the hour beside the rent, and the years")
{
    Scenario s = llama("llama-3.1-70b", "h100-sxm-80gb", 4); // of a box of eight
    s.money.buy = true;
    s.money.years = 5;
    s.money.hostingPerKwMonth = 184.06;
    s.money.staffShare = 0.05;
    s.money.residualShare = 0.1;
    s.money.interestPerYear = 0.06;
    const auto plan = size(s, shipped(), quick);
    REQUIRE(plan);
    REQUIRE((*plan)->rentOrOwn);
    REQUIRE((*plan)->costs);
    const double hour = perHour((*plan)->answer.point.prediction.service.price);
    CHECK((*plan)->rentOrOwn->own == doctest::Approx(hour));
    CHECK(*(*plan)->costs->own == doctest::Approx(hour * 5 * hoursPerYear));
    CHECK((*plan)->costs->monthsToRent.has_value()
          == ((*plan)->rentOrOwn->rent > (*plan)->rentOrOwn->running));
}

TEST_CASE("A cap of power, of GPUs and of boxes is kept")
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.concurrency = 300;
    s.targets.tokensPerSecond = 40;
    const auto free = size(s, shipped(), quick);
    REQUIRE(free);
    REQUIRE((*free)->meets);
    const int gpus = (*free)->answer.gpus();
    const double watts = fullPower((*free)->answer.deployment).base();
    const auto with = [&](auto change) {
        Scenario limited = s;
        change(limited);
        const auto plan = size(limited, shipped(), quick);
        REQUIRE(plan);
        return *plan;
    };
    CHECK(with([&](Scenario& l) { l.mostGpus = gpus; })->meets);
    const auto fewer = with([&](Scenario& l) { l.mostGpus = gpus - 1; });
    CHECK_FALSE(fewer->meets);
    CHECK(with([&](Scenario& l) { l.powerCap = Watts(watts); })->meets);
    CHECK_FALSE(with([&](Scenario& l) { l.powerCap = Watts(watts * 0.99); })->meets);
    const int boxes = (*free)->answer.nodes();
    CHECK(with([&](Scenario& l) { l.mostBoxes = boxes; })->meets);
}

TEST_CASE("A job with a deadline is done by then, and one fewer replica is too late")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.jobRequests = 5e6;
    s.deadline = Seconds(7 * 86400.0);
    const auto plan = size(s, shipped(), quick);
    REQUIRE(plan);
    CHECK((*plan)->meets);
    CHECK_FALSE((*plan)->assumed.any());
    const auto job = jobTime(**plan);
    REQUIRE(job);
    CHECK(job->time.base() <= 7 * 86400.0);
    CHECK(job->requests == 5e6);
    const double replicas = (*plan)->answer.deployment.layout.replicas;
    if (replicas > 1) // a tenth is kept free
        CHECK(job->time.base() * replicas / (replicas - 1) > 7 * 86400.0 * 0.9);
}

TEST_CASE("A job costs what its hours cost, by the hour and by the token, and leaves no paid GPU idle")
{
    for (const char* gpu : {"h100-sxm-80gb", "instinct-mi355x", "l40s"})
        for (const Objective objective : {Objective::FewestGpus, Objective::CheapestTokens}) {
            CAPTURE(gpu);
            Scenario s;
            s.model = "llama-3.1-8b";
            s.gpus = {gpu};
            s.money.gpuPrice = DollarsPerSecond(2 / 3600.0);
            s.jobRequests = 20e6;
            s.deadline = Seconds(7 * 86400.0);
            s.objective = objective;
            const auto plan = size(s, shipped(), quick);
            REQUIRE(plan);
            REQUIRE((*plan)->meets);
            const Candidate& answer = (*plan)->answer;
            const auto job = jobTime(**plan);
            REQUIRE(job);
            REQUIRE(job->price);
            const double millions = *s.jobRequests * s.output.mean() / 1e6;
            CHECK(answer.point.prediction.service.dollarsPerMillionOutputTokens.value.base() * millions
                  == doctest::Approx(job->price->base()).epsilon(0.01));
            CHECK(answer.gpus() + answer.deployment.layout.gpusPerReplica()
                  > paidGpus(answer.deployment, answer.gpus(), answer.nodes()));
        }
}

TEST_CASE("How sure it is that a job is done by then is told, and what is safe beside it")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.jobRequests = 5e6;
    s.deadline = Seconds(7 * 86400.0);
    CHECK(mayMiss(s));
    const auto soon = size(s, shipped());
    REQUIRE(soon);
    // Twice the work in the same time is less sure on the same machine.
    Scenario more = s;
    more.gpuCount = (*soon)->answer.gpus();
    more.jobRequests = 2 * *s.jobRequests * s.deadline->base() / jobTime(**soon)->time.base();
    const auto late = size(more, shipped(), quick);
    REQUIRE(late);
    CHECK((*late)->answer.confidence < 0.05);
    if ((*soon)->answer.confidence < 0.9)
        CHECK((*soon)->safe);
}

TEST_CASE("Users who write, tokens of a month and jobs are requests a second")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.concurrency = 600;
    s.messagesPerMinute = 2;
    const Scenario asking = withStatedLoad(s);
    CHECK(*asking.requestsPerSecond == doctest::Approx(20)); // 600 x 2 / 60
    CHECK_FALSE(asking.concurrency);
    Scenario month;
    month.tokensPerMonth = 1280 * 2629800.0; // 1,024 and 256 tokens a request, 730.5 hours: one a second
    CHECK(*withStatedLoad(month).requestsPerSecond == doctest::Approx(1));
    month.money.hoursPerDay = 12;
    CHECK(*withStatedLoad(month).requestsPerSecond == doctest::Approx(2));
    Scenario job;
    job.jobTokens = 1280e6;
    job.deadline = Seconds(1e6);
    CHECK(*withStatedLoad(job).requestsPerSecond == doctest::Approx(1));
    Scenario late;
    late.deadline = Seconds(100);
    CHECK(loadProblems(late).size() == 1);
}

} // namespace headroom::tests
