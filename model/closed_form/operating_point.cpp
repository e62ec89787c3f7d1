#include "model/closed_form/operating_point.h"

#include "model/base/estimate.h"
#include "model/closed_form/engine_spread.h"
#include "model/closed_form/gathered_users.h"
#include "model/closed_form/hand_over.h"
#include "model/closed_form/step_budget.h"
#include "model/closed_form/token_time.h"
#include "model/deploy/range_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom {

namespace {

// A target that is met to within rounding is met.
constexpr double rounding = 1 + 1e-9;

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

std::array<std::optional<Demand>, 4> demandsOf(const UserTimes& point, const Targets& targets)
{
    std::array<std::optional<Demand>, 4> out;
    if (targets.tokensPerSecond)
        out[0] = Demand{TargetKind::Speed, point.pace(), Seconds(1 / *targets.tokensPerSecond)};
    if (targets.ttft)
        out[1] = Demand{TargetKind::Ttft, point.ttft, *targets.ttft};
    if (targets.tpot)
        out[2] = Demand{TargetKind::Tpot, point.pace(), *targets.tpot};
    if (targets.latency)
        out[3] = Demand{TargetKind::Latency, point.latency, *targets.latency};
    return out;
}

struct Miss {
    TargetKind kind = TargetKind::None;
    double excess = 0; // the time over its limit, of the target that is worst off
};
Miss worstOf(const UserTimes& point, const Targets& targets, bool sure)
{
    Miss worst;
    for (const auto& demand : demandsOf(point, targets)) {
        if (!demand)
            continue;
        const double ratio = (sure ? demand->time.high : demand->time.value) / demand->limit;
        if (ratio > worst.excess)
            worst = {demand->kind, ratio};
    }
    return worst;
}

// The largest whole number from `low` (where `excess` is at most one) to below `high` (where it is above) for
// which it still is at most one. Times grow about as a power of the users: a straight line between logarithms
// finds the place in a few steps, and halving bounds how many.
template <typename Excess>
double largestWithin(double low, double excessLow, double high, double excessHigh, const Excess& excess)
{
    bool halve = false;
    while (high - low > 1) {
        double middle = std::floor((low + high) / 2);
        if (!halve && excessLow > 0 && excessHigh > excessLow) {
            const double share = std::log(rounding / excessLow) / std::log(excessHigh / excessLow);
            middle = std::floor(low * std::pow(high / low, std::clamp(share, 0.0, 1.0)));
            middle = std::clamp(middle, low + 1, high - 1);
        }
        const double before = high - low;
        const double found = excess(middle);
        if (found <= rounding) {
            low = middle;
            excessLow = found;
            // The line meets the place from one side: the next whole number settles it most often.
            if (high - low > 1) {
                const double next = excess(low + 1);
                if (next > rounding) {
                    high = low + 1;
                } else {
                    low = low + 1;
                    excessLow = next;
                }
            }
        } else {
            high = middle;
            excessHigh = found;
        }
        halve = high - low > before / 2;
    }
    return low;
}

// Of requests that come on their own: how much of the time one may be there, so that it seldom meets
// another's prompt. 0 where it is too slow all alone.
template <typename Excess>
double partOfOne(const Excess& excess)
{
    constexpr double least = 1e-3;
    constexpr double exact = 0.02;
    if (excess(least) > rounding)
        return 0;
    double low = least;
    double high = 1;
    while (high > low * (1 + exact)) {
        const double middle = std::sqrt(low * high);
        (excess(middle) <= rounding ? low : high) = middle;
    }
    return low;
}

} // namespace

OperatingPoint operateAt(const Deployment& deployment, Load load, double users)
{
    return ReplicaCurve(deployment, load).at(users, deployment.layout.replicas);
}

DecodingReplica::DecodingReplica(const Deployment& deployment, const Load& load)
    : m_predictor(deployment, [&load] {
          Load decodes = load;
          decodes.promptElsewhere = true;
          return decodes;
      }())
{}

const LoadTimes& DecodingReplica::timesAt(double users) const
{
    const auto known = m_times.find(users);
    return known != m_times.end() ? known->second
                                  : m_times.emplace(users, m_predictor.timesAt(users)).first->second;
}

const Prediction& DecodingReplica::at(double users, int replicas) const
{
    const std::pair key(users, replicas);
    const auto known = m_predictions.find(key);
    return known != m_predictions.end()
        ? known->second
        : m_predictions.emplace(key, m_predictor.at(users, replicas)).first->second;
}

Capacity DecodingReplica::capacityBeside(const PromptsElsewhere& prompts, const Targets& targets,
                                         bool sure) const
{
    // Between two tokens nobody feels how long his prompt took.
    const bool asksFirst = targets.ttft || targets.latency;
    const auto known = std::find_if(m_capacities.begin(), m_capacities.end(), [&](const Known& one) {
        const bool alike = one.prompts.handOver == prompts.handOver && one.prompts.ttft == prompts.ttft;
        return one.targets == targets && one.sure == sure && (!asksFirst || alike);
    });
    if (known != m_capacities.end())
        return known->capacity;
    const std::shared_ptr<const DecodingReplica> itself(std::shared_ptr<void>(), this);
    const Capacity capacity = ReplicaCurve(itself, prompts).capacity(targets, sure);
    m_capacities.push_back({prompts, targets, sure, capacity});
    return capacity;
}

