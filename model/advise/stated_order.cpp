#include "model/advise/stated_order.h"

namespace headroom {

namespace {

template <typename Q>
StatedOrder more(DecidedBy by, const Estimate<Q>& better, const Estimate<Q>& other)
{
    return {by, better.value / other.value, probabilityAbove(better, other)};
}
// Of what is the better the less it is.
template <typename Q>
StatedOrder less(DecidedBy by, const Estimate<Q>& better, const Estimate<Q>& other)
{
    return {by, other.value / better.value, probabilityAbove(other, better)};
}

StatedOrder byPrice(const Candidate& better, const Candidate& other)
{
    const Service& a = better.point.prediction.service;
    const Service& b = other.point.prediction.service;
    constexpr double alike = 1e-3; // of a price
    if (a.priceKnown && b.priceKnown && b.price > a.price * (1 + alike))
        return {DecidedBy::Price, b.price / a.price, std::nullopt};
    if (better.confidence > other.confidence)
        return {DecidedBy::Sureness, better.confidence / other.confidence, std::nullopt};
    return more(DecidedBy::Stream, better.point.tokensPerSecondPerUser, other.point.tokensPerSecondPerUser);
}

} // namespace

Objective objectiveAmong(const Scenario& asked)
{
    if (asked.objective != Objective::FewestGpus)
        return asked.objective;
    return asked.targets.any() ? Objective::CheapestHour : Objective::FastestStream;
}

StatedOrder orderOf(const Scenario& asked, const Candidate& better, const Candidate& other)
{
    if (!better.meets || !other.meets)
        return {DecidedBy::Meets, 1, std::nullopt};
    const Service& a = better.point.prediction.service;
    const Service& b = other.point.prediction.service;
    switch (objectiveAmong(asked)) {
    case Objective::FewestGpus:
    case Objective::CheapestHour:
        return byPrice(better, other);
    case Objective::CheapestTokens:
        return less(DecidedBy::TokenPrice, a.dollarsPerMillionOutputTokens, b.dollarsPerMillionOutputTokens);
    case Objective::LeastEnergy:
        return less(DecidedBy::Energy, a.joulesPerOutputToken, b.joulesPerOutputToken);
    case Objective::MostThroughput:
        return more(DecidedBy::Throughput, a.outputTokensPerSecond, b.outputTokensPerSecond);
    case Objective::MostUsers:
        return {DecidedBy::Users, other.maxConcurrency > 0 ? better.maxConcurrency / other.maxConcurrency : 1,
                std::nullopt};
    case Objective::FastestStream:
        break;
    }
    return more(DecidedBy::Stream, better.point.tokensPerSecondPerUser, other.point.tokensPerSecondPerUser);
}

} // namespace headroom
