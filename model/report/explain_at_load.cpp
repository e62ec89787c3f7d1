#include "model/report/explain_at_load.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

Explanation firstToken(const OperatingPoint& point)
{
    const Seconds alone = point.prediction.ttft.value;
    const Seconds half = 0.5 * point.tpot.value;
    return {.figure = "ttft",
            .title = "Time to the first token at this load",
            .formula = "one prompt alone + half of a step under way + the wait behind other prompts",
            .worked = say("{} + {} + {}", inUnits(alone), inUnits(half),
                          inUnits(std::max(Seconds(), point.ttft.value - alone - half))),
            .result = point.ttft.value.base(),
            .measure = Measure::Time,
            .numbers = {},
            .notes = {}};
}

Explanation betweenTokens(const OperatingPoint& point)
{
    const Seconds alone = point.prediction.tpot.value;
    return {.figure = "tpot",
            .title = "Time between tokens at this load",
            .formula = "a step without prompts + the prompts of others that stand between one's tokens",
            .worked = say("{} + {}", inUnits(alone), inUnits(std::max(Seconds(), point.tpot.value - alone))),
            .result = point.tpot.value.base(),
            .measure = Measure::Time,
            .numbers = {},
            .notes = {}};
}

Explanation userSpeed(const OperatingPoint& point)
{
    return {.figure = "tps",
            .title = "Speed for each user at this load",
            .formula = "1 / TPOT",
            .worked = say("1 / {}", inUnits(point.tpot.value)),
            .result = point.tokensPerSecondPerUser.value.base(),
            .measure = Measure::TokenRate,
            .numbers = {},
            .notes = {}};
}

Explanation wholeAnswer(const OperatingPoint& point)
{
    const double after = std::round((point.latency.value - point.ttft.value) / point.tpot.value);
    return {.figure = "latency",
            .title = "Time of a whole request at this load",
            .formula = "a straight line, y = k·x + b: TPOT × tokens after the first + TTFT",
            .worked = say("{} × {:.0f} + {}", inUnits(point.tpot.value), after, inUnits(point.ttft.value)),
            .result = point.latency.value.base(),
            .measure = Measure::Time,
            .numbers = {},
            .notes = {}};
}

// What a replay of the traffic gave, beside the formula that said where to look.
Explanation replayed(Explanation closedForm, Seconds formula)
{
    closedForm.notes.push_back(
        say("in closed form: {} = {} = {}", closedForm.formula, closedForm.worked, forPeople(formula)));
    closedForm.formula = "mean of all requests in a replay of the traffic";
    closedForm.worked = asIs(forPeople(Seconds(closedForm.result)));
    return closedForm;
}

} // namespace

std::vector<Explanation> explainAtLoad(const Candidate& candidate)
{
    const OperatingPoint& point = candidate.point;
    if (candidate.prompts || point.users <= 1 || !(point.tpot.value > Seconds()))
        return {};
    if (!candidate.simulated || !candidate.simulated->stable)
        return {firstToken(point), betweenTokens(point), userSpeed(point), wholeAnswer(point)};
    const SimulatedService::Means& said = candidate.simulated->closedForm;
    OperatingPoint closedForm = point;
    closedForm.ttft.value = said.ttft;
    closedForm.tpot.value = said.tpot;
    closedForm.latency.value = said.latency;
    const auto told = [&](Explanation one, Seconds mean, Seconds formula) {
        one.result = mean.base();
        return replayed(std::move(one), formula);
    };
    return {told(firstToken(closedForm), point.ttft.value, said.ttft),
            told(betweenTokens(closedForm), point.tpot.value, said.tpot), userSpeed(point),
            told(wholeAnswer(closedForm), point.latency.value, said.latency)};
}

} // namespace headroom
