#include "model/base/three_digits.h"
#include "model/count/weights.h"
#include "model/deploy/boxes.h"
#include "model/deploy/paid.h"
#include "model/resolve/part_of_box.h"
#include "model/resolve/resolve.h"
#include "model/serve/verdict.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

// Wider than any pipeline that engines are run with.
constexpr int mostStages = 16;

bool fits(const Deployment& deployment, const Load& load)
{
    return planMemory(deployment, memoryDemand(deployment, load)).fits;
}

// The smallest power of two of tensor-parallel GPUs in one node that holds everything, then as few stages of
// whole nodes; when nothing does, the widest possible, so that the answer can say by how much it does not
// fit.
Layout smallestThatFits(const Resolved& r)
{
    const Scenario& s = r.scenario;
    Deployment d = r.deployment;
    const int mostGpus = s.gpuCount.value_or(d.node->gpusPerNode * mostStages);
    const int widest = s.tp.value_or(d.engine->tensorParallel ? std::min(mostGpus, d.node->gpusPerNode) : 1);
    const int deepest = s.pp.value_or(d.engine->pipelineParallel ? mostStages : 1);
    Layout best = d.layout;
    for (int pp = s.pp.value_or(1); pp <= deepest; pp *= 2) {
        for (int tp = s.tp.value_or(1); tp <= widest; tp *= 2) {
            d.layout.tp = tp;
            d.layout.pp = pp;
            if (d.layout.gpusPerReplica() > mostGpus || !layoutProblems(d).empty())
                continue;
            if (fits(d, r.load))
                return d.layout;
            best = d.layout;
        }
    }
    return best;
}

Message replicasText(double replicas) { return counted(replicas, "{} replica", "{} replicas"); }
Message sequencesText(double sequences) { return counted(sequences, "{} sequence", "{} sequences"); }

void settleReplicas(Resolved& r)
{
    Scenario& s = r.scenario;
    Layout& layout = r.deployment.layout;
    if (s.replicas || !s.gpuCount)
        return;
    layout.replicas = replicasThere(*s.gpuCount, layout, s);
    if (*s.gpuCount > 1)
        r.assumptions.push_back(layout.gpus() < *s.gpuCount
                                    ? say("{} GPUs hold {} of {}, the rest stand idle", *s.gpuCount,
                                          replicasText(layout.replicas), layout.gpusPerReplica())
                                    : say("{} GPUs hold {} of {}", *s.gpuCount, replicasText(layout.replicas),
                                          layout.gpusPerReplica()));
}

// Users of one replica, by Little's law when only the rate of requests is known: as many as arrive while one
// is served.
void settleBatch(Resolved& r)
{
    const Scenario& s = r.scenario;
    if (s.batch)
        return;
    const double replicas = r.deployment.layout.replicas;
    if (s.concurrency) {
        r.load.batch = std::max(1.0, std::ceil(*s.concurrency / replicas));
        r.assumptions.push_back(say("{} on {}: {} at once in each",
                                    counted(*s.concurrency, "{} user", "{} users"), replicasText(replicas),
                                    sequencesText(r.load.batch)));
        return;
    }
    if (!s.requestsPerSecond) {
        r.assumptions.emplace_back(RemarkKind::OneSequence, "one sequence at a time (batch 1)");
        return;
    }
    const double rate = *s.requestsPerSecond / replicas;
    const auto inService = [&](double batch) {
        Load load = r.load;
        load.batch = batch;
        const Prediction p = predict(r.deployment, load);
        return rate
            * (p.ttft.value.base() + p.inLine.value.base()
               + p.tpotUnderLoad.value.base() * std::max(0.0, load.outputTokens - 1));
    };
    const double most = std::max(1.0, planMemory(r.deployment, memoryDemand(r.deployment, r.load)).maxBatch);
    double low = 1;
    double high = most;
    if (inService(most) > most) {
        r.load.batch = std::floor(most);
        if (inService(most) > most * (1 + serve::formTolerance))
            r.warnings.push_back(say("overloaded: {} requests a second are more than {} can finish; "
                                     "figures are for a full batch, queues grow without end",
                                     asIs(threeDigits(*s.requestsPerSecond)), replicasText(replicas)));
        return;
    }
    while (high - low > 0.01 * low) {
        const double middle = (low + high) / 2;
        (inService(middle) > middle ? low : high) = middle;
    }
    r.load.batch = std::max(1.0, std::round(high));
    r.offered = RequestsPerSecond(*s.requestsPerSecond);
    r.assumptions.push_back(say("{} requests a second keep {} at once in each replica (Little's law)",
                                asIs(threeDigits(*s.requestsPerSecond)), sequencesText(r.load.batch)));
}

void warnOfLimits(Resolved& r)
{
    const Deployment& d = r.deployment;
    const auto most = d.engine->limitsFor(d.gpu->memoryUsable, d.gpu->family).maxSequences;
    if (most > 0 && r.load.batch > double(most))
        r.warnings.push_back(
            say("{} runs at most {} sequences at once, {:.0f} are asked for: the others wait", d.engine->name,
                most, r.load.batch));
    if (d.layout.tp > d.node->gpusPerNode)
        r.warnings.push_back(
            say("tensor parallelism over {} GPUs leaves the {} of one {} and goes over the network",
                d.layout.tp, d.node->gpusPerNode, d.node->name));
}

