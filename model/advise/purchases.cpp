#include "model/advise/purchases.h"

#include "model/scenario/service_load.h"
#include "model/search/search.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace headroom {

namespace {

// Figures are shown with three digits: what differs less is the same to a reader.
constexpr double sameTo = 0.005;

bool noLess(double a, double b) { return a >= b * (1 - sameTo); }

const Gpu* promptGpu(const Candidate& c) { return c.prompts ? c.prompts->deployment.gpu : nullptr; }

bool costsNoMore(const Candidate& a, const Candidate& b)
{
    const Service& left = a.point.prediction.service;
    const Service& right = b.point.prediction.service;
    if (left.priceKnown && right.priceKnown)
        return noLess(right.price.base(), left.price.base());
    return a.deployment.gpu == b.deployment.gpu && promptGpu(a) == promptGpu(b) && a.gpus() <= b.gpus();
}

// The most users of what stands far behind was not looked for: all that meets carries the users that were
// asked.
bool carriesNoFewer(const Candidate& a, const Candidate& b)
{
    return !a.maximumKnown || !b.maximumKnown || noLess(a.maxConcurrency, b.maxConcurrency);
}

bool beats(const Candidate& a, const Candidate& b)
{
    if (!a.meets || !costsNoMore(a, b))
        return false;
    if (!b.point.prediction.memory.fits) // nothing of it is a service
        return true;
    return noLess(a.point.tokensPerSecondPerUser.value.base(), b.point.tokensPerSecondPerUser.value.base())
        && noLess(b.point.ttft.value.base(), a.point.ttft.value.base()) && carriesNoFewer(a, b)
        && noLess(a.confidence, b.confidence);
}

// Ten times the money for the load that was asked is a curiosity: thousands of small cards that share one
// model.
bool farDearer(const Candidate& answer, const Candidate& c)
{
    constexpr double times = 10;
    const Service& least = answer.point.prediction.service;
    const Service& its = c.point.prediction.service;
    return answer.meets && loadOf(answer.machine->scenario).stated() && least.priceKnown && its.priceKnown
        && its.price > least.price * times;
}

} // namespace

std::vector<const Candidate*> purchases(const std::vector<Candidate>& ranked)
{
    std::vector<const Candidate*> best;
    std::set<std::tuple<const Gpu*, int, const Gpu*, int>> seen;
    for (const Candidate& candidate : ranked) {
        const int prompts = candidate.prompts ? candidate.prompts->deployment.layout.gpus() : 0;
        if (seen.emplace(candidate.deployment.gpu, candidate.deployment.layout.gpus(), promptGpu(candidate),
                         prompts)
                .second)
            best.push_back(&candidate);
    }
    // Only what stands before one can beat it: what was looked for ranks them, the answer is never beaten. A
    // machine whose size was stated is told whatever beats it.
    const auto stated = [](const Candidate& c) {
        return c.machine->scenario.gpuCount && c.gpus() >= *c.machine->scenario.gpuCount;
    };
    std::vector<const Candidate*> out;
    for (const Candidate* each : best)
        if (stated(*each)
            || (!farDearer(*best.front(), *each)
                && std::none_of(best.begin(), best.end(), [&](const Candidate* other) {
                       return other < each && beats(*other, *each);
                   })))
            out.push_back(each);
    return out;
}

} // namespace headroom