ReplicaCurve::ReplicaCurve(std::shared_ptr<const DecodingReplica> decodes, const PromptsElsewhere& prompts)
    : m_decodes(std::move(decodes)), m_predictor(&m_decodes->predictor()), m_prompts(prompts)
{}

UserTimes ReplicaCurve::felt(const LoadTimes& times, double users) const
{
    UserTimes out;
    out.users = users;
    double gaps = std::max(0.0, m_predictor->load().outputTokens - 1);
    if (m_prompts) {
        // It joins when the step under way has ended.
        const double others = shareOfOthers(users, m_predictor->load().openLoop);
        out.tpot = times.tpot;
        out.ttft = widened(sum(sum(shifted(m_prompts->ttft, m_prompts->handOver), out.tpot, others / 2),
                               waitForHandOver(out.tpot)),
                           amongPoolsFirst);
    } else {
        const bool openLoop = m_predictor->load().openLoop;
        const double others = shareOfOthers(users, openLoop);
        out.tpot = tokenTimeBeside(m_predictor->deployment(), m_predictor->load(), users, times.tpot,
                                   times.tpotUnderLoad, times.gathered);
        out.ttft = times.ttft;
        if (others > 0) {
            // A prompt waits for the step under way, and for prompts before it: M/D/1 at the share of time
            // prompts take.
            const double busy
                = std::clamp(1 - times.tpot.value / times.tpotUnderLoad.value, 0.0, 0.95) * others;
            const Estimate<Seconds> behind = m_predictor->prefill().latency * (busy / (2 * (1 - busy)));
            // Those that stand before one's own are not between tokens.
            const Estimate<Seconds> all
                = between(times.tpot, slower(times.tpot, times.tpotUnderLoad), others);
            const Estimate<Seconds> before = sum(all, out.tpot, -1) * gaps;
            out.ttft = sum(sum(times.ttft, out.tpot, 0.5), slower(slower(behind, before), times.inLine));
            // Of users who take turns Little's law says what is left of their time. It is as unsure.
            Load taken = m_predictor->load();
            taken.batch = users;
            if (const Deployment& d = m_predictor->deployment(); waitsForSteps(d, taken)) {
                const double shown = tokensBesideFirst(d, taken.outputTokens); // with the first, and so in it
                const Seconds least = hostOfRequest(d, taken) + m_predictor->prefill().latency.value
                    + times.tpot.value * shown;
                const Seconds left = m_predictor->period(times, users).value - out.tpot.value * gaps
                    + times.tpot.value * shown;
                out.ttft = out.ttft * (std::max(left, least) / out.ttft.value);
            }
        }
        // The piece of the answer that shows the first token is made at the pace of the others.
        const double beside = tokensBesideFirst(m_predictor->deployment(), m_predictor->load().outputTokens);
        const Seconds longer = (out.tpot.value - times.tpot.value) * beside;
        const double stretch = 1 + longer / out.ttft.value;
        out.ttft = out.ttft * stretch;
        gaps -= beside;
    }
    out.latency = timeOfService(sum(out.ttft, out.tpot, gaps), m_predictor->deployment());
    out.ttft = timeOfService(out.ttft, m_predictor->deployment());
    if (gaps > 0)
        out.linePerToken = times.inLine / gaps;
    out.tpot = timeOfToken(out.tpot, m_predictor->deployment());
    const auto rate = [](Seconds t) { return TokensPerSecond(t.base() > 0 ? 1 / t.base() : 0); };
    out.tokensPerSecondPerUser
        = {rate(out.tpot.value), rate(out.tpot.high), rate(out.tpot.low), out.tpot.source};
    return out;
}

OperatingPoint ReplicaCurve::at(double users, int replicas) const
{
    OperatingPoint out;
    const double batch = std::max(1.0, users);
    out.prediction = m_decodes ? m_decodes->at(batch, replicas) : m_predictor->at(batch, replicas);
    const Prediction& p = out.prediction;
    static_cast<UserTimes&>(out)
        = felt({p.ttft, p.tpot, p.tpotUnderLoad, p.inLine, p.admission, p.gathered}, users);
    if (m_prompts) {
        out.prediction.prefill = m_prompts->step;
        out.prediction.ttft = widened(
            sum(shifted(m_prompts->ttft, m_prompts->handOver), waitForHandOver(p.tpot)), amongPoolsFirst);
    }
    tellRanges(out.prediction, m_predictor->deployment());
    return out;
}

UserTimes ReplicaCurve::timesAt(double users) const
{
    const auto known = std::find_if(m_times.begin(), m_times.end(),
                                    [users](const UserTimes& times) { return times.users == users; });
    if (known != m_times.end())
        return *known;
    const double batch = std::max(1.0, users);
    m_times.push_back(felt(m_decodes ? m_decodes->timesAt(batch) : m_predictor->timesAt(batch), users));
    return m_times.back();
}

