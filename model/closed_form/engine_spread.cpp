#include "model/closed_form/engine_spread.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

// Of two that are independent of each other; shorter than std::hypot, which minds overflow.
double together(double a, double b) { return std::sqrt(a * a + b * b); }

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

double spreadOfDecodes(const Deployment& d)
{
    return together(d.engine->lnSpreadDecode, d.engine->lnSpreadSourceDecode);
}

} // namespace

Estimate<Seconds> promptOfFirstToken(const Estimate<Seconds>& prompt, const Deployment& d, const Load& load)
{
    const bool fewWait = load.openLoop || load.batch <= 1;
    return fewWait ? withPart(prompt, together(d.engine->lnSpreadPrefill, d.engine->lnSpreadSourcePrefill),
                              d.engine->partWhereFewWait)
                   : prompt;
}

Estimate<Seconds> timeOfToken(const Estimate<Seconds>& step, const Deployment& d)
{
    return withPart(step, spreadOfDecodes(d), d.engine->partOfTokenTimes);
}

void tellTokens(Prediction& p, const Deployment& d)
{
    const double engine = spreadOfDecodes(d);
    const bool alike = p.tpotUnderLoad == p.tpot;
    p.tpot = withPart(p.tpot, engine, d.engine->partOfTokenTimes);
    p.tpotUnderLoad = alike ? p.tpot : withPart(p.tpotUnderLoad, engine, d.engine->partOfTokenTimes);
    const auto perSecond
        = [](Seconds time) { return TokensPerSecond(time.base() > 0 ? 1 / time.base() : 0); };
    p.tokensPerSecondPerUser
        = {perSecond(p.tpot.value), perSecond(p.tpot.high), perSecond(p.tpot.low), p.tpot.source};
    // All of the service's rates have one range, and what is paid for a token that of its inverse.
    p.requestsPerSecond = withPart(p.requestsPerSecond, engine, ofThroughput);
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
