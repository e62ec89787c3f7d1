#pragma once

#include "model/base/mix_bits.h"
#include "model/serve/ticket.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>

namespace headroom::serve {

// Whole steps that this request sees pass before it may be in one: of a fraction more or less by a draw, so
// that the mean is right. Counted draws: the same request waits as long whatever else is running.
[[nodiscard]] inline std::int64_t wholeSteps(double mean, std::uint64_t seed, std::int32_t request)
{
    const double whole = std::floor(mean);
    if (whole == mean)
        return static_cast<std::int64_t>(whole);
    constexpr std::uint64_t ownStream = 0x737465707761697ULL; // of no other draw of the request
    const std::uint64_t place = static_cast<std::uint64_t>(request) ^ ownStream;
    const double draw = unitInterval(mixBits(mixBits(seed) ^ place));
    return static_cast<std::int64_t>(whole) + (draw < mean - whole ? 1 : 0);
}

// Requests that an engine has and takes in only when so many of its steps have passed.
class StepWait {
public:
    static constexpr std::int64_t anyStep = std::numeric_limits<std::int64_t>::max();

    // `from`: the first step that may take it, counted from the engine's first.
    void add(const Ticket& ticket, std::int64_t from)
    {
        const auto later
            = std::upper_bound(m_all.begin(), m_all.end(), from,
                               [](std::int64_t step, const One& one) { return step < one.from; });
        m_all.insert(later, {ticket, from});
    }
    [[nodiscard]] bool empty() const { return m_all.empty(); }
    [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(m_all.size()); }
    // Precondition: somebody is there.
    [[nodiscard]] std::int64_t first() const { return m_all.front().from; }
    // Gives away whom this step may take.
    template <typename Take>
    void letGo(std::int64_t step, const Take& take)
    {
        for (; !m_all.empty() && m_all.front().from <= step; m_all.pop_front())
            take(m_all.front().ticket);
    }

private:
    struct One {
        Ticket ticket;
        std::int64_t from = 0;
    };
    std::deque<One> m_all; // in the order of their steps
};

} // namespace headroom::serve
