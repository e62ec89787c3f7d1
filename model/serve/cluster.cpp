#include "model/serve/cluster.h"

#include "model/serve/measures.h"

#include <algorithm>
#include <utility>

namespace headroom::serve {

namespace {

std::size_t placesOf(const ReplicaPool& pool)
{
    return static_cast<std::size_t>(pool.replicas) * static_cast<std::size_t>(pool.scheduling.lanes);
}

// Servers that read requests: those who compute the prompts.
std::size_t readersOf(const ServingSetup& setup)
{
    return static_cast<std::size_t>(
        std::max(setup.prefill ? setup.prefill->pool.replicas : setup.reception.lines, 1));
}

} // namespace

Cluster::Cluster(const ServingSetup& setup, const Workload& workload)
    : m_workload(&workload),
      m_routing(setup.routing),
      m_seed(setup.seed),
      m_keepsSamples(setup.keepsSamples),
      m_perPromptToken(setup.reception.perPromptToken),
      m_intake(setup.reception.intake),
      m_readerFree(readersOf(setup)),
      m_outcomes(workload.requests.size(), Outcome{.start = Seconds(-1)}),
      m_pool{StepMemo(setup.pool.stepTime), PassMemo(setup.pool.passTime)},
      m_starts(placesOf(setup.pool) + (setup.prefill ? placesOf(setup.prefill->pool) : 0)),
      m_endsBroken(setup.endsBroken),
      m_mostWork(setup.mostWork)
{
    fill(m_pool, setup.pool, setup.pool.scheduling, std::nullopt);
    if (setup.prefill) {
        m_prefill.emplace(
            Pool{StepMemo(setup.prefill->pool.stepTime), PassMemo(setup.prefill->pool.passTime)});
        m_prefill->firstPlace = m_pool.replicas.size();
        Scheduling scheduling = setup.prefill->pool.scheduling;
        scheduling.promptsOnly = true;
        fill(*m_prefill, setup.prefill->pool, scheduling, setup.prefill->link);
    }
    scheduleStart();
}

void Cluster::fill(Pool& pool, const ReplicaPool& like, const Scheduling& scheduling,
                   const std::optional<KvLink>& link)
{
    const int replicas = like.replicas;
    pool.lanes = static_cast<std::size_t>(scheduling.lanes);
    const bool piped = scheduling.lanes > 1;
    if (piped)
        pool.pipelines.resize(static_cast<std::size_t>(replicas));
    const Scheduling one = scheduling.ofOneLane();
    for (int i = 0; i < replicas; ++i) {
        Replica::Places places = Replica::placesFor(scheduling);
        for (int lane = 0; lane < scheduling.lanes; ++lane) {
            if (keepsBatch(scheduling.kind)) // micro-batches of their own
                for (Replica::Place& place : places)
                    place.line = std::make_shared<WaitingLine>();
            pool.replicas.emplace_back(
                one,
                Replica::Surroundings{.workload = m_workload,
                                      .outcomes = &m_outcomes,
                                      .stepTime = &pool.stepTime,
                                      .roundsContext = like.roundsContext,
                                      .passTime = piped ? &pool.passTime : nullptr,
                                      .stages
                                      = piped ? &pool.pipelines[static_cast<std::size_t>(i)] : nullptr,
                                      .lane = static_cast<std::size_t>(lane),
                                      .lanes = pool.lanes,
                                      .firstLane = lane == 0 || keepsBatch(scheduling.kind),
                                      .handsOver = link,
                                      .seed = m_seed,
                                      .index = static_cast<std::int16_t>(i),
                                      .held = like.held,
                                      .stepsToPass = m_intake.steps,
                                      .followsPrefixes = m_routing == Routing::PrefixAware,
                                      .keepsSamples = m_keepsSamples},
                places);
        }
    }
}

Replica& Cluster::choose(Pool& pool, const Arrival& arrival)
{
    std::vector<Replica>& replicas = pool.replicas;
    if (pool.lanes > 1 && m_routing == Routing::RoundRobin)
        return laneOf(pool, pool.nextInTurn++ % (replicas.size() / pool.lanes), arrival);
    if (m_routing == Routing::RoundRobin || replicas.size() == 1)
        return replicas[pool.nextInTurn++ % replicas.size()];
    const auto loadOf = [&](const Replica& replica) {
        std::int64_t inside = 0;
        const auto first = static_cast<std::size_t>(&replica - replicas.data()) / pool.lanes * pool.lanes;
        for (std::size_t i = first; i < first + pool.lanes; ++i)
            inside += replicas[i].outstanding(arrival.time);
        return inside;
    };
    const auto lessLoaded = [&](const Replica& a, const Replica& b) { return loadOf(a) < loadOf(b); };
    // The first of the idlest: nobody has fewer inside than who is empty.
    Replica* least = &replicas.front();
    std::int64_t fewest = loadOf(*least);
    std::size_t looked = pool.lanes;
    for (; looked < replicas.size() && fewest > 0; looked += pool.lanes)
        if (const std::int64_t inside = loadOf(replicas[looked]); inside < fewest) {
            least = &replicas[looked];
            fewest = inside;
        }
    constexpr double lookedAtInAStep = 8; // replicas, in the time of a step of decodes
    m_work += static_cast<double>(looked) / lookedAtInAStep;
    Replica& idlest = *least;
    const auto laneAt = [&](const Replica& replica) -> Replica& {
        return laneOf(pool, static_cast<std::size_t>(&replica - replicas.data()) / pool.lanes, arrival);
    };
    if (m_routing == Routing::LeastLoaded)
        return laneAt(idlest);
    // A cache hit is worth a queue, but not any: SGLang's router falls back to balancing when loads differ by
    // more than 64 requests and by half (sgl-model-gateway, balance_abs_threshold 64,
    // balance_rel_threshold 1.5).
    constexpr std::int64_t tolerated = 64;
    constexpr double toleratedRatio = 1.5;
    Replica* best = &idlest;
    std::int64_t longest = best->cachedPrefix(arrival.request);
    for (Replica& replica : replicas) {
        const std::int64_t cached = replica.cachedPrefix(arrival.request);
        const bool better = cached > longest || (cached == longest && lessLoaded(replica, *best));
        if (better) {
            best = &replica;
            longest = cached;
        }
    }
    const std::int64_t most = loadOf(*best);
    const bool unbalanced = most - fewest > tolerated
        && static_cast<double>(most) > toleratedRatio * static_cast<double>(fewest);
    return laneAt(unbalanced ? idlest : *best);
}

// The lane with the fewest inside.
Replica& Cluster::laneOf(Pool& pool, std::size_t replica, const Arrival& arrival)
{
    const auto first = pool.replicas.begin() + static_cast<std::ptrdiff_t>(replica * pool.lanes);
    return *std::min_element(first, first + static_cast<std::ptrdiff_t>(pool.lanes),
                             [&](const Replica& a, const Replica& b) {
                                 return a.outstanding(arrival.time) < b.outstanding(arrival.time);
                             });
}

// By how much a user sees his answer after its last step: what no step stands for.
Seconds Cluster::answerLag(const Replica& replica) const
{
    return m_intake.host + replica.log().gaps.mean() * m_intake.handOverSteps;
}

void Cluster::setStart(std::size_t place, const Replica& replica)
{
    m_starts.set(place, replica.earliestEnd());
}

// Steps that end nothing are left until somebody asks what they did.
void Cluster::catchUp(Replica& replica, Seconds now)
{
    if (replica.nextStart() < now)
        runUntil(replica, now);
}

// Of a replica, or of all lanes of its pipeline: who waits for one of them waits for all.
void Cluster::setStarts(const Pool& pool, std::size_t place)
{
    const std::size_t first = place - place % pool.lanes;
    for (std::size_t i = first; i < first + pool.lanes; ++i)
        setStart(pool.firstPlace + i, pool.replicas[i]);
}

void Cluster::drain(Replica& replica)
{
    m_preempted = m_preempted || replica.log().preemptions > 0;
    for (const Replica::Event& event : replica.events()) {
        if (event.kind == Replica::Event::Kind::Finished) {
            answered(event.request, event.time + answerLag(replica));
            if (m_endsBroken)
                holdAgainstPromise(event.request, answerLag(replica));
        } else {
            m_later.push({.time = event.time, .request = event.request, .what = Arrival::What::Cache});
        }
    }
    replica.events().clear();
}

// It is broken by the times that are certain, and kept by those that are measured: they are no shorter. What
// is seen soon after the start breaks nothing: prompts of users who began together come together for some
// rounds.
void Cluster::holdAgainstPromise(std::int32_t request, Seconds admission)
{
    if (m_broken || request < m_endsBroken->firstCounted)
        return;
    const auto at = static_cast<std::size_t>(request);
    const Request& its = m_workload->requests[at];
    const Targets& targets = m_workload->classes[its.classIndex].targets;
    if (!meets(timesOf(m_outcomes[at], its, m_intake.host), its, targets))
        m_broken = ++m_misses > m_endsBroken->mostMisses && !m_kept;
    if (m_kept || m_endsBroken->clearlyKept <= 0)
        return;
    ++m_held;
    if (!meets(timesOf(m_outcomes[at], its, admission, m_endsBroken->besideFirst), its, targets))
        ++m_felt;
    // Who shares a batch fares alike: twice what three standard deviations of independent draws are.
    constexpr double clearly = 6;
    const double share = m_endsBroken->clearlyKept;
    const auto held = static_cast<double>(m_held);
    m_kept = share * held - static_cast<double>(m_felt) > clearly * std::sqrt(share * (1 - share) * held);
}

Replica& Cluster::replicaAt(std::size_t place)
{
    const std::size_t pooled = m_pool.replicas.size();
    return place < pooled ? m_pool.replicas[place] : m_prefill->replicas[place - pooled];
}

void Cluster::runUntil(Replica& replica, Seconds limit)
{
    constexpr double ofACall = 2; // in steps taken together
    const double before = replica.effort();
    replica.runUntil(limit, true);
    m_work += replica.effort() - before + ofACall;
}

// Replicas that nothing but given arrivals reaches run one after the other.
void Cluster::runReplicas(Seconds limit)
{
    while (m_starts.time() < limit && !cut()) {
        const std::size_t place = m_starts.first();
        Replica& replica = replicaAt(place);
        runUntil(replica, limit);
        setStart(place, replica);
        const bool answers = !replica.events().empty();
        drain(replica);
        if (answers && m_settled % 256 == 0)
            return; // back to the caller, who listens for a cancel; nothing is lost
    }
}

// When answers cause arrivals, the replica whose step starts first always goes first, and none runs past an
// arrival that another one is about to cause: as far as no other can end anything.
void Cluster::runInLockstep(Seconds limit)
{
    const std::size_t place = m_starts.first();
    const Seconds bound = std::min(limit, m_starts.earliestBut(place));
    const Seconds justAfter(std::nextafter(m_starts.time().base(), never.base()));
    Replica& first = replicaAt(place);
    const bool waited = first.someoneWaits();
    runUntil(first, std::max(bound, justAfter));
    const bool ofPrompts = place >= m_pool.replicas.size();
    if (waited || first.someoneWaits())
        setStarts(ofPrompts ? *m_prefill : m_pool, place - (ofPrompts ? m_prefill->firstPlace : 0));
    else // the other lanes go on as they were
        setStart(place, first);
    drain(first);
}

void Cluster::run(const RunControl& control, bool untilPreempted)
{
    const double total = static_cast<double>(m_outcomes.size());
    std::size_t reported = 0;
    while (!m_broken && !m_kept && !cut() && (!untilPreempted || !m_preempted)) {
        if (control.stop.stop_requested()) {
            m_partial = true;
            return;
        }
        if (const std::size_t step = m_outcomes.size() / 1000 + 1; m_settled >= reported + step) {
            reported = m_settled;
            control.progress(static_cast<double>(m_settled) / total, "simulating");
        }
        const Seconds arrival = nextArrival();
        if (m_starts.time() < arrival)
            m_feedback ? runInLockstep(arrival) : runReplicas(arrival);
        else if (arrival < never)
            receive(takeArrival());
        else
            return;
    }
    if (m_broken || m_kept) // what is told of it is of the same time
        for (Replica& replica : m_pool.replicas)
            catchUp(replica, m_starts.time());
}

Simulation Cluster::take()
{
    std::vector<Outcome> outcomes = std::move(m_outcomes);
    m_outcomes.clear();
    Simulation simulation = soFar();
    simulation.outcomes = std::move(outcomes);
    return simulation;
}

void Cluster::goOn(std::optional<std::int64_t> mostWork)
{
    m_kept = false;
    m_endsBroken->clearlyKept = 0;
    m_mostWork = mostWork;
}

Simulation Cluster::soFar() const
{
    Simulation simulation{.outcomes = m_outcomes,
                          .replicas = {},
                          .prefillReplicas = {},
                          .lanes = static_cast<int>(m_pool.lanes),
                          .partial = m_partial,
                          .broken = m_broken,
                          .kept = m_kept,
                          .cut = cut(),
                          .work = work()};
    for (const Replica& replica : m_pool.replicas)
        simulation.replicas.push_back(replica.log());
    if (m_prefill)
        for (const Replica& replica : m_prefill->replicas)
            simulation.prefillReplicas.push_back(replica.log());
    return simulation;
}

} // namespace headroom::serve
