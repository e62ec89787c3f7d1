#include "model/search/pools.h"

#include "model/closed_form/prefill_mixing.h"
#include "model/cost/power.h"
#include "model/deploy/paid.h"
#include "model/deploy/range_parts.h"
#include "model/resolve/prompt_pool.h"
#include "model/scenario/service_load.h"
#include "model/search/judge.h"
#include "model/search/ranking.h"
#include "model/serve/serving_setup.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

// Where no share of the capacity is asked to stay free: a queue that is not endless.
constexpr double mostBusy = 0.95;

Seconds transferTime(const PromptUnit& unit, const Deployment& decode, const Load& load)
{
    const serve::KvLink link = serve::kvLinkBetween(unit.deployment, decode, unit.kvBytesPerToken);
    return link.latency + link.perToken * load.promptTokens;
}

double lnSpreadOf(const Estimate<Seconds>& time)
{
    return time.value > Seconds() ? std::log(time.high / time.value) / deviationsToNinetieth : 0;
}

double paceOfPrompts(const PromptUnit& unit)
{
    return lnSpreadOfPace(lnSpreadOf(unit.full.cost.latency), lnSpreadOfPrompts(unit.deployment));
}

// The two pools of one kind each, at any number of replicas.
class Pools {
public:
    Pools(const std::shared_ptr<const Resolved>& machine,
          const std::shared_ptr<const DecodingReplica>& decodes, const PromptUnit& unit,
          const Scenario& scenario, bool sure)
        : m_machine(machine),
          m_unit(unit),
          m_scenario(scenario),
          m_sure(sure),
          m_decode(decodes->predictor().deployment()),
          m_transfer(transferTime(unit, m_decode, machine->load)),
          m_prompts{unit.lone.cost, unit.ttft, m_transfer + m_decode.engine->requestHostTime},
          m_curve(decodes, m_prompts),
          m_capacity(decodes->capacityBeside(m_prompts, scenario.targets, sure))
    {}

    [[nodiscard]] Candidate at(const PoolSizes& sizes) const
    {
        Candidate c;
        c.machine = m_machine;
        c.deployment = m_decode;
        c.deployment.layout.replicas = sizes.decodes;
        c.load = m_machine->load;
        c.load.promptElsewhere = true;
        c.deviations = m_machine->deviations;
        c.point = decoding(loadOf(m_scenario), sizes.decodes);
        c.load.batch = std::max(1.0, c.point.users);
        const Queue queue = queueWith(sizes);
        const FreePool free = freePool(c.point);
        addWait(c.point, queue);
        tellKeepsUp(c.point, sizes);
        if (!m_scenario.batch)
            tellServedLoad(c.point, m_scenario, sizes.decodes);
        Deployment prompts = m_unit.deployment;
        prompts.layout.replicas = sizes.prompts;
        c.prompts = PromptPool{m_unit.machine, prompts, m_transfer, queue.busy, free};
        addPromptPool(c);
        fillMaximum(c, sizes);
        c.missed = missedTarget(c.point, m_scenario.targets, m_sure);
        c.missedBy
            = std::max({worstExcess(c.point, m_scenario.targets, m_sure),
                        timesTooFast(c.point, m_scenario, working(sizes.decodes)), queue.busy / mostBusy});
        c.confidence = c.point.prediction.memory.fits ? confidenceOf(c.point, m_scenario.targets) : 0;
        c.reason = objection(c, m_scenario);
        if (c.reason.empty() && queue.busy > mostBusy)
            c.reason = say("the pool for prompts would be busy {:.0f} % of the time", queue.busy * 100);
        c.meets = c.reason.empty();
        return c;
    }

