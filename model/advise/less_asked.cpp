#include "model/advise/less_asked.h"

#include "model/advise/usual_changes.h"
#include "model/base/quantity_text.h"
#include "model/base/three_digits.h"
#include "model/scenario/stated_load.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headroom {

namespace {

// As it is told, in three digits, and never harder than it was found to be: what is told must do when it is
// asked.
double inThreeDigits(double value, double (*easier)(double))
{
    constexpr int digits = 3;
    const double one = std::pow(10, std::floor(std::log10(value)) + 1 - digits);
    constexpr double rounding = 1e-9; // of what is in three digits already
    const double nearest = std::round(value / one);
    return (std::abs(value / one - nearest) < rounding ? nearest : easier(value / one)) * one;
}
double fewer(double value)
{
    return inThreeDigits(value, [](double x) { return std::floor(x); });
}
double longerTime(double seconds)
{
    return inThreeDigits(seconds, [](double x) { return std::ceil(x); });
}

// A target that is as high as it was is no change.
Message besides(Message change, const Message& also)
{
    return also.empty() ? change : change.empty() ? also : joined({std::move(change), also}, ", ");
}

LessAsked shorter(const Scenario& asked, LengthDistribution Scenario::*field, double now, double least,
                  Message (*text)(double tokens))
{
    return {.now = now,
            .least = least,
            .with =
                [asked, field](double tokens) {
                    Scenario s = asked;
                    s.*field = LengthDistribution::of(std::floor(tokens));
                    return s;
                },
            .text = text,
            .size = 2,
            .usual = [](double tokens) -> std::optional<double> {
                return std::exp2(std::floor(std::log2(tokens)));
            }};
}

LessAsked fewerUsers(const Scenario& asked)
{
    return {.now = *asked.concurrency,
            .least = 1,
            .with =
                [asked](double users) {
                    Scenario s = asked;
                    s.concurrency = std::floor(users);
                    return s;
                },
            .text = [](double users) { return say("{:.0f} users at once", std::floor(users)); },
            .size = 2};
}

constexpr double most = 100; // times fewer requests

// Hours in tenths, never too few.
Seconds inTenths(double seconds)
{
    constexpr double hour = 3600;
    return Seconds(std::ceil(seconds / hour * 10 - 1e-6) / 10 * hour);
}

// A job has its own size; what may give way is when it is done.
LessAsked laterJob(const Scenario& asked)
{
    const double requests = *requestsOfJob(asked);
    const double rate = requests / asked.deadline->base();
    return {.now = rate,
            .least = rate / most,
            .with =
                [asked, requests](double less) {
                    Scenario s = asked;
                    s.deadline = inTenths(requests / less);
                    s.requestsPerSecond = requests / s.deadline->base();
                    return s;
                },
            .text =
                [requests](double less) {
                    return say("done within {} hours", numberText(inTenths(requests / less).base() / 3600));
                },
            .size = 2};
}

LessAsked fewerTokens(const Scenario& asked)
{
    return {.now = *asked.tokensPerMonth,
            .least = *asked.tokensPerMonth / most,
            .with =
                [asked](double most) {
                    const double tokens = fewer(most);
                    Scenario s = asked;
                    s.requestsPerSecond = *asked.requestsPerSecond * tokens / *asked.tokensPerMonth;
                    s.tokensPerMonth = tokens;
                    return s;
                },
            .text =
                [](double tokens) {
                    return say("{} million tokens a month", asIs(threeDigits(fewer(tokens) / 1e6)));
                },
            .size = 2};
}

LessAsked fewerRequests(const Scenario& asked)
{
    return {.now = *asked.requestsPerSecond,
            .least = *asked.requestsPerSecond / most,
            .with =
                [asked](double rate) {
                    Scenario s = asked;
                    s.requestsPerSecond = fewer(rate);
                    return s;
                },
            .text = [](double rate) { return say("{} requests/s", asIs(threeDigits(fewer(rate)))); },
            .size = 2};
}

constexpr double slowest = 50; // times slower than asked

// Bisection over the speed, the reciprocal of the time.
LessAsked longer(const Scenario& asked, std::optional<Seconds> Targets::*field, const Message& what,
                 const Message& also, double size)
{
    const double speed = 1 / (asked.targets.*field)->base();
    return {.now = speed,
            .least = speed / slowest,
            .with =
                [asked, field, speed](double less) {
                    Scenario s = asked;
                    if (less < speed)
                        s.targets.*field = Seconds(longerTime(1 / less));
                    return s;
                },
            .text =
                [what, also, speed](double less) {
                    return besides(less < speed
                                       ? say("{} of {} s", what, asIs(threeDigits(longerTime(1 / less))))
                                       : Message(),
                                   also);
                },
            .size = size,
            .usual = [](double less) -> std::optional<double> {
                const auto* const next = std::lower_bound(usualTimes.begin(), usualTimes.end(), 1 / less);
                return next == usualTimes.end() ? std::nullopt : std::optional(1 / *next);
            }};
}

} // namespace

std::vector<LessAsked> lessWork(const Scenario& asked, double mostPromptTokens)
{
    constexpr double leastPrompt = 128;
    constexpr double leastAnswer = 16;
    std::vector<LessAsked> out;
    const double prompt = asked.prompt.mean();
    out.push_back(shorter(asked, &Scenario::prompt, std::min(prompt, mostPromptTokens),
                          std::min(prompt, leastPrompt),
                          [](double tokens) { return say("prompts of {:.0f} tokens", std::floor(tokens)); }));
    if (asked.targets.latency)
        out.push_back(
            shorter(asked, &Scenario::output, asked.output.mean(), std::min(asked.output.mean(), leastAnswer),
                    [](double tokens) { return say("answers of {:.0f} tokens", std::floor(tokens)); }));
    if (asked.concurrency && *asked.concurrency > 1)
        out.push_back(fewerUsers(asked));
    if (worksOffJob(asked))
        out.push_back(laterJob(asked));
    else if (asked.requestsPerSecond)
        out.push_back(asked.tokensPerMonth ? fewerTokens(asked) : fewerRequests(asked));
    return out;
}

std::vector<LessAsked> lowerTargets(const Scenario& asked, const Message& also, double size)
{
    std::vector<LessAsked> out;
    if (const auto& speed = asked.targets.tokensPerSecond)
        out.push_back({.now = *speed,
                       .least = *speed / slowest,
                       .with =
                           [asked, now = *speed](double tps) {
                               Scenario s = asked;
                               s.targets.tokensPerSecond = tps < now ? fewer(tps) : now;
                               return s;
                           },
                       .text =
                           [also, now = *speed](double tps) {
                               return besides(
                                   tps < now ? say("{} tokens/s for each user", asIs(threeDigits(fewer(tps))))
                                             : Message(),
                                   also);
                           },
                       .size = size,
                       .usual = [](double tps) -> std::optional<double> {
                           const auto* const next
                               = std::find_if(usualSpeeds.begin(), usualSpeeds.end(),
                                              [tps](double speed) { return speed <= tps; });
                           return next == usualSpeeds.end() ? std::nullopt : std::optional(*next);
                       }});
    using Time = std::pair<std::optional<Seconds> Targets::*, Message>;
    for (const auto& [field, what] :
         {Time{&Targets::ttft, "time to first token"}, Time{&Targets::tpot, "time between tokens"},
          Time{&Targets::latency, "latency"}})
        if (asked.targets.*field)
            out.push_back(longer(asked, field, what, also, size));
    return out;
}

} // namespace headroom
