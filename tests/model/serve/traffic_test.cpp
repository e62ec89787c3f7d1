#include "model/serve/day_curve.h"
#include "model/serve/random_stream.h"
#include "model/serve/traffic.h"
#include "tests/model/serve/scenarios.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

namespace {

Workload make(const Traffic& traffic)
{
    Result<Workload> workload = makeWorkload(traffic);
    REQUIRE(workload);
    return std::move(*workload);
}

struct Gaps {
    double mean = 0;
    double variation = 0;
};

Gaps gapsOf(const Workload& workload)
{
    double sum = 0;
    double squares = 0;
    double before = 0;
    for (const Request& request : workload.requests) {
        const double gap = request.arrival.base() - before;
        before = request.arrival.base();
        sum += gap;
        squares += gap * gap;
    }
    const auto count = static_cast<double>(workload.requests.size());
    const double mean = sum / count;
    return {mean, std::sqrt(squares / count - mean * mean) / mean};
}

} // namespace

TEST_CASE("arrivals have the rate and the burstiness that was asked for")
{
    struct Row {
        const char* text;
        double variation;
    };
    for (const Row& row :
         {Row{"poisson", 1}, Row{"constant", 0}, Row{"gamma:cv=2", 2}, Row{"gamma:cv=0.5", 0.5},
          Row{"gamma:shape=4", 0.5}, // variance: the mean squared over the shape
          Row{"weibull:cv=1.5", 1.5}, Row{"weibull:shape=2", 0.5227}}) {
        CAPTURE(row.text);
        const Result<ArrivalShape> shape = arrivalsFromText(row.text);
        REQUIRE(shape);
        const Gaps gaps
            = gapsOf(make({.arrivals = *shape, .rate = RequestsPerSecond(4), .requests = 200000}));
        CHECK(gaps.mean == doctest::Approx(0.25).epsilon(0.02));
        CHECK(gaps.variation == doctest::Approx(row.variation).epsilon(0.03));
    }
}

TEST_CASE("a load tool's arrivals of a rate take exactly as long as the rate says")
{
    for (const char* text : {"poisson", "gamma:shape=0.7"}) {
        const Traffic traffic{.arrivals = *arrivalsFromText(text),
                              .rate = RequestsPerSecond(0.5),
                              .spansRate = true,
                              .requests = 100};
        const Workload work = make(traffic);
        CHECK(work.requests.back().arrival.base() == doctest::Approx(200));
        Traffic loose = traffic;
        loose.spansRate = false;
        const Workload other = make(loose);
        // The same gaps, stretched alike.
        const double factor = 200 / other.requests.back().arrival.base();
        for (const std::size_t i : {0U, 7U, 50U})
            CHECK(work.requests[i].arrival.base()
                  == doctest::Approx(other.requests[i].arrival.base() * factor));
    }
}

TEST_CASE("a day of traffic peaks when and as high as it was said, and keeps its mean")
{
    const DayCurve curve(2.5, 14);
    CHECK(curve.rateAt(14 * 3600) == doctest::Approx(2.5).epsilon(1e-6));
    CHECK(curve.timeOf(86400) == doctest::Approx(86400));
    CHECK(curve.timeOf(3 * 86400) == doctest::Approx(3 * 86400));
    // Each stretch of time takes as much as the rate in it: the inverse of the integral.
    const double time = curve.timeOf(30000);
    CHECK((curve.timeOf(30001) - curve.timeOf(29999)) / 2
          == doctest::Approx(1 / curve.rateAt(time)).epsilon(0.01));

    const Result<ArrivalShape> shape = arrivalsFromText("poisson:peak=2.5,hour=14");
    REQUIRE(shape);
    const Workload day = make({.arrivals = *shape, .rate = RequestsPerSecond(2), .requests = 172800});
    CHECK(day.requests.back().arrival.base() == doctest::Approx(86400).epsilon(0.06)); // few come at midnight
    const auto inHour = [&](double hour) {
        return std::count_if(day.requests.begin(), day.requests.end(), [&](const Request& r) {
            return r.arrival.base() >= hour * 3600 && r.arrival.base() < (hour + 1) * 3600;
        });
    };
    CHECK(static_cast<double>(inHour(13.5)) == doctest::Approx(2 * 3600 * 2.5).epsilon(0.03));
    CHECK(inHour(2) < inHour(13.5) / 4);
}

TEST_CASE("the same seed brings the same requests, another rate the same ones at other times")
{
    Traffic traffic{.rate = RequestsPerSecond(3), .requests = 500, .seed = 42};
    traffic.classes[0].prompt = LengthDistribution::uniform(10, 2000);
    const Workload one = make(traffic);
    CHECK(one.requests == make(traffic).requests);
    traffic.rate = RequestsPerSecond(6);
    const Workload faster = make(traffic);
    for (std::size_t i = 0; i < 500; ++i) {
        CHECK(faster.requests[i].promptTokens == one.requests[i].promptTokens);
        CHECK(faster.requests[i].arrival.base() == doctest::Approx(one.requests[i].arrival.base() / 2));
    }
    traffic.seed = 43;
    CHECK(make(traffic).requests != faster.requests);
}

