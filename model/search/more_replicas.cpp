#include "model/search/more_replicas.h"

#include "model/scenario/service_load.h"
#include "model/search/judge.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace headroom {

namespace {

constexpr std::size_t layoutsTried = 3; // of the best, one replica more after the other
constexpr int sizesTried = 8;           // of each of these
constexpr int mostTimes = 2;            // the GPUs of the smallest service
constexpr std::size_t widthsTried = 6;  // sizes of a replica, where larger services are filled with it

bool takesFewest(const Scenario& scenario)
{
    return !scenario.gpuCount && !scenario.replicas && growsWithGpus(scenario.objective);
}

// More replicas help those who share one: several users, or requests that come on their own.
bool shares(const Scenario& scenario)
{
    const ServiceLoad load = loadOf(scenario);
    return load.users > 1 || load.requestsPerSecond > 0;
}

class Larger {
public:
    Larger(const std::vector<Candidate>& candidates, const Scenario& scenario) : m_scenario(scenario)
    {
        for (const Candidate& c : candidates)
            if (c.meets && !c.prompts)
                m_meeting.push_back(&c);
        std::stable_sort(m_meeting.begin(), m_meeting.end(), [&](const Candidate* a, const Candidate* b) {
            return better(*a, *b, scenario.objective);
        });
    }

    // One replica more after the other, up to twice the smallest service: what a little more money buys.
    void stepUp()
    {
        for (std::size_t i = 0; i < std::min(m_meeting.size(), layoutsTried); ++i) {
            const Layout& layout = m_meeting[i]->deployment.layout;
            const int step = std::max(1, layout.replicas / sizesTried);
            for (int more = layout.replicas + step; more <= layout.replicas + sizesTried * step
                 && more * layout.gpusPerReplica() <= mostTimes * m_meeting.front()->gpus();
                 more += step)
                add(*m_meeting[i], more);
        }
    }

    // Every size that some layout takes, filled with replicas of each smaller one: of the same purchase a
    // larger replica may be the worse use.
    void fillSizes()
    {
        std::map<int, const Candidate*> ofWidth; // the fastest without stages, for each size of a replica
        std::set<int> sizes;
        for (const Candidate* c : m_meeting) {
            sizes.insert(c->gpus());
            if (c->deployment.layout.pp > 1)
                continue;
            const Candidate*& best = ofWidth[c->deployment.layout.gpusPerReplica()];
            if (best == nullptr
                || c->point.tokensPerSecondPerUser.value > best->point.tokensPerSecondPerUser.value)
                best = c;
        }
        std::size_t widths = 0;
        for (const auto& [width, candidate] : ofWidth) {
            if (++widths > widthsTried)
                break;
            for (const int size : sizes)
                if (size % width == 0 && size / width > candidate->deployment.layout.replicas)
                    add(*candidate, size / width);
        }
    }

    [[nodiscard]] std::vector<Candidate> found() && { return std::move(m_found); }

private:
    void add(const Candidate& like, int replicas)
    {
        const std::pair key(&like, replicas);
        if (!m_seen.insert(key).second)
            return;
        m_found.push_back(judgeWith(like, replicas, m_scenario, Depth::Whole));
    }

    const Scenario& m_scenario;
    std::vector<const Candidate*> m_meeting; // best first
    std::set<std::pair<const Candidate*, int>> m_seen;
    std::vector<Candidate> m_found;
};

} // namespace

std::vector<Candidate> withMoreReplicas(const std::vector<Candidate>& candidates, const Scenario& scenario)
{
    if (!takesFewest(scenario))
        return {};
    Larger larger(candidates, scenario);
    if (shares(scenario))
        larger.stepUp();
    larger.fillSizes();
    return std::move(larger).found();
}

} // namespace headroom
