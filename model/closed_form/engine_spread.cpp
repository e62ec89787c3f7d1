#include "model/closed_form/engine_spread.h"

#include "model/deploy/range_parts.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

// With such a part of what the engine adds to the spread of its operators.
template <typename Q>
Estimate<Q> withPart(const Estimate<Q>& estimate, double lnSpreadOfEngine, double part)
{
    const double up = estimate.value > Q() ? std::log(estimate.high / estimate.value) : 0;
    if (part == 1 || up <= 0)
        return estimate;
    const double engine = std::min(up, lnSpreadOfEngine * deviationsToNinetieth);
    const double wanted = std::sqrt(up * up + engine * engine * (part * part - 1));
    const double high = std::exp(wanted);
    // Most ranges reach as far down as up, in ln.
    const double product = (estimate.low / estimate.value) * (estimate.high / estimate.value);
    constexpr double rounding = 1e-9;
    const double low = std::abs(product - 1) < rounding
        ? 1 / high
        : std::exp(std::log(estimate.low / estimate.value) * wanted / up);
    return {estimate.value, estimate.value * low, estimate.value * high, estimate.source};
}

} // namespace

Estimate<Seconds> promptOfFirstToken(const Estimate<Seconds>& prompt, const Deployment& d, const Load& load)
{
    const bool fewWait = load.openLoop || load.batch <= 1;
    return fewWait ? withPart(prompt, lnSpreadOfPrompts(d), d.engine->partWhereFewWait) : prompt;
}

Estimate<Seconds> timeOfToken(const Estimate<Seconds>& step, const Deployment& d)
{
    return reaching(withPart(step, lnSpreadOfDecodes(d), d.engine->partOfTokenTimes), sidesOfTokenTimes(d));
}

Estimate<Seconds> timeOfService(const Estimate<Seconds>& sum, const Deployment& d)
{
    return reaching(sum, sidesOfServing(d));
}

void tellRanges(Prediction& p, const Deployment& d)
{
    const bool alike = p.tpotUnderLoad == p.tpot;
    p.ttft = timeOfService(p.ttft, d);
    p.latency = timeOfService(p.latency, d);
    p.tpot = timeOfToken(p.tpot, d);
    p.tpotUnderLoad = alike ? p.tpot : timeOfToken(p.tpotUnderLoad, d);
    const auto perSecond
        = [](Seconds time) { return TokensPerSecond(time.base() > 0 ? 1 / time.base() : 0); };
    p.tokensPerSecondPerUser
        = {perSecond(p.tpot.value), perSecond(p.tpot.high), perSecond(p.tpot.low), p.tpot.source};
    // A rate of the same tokens is as unsure as their time.
    const auto asUnsureAs = [](Estimate<TokensPerSecond>& rate, const Estimate<Seconds>& time) {
        rate.low = rate.value * (time.value / time.high);
        rate.high = rate.value * (time.value / time.low);
    };
    asUnsureAs(p.tokensPerSecond, p.tpot);
    asUnsureAs(p.requestTokensPerSecond, p.latency);
    // All of the service's rates have one range, and what is paid for a token that of its inverse.
    p.requestsPerSecond = reaching(p.requestsPerSecond, sidesOfServing(d), true);
    const Estimate<RequestsPerSecond>& rate = p.requestsPerSecond;
    if (rate.value.base() <= 0)
        return;
    const double low = rate.low / rate.value;
    const double high = rate.high / rate.value;
    const auto range = [](auto& estimate, double below, double above) {
        estimate.low = estimate.value * below;
        estimate.high = estimate.value * above;
    };
    range(p.service.outputTokensPerSecond, low, high);
    range(p.service.totalTokensPerSecond, low, high);
    range(p.service.joulesPerOutputToken, 1 / high, 1 / low);
    if (p.service.priceKnown)
        range(p.service.dollarsPerMillionOutputTokens, 1 / high, 1 / low);
}

} // namespace headroom
