#include "model/advise/explain_plan.h"
#include "model/advise/inputs.h"
#include "model/base/figure_text.h"
#include "model/scenario/service_load.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace headroom {

namespace {

int gpusOf(const std::optional<Candidate>& best) { return best && best->meets ? best->gpus() : 0; }

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

Message valueText(double value, bool whole)
{
    return asIs(whole ? groupedDigits(std::max(1.0, std::round(value))) : fewDigits(value, 4));
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
    out.push_back({.input = "accuracy of the prediction",
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

} // namespace headroom
