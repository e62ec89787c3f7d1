#include "model/advise/inputs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headroom {

std::vector<Input> inputsOf(const Scenario& base)
{
    const auto lengths = [&base](LengthDistribution Scenario::*field) {
        return [&base, field](double tokens) {
            Scenario s = base;
            s.*field = LengthDistribution::of(std::max(1.0, std::round(tokens)));
            return s;
        };
    };
    std::vector<Input> out{
        {"prompt tokens", base.prompt.mean(), base.prompt.mean() * 4, lengths(&Scenario::prompt)},
        {"output tokens", base.output.mean(), base.output.mean() * 4, lengths(&Scenario::output)}};
    const auto number = [&](Message name, const std::optional<double>& value,
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
    const auto target = [&](Message name, const auto& value, auto set) {
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

Scenario onAnswer(const SizingPlan& plan, Scenario scenario)
{
    scenario.gpus = {plan.answer.deployment.gpu->id};
    return scenario;
}

} // namespace headroom