    // The fewest replicas of both that carry the load.
    [[nodiscard]] PoolSizes needed() const
    {
        PoolSizes sizes{1 + m_scenario.spares, 1 + m_scenario.spares};
        if (m_capacity.users < 1)
            return sizes;
        sizes.decodes
            = m_scenario.replicas.value_or(replicasFor(loadOf(m_scenario), m_scenario, m_curve, m_capacity));
        if (m_scenario.prefill.replicas) {
            sizes.prompts = *m_scenario.prefill.replicas;
            return sizes;
        }
        const double share = busyShare(m_scenario);
        const double busyOfOne = queueWith({1 + m_scenario.spares, sizes.decodes}).busy;
        const int first = std::max(1, static_cast<int>(std::ceil(busyOfOne / share - 1e-9)));
        // A queue that is too long gets shorter with every replica; a prompt that is too slow by itself does
        // not.
        const int last = m_scenario.targets.ttft || m_scenario.targets.latency ? first * 4 + 4 : first;
        const auto holdsWith = [&](int replicas) {
            sizes.prompts = replicas + m_scenario.spares;
            UserTimes times = decoding(loadOf(m_scenario), sizes.decodes);
            addWait(times, queueWith(sizes));
            return missedTarget(times, m_scenario.targets, m_sure) == TargetKind::None;
        };
        int high = last;
        if (holdsWith(first))
            high = first;
        else
            for (int low = first; high - low > 1;) {
                const int middle = low + (high - low) / 2;
                (holdsWith(middle) ? high : low) = middle;
            }
        sizes.prompts = high + m_scenario.spares;
        return sizes;
    }

    // With more of one pool fewer of the other may do: for each number that decode the fewest that compute
    // prompts.
    [[nodiscard]] std::optional<PoolSizes> sure(const PoolSizes& from, const PoolSizes& most,
                                                double sure) const
    {
        std::optional<Candidate> best;
        const auto tried = [&](int prompts, int decodes) { return at({prompts, decodes}); };
        const auto holds = [sure](const Candidate& c) { return c.meets && c.confidence >= sure; };
        for (int decodes = from.decodes; decodes <= most.decodes; decodes += std::max(1, decodes / 16)) {
            if (best && !cheaper(tried(from.prompts, decodes), *best, m_scenario.objective))
                break;
            Candidate enough = tried(most.prompts, decodes);
            if (!holds(enough))
                continue;
            for (int low = from.prompts - 1, high = most.prompts; high - low > 1;) {
                const int middle = low + (high - low) / 2;
                Candidate c = tried(middle, decodes);
                (holds(c) ? high : low) = middle;
                if (high == middle)
                    enough = std::move(c);
            }
            if (!best || cheaper(enough, *best, m_scenario.objective))
                best = std::move(enough);
        }
        return best ? std::optional(sizesOf(*best)) : std::nullopt;
    }

    // The best way to divide a fixed number of GPUs, and the surest of those that meet the targets.
    [[nodiscard]] Divided divided(int gpus) const
    {
        const int promptGpus = m_unit.deployment.layout.gpusPerReplica();
        const int decodeGpus = m_decode.layout.gpusPerReplica();
        const int most = (gpus - promptGpus) / decodeGpus;
        constexpr int tried = 48; // divisions; more would lie between neighbours that differ little
        int step = std::max(1, most / tried);
        std::optional<Candidate> best;
        std::optional<Candidate> surest;
        const auto tryFrom = [&](int first, int last, int by) {
            for (int decodes = std::max(1, first); decodes <= std::min(last, most); decodes += by) {
                Candidate c = at({(gpus - decodes * decodeGpus) / promptGpus, decodes});
                if (c.meets && (!surest || c.confidence > surest->confidence))
                    surest = c;
                if (!best || better(c, *best, m_scenario.objective))
                    best = std::move(c);
            }
        };
        tryFrom(1, most, step);
        while (best && step > 1) { // and those that were passed over beside it
            const int there = best->deployment.layout.replicas;
            const int passed = step - 1;
            step = std::max(1, step / 8);
            tryFrom(there - passed, there + passed, step);
        }
        return {best ? *std::move(best) : at({}), std::move(surest)};
    }

private:
    // Replicas that are left when all spares are out of service.
    [[nodiscard]] double working(int replicas) const { return std::max(1, replicas - m_scenario.spares); }

