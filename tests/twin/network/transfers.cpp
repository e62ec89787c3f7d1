#include "transfers.h"

#include <queue>

#include <algorithm>

namespace headroom::twin {

int Transfers::send(int from, int to, double bytes, std::vector<int> after)
{
    const Fabric::Route route = m_fabric.route(from, to);
    m_possible = m_possible && (route.exists || bytes <= 0);
    return pass(route.ports, route.latency, route.ports.empty() ? 0 : bytes, std::move(after));
}

int Transfers::pass(std::vector<int> ports, double latency, double bytes, std::vector<int> after)
{
    m_messages.push_back({std::move(ports), bytes > 0 ? latency : 0, bytes, std::move(after)});
    return static_cast<int>(m_messages.size()) - 1;
}

int Transfers::pause(double seconds, std::vector<int> after)
{
    m_messages.push_back({{}, seconds, 0, std::move(after)});
    return static_cast<int>(m_messages.size()) - 1;
}

// Runs the clock from one arrival to the next.
class Clockwork {
public:
    explicit Clockwork(const Transfers& transfers)
        : m_messages(transfers.m_messages), m_capacity(transfers.m_fabric.rates())
    {
        const std::size_t count = m_messages.size();
        m_left.resize(count);
        m_waitsFor.resize(count);
        m_wakes.resize(count);
        m_out.arrival.resize(count);
        m_out.portBytes.resize(m_capacity.size());
        for (std::size_t i = 0; i < count; ++i) {
            m_left[i] = m_messages[i].bytes;
            m_waitsFor[i] = static_cast<int>(m_messages[i].after.size());
            for (const int before : m_messages[i].after)
                m_wakes[static_cast<std::size_t>(before)].push_back(static_cast<int>(i));
        }
    }

    Transfers::Outcome run()
    {
        for (std::size_t i = 0; i < m_messages.size(); ++i)
            if (m_waitsFor[i] == 0)
                m_starting.push({m_messages[i].latency, static_cast<int>(i)});
        while (!m_starting.empty() || !m_flowing.empty()) {
            share();
            const double next = std::min(nextStart(), nextArrival());
            advance(next);
        }
        m_out.end = m_now;
        return std::move(m_out);
    }

private:
    using Start = std::pair<double, int>;

    [[nodiscard]] double nextStart() const
    {
        return m_starting.empty() ? std::numeric_limits<double>::infinity() : m_starting.top().first;
    }
    [[nodiscard]] double nextArrival() const
    {
        double soonest = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < m_flowing.size(); ++i)
            soonest = std::min(soonest, m_now + m_left[static_cast<std::size_t>(m_flowing[i])] / m_rate[i]);
        return soonest;
    }

    // Max-min fair rates: the port that leaves its messages least is settled first, then the next.
    void share()
    {
        if (!m_changed)
            return;
        m_changed = false;
        m_rate.assign(m_flowing.size(), 0);
        std::vector<double> free = m_capacity;
        std::vector<int> users(m_capacity.size(), 0);
        std::vector<std::vector<int>> onPort(m_capacity.size());
        std::vector<int> busy;
        for (std::size_t i = 0; i < m_flowing.size(); ++i)
            for (const int port : message(m_flowing[i]).ports) {
                const auto p = static_cast<std::size_t>(port);
                if (users[p]++ == 0)
                    busy.push_back(port);
                onPort[p].push_back(static_cast<int>(i));
            }
        for (std::size_t settled = 0; settled < m_flowing.size();) {
            double least = std::numeric_limits<double>::infinity();
            for (const int port : busy)
                if (const auto p = static_cast<std::size_t>(port); users[p] > 0)
                    least = std::min(least, free[p] / users[p]);
            for (const int port : busy) {
                const auto p = static_cast<std::size_t>(port);
                if (users[p] == 0 || free[p] / users[p] > least * (1 + 1e-12))
                    continue;
                for (const int flow : onPort[p]) {
                    const auto f = static_cast<std::size_t>(flow);
                    if (m_rate[f] > 0)
                        continue;
                    m_rate[f] = least;
                    ++settled;
                    for (const int other : message(m_flowing[f]).ports) {
                        free[static_cast<std::size_t>(other)] -= least;
                        --users[static_cast<std::size_t>(other)];
                    }
                }
            }
        }
    }

    void advance(double to)
    {
        const double span = to - m_now;
        for (std::size_t i = 0; i < m_flowing.size(); ++i)
            m_left[static_cast<std::size_t>(m_flowing[i])] -= m_rate[i] * span;
        m_now = to;
        std::vector<int> arrived;
        std::vector<int> still;
        for (const int flow : m_flowing) { // what differs by rounding alone arrives together
            const auto f = static_cast<std::size_t>(flow);
            (m_left[f] <= 1e-9 * m_messages[f].bytes ? arrived : still).push_back(flow);
        }
        m_changed = m_changed || !arrived.empty();
        m_flowing = std::move(still);
        while (!m_starting.empty() && m_starting.top().first <= m_now * (1 + 1e-12)) {
            const int started = m_starting.top().second;
            m_starting.pop();
            if (message(started).bytes > 0) {
                m_flowing.push_back(started);
                m_changed = true;
            } else {
                arrived.push_back(started);
            }
        }
        for (const int flow : arrived)
            arrive(flow);
    }

    void arrive(int flow)
    {
        const auto f = static_cast<std::size_t>(flow);
        m_out.arrival[f] = m_now;
        for (const int port : m_messages[f].ports)
            m_out.portBytes[static_cast<std::size_t>(port)] += m_messages[f].bytes;
        for (const int waiting : m_wakes[f])
            if (--m_waitsFor[static_cast<std::size_t>(waiting)] == 0)
                m_starting.push({m_now + message(waiting).latency, waiting});
    }

    [[nodiscard]] const Transfers::Message& message(int i) const
    {
        return m_messages[static_cast<std::size_t>(i)];
    }

    const std::vector<Transfers::Message>& m_messages;
    const std::vector<double>& m_capacity;
    std::vector<double> m_left;
    std::vector<int> m_waitsFor;
    std::vector<std::vector<int>> m_wakes;
    std::priority_queue<Start, std::vector<Start>, std::greater<>> m_starting;
    std::vector<int> m_flowing;
    std::vector<double> m_rate;
    bool m_changed = true;
    double m_now = 0;
    Transfers::Outcome m_out;
};

std::optional<Transfers::Outcome> Transfers::run() const
{
    if (!m_possible)
        return std::nullopt;
    return Clockwork(*this).run();
}

} // namespace headroom::twin
