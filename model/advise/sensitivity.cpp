#include "model/advise/explain_plan.h"
#include "model/base/figure_text.h"
#include "model/scenario/service_load.h"
#include "model/search/safe_answer.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace headroom {

namespace {

// One input of a question that can be turned.
struct Input {
    std::string name;
    double value = 0;
    double most = 0; // where looking for a break point ends
    std::function<Scenario(double)> with;
    bool whole = true;
    bool load = false; // how much of it the answer carries is known from its replays
};

std::vector<Input> inputsOf(const Scenario& base)
{
    const auto lengths = [&base](LengthDistribution Scenario::*field) {
        return [&base, field](double tokens) {
            Scenario s = base;
            s.*field = LengthDistribution::of(std::max(1.0, std::round(tokens)));
            return s;
        };
    };
    std::vector<Input> out{{"prompt tokens", base.prompt.mean(), 131072, lengths(&Scenario::prompt)},
                           {"output tokens", base.output.mean(), 32768, lengths(&Scenario::output)}};
    const auto number = [&](std::string name, const std::optional<double>& value,
                            std::optional<double> Scenario::*field, bool whole) {
        if (value)
            out.push_back({std::move(name), *value, *value * 64,
                           [&base, field, whole](double v) {
                               Scenario s = base;
                               s.*field = whole ? std::max(1.0, std::round(v)) : v;
                               return s;
                           },
                           whole, true});
    };
    number("users", base.concurrency, &Scenario::concurrency, true);
    number("requests/s", base.requestsPerSecond, &Scenario::requestsPerSecond, false);
    const auto target = [&](std::string name, const auto& value, auto set) {
        if (value)
            out.push_back({std::move(name), *value, *value * 16, set, false});
    };
    target("tokens/s for each user", base.targets.tokensPerSecond, [&base](double v) {
        Scenario s = base;
        s.targets.tokensPerSecond = v;
        return s;
    });
    return out;
}

int gpusOf(const std::optional<Candidate>& best) { return best && best->meets ? best->gpus() : 0; }

Scenario onAnswer(const SizingPlan& plan, Scenario scenario)
{
    scenario.gpus = {plan.answer.deployment.gpu->id};
    return scenario;
}

double speedWith(const SizingPlan& plan, const Scenario& changed)
{
    Load load = plan.answer.load;
    load.promptTokens = changed.prompt.mean();
    load.outputTokens = changed.output.mean();
    double users = plan.answer.point.users;
    if (changed.concurrency)
        users = std::ceil(loadOf(changed).users
                          / std::max(1, plan.answer.deployment.layout.replicas - changed.spares));
    return operateAt(plan.answer.deployment, load, users).tokensPerSecondPerUser.value.base();
}

std::string valueText(double value, bool whole)
{
    return whole ? fmt::format("{:.0f}", std::max(1.0, std::round(value))) : fewDigits(value, 4);
}

} // namespace

std::vector<Sensitivity> sensitivityOf(const SizingPlan& plan, const Scenario& scenario,
                                       const Replanner& replanner)
{
    if (!plan.answer.point.prediction.memory.fits)
        return {};
    const Scenario base = onAnswer(plan, scenario);
    std::vector<Sensitivity> out;
    for (const Input& input : inputsOf(base)) {
        const Scenario low = input.with(input.value / 2);
        const Scenario high = input.with(input.value * 2);
        out.push_back({.input = input.name,
                       .lowText = valueText(input.value / 2, input.whole),
                       .highText = valueText(input.value * 2, input.whole),
                       .gpusLow = gpusOf(replanner.best(low)),
                       .gpusHigh = gpusOf(replanner.best(high)),
                       .speedLow = speedWith(plan, low),
                       .speedHigh = speedWith(plan, high)});
    }
    // How well the machine is known: the ends of the speed's own interval.
    const Estimate<TokensPerSecond>& speed = plan.answer.point.tokensPerSecondPerUser;
    out.push_back({.input = "what is known of the machine",
                   .lowText = "10th percentile",
                   .highText = "90th percentile",
                   .gpusLow = plan.safe ? plan.safe->gpus() : plan.answer.gpus(),
                   .gpusHigh = plan.answer.gpus(),
                   .speedLow = speed.low.base(),
                   .speedHigh = speed.high.base()});
    const auto swing = [](const Sensitivity& s) {
        const auto count = [](int gpus) { return gpus == 0 ? 1e6 : double(gpus); };
        return std::pair(std::abs(count(s.gpusHigh) - count(s.gpusLow)), std::abs(s.speedHigh - s.speedLow));
    };
    std::stable_sort(out.begin(), out.end(),
                     [&](const Sensitivity& a, const Sensitivity& b) { return swing(a) > swing(b); });
    return out;
}

namespace {

// Users or requests a second, as they are stated: without the peak.
double carriedBy(const SizingPlan& plan, const Input& input)
{
    const double most = input.whole ? plan.answer.maxConcurrency : plan.answer.maxRequestsPerSecond;
    return most / plan.answer.machine->scenario.peakFactor;
}

} // namespace

std::vector<BreakPoint> breakPointsOf(const SizingPlan& plan, const Scenario& scenario,
                                      const Replanner& replanner)
{
    if (!plan.meets)
        return {};
    const Scenario base = onAnswer(plan, scenario);
    // Break points come from the closed form; where a replay of the traffic asked for more, they would be
    // another service's.
    const bool sure = plan.safe && sameService(*plan.safe, plan.answer);
    const int now = gpusOf(replanner.best(base, sure));
    if (now != plan.answer.gpus())
        return {};
    std::vector<BreakPoint> out;
    for (const Input& input : inputsOf(base)) {
        // Of GPUs whose number was stated another layout may carry more: what this one carries is told.
        if (input.load && plan.mostReplayed && scenario.gpuCount)
            continue;
        const auto still
            = [&](double value) { return gpusOf(replanner.best(input.with(value), sure)) == now; };
        double low = input.value;
        double high = std::max(input.most, input.value * 2);
        // Doubling finds the first step up; then halving finds where it lies, to one in a hundred.
        double probe = low * 2;
        while (probe < high && still(probe)) {
            low = probe;
            probe *= 2;
        }
        high = std::min(probe, high);
        if (still(high))
            continue;
        while (high - low > std::max(0.01 * low, input.whole ? 1.0 : 1e-9)) {
            const double middle = input.whole ? std::floor((low + high) / 2) : (low + high) / 2;
            (still(middle) ? low : high) = middle;
        }
        // As many as it carries, by its replays: the closed form says only what is needed beyond.
        const double from
            = input.load && plan.mostReplayed ? std::max(input.value, carriedBy(plan, input)) : low;
        out.push_back({input.name, from, gpusOf(replanner.best(input.with(high), sure))});
    }
    return out;
}

} // namespace headroom