    // The queue in front of the prefill pool.
    struct Queue {
        double busy = 0; // share of the pool's time; above 1: more than it can
        Seconds wait;
    };
    [[nodiscard]] Queue queueWith(const PoolSizes& sizes) const
    {
        const ServiceLoad load = loadOf(m_scenario);
        const OperatingPoint& point = decoding(load, sizes.decodes);
        const double prompting = working(sizes.prompts);
        const double all = load.users > 0 ? load.users : point.users * working(sizes.decodes);
        const double rate
            = load.requestsPerSecond > 0 ? load.requestsPerSecond : all / point.latency.value.base();
        const double busy = rate * m_unit.every().base() / prompting;
        // One user alone never waits for himself; requests that come on their own wait for all others.
        const double others = load.requestsPerSecond > 0 ? 1 : std::max(0.0, all - 1) / std::max(1.0, all);
        return {busy, promptDelay(m_unit.lone, m_unit.full, rate / prompting, mostBusy) * others};
    }
    // Times where no prompt waits, and how sure the paces of both pools are.
    [[nodiscard]] FreePool freePool(const UserTimes& times) const
    {
        return {.ttft = times.ttft, .prompts = paceOfPrompts(m_unit), .decodes = lnSpreadOf(times.tpot)};
    }
    void addWait(UserTimes& times, const Queue& queue) const
    {
        const FreePool free = freePool(times);
        const Seconds decodes = times.latency.value - times.ttft.value;
        times.latency = sum(times.latency, times.ttft, -1); // both ends of it went together
        times.ttft = firstTokenAfter({.ttft = times.ttft.value + queue.wait,
                                      .wait = queue.wait,
                                      .decodes = decodes,
                                      .busy = queue.busy,
                                      .takesTurns = loadOf(m_scenario).requestsPerSecond <= 0},
                                     free);
        times.latency = sum(times.latency, times.ttft);
    }

    void tellKeepsUp(UserTimes& times, const PoolSizes& sizes) const
    {
        times.keepsUp = keepsUpOf(m_curve, m_scenario, times.users, working(sizes.decodes));
        if (!times.keepsUp)
            return;
        const Estimate<Seconds>& round = m_unit.full.cost.latency;
        const Estimate<Seconds> every = round * (m_unit.every() / round.value);
        times.promptsKeepUp = KeepsUp{
            every, Seconds(working(sizes.prompts) * mostBusy / loadOf(m_scenario).requestsPerSecond)};
    }

    // The pool that decodes, where no prompt waits. Asked for many sizes of the other pool in a row.
    [[nodiscard]] const OperatingPoint& decoding(const ServiceLoad& load, int replicas) const
    {
        if (!m_decoding || m_decoding->first != replicas) {
            const double users = usersOfOne(load, working(replicas));
            m_decoding.emplace(replicas, m_curve.at(users, replicas));
        }
        return m_decoding->second;
    }

    [[nodiscard]] double usersOfOne(const ServiceLoad& load, double sharing) const
    {
        if (m_scenario.batch)
            return *m_scenario.batch;
        if (load.users > 0)
            return std::ceil(load.users / sharing);
        if (load.requestsPerSecond > 0)
            return usersAtRate(m_curve, load.requestsPerSecond / sharing, m_capacity.users);
        return fullyLoaded(m_scenario) ? std::max(1.0, m_capacity.users) : 1;
    }

