#include "model/advise/purchases.h"

#include "model/scenario/service_load.h"
#include "model/search/search.h"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <set>

namespace headroom {

namespace {

// Figures are shown with three digits: what differs less is the same to a reader.
constexpr double sameTo = 0.005;

bool noLess(double a, double b) { return a >= b * (1 - sameTo); }

const Gpu* promptGpu(const Candidate& c) { return c.prompts ? c.prompts->deployment.gpu : nullptr; }

bool usesAllThere(const Candidate& c)
{
    const std::optional<int>& there = c.machine->scenario.gpuCount;
    return there && c.gpus() >= *there;
}

bool sameMachine(const Candidate& a, const Candidate& b)
{
    return a.deployment.gpu == b.deployment.gpu && promptGpu(a) == promptGpu(b)
        && a.machine->scenario.gpuCount == b.machine->scenario.gpuCount;
}

bool costsNoMore(const Candidate& a, const Candidate& b)
{
    if (a.machine->scenario.gpuCount && sameMachine(a, b))
        return true;
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

struct Purchase {
    const Gpu* gpu;
    int gpus;
    const Gpu* promptGpu;
    int promptGpus;
    std::array<int, 3> split; // of a machine that is there: how its GPUs share the work

    auto operator<=>(const Purchase&) const = default;
};

Purchase purchaseOf(const Candidate& c, bool ofLayouts)
{
    const Layout& layout = c.deployment.layout;
    return {
        c.deployment.gpu, layout.gpus(), promptGpu(c), c.prompts ? c.prompts->deployment.layout.gpus() : 0,
        ofLayouts && usesAllThere(c) ? std::array{layout.tp, layout.pp, layout.dp} : std::array<int, 3>{}};
}

bool sameReplica(const Deployment& a, const Deployment& b)
{
    Layout other = b.layout;
    other.replicas = a.layout.replicas;
    return a.gpu == b.gpu && a.layout == other && a.weights == b.weights && a.kv == b.kv;
}

} // namespace

std::vector<const Candidate*> withoutReplicas(const std::vector<const Candidate*>& ranked)
{
    std::vector<const Candidate*> out;
    for (const Candidate* c : ranked)
        if (std::none_of(out.begin(), out.end(), [&](const Candidate* before) {
                return sameReplica(before->deployment, c->deployment)
                    && before->prompts.has_value() == c->prompts.has_value()
                    && (!c->prompts || sameReplica(before->prompts->deployment, c->prompts->deployment));
            }))
            out.push_back(c);
    return out;
}

bool samePurchase(const Candidate& a, const Candidate& b)
{
    const bool one = a.machine->scenario.gpuCount && sameMachine(a, b);
    return purchaseOf(a, one) == purchaseOf(b, one);
}

std::vector<const Candidate*> purchases(const std::vector<Candidate>& ranked)
{
    const bool one = std::all_of(ranked.begin(), ranked.end(), [&](const Candidate& c) {
        return c.machine->scenario.gpuCount && sameMachine(c, ranked.front());
    });
    std::vector<const Candidate*> best;
    std::set<Purchase> seen;
    for (const Candidate& candidate : ranked)
        if (seen.insert(purchaseOf(candidate, one)).second)
            best.push_back(&candidate);
    // Only what stands before one can beat it: what was looked for ranks them, the answer is never beaten. A
    // machine whose size was stated is told whatever beats it.
    std::vector<const Candidate*> out;
    for (const Candidate* each : best)
        if (usesAllThere(*each)
            || (!farDearer(*best.front(), *each)
                && std::none_of(best.begin(), best.end(), [&](const Candidate* other) {
                       return other < each && beats(*other, *each);
                   })))
            out.push_back(each);
    return out;
}

} // namespace headroom
