#include "model/search/prompt_wait.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// What comes by itself to a pool that is busier than this has a queue without an end.
constexpr double endless = 0.95;
// Users who take turns find a pool never quite full.
constexpr double full = 0.99;

// The length of a line as M/D/1 has it, but for a factor, counted in prompts of the pool.
double lineAt(double busy) { return busy / (1 - busy); }

// A turn is what is left of it and the wait, and prompts keep the pool busy as often as turns come: the
// longer the wait, the shorter the line that makes it.
double waitInTurns(double busy, double left, const auto& waitAt)
{
    double low = std::max(0.0, busy / full - left); // beyond, the pool is not overfull
    double high = low + 1;
    const auto tooShort = [&](double wait) { return waitAt(std::min(busy / (left + wait), full)) > wait; };
    while (tooShort(high))
        high = low + 2 * (high - low);
    for (int halvings = 0; halvings < 40; ++halvings)
        (tooShort((low + high) / 2) ? low : high) = (low + high) / 2;
    return (low + high) / 2;
}

} // namespace

Seconds waitWith(const WaitingPrompt& request, double prompts, double decodes)
{
    const double wait = request.wait.base();
    if (wait <= 0)
        return {};
    const double now = std::clamp(request.busy, 1e-3, request.takesTurns ? full : endless);
    const auto waitAt = [&](double busy) { return wait * prompts * lineAt(busy) / lineAt(now); };
    if (!request.takesTurns)
        return Seconds(waitAt(std::min(now * prompts, endless)));
    const double turn = (request.ttft + request.decodes).base();
    const double left = turn - wait + request.decodes.base() * (decodes - 1);
    return Seconds(waitInTurns(now * prompts * turn, left, waitAt));
}

// The long end of a wait is worked out, with a slower pool. Its short end ends at no wait, so it is not
// worked out: it is taken as many times less. That a prompt itself takes longer in a slower pool is in the
// range of the prompt.
double lnSpreadOfWait(const WaitingPrompt& request, double prompts, double decodes)
{
    if (request.wait <= Seconds() || request.ttft <= Seconds())
        return 0;
    const double slower = std::exp(deviationsToNinetieth * prompts);
    const double faster = std::exp(-deviationsToNinetieth * decodes);
    const Seconds alone = request.ttft - request.wait;
    const auto longer = [&](Seconds wait, double by) {
        return std::max(0.0, std::log((alone * by + wait) / (request.ttft * by)));
    };
    return std::hypot(longer(waitWith(request, slower, 1), slower), longer(waitWith(request, 1, faster), 1))
        / deviationsToNinetieth;
}

double lnSpreadOfPace(double prompt, double engine)
{
    const double operators = std::sqrt(std::max(0.0, prompt * prompt - engine * engine));
    return std::hypot(operators, engine * ofManyPrompts);
}

Estimate<Seconds> firstTokenAfter(const WaitingPrompt& request, const FreePool& pool)
{
    const Estimate<Seconds> alike = pool.ttft * (request.ttft / pool.ttft.value);
    const double wait = lnSpreadOfWait(request, pool.prompts, pool.decodes);
    if (wait <= 0)
        return alike;
    const double more = deviationsToNinetieth * wait;
    const double up = std::hypot(std::log(alike.high / alike.value), more);
    const double down = std::hypot(std::log(alike.value / alike.low), more);
    return {alike.value, std::max(alike.value * std::exp(-down), std::min(alike.low, pool.ttft.low)),
            alike.value * std::exp(up), alike.source};
}

} // namespace headroom