    // GPUs, price and power of the pool that computes prompts, put to those of the other.
    void addPromptPool(Candidate& c) const
    {
        const Deployment& d = c.prompts->deployment;
        Service& s = c.point.prediction.service;
        const double gpus = d.layout.gpus();
        const double share = std::min(c.prompts->busy, 1.0);
        const double seconds = m_unit.full.every.base() * d.layout.gpusPerReplica();
        const double flops = m_unit.full.cost.flops.base() / (seconds * d.gpu->peak(d.compute).base());
        const double bytes = m_unit.full.cost.bytes.base() / (seconds * d.gpu->memoryBandwidth.base());
        const Estimate<Watts> one = powerPerGpu(*d.gpu, *d.node, flops * share, bytes * share);
        s.gpus += d.layout.gpus();
        s.power = sum(s.power, one, gpus);
        const TokensPerSecond tokens = s.outputTokensPerSecond.value;
        s.joulesPerOutputToken.value = tokens.base() > 0 ? s.power.value / tokens * Tokens(1) : Joules();
        const double before = s.price.base();
        const std::optional<DollarsPerSecond> hour = paidHour(d);
        s.priceKnown = s.priceKnown && hour.has_value();
        if (!s.priceKnown)
            return;
        const double kilowatts = one.value.base() / 1000 * gpus;
        s.price = s.price + *hour + dollarsPerHour(kilowatts * d.ownPowerPrice);
        const double grown = before > 0 ? s.price.base() / before : 1;
        Estimate<Dollars>& million = s.dollarsPerMillionOutputTokens;
        million = million * grown;
    }

    // As many users as both pools carry.
    void fillMaximum(Candidate& c, const PoolSizes& sizes) const
    {
        c.maximumKnown = true;
        c.concurrencyLimit = m_capacity.limit;
        c.maxConcurrency = m_capacity.users * sizes.decodes;
        if (m_capacity.users < 1)
            return;
        const double decoded = m_curve.rateAt(m_capacity.users) * sizes.decodes;
        const double prompted = mostBusy * sizes.prompts / m_unit.every().base();
        c.maxRequestsPerSecond = std::min(decoded, prompted);
        if (prompted < decoded) {
            c.maxConcurrency = std::floor(c.maxConcurrency * prompted / decoded);
            c.concurrencyLimit = Capacity::Limit::Targets;
        }
    }

    const std::shared_ptr<const Resolved>& m_machine;
    const PromptUnit& m_unit;
    const Scenario& m_scenario;
    bool m_sure;
    Deployment m_decode;
    Seconds m_transfer;
    PromptsElsewhere m_prompts;
    ReplicaCurve m_curve; // of one replica
    Capacity m_capacity;
    mutable std::optional<std::pair<int, OperatingPoint>> m_decoding; // replicas, what they give
};

} // namespace

double busyShare(const Scenario& scenario)
{
    return loadOf(scenario).stated() ? std::min(mostBusy, 1 - scenario.headroom) : mostBusy;
}

Candidate judgePools(const std::shared_ptr<const Resolved>& machine,
                     const std::shared_ptr<const DecodingReplica>& decodes, const PromptUnit& unit,
                     const Scenario& scenario, bool sure, std::optional<PoolSizes> sizes)
{
    const Pools pools(machine, decodes, unit, scenario, sure);
    if (sizes)
        return pools.at(*sizes);
    return dividesGpus(scenario) ? pools.divided(*scenario.gpuCount).best : pools.at(pools.needed());
}

std::optional<PoolSizes> surePools(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                                   const PromptUnit& unit, const Scenario& scenario, const PoolSizes& from,
                                   const PoolSizes& most, double sure)
{
    const auto decodes
        = std::make_shared<const DecodingReplica>(laidOut(machine->deployment, layout), machine->load);
    return Pools(machine, decodes, unit, scenario, false).sure(from, most, sure);
}

bool dividesGpus(const Scenario& scenario) { return scenario.gpuCount && !scenario.replicas; }

Divided dividePools(const std::shared_ptr<const Resolved>& machine,
                    const std::shared_ptr<const DecodingReplica>& decodes, const PromptUnit& unit,
                    const Scenario& scenario, bool sure)
{
    return Pools(machine, decodes, unit, scenario, sure).divided(*scenario.gpuCount);
}

Candidate judgePools(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                     const PromptUnit& unit, const Scenario& scenario, bool sure,
                     std::optional<PoolSizes> sizes)
{
    const auto decodes
        = std::make_shared<const DecodingReplica>(laidOut(machine->deployment, layout), machine->load);
    return judgePools(machine, decodes, unit, scenario, sure, sizes);
}

} // namespace headroom
