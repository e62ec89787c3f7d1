// How long prompts wait for a replica that computes only prompts, against a replay of one written apart.
#include "model/closed_form/step_budget.h"
#include "model/resolve/resolve.h"
#include "model/search/layouts.h"
#include "model/search/pools.h"
#include "model/search/prompt_queue.h"
#include "model/search/search.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

using namespace headroom;
using tests::shipped;

namespace {

std::shared_ptr<const Resolved> deepseekOn(const char* gpu, const char* engine, double prompt)
{
    Scenario s;
    s.model = "deepseek-v3";
    s.gpus = {gpu};
    s.engine = engine;
    s.prompt = LengthDistribution::of(prompt);
    auto machine = resolveMachine(s, shipped());
    REQUIRE(machine);
    return std::make_shared<const Resolved>(*std::move(machine));
}

constexpr double mostBusy = 0.95;
constexpr int requests = 200'000;

PromptRound roundOf(double prompts, double seconds, double parts = 1, bool whole = true)
{
    PromptRound out{
        .prompts = prompts, .cost = {}, .every = Seconds(seconds), .parts = parts, .whole = whole};
    out.cost.latency.value = out.cost.rate.value = Seconds(seconds);
    return out;
}

std::vector<double> arrivals(double rate)
{
    std::mt19937_64 random(7);
    std::exponential_distribution<double> gap(rate);
    std::vector<double> out(requests);
    double now = 0;
    for (double& each : out)
        each = now += gap(random);
    return out;
}

// A server that takes all who wait, up to `most`, in a pass of first + more * taken seconds.
double meanInPasses(const std::vector<double>& come, double first, double more, std::size_t most)
{
    double free = 0;
    double sum = 0;
    for (std::size_t next = 0; next < come.size();) {
        const double begin = std::max(free, come[next]);
        std::size_t end = next;
        while (end < come.size() && end - next < most && come[end] <= begin)
            ++end;
        free = begin + first + more * double(end - next);
        for (; next < end; ++next)
            sum += free - come[next];
    }
    return sum / double(come.size());
}

// So many servers that take one each, for as long.
double meanOfServers(const std::vector<double>& come, double seconds, std::size_t servers)
{
    std::vector<double> free(servers, 0.0);
    double sum = 0;
    for (const double at : come) {
        double& soonest = *std::min_element(free.begin(), free.end());
        soonest = std::max(soonest, at) + seconds;
        sum += soonest - at;
    }
    return sum / double(come.size());
}

} // namespace

TEST_CASE("Prompts that share passes wait as in a replay")
{
    constexpr double first = 0.03;
    constexpr double more = 0.02;
    const PromptRound lone = roundOf(1, first + more);
    for (const std::size_t most : {1U, 2U, 8U, 32U})
        for (const double share : {0.1, 0.3, 0.5, 0.7, 0.85}) {
            const PromptRound full = roundOf(double(most), first + more * double(most));
            const double rate = share * full.prompts / full.every.base();
            const double told = lone.every.base() + promptDelay(lone, full, rate, mostBusy).base();
            const double seen = meanInPasses(arrivals(rate), first, more, most);
            CAPTURE(most);
            CAPTURE(share);
            CHECK(told == doctest::Approx(seen).epsilon(most == 1 ? 0.05 : 0.15));
        }
}

TEST_CASE("Long prompts on ranks of their own wait as in a replay")
{
    const double seconds = 0.4;
    for (const std::size_t ranks : {1U, 4U, 8U, 32U})
        for (const double share : {0.3, 0.6, 0.85}) {
            constexpr double parts = 1e6; // a rank begins at once
            const PromptRound lone = roundOf(1, seconds, parts, false);
            const PromptRound full = roundOf(double(ranks), seconds, parts, false);
            const double rate = share * double(ranks) / seconds;
            const double told = seconds + promptDelay(lone, full, rate, mostBusy).base();
            CAPTURE(ranks);
            CAPTURE(share);
            CHECK(told == doctest::Approx(meanOfServers(arrivals(rate), seconds, ranks)).epsilon(0.05));
        }
}

TEST_CASE("Nobody waits where nothing comes, and more requests never wait less")
{
    for (const bool whole : {true, false}) {
        const PromptRound lone = roundOf(1, 0.1, 4, whole);
        const PromptRound full = roundOf(8, 0.5, 4, whole);
        CHECK(promptDelay(lone, full, 0, mostBusy).base() == 0);
        double before = 0;
        for (double rate = 0.5; rate < 40; rate *= 1.2) {
            const double now = promptDelay(lone, full, rate, mostBusy).base();
            CHECK(now >= before);
            before = now;
        }
    }
}

TEST_CASE("Ranks that share experts compute a prompt each, and short prompts share a pass")
{
    const auto unit = [](double prompt) {
        const auto machine = deepseekOn("h200-sxm-141gb", "vllm", prompt);
        PromptPool pool{machine, machine->deployment, {}, 0};
        pool.deployment.layout = Layout{.tp = 1, .ep = 8, .dp = 8};
        return unitOf(pool);
    };
    const double budget = stepBudget(unit(4096).deployment, 4096, 0);
    REQUIRE(budget == 8192);
    CHECK(unit(16384).full.prompts == 8); // in two parts, on each rank
    CHECK(unit(16384).full.parts == 2);
    CHECK(unit(8192).full.prompts == 8);
    CHECK(unit(2048).full.prompts == 32);
    for (const double prompt : {16384.0, 8192.0, 2048.0}) {
        const PromptUnit one = unit(prompt);
        CAPTURE(prompt);
        CHECK(one.every().base() < one.lone.every.base() / 4);
        CHECK(one.full.every > one.lone.every);
    }
}

TEST_CASE("Ranks that would not share experts evenly get the fewest copies that make them")
{
    const auto copies = [](const char* engine, int ep, int stated) {
        const auto machine = deepseekOn("gb200", engine, 4096);
        Scenario s = machine->scenario;
        s.tp = 1;
        s.dp = s.ep = ep;
        s.pp = 1;
        s.redundantExperts = stated;
        std::vector<int> out;
        for (const Layout& layout : possibleLayouts(*machine, s))
            if (layout.dp == ep)
                out.push_back(layout.redundantExperts);
        return out;
    };
    CHECK(copies("sglang", 72, 0) == std::vector{32}); // 288 are 4 for each of 72
    CHECK(copies("sglang", 64, 0) == std::vector{0});
    CHECK(copies("sglang", 72, 104) == std::vector{104}); // as stated
    CHECK(copies("lmdeploy", 72, 0).empty());             // it moves no experts
}