// The values of one size of the layout, the others kept, that can hold the model: what to ask instead.
Message sizesThatWork(const Deployment& d, int Layout::*size, const char* key)
{
    constexpr int most = 64;
    std::vector<Message> able;
    Layout layout = d.layout;
    for (layout.*size = 1; layout.*size <= most; ++(layout.*size))
        if (layoutObstacle(*d.llm, layout).empty())
            able.push_back(Message::number(std::int64_t(layout.*size)));
    return able.empty() ? Message() : say("{} = {} can", asIs(key), joined(std::move(able), ", "));
}

// The fewest further copies of experts that make them divide by the ranks.
Message redundantExpertsThatWork(const Deployment& d)
{
    if (d.layout.ep <= 1)
        return {};
    Layout layout = d.layout;
    for (int more = 1; more < d.layout.ep; ++more) {
        layout.redundantExperts = d.layout.redundantExperts + more;
        if (layoutObstacle(*d.llm, layout).empty())
            return say("redundant-experts = {} can", layout.redundantExperts);
    }
    return {};
}

} // namespace

Problems layoutProblems(const Deployment& d)
{
    Problems problems;
    const Layout& layout = d.layout;
    if (Message why = layoutObstacle(*d.llm, layout); !why.empty()) {
        Message hint = redundantExpertsThatWork(d);
        if (hint.empty())
            hint = sizesThatWork(d, &Layout::tp, "tp");
        problems.push_back(
            {"layout", std::move(why), hint.empty() ? sizesThatWork(d, &Layout::ep, "ep") : std::move(hint)});
    }
    const auto refuseUnless = [&](bool able, int size, const char* key, const Message& what) {
        if (!able && size > 1)
            problems.push_back({key, say("{} has no {}", d.engine->name, what), {}});
    };
    if (d.node != nullptr && spansBoxes(d) && d.node->inter.perGpuPerDirection.base() <= 0)
        problems.push_back(
            {"layout",
             say("{} GPUs of a replica stand in more than one {}, between which there is no network",
                 layout.gpusPerReplica(), d.node->name),
             "name a machine with a network by --node"});
    refuseUnless(d.engine->tensorParallel, layout.tp, "tp", "tensor parallelism");
    refuseUnless(d.engine->pipelineParallel, layout.pp, "pp", "pipeline parallelism");
    refuseUnless(d.engine->expertParallel, layout.ep, "ep", "expert parallelism");
    refuseUnless(d.engine->dataParallelAttention, layout.dp, "dp", "data-parallel attention");
    if (!d.engine->balancesExperts && d.balance() == ExpertBalance::Balanced)
        problems.push_back({layout.redundantExperts > 0 ? "redundant-experts" : "expert-balance",
                            say("{} does not move experts to where the load is", d.engine->name),
                            {}});
    if (d.dynamicChunks && !d.engine->dynamicChunks)
        problems.push_back({"dynamic-chunks", say("{} cuts prompts into equal parts", d.engine->name), {}});
    if (d.overlapsBatches && !d.engine->overlapsExperts)
        problems.push_back(
            {"overlap-batches", say("{} does not overlap two micro-batches", d.engine->name), {}});
    else if (d.overlapsBatches && (layout.ep <= 1 || layout.dp <= 1))
        problems.push_back({"overlap-batches", "no tokens are exchanged that two micro-batches could hide",
                            "experts are exchanged with dp and ep above 1"});
    return problems;
}

Result<Resolved> chooseLayout(Resolved r)
{
    Scenario& s = r.scenario;
    Deployment& d = r.deployment;
    // What one replica holds is needed to choose its size, and how many there are to know what one holds: a
    // count of replicas that is not given is one until the size is known.
    if (!s.batch && s.concurrency)
        r.load.batch = std::max(1.0, std::ceil(*s.concurrency / d.layout.replicas));
    const bool open = !s.tp;
    if (open)
        d.layout = smallestThatFits(r);
    if (Problems problems = layoutProblems(d); !problems.empty())
        return refuse(std::move(problems));
    if (s.gpuCount && d.layout.gpus() > *s.gpuCount)
        return refuse("layout", say("needs {} GPUs, {} are given", d.layout.gpus(), *s.gpuCount), {});
    if (const auto there = boxesThere(s); there && nodesOf(d) > *there)
        return refuse("layout",
                      say("needs {} boxes of {}, {} are given", nodesOf(d), d.node->gpusPerNode, *there), {});
    if (open)
        r.assumptions.push_back(
            say("tensor parallel over {}{}: the smallest power of two that {}",
                counted(d.layout.tp, "{} GPU", "{} GPUs"),
                d.layout.pp > 1 && !s.pp ? say(", {} pipeline stages", d.layout.pp) : Message(),
                fits(d, r.load) ? Message("holds it") : "was tried; nothing holds it"));
    settleReplicas(r);
    settleBatch(r);
    warnOfLimits(r);
    s.tp = d.layout.tp;
    s.pp = d.layout.pp;
    s.ep = d.layout.ep;
    s.dp = d.layout.dp;
    s.replicas = d.layout.replicas;
    s.batch = r.load.batch;
    return r;
}

} // namespace headroom
