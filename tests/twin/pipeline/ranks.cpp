#include "ranks.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace headroom::twin {

namespace {

struct Turn {
    std::size_t request = 0;
    std::int64_t prompt = 0, output = 0;
    std::int64_t computed = 0; // of the prompt
    std::int64_t made = 0;     // tokens of the answer

    [[nodiscard]] bool decodes() const { return computed == prompt; }
};

struct Rank {
    std::deque<Turn> held;                             // come, and not let in yet
    std::deque<std::pair<std::int64_t, Turn>> counted; // let in, and so many steps are still to pass
    std::deque<Turn> waiting;
    std::vector<Turn> running; // in the order of admission

    [[nodiscard]] std::size_t inside() const
    {
        return held.size() + counted.size() + waiting.size() + running.size();
    }
    [[nodiscard]] bool idle() const { return waiting.empty() && running.empty(); }
};

// What one job does in a step: so many tokens of its prompt, or one decode.
struct Share {
    std::size_t job = 0;
    std::int64_t promptTokens = 0;
};

class Ranks {
public:
    Ranks(const PipelineRules& rules, int ranks, const std::vector<Request>& requests, int users)
        : m_rules(rules), m_requests(requests), m_users(users), m_ranks(static_cast<std::size_t>(ranks))
    {
        m_run.served.resize(requests.size());
        m_run.busy.resize(1);
        for (int i = 0; i < users && m_next < requests.size(); ++i)
            arrive(0);
    }

    PipelineRun run(const RanksTime& time)
    {
        while (true) {
            while (m_users == 0 && m_next < m_requests.size() && m_requests[m_next].arrival <= m_now)
                arrive(m_requests[m_next].arrival);
            letIn();
            std::vector<std::vector<Share>> shares;
            std::vector<MicroBatch> works;
            std::int64_t tokens = 0;
            for (Rank& rank : m_ranks) {
                shares.push_back(planned(rank));
                works.push_back(workOf(rank, shares.back()));
                tokens += works.back().tokens();
            }
            if (tokens == 0) {
                if (m_users > 0 || m_next == m_requests.size())
                    break;
                m_now = m_requests[m_next].arrival;
                continue;
            }
            const double took = time(works);
            m_now += took;
            m_run.busy[0] += took;
            ++m_run.passes;
            for (std::size_t i = 0; i < m_ranks.size(); ++i)
                finish(m_ranks[i], shares[i]);
            for (; m_ended > 0; --m_ended)
                if (m_users > 0 && m_next < m_requests.size())
                    arrive(m_now);
        }
        m_run.end = m_now;
        return std::move(m_run);
    }

private:
    void arrive(double when)
    {
        Rank& fewest = *std::min_element(m_ranks.begin(), m_ranks.end(), [](const Rank& a, const Rank& b) {
            return a.inside() < b.inside();
        });
        const Request& request = m_requests[m_next];
        m_run.served[m_next].arrival = when;
        fewest.held.push_back({m_next++, request.prompt, request.output});
    }

    // Prompts begin where every rank has one, where a rank has nothing to decode meanwhile, or where they
    // have been there for as many steps as they may be held.
    void letIn()
    {
        const bool nothingToDo
            = std::all_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) { return rank.idle(); });
        for (Rank& rank : m_ranks) {
            for (auto& [left, turn] : rank.counted)
                --left;
            for (; !rank.counted.empty() && (nothingToDo || rank.counted.front().first <= 0);
                 rank.counted.pop_front())
                rank.waiting.push_back(rank.counted.front().second);
        }
        int withPrompts = 0;
        bool idle = false;
        for (const Rank& rank : m_ranks) {
            withPrompts += rank.held.empty() ? 0 : 1;
            idle = idle || rank.running.empty();
        }
        const bool all = withPrompts == static_cast<int>(m_ranks.size());
        if (withPrompts > 0 && !all && !idle && m_heldFor + 1 < m_rules.balanceSteps) {
            ++m_heldFor;
            return;
        }
        if (withPrompts > 0)
            m_heldFor = 0;
        for (Rank& rank : m_ranks)
            for (; !rank.held.empty(); rank.held.pop_front())
                if (nothingToDo || m_rules.admissionSteps == 0)
                    rank.waiting.push_back(rank.held.front());
                else
                    rank.counted.emplace_back(m_rules.admissionSteps, rank.held.front());
    }

    std::vector<Share> planned(Rank& rank)
    {
        const bool promptsFirst = m_rules.mixing == PipelineRules::Mixing::PromptsFirst;
        std::int64_t budget = m_rules.budget > 0 ? m_rules.budget : std::int64_t{1} << 60;
        std::vector<Share> prompts;
        std::vector<Share> decodes;
        for (std::size_t i = 0; i < rank.running.size(); ++i)
            if (rank.running[i].decodes()) {
                decodes.push_back({i, 0});
                budget -= promptsFirst ? 0 : 1;
            }
        const auto take = [&](std::size_t i) {
            const std::int64_t now = std::min(budget, rank.running[i].prompt - rank.running[i].computed);
            if (now <= 0)
                return;
            budget -= now;
            prompts.push_back({i, now});
        };
        for (std::size_t i = 0; i < rank.running.size(); ++i)
            take(i);
        while (!rank.waiting.empty() && budget > 0
               && static_cast<std::int64_t>(rank.running.size()) < m_rules.maxSequences) {
            m_run.served[rank.waiting.front().request].start = m_now;
            rank.running.push_back(rank.waiting.front());
            rank.waiting.pop_front();
            take(rank.running.size() - 1);
        }
        if (promptsFirst)
            return prompts.empty() ? decodes : prompts;
        decodes.insert(decodes.end(), prompts.begin(), prompts.end());
        return decodes;
    }

    [[nodiscard]] static MicroBatch workOf(const Rank& rank, const std::vector<Share>& shares)
    {
        MicroBatch work;
        for (const Share& share : shares) {
            const Turn& job = rank.running[share.job];
            if (share.promptTokens == 0) {
                ++work.decodes;
                ++work.sampled;
                work.context += job.prompt + job.made;
                continue;
            }
            ++work.prompts;
            work.promptTokens += share.promptTokens;
            work.pairs += share.promptTokens * (2 * job.computed + share.promptTokens);
            work.sampled += job.computed + share.promptTokens == job.prompt ? 1 : 0;
        }
        return work;
    }

    void finish(Rank& rank, const std::vector<Share>& shares)
    {
        for (const Share& share : shares) {
            Turn& job = rank.running[share.job];
            job.computed += share.promptTokens;
            if (!job.decodes())
                continue;
            if (++job.made == 1)
                m_run.served[job.request].firstToken = m_now;
            if (job.made == job.output)
                m_run.served[job.request].end = m_now;
        }
        const auto done = [](const Turn& job) { return job.made >= job.output; };
        const auto left = std::remove_if(rank.running.begin(), rank.running.end(), done);
        m_ended += rank.running.end() - left;
        rank.running.erase(left, rank.running.end());
    }

    const PipelineRules& m_rules;
    const std::vector<Request>& m_requests;
    int m_users;
    std::vector<Rank> m_ranks;
    std::size_t m_next = 0;
    std::int64_t m_heldFor = 0; // steps
    std::ptrdiff_t m_ended = 0; // in this step
    double m_now = 0;
    PipelineRun m_run;
};

} // namespace

PipelineRun runRanks(const PipelineRules& rules, int ranks, const RanksTime& time,
                     const std::vector<Request>& requests, int users)
{
    return Ranks(rules, ranks, requests, users).run(time);
}

} // namespace headroom::twin