double ReplicaCurve::rateAt(double users) const { return timesAt(users).requestsPerSecond(); }

TargetKind missedTarget(const UserTimes& point, const Targets& targets, bool sure)
{
    const Miss worst = worstOf(point, targets, sure);
    return worst.excess > rounding ? worst.kind : TargetKind::None;
}

double worstExcess(const UserTimes& point, const Targets& targets, bool sure)
{
    return worstOf(point, targets, sure).excess;
}

double probabilityAtMost(const Estimate<Seconds>& estimate, Seconds limit)
{
    const double distance = std::log(limit / estimate.value);
    const double spread
        = distance < 0 ? std::log(estimate.value / estimate.low) : std::log(estimate.high / estimate.value);
    if (!(spread > 0))
        return distance * (1 + 1e-12) >= -1e-9 ? 1 : 0;
    const double deviations = distance / (spread / deviationsToNinetieth);
    return 0.5 * std::erfc(-deviations / std::sqrt(2.0));
}

double confidenceOf(const UserTimes& point, const Targets& targets)
{
    double decode = 1;
    double prefill = 1;
    for (const auto& demand : demandsOf(point, targets)) {
        if (!demand)
            continue;
        // A latency that is mostly the wait for its first token errs as that does.
        const bool ofPrompts = demand->kind == TargetKind::Ttft
            || (demand->kind == TargetKind::Latency && 2 * point.ttft.value > point.latency.value);
        double& part = ofPrompts ? prefill : decode;
        part = std::min(part, probabilityAtMost(demand->time, demand->limit));
    }
    if (point.keepsUp)
        decode = std::min(decode, probabilityAtMost(point.keepsUp->time, point.keepsUp->limit));
    if (point.promptsKeepUp)
        prefill = std::min(prefill, probabilityAtMost(point.promptsKeepUp->time, point.promptsKeepUp->limit));
    return decode * prefill;
}

Capacity capacityOf(const Deployment& deployment, const Load& load, const Targets& targets, bool sure,
                    double enough)
{
    return ReplicaCurve(deployment, load).capacity(targets, sure, enough);
}

double engineSlots(const Deployment& deployment)
{
    const auto sequences = static_cast<double>(deployment.engine->maxSequences);
    return sequences > 0 ? std::floor(sequences * deployment.layout.dp / std::max(1, deployment.beams))
                         : std::numeric_limits<double>::infinity();
}

Capacity ReplicaCurve::room() const
{
    const Deployment& deployment = m_predictor->deployment();
    const MemoryPlan memory = memoryAt(1);
    const double held = memory.fits ? std::floor(memory.maxBatch / std::max(1, deployment.beams)) : 0;
    const double slots = engineSlots(deployment);
    return {std::min(held, slots), slots < held ? Capacity::Limit::EngineSequences : Capacity::Limit::Memory};
}

KeepsUp ReplicaCurve::keepsUpWith(double requestsPerSecond, double users, const Targets& targets) const
{
    constexpr double enough = 4;   // no machine is so many times slower than is most likely
    constexpr double exact = 1.01; // of the users
    Targets ofDecodes = targets;
    ofDecodes.ttft.reset(); // prompts err by themselves
    const double most = std::max(1e-3, room().users);
    double low = std::min(users, most); // so many keep the targets
    std::optional<KeepsUp> best;
    double slowest = 0; // times slower than is most likely, at which it still keeps up
    // Whether so many keep the targets on a machine as slow as brings so many.
    const auto keep = [&](double there) {
        const UserTimes times = timesAt(there);
        const double slower = times.requestsPerSecond() / requestsPerSecond;
        const bool kept = worstOf(times, ofDecodes, false).excess * slower <= rounding;
        if (!best || (kept && slower > slowest)) {
            slowest = slower;
            best = KeepsUp{times.latency, Seconds(there / requestsPerSecond)};
        }
        return kept;
    };
    double high = low;
    for (bool kept = keep(low); kept && low < most && slowest < enough;) {
        high = std::min(most, 2 * low);
        kept = keep(high);
        if (kept)
            low = high;
    }
    while (high > low * exact) {
        const double middle = std::sqrt(low * high);
        (keep(middle) ? low : high) = middle;
    }
    return *best;
}

Capacity ReplicaCurve::capacity(const Targets& targets, bool sure, double enough) const
{
    const auto [all, limit] = room();
    const double most = std::min(all, std::max(1.0, enough));
    if (most < 1)
        return {0, Capacity::Limit::Memory};
    if (!targets.any())
        return {most, limit};
    const auto excess = [&](double users) { return worstOf(timesAt(users), targets, sure).excess; };
    const double one = excess(1);
    if (one > rounding)
        return {m_predictor->load().openLoop ? partOfOne(excess) : 0, Capacity::Limit::Targets};
    const double full = most > 1 ? excess(most) : one;
    if (full <= rounding)
        return {most, limit};
    return {largestWithin(1, one, most, full, excess), Capacity::Limit::Targets};
}

} // namespace headroom
