// How much longer a line before prompts gets where they slow down, against a line that is played.
#include "model/search/prompt_wait.h"

#include <queue>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>
#include <vector>

using namespace headroom;

namespace {

constexpr int comings = 200'000;

// One server of prompts that take `prompt` seconds each. So many users come again after a decode of random
// length, `decodes` seconds on average; without users comings come by themselves at the rate of 1 a second.
WaitingPrompt played(double users, double prompt, double decodes)
{
    std::mt19937_64 random(11);
    std::exponential_distribution<double> one(1);
    std::priority_queue<double, std::vector<double>, std::greater<>> coming;
    double last = 0;
    const auto comesByItself = [&] { coming.push(last += one(random)); };
    if (users > 0)
        for (int i = 0; i < int(users); ++i)
            coming.push(one(random) * decodes);
    else
        comesByItself();
    double free = 0;
    double waited = 0;
    for (int i = 0; i < comings; ++i) {
        const double came = coming.top();
        coming.pop();
        const double begins = std::max(free, came);
        waited += begins - came;
        free = begins + prompt;
        if (users > 0)
            coming.push(free + one(random) * decodes);
        else
            comesByItself();
    }
    const double wait = waited / comings;
    return {.ttft = Seconds(wait + prompt),
            .wait = Seconds(wait),
            .decodes = Seconds(decodes),
            .busy = comings * prompt / free,
            .takesTurns = users > 0};
}

} // namespace

TEST_CASE("A prompt that never waits is as sure as prompts are")
{
    const WaitingPrompt never{.ttft = Seconds(0.2), .wait = {}, .decodes = Seconds(5)};
    CHECK(waitWith(never, 1.5, 1) == Seconds());
    CHECK(lnSpreadOfWait(never, 0.3, 0.3) == 0);
}

TEST_CASE("Requests that come by themselves wait for slower prompts as a played line does")
{
    for (const double prompt : {0.2, 0.5, 0.6, 0.7})
        for (const double slower : {0.8, 1.2}) {
            CAPTURE(prompt);
            CAPTURE(slower);
            const Seconds expected = played(0, prompt * slower, 4).wait;
            CHECK(waitWith(played(0, prompt, 4), slower, 1) / expected == doctest::Approx(1).epsilon(0.1));
        }
}

TEST_CASE("Users who take turns wait for slower prompts as a played line does, and less for slower decodes")
{
    const auto check
        = [](const WaitingPrompt& now, const WaitingPrompt& then, double prompts, double decodes) {
              const Seconds wait = waitWith(now, prompts, decodes);
              // Where a few wait, their number is of chance: a tenth of a turn is the worst of them.
              CHECK((then.ttft - then.wait + wait) / then.ttft == doctest::Approx(1).epsilon(0.3));
              CHECK((wait - now.wait).base() * (then.wait - now.wait).base() >= 0);
          };
    for (const double decodes :
         {100.0, 75.0, 60.0, 45.0, 25.0, 10.0}) { // of 60 users, whose prompts take a second
        CAPTURE(decodes);
        const WaitingPrompt now = played(60, 1, decodes);
        for (const double slower : {1.1, 1.4}) {
            CAPTURE(slower);
            check(now, played(60, slower, decodes), slower, 1);
            check(now, played(60, 1, decodes * slower), 1, slower);
        }
    }
}

TEST_CASE(
    "Before a pool that is always busy a wait is what a turn has left, and half full it may be in a moment")
{
    // 6,144 users, whose prompts take 15.5 ms one by one: a turn of 95 s, of which 82 decode. Slower by a
    // tenth they take 104.7 s.
    const WaitingPrompt busy{
        .ttft = Seconds(13), .wait = Seconds(12.5), .decodes = Seconds(82), .busy = 1, .takesTurns = true};
    CHECK(waitWith(busy, 1.1, 1).base() == doctest::Approx(12.5 + 9.5).epsilon(0.05));
    CHECK(waitWith(busy, 1, 1.1).base() == doctest::Approx(12.5 - 8.2).epsilon(0.3));
    // Prompts keep a pool busy for 86 % of turns of 41 s. Slower by 30 % they fill it: 1.118 turns.
    const WaitingPrompt nearly{.ttft = Seconds(0.5),
                               .wait = Seconds(0.1),
                               .decodes = Seconds(40.5),
                               .busy = 0.86,
                               .takesTurns = true};
    CHECK(waitWith(nearly, 1.3, 1).base() == doctest::Approx(0.118 * 41).epsilon(0.2));
    CHECK(lnSpreadOfWait(nearly, 0.2, 0.2) > 4 * lnSpreadOfWait(nearly, 0.05, 0.05));
}

TEST_CASE("A first token that waits is less sure at both ends, and never sooner than one that does not")
{
    const FreePool pool{
        .ttft = {Seconds(2), Seconds(1.6), Seconds(2.5), Source::Prior}, .prompts = 0.2, .decodes = 0};
    CHECK(firstTokenAfter({.ttft = Seconds(2)}, pool) == pool.ttft);
    const Estimate<Seconds> some
        = firstTokenAfter({.ttft = Seconds(3), .wait = Seconds(1), .decodes = Seconds(9), .busy = 0.5}, pool);
    CHECK(some.value.base() == doctest::Approx(3));
    CHECK(some.low / some.value < 0.8);
    CHECK(some.high / some.value > 1.25);
    // A line that may be seconds in a moment.
    const Estimate<Seconds> most = firstTokenAfter({.ttft = Seconds(2.1),
                                                    .wait = Seconds(0.1),
                                                    .decodes = Seconds(200),
                                                    .busy = 0.86,
                                                    .takesTurns = true},
                                                   pool);
    CHECK(most.low == pool.ttft.low);
}

TEST_CASE("Many prompts even out what an engine misses of one, and not what their operators are unsure of")
{
    CHECK(lnSpreadOfPace(0.5, 0.3) == doctest::Approx(std::hypot(0.4, 0.12)));
    CHECK(lnSpreadOfPace(0.4, 0) == doctest::Approx(0.4));
}
