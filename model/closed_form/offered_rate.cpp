#include "model/closed_form/offered_rate.h"

#include <algorithm>
#include <optional>

namespace headroom {
namespace {

constexpr double exact = 1.02; // of the users there, who are found to within a fiftieth

// Of the offered rate: what is served where one request takes so long.
double servedShare(const std::optional<KeepsUp>& keepsUp, Seconds Estimate<Seconds>::*bound)
{
    if (!keepsUp)
        return 1;
    const double share = keepsUp->limit / (keepsUp->time.*bound);
    return share * exact >= 1 ? 1 : share;
}

} // namespace

bool serveOffered(Prediction& p, RequestsPerSecond offered, const UserTimes& point)
{
    const auto served = [&](Seconds Estimate<Seconds>::*bound) {
        return std::min(servedShare(point.keepsUp, bound), servedShare(point.promptsKeepUp, bound));
    };
    const double before = p.requestsPerSecond.value.base();
    if (before <= 0 || offered.base() <= 0 || served(&Estimate<Seconds>::value) < 1)
        return false;
    const double scale = offered.base() / before;
    const double least = served(&Estimate<Seconds>::high);
    const auto rate = [&](auto& estimate) {
        estimate.value = estimate.value * scale;
        estimate.low = estimate.value * least;
        estimate.high = estimate.value;
    };
    rate(p.requestsPerSecond);
    Service& s = p.service;
    rate(s.outputTokensPerSecond);
    rate(s.totalTokensPerSecond);
    // Machines that wait cost as much.
    const auto perToken = [&](auto& estimate, double dearest) {
        estimate.value = estimate.value / scale;
        estimate.low = estimate.value;
        estimate.high = estimate.value * dearest;
    };
    perToken(s.joulesPerOutputToken, 1 / least);
    if (s.power.value > Watts()) {
        s.joulesPerOutputToken.low = s.joulesPerOutputToken.low * (s.power.low / s.power.value);
        s.joulesPerOutputToken.high = s.joulesPerOutputToken.high * (s.power.high / s.power.value);
    }
    if (s.priceKnown)
        perToken(s.dollarsPerMillionOutputTokens, 1 / least);
    return true;
}

} // namespace headroom
