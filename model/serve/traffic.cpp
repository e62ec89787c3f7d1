#include "model/serve/traffic.h"

#include "model/serve/day_curve.h"
#include "model/serve/random_stream.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace headroom::serve {

namespace {

// Streams of random numbers, one for each question.
enum Stream : std::uint64_t { Gaps = 1, Classes = 2, Lengths = 3, Pauses = 4 };

// What every length is kept below: no engine serves longer contexts, and sums stay far from overflow.
constexpr double longestText = 16.0 * (1 << 20);

// CV^2 = Gamma(1 + 2/k) / Gamma(1 + 1/k)^2 - 1, which falls with k.
double weibullShape(double variation)
{
    double low = 0.05;
    double high = 100;
    for (int i = 0; i < 80; ++i) {
        const double k = (low + high) / 2;
        const double ratio = std::exp(std::lgamma(1 + 2 / k) - 2 * std::lgamma(1 + 1 / k));
        (std::sqrt(ratio - 1) > variation ? low : high) = k;
    }
    return low;
}

class ArrivalTimes {
public:
    explicit ArrivalTimes(const Traffic& traffic) : m_shape(traffic.arrivals), m_random(traffic.seed, Gaps)
    {
        if (m_shape.peak > 1)
            m_day.emplace(m_shape.peak, m_shape.peakHour);
        if (m_shape.kind == ArrivalShape::Kind::Weibull) {
            m_weibullShape = weibullShape(m_shape.variation);
            m_weibullMean = std::exp(std::lgamma(1 + 1 / m_weibullShape));
        }
    }

    // `meanGap` is the mean time between arrivals.
    Seconds next(double meanGap)
    {
        m_operational += meanGap * gap();
        return Seconds(m_day ? m_day->timeOf(m_operational) : m_operational);
    }

private:
    // Of mean 1.
    double gap()
    {
        switch (m_shape.kind) {
        case ArrivalShape::Kind::Constant:
            return 1;
        case ArrivalShape::Kind::Gamma: {
            const double shape = 1 / (m_shape.variation * m_shape.variation);
            return m_random.gamma(shape) / shape;
        }
        case ArrivalShape::Kind::Weibull:
            return m_random.weibull(m_weibullShape) / m_weibullMean;
        case ArrivalShape::Kind::AtOnce:
            return 0;
        case ArrivalShape::Kind::Poisson:
        case ArrivalShape::Kind::Closed:
            break;
        }
        return m_random.exponential();
    }

    ArrivalShape m_shape;
    RandomStream m_random;
    std::optional<DayCurve> m_day;
    double m_operational = 0; // time in which the day's shape is flat
    double m_weibullShape = 1;
    double m_weibullMean = 1;
};

class WorkloadMaker {
public:
    explicit WorkloadMaker(const Traffic& traffic)
        : m_traffic(traffic),
          m_times(traffic),
          m_classes(traffic.seed, Classes),
          m_lengths(traffic.seed, Lengths),
          m_pauses(traffic.seed, Pauses)
    {}

    Workload make()
    {
        double shares = 0;
        double turns = 0;
        m_workload.classes.clear();
        for (const TrafficClass& one : m_traffic.classes) {
            m_workload.classes.push_back(one.promised);
            shares += one.share;
            turns += one.share * one.turns;
        }
        const bool closed = m_traffic.arrivals.kind == ArrivalShape::Kind::Closed;
        const bool spaced = !closed && m_traffic.arrivals.kind != ArrivalShape::Kind::AtOnce;
        const double gap = spaced ? turns / shares / m_traffic.rate.base() : 0;
        const auto count = static_cast<std::size_t>(m_traffic.requests);
        m_workload.users = closed ? m_traffic.users : 0;
        m_workload.mostInFlight = closed ? 0 : m_traffic.mostInFlight;
        m_workload.requests.reserve(count);
        while (m_workload.requests.size() < count) {
            const Seconds arrival = closed ? Seconds{} : m_times.next(gap);
            addConversation(arrival, drawClass(shares), count);
        }
        if (spaced && m_traffic.spansRate)
            stretch(static_cast<double>(count) / m_traffic.rate.base());
        return std::move(m_workload);
    }

private:
    // The last arrival comes at `end`.
    void stretch(double end)
    {
        const double last = m_workload.requests.back().arrival.base();
        if (last > 0)
            for (Request& request : m_workload.requests)
                request.arrival = request.arrival * (end / last);
    }

    std::size_t drawClass(double shares)
    {
        double draw = m_classes.uniform() * shares;
        for (std::size_t i = 0; i + 1 < m_traffic.classes.size(); ++i) {
            draw -= m_traffic.classes[i].share;
            if (draw < 0)
                return i;
        }
        return m_traffic.classes.size() - 1;
    }

