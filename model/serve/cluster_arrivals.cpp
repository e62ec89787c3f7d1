// What reaches a service's pools, and when: requests of traces, of users and of conversations, and caches.
#include "model/serve/cluster.h"

#include <algorithm>

namespace headroom::serve {

void Cluster::scheduleStart()
{
    const std::vector<Request>& requests = m_workload->requests;
    const auto count = static_cast<std::int32_t>(requests.size());
    // Lanes meet in their stages: the one whose step starts first goes first.
    const std::int32_t places = m_workload->users + m_workload->mostInFlight; // one of them is 0
    m_feedback = places > 0 || m_prefill.has_value() || m_pool.lanes > 1;
    for (std::int32_t i = 0; i < count; ++i) {
        const std::int32_t before = requests[static_cast<std::size_t>(i)].follows;
        if (before < 0) {
            m_ordered.push_back(i);
            continue;
        }
        m_feedback = true;
        if (m_nextTurn.empty())
            m_nextTurn.assign(requests.size(), -1);
        m_nextTurn[static_cast<std::size_t>(before)] = i;
    }
    if (m_workload->users == 0)
        std::stable_sort(m_ordered.begin(), m_ordered.end(), [&](std::int32_t a, std::int32_t b) {
            return requests[static_cast<std::size_t>(a)].arrival
                < requests[static_cast<std::size_t>(b)].arrival;
        });
    if (places > 0) {
        m_conversations = std::exchange(m_ordered, {});
        for (std::int32_t place = 0; place < places; ++place)
            beginConversation(Seconds{});
    }
}

Seconds Cluster::nextArrival() const
{
    const Seconds given = m_nextOrdered < m_ordered.size()
        ? m_workload->requests[static_cast<std::size_t>(m_ordered[m_nextOrdered])].arrival
        : never;
    return m_later.empty() ? given : std::min(given, m_later.top().time);
}

Arrival Cluster::takeArrival()
{
    const Seconds time = nextArrival();
    if (!m_later.empty() && m_later.top().time == time) {
        const Arrival arrival = m_later.top();
        m_later.pop();
        return arrival;
    }
    return {.time = time, .request = m_ordered[m_nextOrdered++]};
}

void Cluster::receive(const Arrival& arrival)
{
    if (arrival.what == Arrival::What::Sent) {
        m_outcomes[static_cast<std::size_t>(arrival.request)].arrival = arrival.time;
        if (m_perPromptToken.base() > 0) {
            read(arrival);
            return;
        }
    }
    handOn(arrival);
}

void Cluster::read(const Arrival& arrival)
{
    Seconds& free = *std::min_element(m_readerFree.begin(), m_readerFree.end());
    const Request& request = m_workload->requests[static_cast<std::size_t>(arrival.request)];
    free = std::max(free, arrival.time) + m_perPromptToken * request.promptTokens;
    m_later.push({.time = free, .request = arrival.request, .what = Arrival::What::Read});
}

void Cluster::handOn(const Arrival& arrival)
{
    const bool brings = arrival.what == Arrival::What::Cache;
    Ticket ticket{.request = arrival.request};
    if (brings) {
        ticket.generated = 1;
        ticket.state = Ticket::State::Transferred;
    }
    Pool& pool = m_prefill && !brings ? *m_prefill : m_pool;
    Replica& chosen = choose(pool, arrival);
    catchUp(chosen, arrival.time);
    if (!chosen.enqueue(ticket, arrival.time))
        answered(arrival.request, arrival.time);
    const auto place = static_cast<std::size_t>(&chosen - pool.replicas.data());
    setStarts(pool, place);
}

// After the pause before it.
void Cluster::sendAfter(Seconds time, std::int32_t request)
{
    m_later.push(
        {.time = time + m_workload->requests[static_cast<std::size_t>(request)].think, .request = request});
}

// A user who is free takes up the next conversation that nobody has; so does a place in flight, but not
// before that has arrived.
void Cluster::beginConversation(Seconds time)
{
    if (m_nextConversation == m_conversations.size())
        return;
    const std::int32_t next = m_conversations[m_nextConversation++];
    const Seconds given = m_workload->requests[static_cast<std::size_t>(next)].arrival;
    sendAfter(m_workload->users > 0 ? time : std::max(time, given), next);
}

// Who waited for this answer goes on: with the conversation's next turn, a user after its last with another.
void Cluster::answered(std::int32_t request, Seconds time)
{
    ++m_settled;
    const std::int32_t next = m_nextTurn.empty() ? -1 : m_nextTurn[static_cast<std::size_t>(request)];
    if (next >= 0)
        sendAfter(time, next);
    else if (!m_conversations.empty())
        beginConversation(time);
}

} // namespace headroom::serve
