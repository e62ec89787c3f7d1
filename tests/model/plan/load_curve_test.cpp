#include "model/advise/size.h"
#include "model/import/trace.h"
#include "model/resolve/money.h"
#include "model/search/load_curve.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

namespace headroom::tests {

namespace {

serve::Workload arrivingAt(const std::vector<double>& seconds)
{
    serve::Workload out;
    for (const double second : seconds) {
        serve::Request request;
        request.arrival = Seconds(second);
        out.requests.push_back(request);
    }
    return out;
}

} // namespace

TEST_CASE("A moment says nothing of a load")
{
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "headroom-moment.csv";
    const auto sizeWith = [&](const char* arrivals) {
        std::ofstream(file) << "arrival_s,prompt_tokens,output_tokens\n" << arrivals;
        Scenario s;
        s.model = "llama-3.1-8b";
        s.gpus = {"h100-sxm-80gb"};
        s.trace = file.string();
        return size(s, shipped(),
                    {.prune = true, .simulate = false, .explain = false, .readTrace = readTraceFile});
    };
    const auto one = sizeWith("0,1000,200\n");
    REQUIRE_FALSE(one);
    CHECK(one.error().front().where == "trace");
    CHECK_FALSE(sizeWith("0,1000,200\n0.05,1000,200\n"));
    const auto minute = sizeWith("0,1000,200\n60,1000,200\n");
    REQUIRE(minute);
    CHECK((*minute)->answer.gpus() == 1);
    std::filesystem::remove(file);
}

TEST_CASE("A day of traffic keeps its mean and has the peak that was said, at its hour")
{
    const auto day = dayOf("poisson:peak=2.5,hour=14", 4);
    REQUIRE(day);
    CHECK(day->requestsPerSecond.size() == 96);
    CHECK(day->mean() == doctest::Approx(4).epsilon(0.001));
    CHECK(day->peak() == doctest::Approx(10).epsilon(0.002));
    CHECK((day->requestsPerSecond[55] == day->peak() || day->requestsPerSecond[56] == day->peak()));
    CHECK_FALSE(dayOf("poisson", 4));
    CHECK(withoutDay("gamma:cv=2,peak=3,hour=9") == "gamma:cv=2");
    CHECK(withoutDay("poisson:peak=3") == "poisson");
    CHECK(withoutDay("closed") == "closed");
}

TEST_CASE("The curve of a trace counts its requests in equal stretches")
{
    // Ten in the first minute, two in the second, four in the third.
    std::vector<double> times;
    for (int i = 0; i < 10; ++i)
        times.push_back(i * 6.0);
    for (const double t : {70.0, 100.0, 130.0, 140.0, 150.0, 180.0})
        times.push_back(t);
    const LoadCurve curve = curveOf(arrivingAt(times));
    REQUIRE(curve.requestsPerSecond.size() == 3);
    CHECK(curve.stretch.base() == doctest::Approx(60));
    CHECK(curve.requestsPerSecond[0] == doctest::Approx(10.0 / 60));
    CHECK(curve.requestsPerSecond[1] == doctest::Approx(2.0 / 60));
    CHECK(curve.requestsPerSecond[2] == doctest::Approx(4.0 / 60));
    const serve::Workload busiest = busiestPart(arrivingAt({0, 50, 51, 52, 53, 200, 201}), Seconds(5));
    REQUIRE(busiest.requests.size() == 4);
    CHECK(busiest.requests.front().arrival == Seconds(0));
    CHECK(busiest.requests.back().arrival == Seconds(3));
}

TEST_CASE("A static fleet is counted against one that follows the load")
{
    Candidate fleet;
    fleet.deployment.layout = {.tp = 2, .replicas = 5}; // four that work and a spare
    Service& service = fleet.point.prediction.service;
    service.priceKnown = true;
    service.price = dollarsPerHour(20); // $2 a GPU and hour
    const LoadCurve curve{Seconds(43200), {8, 2}};
    const FleetDay day = fleetOver(curve, fleet, 1);
    // At the peak all five; at a quarter of it one of four, and the spare.
    CHECK(day.gpus == std::vector<int>{10, 4});
    CHECK(day.gpuHoursStatic == doctest::Approx(240));
    CHECK(day.gpuHoursFollowing == doctest::Approx(12 * 10 + 12 * 4));
    CHECK(*day.usdStatic == doctest::Approx(480));
    CHECK(*day.usdFollowing == doctest::Approx(336));
    CHECK(day.wasted() == doctest::Approx(0.3));
}

TEST_CASE("A day takes what its busiest moment takes, and says what the rest of it wastes")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"l40s"};
    s.targets.tokensPerSecond = 20;
    s.requestsPerSecond = 12;
    const SearchOptions options{.prune = true, .simulate = false, .explain = false};
    Scenario day = s;
    day.traffic = "poisson:peak=3,hour=12";
    Scenario peak = s;
    peak.requestsPerSecond
        = 36 * 0.999; // a quarter of an hour around the peak has a little less than three times
    const auto overDay = size(day, shipped(), options);
    const auto atPeak = size(peak, shipped(), options);
    REQUIRE(overDay);
    REQUIRE(atPeak);
    CHECK((*overDay)->answer.gpus() == (*atPeak)->answer.gpus());
    REQUIRE((*overDay)->day);
    CHECK((*overDay)->day->wasted() > 0.3);
    CHECK_FALSE((*atPeak)->day);
}

TEST_CASE("A trace is sized by its own lengths and its busiest stretch")
{
    const auto file = std::filesystem::temp_directory_path() / "headroom_trace_sizing.csv";
    {
        std::ofstream out(file);
        out << "arrival_s,prompt_tokens,output_tokens\n";
        for (int i = 0; i < 600; ++i) // one a second for two minutes, then four a second for two
            out << (i < 120 ? i : 120 + (i - 120) * 0.25) << ',' << (i % 2 == 0 ? 500 : 1500) << ",100\n";
    }
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"l40s"};
    s.trace = file.string();
    s.targets.ttft = Seconds(1);
    const auto plan
        = size(s, shipped(), {.prune = true, .simulate = true, .explain = false, .readTrace = readTraceFile});
    std::filesystem::remove(file);
    if (!plan)
        FAIL(plan.error().front().what.english());
    CHECK((*plan)->meets);
    REQUIRE((*plan)->answer.simulated);
    REQUIRE((*plan)->day);
    CHECK((*plan)->day->curve.peak() == doctest::Approx(4).epsilon(0.05));
    CHECK((*plan)->answer.machine->load.promptTokens == doctest::Approx(1000));
}

TEST_CASE("An hour of one's own GPU is its write-off and its electricity")
{
    const Money money{.amortisationYears = 3, .electricityPerKwh = 0.1, .pue = 1.25};
    const OwnedHour hour = ownedHour(Dollars(26298), Watts(700), money);
    CHECK(hour.writeOff == doctest::Approx(1)); // 26,298 / (3 x 8,766)
    CHECK(hour.kilowatts == doctest::Approx(0.875));
    CHECK(hour.total() == doctest::Approx(1.0875));
}

} // namespace headroom::tests