TEST_CASE("users of a closed loop begin in one moment, or within the time that is given for it")
{
    Traffic traffic;
    traffic.arrivals.kind = ArrivalShape::Kind::Closed;
    traffic.users = 200;
    traffic.requests = 1000;
    const auto pauses = [&] {
        std::vector<double> out;
        for (const Request& request : make(traffic).requests)
            out.push_back(request.think.base());
        return out;
    };
    for (const double pause : pauses())
        CHECK(pause == 0);
    traffic.startOver = Seconds(8);
    const std::vector<double> apart = pauses();
    double sum = 0;
    for (std::size_t i = 0; i < apart.size(); ++i) {
        CHECK(apart[i] >= 0);
        CHECK(apart[i] <= (i < 200 ? 8 : 0)); // a user's later requests follow at once
        sum += apart[i];
    }
    CHECK(sum / 200 == doctest::Approx(4).epsilon(0.15)); // four standard errors
}

TEST_CASE("numbers drawn depend on seed and stream alone")
{
    RandomStream stream(1, 1);
    const double first = stream.uniform();
    RandomStream again(1, 1);
    CHECK(again.uniform() == first);
    CHECK(RandomStream(1, 2).uniform() != first);
    CHECK(mixBits(0)
          == 0xE220A8397B1DCDAFU); // first output of SplitMix64 with seed 0, its authors' test vector
    CHECK(unitInterval(0) > 0);
    CHECK(unitInterval(~std::uint64_t{0}) < 1);
}

TEST_CASE("a mix keeps its shares, and later turns repeat what was said")
{
    Traffic traffic{.rate = RequestsPerSecond(10), .requests = 30000};
    TrafficClass chat;
    chat.promised.name = "chat";
    chat.share = 3;
    chat.prompt = LengthDistribution::of(100);
    chat.output = LengthDistribution::of(50);
    chat.followUp = LengthDistribution::of(20);
    chat.turns = 3;
    chat.think = Seconds(10);
    chat.systemTokens = 40;
    TrafficClass code;
    code.promised.name = "code";
    code.prompt = LengthDistribution::of(2000);
    code.output = LengthDistribution::of(30);
    traffic.classes = {chat, code};
    const Workload workload = make(traffic);
    std::int64_t codes = 0;
    double pauses = 0;
    std::int64_t later = 0;
    for (const Request& request : workload.requests) {
        if (request.classIndex == 1) {
            ++codes;
            CHECK(request.session == -1);
            continue;
        }
        CHECK(request.systemTokens == 40);
        if (request.follows < 0) {
            CHECK(request.promptTokens == 100);
            continue;
        }
        const Request& before = workload.requests[static_cast<std::size_t>(request.follows)];
        CHECK(request.session == before.session);
        CHECK(request.sessionTokens == before.promptTokens + before.outputTokens);
        CHECK(request.promptTokens == request.sessionTokens + 20);
        pauses += request.think.base();
        ++later;
    }
    // 3 conversations of 3 turns for each request about code.
    CHECK(static_cast<double>(codes) / 30000.0 == doctest::Approx(0.1).epsilon(0.05));
    CHECK(pauses / static_cast<double>(later) == doctest::Approx(10).epsilon(0.03));
    // The rate is of requests: ten conversations' starts bring 3 x 3 + 1 requests in 4 starts.
    CHECK(static_cast<double>(workload.requests.size()) / workload.requests.back().arrival.base()
          == doctest::Approx(10).epsilon(0.05));
}

TEST_CASE("wrong arrivals and wrong traffic are refused with what would be right")
{
    for (const char* text : {"", "poison", "gamma:cv=0", "gamma:cv=x", "gamma:cv", "poisson:cv=2",
                             "closed:peak=2", "weibull:shape=99", "gamma:shape=0", "poisson:peak=0.5",
                             "gamma:cv=2,", "gamma:cv=nan", "closed:think=-1"}) {
        CAPTURE(text);
        const Result<ArrivalShape> shape = arrivalsFromText(text);
        REQUIRE_FALSE(shape);
        CHECK_FALSE(shape.error().front().hint.empty());
    }
    Traffic traffic{.rate = RequestsPerSecond(0), .requests = 0};
    traffic.classes[0].turns = 0;
    traffic.classes[0].share = -1;
    const Result<Workload> workload = makeWorkload(traffic);
    REQUIRE_FALSE(workload);
    CHECK(workload.error().size() == 5);
}
