#include "app/probe/search.h"

#include <algorithm>
#include <map>

namespace headroom::probe {

namespace {

// The levels of one probe as they run.
class Search {
public:
    Search(Transport& transport, const ProbePlan& plan, const ProbeHooks& hooks)
        : m_transport(transport), m_plan(plan), m_hooks(hooks)
    {}

    // Whether the level met its targets. When it says nothing of the server, the search is over.
    bool meets(const Load& load, Settle settle)
    {
        const auto before = counters();
        ProbeLevel level = runLevel(m_transport, m_plan, load, settle, m_hooks.stop);
        if (const auto after = before ? counters() : std::nullopt)
            level.server = between(*before, *after);
        m_report.levels.push_back(level);
        if (m_hooks.onLevel)
            m_hooks.onLevel(level);
        if (!level.meets)
            m_over = saysNothing(level);
        if (level.end != LevelEnd::Interrupted && level.end != LevelEnd::ClientLimit)
            m_met[level.concurrency] = level.meets;
        m_report.highest = highestMet();
        return level.meets;
    }
    // The most that the last run of each level met.
    [[nodiscard]] int highestMet() const
    {
        const auto found
            = std::find_if(m_met.rbegin(), m_met.rend(), [](const auto& level) { return level.second; });
        return found == m_met.rend() ? 0 : found->first;
    }
    // Whether so few requests met the targets at this level that it may be luck.
    [[nodiscard]] bool isUnsure(int concurrency) const
    {
        const double promised = m_plan.targets.percentile / 100;
        return concurrency > 0 && m_plan.targets.any() && m_plan.requests == 0
            && std::none_of(m_report.levels.begin(), m_report.levels.end(), [&](const ProbeLevel& level) {
                   return level.concurrency == concurrency
                       && (level.settled || level.attainmentRange.low >= promised);
               });
    }
    [[nodiscard]] bool over() const { return m_over; }
    [[nodiscard]] ProbeReport& report() { return m_report; }

    // The most users are at least so many as surely meet the targets, and fewer than those that surely miss.
    void bound()
    {
        const double promised = m_plan.targets.any() ? m_plan.targets.percentile / 100 : 1;
        for (const ProbeLevel& level : m_report.levels) {
            if (level.end == LevelEnd::Interrupted || level.end == LevelEnd::ClientLimit || level.clientBusy)
                continue;
            if (level.attainmentRange.low >= promised)
                m_report.highestLow = std::max(m_report.highestLow.value_or(0), level.concurrency);
            if (level.attainmentRange.high < promised)
                m_report.highestHigh
                    = std::min(m_report.highestHigh.value_or(level.concurrency), level.concurrency - 1);
        }
        // Luck at one level may contradict another: then neither is sure.
        if (m_report.highestLow && m_report.highestHigh && *m_report.highestLow > *m_report.highestHigh)
            std::swap(m_report.highestLow, m_report.highestHigh);
    }

private:
    std::optional<ServerCounters> counters() { return m_hooks.counters ? m_hooks.counters() : std::nullopt; }

    bool saysNothing(const ProbeLevel& level)
    {
        if (level.end == LevelEnd::Interrupted)
            m_report.limitedBy = LimitedBy::Interrupted;
        else if (level.end == LevelEnd::ClientLimit)
            m_report.limitedBy = LimitedBy::ClientFiles;
        else if (level.clientBusy)
            m_report.limitedBy = LimitedBy::ClientBusy;
        else if (level.requests > 0 && level.failed == level.requests)
            m_report.limitedBy = LimitedBy::Failures;
        return m_report.limitedBy != LimitedBy::Targets;
    }

    Transport& m_transport;
    const ProbePlan& m_plan;
    const ProbeHooks& m_hooks;
    ProbeReport m_report;
    std::map<int, bool> m_met; // by users, whether its last run met the targets
    bool m_over = false;
};

} // namespace

std::string_view limitName(LimitedBy limit)
{
    switch (limit) {
    case LimitedBy::Targets:
        return "targets";
    case LimitedBy::MostAsked:
        return "most-asked";
    case LimitedBy::Failures:
        return "failures";
    case LimitedBy::ClientFiles:
        return "client-files";
    case LimitedBy::ClientBusy:
        return "client-busy";
    case LimitedBy::Interrupted:
        break;
    }
    return "interrupted";
}

bool isClients(LimitedBy limit) { return limit == LimitedBy::ClientFiles || limit == LimitedBy::ClientBusy; }

ProbeReport probeAt(Transport& transport, const ProbePlan& plan, const Load& load, const ProbeHooks& hooks)
{
    Search search(transport, plan, hooks);
    if (search.meets(load, Settle::No))
        search.report().limitedBy = LimitedBy::MostAsked;
    search.bound();
    return search.report();
}

ProbeReport probeUpTo(Transport& transport, const ProbePlan& plan, int most, const ProbeHooks& hooks)
{
    Search search(transport, plan, hooks);
    const int possible = std::min(most, transport.mostStreams());
    int good = 0;
    int bad = 0;
    const auto tryLevel
        = [&](int users, Settle settle) { (search.meets({.users = users}, settle) ? good : bad) = users; };
    for (int users = 1; bad == 0 && good < possible; users = std::min(2 * users, possible))
        tryLevel(users, Settle::Misses);
    while (!search.over()) {
        if (bad > 0 && good > 0 && bad - good > std::max(1, good / 8)) {
            tryLevel((good + bad) / 2, Settle::Both);
        } else if (search.isUnsure(good)) { // what met the targets on the way up was asked few requests
            tryLevel(good, Settle::Both);
            good = search.highestMet();
        } else {
            break;
        }
    }
    if (!search.over() && bad == 0)
        search.report().limitedBy = possible < most ? LimitedBy::ClientFiles : LimitedBy::MostAsked;
    search.bound();
    return search.report();
}

} // namespace headroom::probe
