#include "model/plan/operating_point.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom {

namespace {

// Standard normal quantile of 0.9: how many deviations the 10th to 90th percentile spans on each side.
constexpr double ninetiethDeviation = 1.2815515655446004;

// A target that is met to within rounding is met.
constexpr double rounding = 1 + 1e-9;

Estimate<Seconds> plus(const Estimate<Seconds>& a, const Estimate<Seconds>& b, double timesB)
{
    return {a.value + timesB * b.value, a.low + timesB * b.low, a.high + timesB * b.high,
            worse(a.source, b.source)};
}

// Part of the way from a to b.
Estimate<Seconds> between(const Estimate<Seconds>& a, const Estimate<Seconds>& b, double share)
{
    const auto mix = [&](Seconds x, Seconds y) { return (1 - share) * x + share * y; };
    return {mix(a.value, b.value), mix(a.low, b.low), mix(a.high, b.high), worse(a.source, b.source)};
}

// Prompts between tokens never make tokens faster.
Estimate<Seconds> slower(const Estimate<Seconds>& a, const Estimate<Seconds>& b)
{
    return b.value > a.value ? b : a;
}

struct Demand {
    TargetKind kind;
    Estimate<Seconds> time;
    Seconds limit;
};

std::array<std::optional<Demand>, 4> demandsOf(const OperatingPoint& point, const Targets& targets)
{
    std::array<std::optional<Demand>, 4> out;
    if (targets.tokensPerSecond)
        out[0] = Demand{TargetKind::Speed, point.tpot, Seconds(1 / *targets.tokensPerSecond)};
    if (targets.ttft)
        out[1] = Demand{TargetKind::Ttft, point.ttft, *targets.ttft};
    if (targets.tpot)
        out[2] = Demand{TargetKind::Tpot, point.tpot, *targets.tpot};
    if (targets.latency)
        out[3] = Demand{TargetKind::Latency, point.latency, *targets.latency};
    return out;
}

} // namespace

OperatingPoint operateAt(const Deployment& deployment, Load load, double users)
{
    load.batch = std::max(1.0, users);
    OperatingPoint out{.users = users, .prediction = predict(deployment, load)};
    const Prediction& p = out.prediction;
    // Prompts of the other users come between one's tokens; one's own do not.
    const double others = (load.batch - 1) / load.batch;
    out.tpot = between(p.tpot, slower(p.tpot, p.tpotUnderLoad), others);
    out.ttft = p.ttft;
    if (others > 0) {
        // A prompt waits for the step under way, and for prompts before it: M/D/1 at the share of time
        // prompts take.
        const double busy = std::clamp(1 - p.tpot.value / p.tpotUnderLoad.value, 0.0, 0.95) * others;
        out.ttft = plus(plus(p.ttft, out.tpot, 0.5), p.prefill.latency, busy / (2 * (1 - busy)));
    }
    out.latency = plus(out.ttft, out.tpot, std::max(0.0, load.outputTokens - 1));
    const auto rate = [](Seconds t) { return TokensPerSecond(t.base() > 0 ? 1 / t.base() : 0); };
    out.tokensPerSecondPerUser
        = {rate(out.tpot.value), rate(out.tpot.high), rate(out.tpot.low), out.tpot.source};
    return out;
}

TargetKind missedTarget(const OperatingPoint& point, const Targets& targets, bool sure)
{
    TargetKind worst = TargetKind::None;
    double excess = rounding;
    for (const auto& demand : demandsOf(point, targets)) {
        if (!demand)
            continue;
        const double ratio = (sure ? demand->time.high : demand->time.value) / demand->limit;
        if (ratio > excess) {
            excess = ratio;
            worst = demand->kind;
        }
    }
    return worst;
}

double probabilityAtMost(const Estimate<Seconds>& estimate, Seconds limit)
{
    const double distance = std::log(limit / estimate.value);
    const double spread
        = distance < 0 ? std::log(estimate.value / estimate.low) : std::log(estimate.high / estimate.value);
    if (!(spread > 0))
        return distance * (1 + 1e-12) >= -1e-9 ? 1 : 0;
    const double deviations = distance / (spread / ninetiethDeviation);
    return 0.5 * std::erfc(-deviations / std::sqrt(2.0));
}

double confidenceOf(const OperatingPoint& point, const Targets& targets)
{
    double decode = 1;
    double prefill = 1;
    for (const auto& demand : demandsOf(point, targets)) {
        if (!demand)
            continue;
        double& part = demand->kind == TargetKind::Ttft ? prefill : decode;
        part = std::min(part, probabilityAtMost(demand->time, demand->limit));
    }
    return decode * prefill;
}

Capacity capacityOf(const Deployment& deployment, const Load& load, const Targets& targets, bool sure,
                    double enough)
{
    Load one = load;
    one.batch = 1;
    const MemoryPlan memory = planMemory(deployment, memoryDemand(deployment, one));
    const double beams = std::max(1, deployment.beams);
    const double held = memory.fits ? std::floor(memory.maxBatch / beams) : 0;
    const double slots = deployment.engine->maxSequences > 0
        ? std::floor(static_cast<double>(deployment.engine->maxSequences) * deployment.layout.dp / beams)
        : held;
    const double most = std::min({held, slots, std::max(1.0, enough)});
    const auto limit = slots < held ? Capacity::Limit::EngineSequences : Capacity::Limit::Memory;
    if (most < 1)
        return {0, Capacity::Limit::Memory};
    if (!targets.any())
        return {most, limit};
    const auto meets = [&](double users) {
        return missedTarget(operateAt(deployment, load, users), targets, sure) == TargetKind::None;
    };
    if (!meets(1))
        return {0, Capacity::Limit::Targets};
    if (meets(most))
        return {most, limit};
    double low = 1;
    double high = most;
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (meets(middle) ? low : high) = middle;
    }
    return {low, Capacity::Limit::Targets};
}

} // namespace headroom