    std::int32_t length(const LengthDistribution& lengths)
    {
        return static_cast<std::int32_t>(std::min(lengths.sample(m_lengths.engine()), longestText));
    }

    void addConversation(Seconds arrival, std::size_t index, std::size_t count)
    {
        const TrafficClass& one = m_traffic.classes[index];
        const bool closed = m_traffic.arrivals.kind == ArrivalShape::Kind::Closed;
        std::int32_t before = -1;
        std::int32_t said = 0;
        for (int turn = 0; turn < one.turns && m_workload.requests.size() < count; ++turn) {
            const bool later = turn > 0;
            Request request{.arrival = arrival, .classIndex = static_cast<std::uint16_t>(index)};
            const LengthDistribution& added = later && one.followUp.mean() >= 1 ? one.followUp : one.prompt;
            request.promptTokens
                = static_cast<std::int32_t>(std::min<double>(double(said) + length(added), longestText));
            request.outputTokens = length(one.output);
            const double shared
                = one.cachedShare > 0 ? one.cachedShare * request.promptTokens : one.systemTokens;
            request.systemTokens = static_cast<std::int32_t>(std::min<double>(shared, request.promptTokens));
            request.sessionTokens = said;
            if (one.turns > 1)
                request.session = m_sessions;
            if (later)
                request.think = one.think * m_pauses.exponential();
            else if (closed && m_traffic.arrivals.think > Seconds())
                request.think = m_traffic.arrivals.think * m_pauses.exponential();
            else if (closed && m_sessions < m_traffic.users)
                request.think = m_traffic.startOver * m_pauses.uniform();
            request.follows = before;
            before = static_cast<std::int32_t>(m_workload.requests.size());
            said = request.promptTokens + request.outputTokens;
            m_workload.requests.push_back(request);
        }
        ++m_sessions;
    }

    const Traffic& m_traffic;
    ArrivalTimes m_times;
    RandomStream m_classes;
    RandomStream m_lengths;
    RandomStream m_pauses;
    Workload m_workload;
    std::int32_t m_sessions = 0;
};

Problems problemsOf(const Traffic& traffic)
{
    Problems problems;
    const auto expect = [&](bool right, std::string where, Message what) {
        if (!right)
            problems.push_back({std::move(where), std::move(what), {}});
    };
    constexpr std::int64_t most = 50'000'000; // 6 GB of requests and outcomes
    expect(traffic.requests >= 1 && traffic.requests <= most, "requests",
           say("expected 1 to {}, got {}", most, traffic.requests));
    const ArrivalShape& arrivals = traffic.arrivals;
    const bool closed = arrivals.kind == ArrivalShape::Kind::Closed;
    const bool atOnce = arrivals.kind == ArrivalShape::Kind::AtOnce;
    const double rate = traffic.rate.base();
    expect(closed || atOnce || (rate > 0 && std::isfinite(rate)), "rate",
           say("expected requests per second above 0, got {}", rate));
    expect(traffic.mostInFlight >= 0, "most in flight",
           say("expected 0 or more, got {}", traffic.mostInFlight));
    expect(!closed || traffic.users >= 1, "users", say("expected at least one user, got {}", traffic.users));
    expect(!traffic.classes.empty() && traffic.classes.size() <= std::numeric_limits<std::uint16_t>::max(),
           "classes", "expected at least one class of requests");
    double shares = 0;
    for (const TrafficClass& one : traffic.classes) {
        const std::string where = fmt::format("class '{}'", one.promised.name);
        expect(one.share >= 0 && std::isfinite(one.share), where,
               say("expected a share of 0 or more, got {}", one.share));
        expect(one.turns >= 1 && one.turns <= 10000, where,
               say("expected 1 to 10000 turns, got {}", one.turns));
        expect(one.cachedShare >= 0 && one.cachedShare <= 1 && one.systemTokens >= 0, where,
               "expected a shared part of the prompt between nothing and all of it");
        expect(one.prompt.mean() >= 1 && one.output.mean() >= 1, where,
               "expected prompts and outputs of at least one token");
        shares += one.share;
    }
    expect(shares > 0, "classes", "expected shares that add up to more than 0");
    return problems;
}

} // namespace

Result<Workload> makeWorkload(const Traffic& traffic)
{
    Problems problems = problemsOf(traffic);
    if (!problems.empty())
        return refuse(std::move(problems));
    return WorkloadMaker(traffic).make();
}

} // namespace headroom::serve
