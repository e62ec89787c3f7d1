#include "pipeline.h"

#include <algorithm>
#include <deque>
#include <list>
#include <numeric>
#include <optional>

namespace headroom::twin {

PipelineRules vllmPipeline(int stages, std::int64_t budget, std::int64_t maxSequences)
{
    return {.stages = stages, .inFlight = stages, .budget = budget, .maxSequences = maxSequences};
}
PipelineRules sglangPipeline(int stages, std::int64_t budget, std::int64_t maxSequences)
{
    PipelineRules rules = vllmPipeline(stages, budget, maxSequences);
    rules.groups = PipelineRules::Groups::Slots;
    rules.mixing = PipelineRules::Mixing::PromptsFirst;
    return rules;
}
PipelineRules tensorRtPipeline(int stages, std::int64_t budget, std::int64_t maxBatch)
{
    PipelineRules rules = vllmPipeline(stages, budget, maxBatch * stages);
    rules.messages = PipelineRules::Messages::HoldReceiver;
    rules.balanceSteps = 60; // attention_dp_config: enable_balance, timeout_iters, as public scripts start it
    return rules;
}
PipelineRules llamaCppPipeline(int stages, std::int64_t batch, std::int64_t maxSequences)
{
    PipelineRules rules = naivePipeline(stages, batch, maxSequences);
    rules.piece = 512; // n_ubatch
    return rules;
}
PipelineRules naivePipeline(int stages, std::int64_t budget, std::int64_t maxSequences)
{
    return {.stages = stages, .inFlight = 1, .budget = budget, .maxSequences = maxSequences};
}

namespace {

struct Job {
    std::int64_t prompt = 0, output = 0;
    std::int64_t computed = 0; // tokens in the cache, those under way included
    std::int64_t made = 0;
    int underWay = 0; // passes that it is part of
    bool started = false;

    [[nodiscard]] bool prompted() const { return computed >= prompt; }
};

struct Part {
    std::size_t job = 0;
    std::int64_t tokens = 0;
    bool decode = false;
    std::int64_t past = 0;
};

struct Pass {
    std::vector<Part> parts;
    double end = 0;
    int slot = 0;
};

class Pipeline {
public:
    Pipeline(const PipelineRules& rules, const StageTime& stageTime, const HopTime& hopTime,
             const std::vector<Request>& requests, int users)
        : m_rules(rules), m_stageTime(stageTime), m_hopTime(hopTime), m_requests(requests), m_users(users)
    {
        for (const Request& request : requests)
            m_jobs.push_back({request.prompt, request.output});
        m_run.served.resize(requests.size());
        const auto stages = static_cast<std::size_t>(rules.stages);
        m_run.busy.resize(stages);
        m_run.wire.resize(stages);
        m_stageFree.resize(stages);
        m_slots.resize(rules.groups == PipelineRules::Groups::Slots ? stages : 1);
        m_slotBusy.resize(m_slots.size());
    }

    PipelineRun run()
    {
        for (int i = 0; i < m_users && m_next < m_jobs.size(); ++i)
            arrive(0);
        while (true) {
            takeArrivals();
            while (static_cast<int>(m_flying.size()) < m_rules.inFlight && schedule()) {}
            const double arrival
                = m_users == 0 && m_next < m_jobs.size() ? m_requests[m_next].arrival : never;
            const double landing = m_flying.empty() ? never : m_flying.front().end;
            if (arrival == never && landing == never)
                break;
            m_now = std::min(arrival, landing);
            if (landing <= arrival)
                land();
        }
        m_run.end = m_now;
        return std::move(m_run);
    }

private:
    static constexpr double never = 1e300;

    void arrive(double when)
    {
        m_run.served[m_next].arrival = when;
        m_waiting.push_back(m_next++);
    }
    void takeArrivals()
    {
        while (m_users == 0 && m_next < m_jobs.size() && m_requests[m_next].arrival <= m_now)
            arrive(m_requests[m_next].arrival);
    }

    [[nodiscard]] std::int64_t running() const
    {
        std::int64_t sum = 0;
        for (const std::list<std::size_t>& slot : m_slots)
            sum += static_cast<std::int64_t>(slot.size());
        return sum;
    }
    [[nodiscard]] std::int64_t roomOf(std::size_t slot) const
    {
        const auto slots = static_cast<std::int64_t>(m_slots.size());
        return std::max<std::int64_t>(1, m_rules.maxSequences / slots)
            - static_cast<std::int64_t>(m_slots[slot].size());
    }

    // Composes the next pass and sends it off; false where there is nothing to run now.
    bool schedule()
    {
        for (std::size_t tried = 0; tried < m_slots.size(); ++tried) {
            const std::size_t slot = m_turn;
            const bool slots = m_rules.groups == PipelineRules::Groups::Slots;
            if (slots && m_slotBusy[slot])
                return false; // its turn comes when its pass is back
            Pass pass;
            pass.slot = static_cast<int>(slot);
            compose(pass, slot);
            m_turn = (m_turn + 1) % m_slots.size();
            if (pass.parts.empty())
                continue;
            m_slotBusy[slot] = true;
            sendOff(std::move(pass));
            return true;
        }
        return false;
    }

    void compose(Pass& pass, std::size_t slot)
    {
        std::int64_t budget = m_rules.budget > 0 ? m_rules.budget : std::int64_t{1} << 60;
        if (m_rules.mixing == PipelineRules::Mixing::DecodesFirst) {
            for (const std::size_t job : m_slots[slot])
                take(pass, job, budget);
            admit(pass, slot, budget);
            return;
        }
        // The prompt that is under way in chunks, then new ones, if there are any; else decodes.
        for (const std::size_t job : m_slots[slot])
            if (!m_jobs[job].prompted())
                take(pass, job, budget);
        if (m_chunked && m_chunked->second != slot && !m_jobs[m_chunked->first].prompted()) {
            std::list<std::size_t>& from
                = m_slots[m_chunked->second]; // a chunked prompt goes where the turn is
            if (m_rules.chunksFollow && roomOf(slot) > 0) {
                from.remove(m_chunked->first);
                m_slots[slot].push_back(m_chunked->first);
                m_chunked->second = slot;
                take(pass, m_chunked->first, budget);
            }
        }
        if (!m_chunked || m_jobs[m_chunked->first].prompted())
            admit(pass, slot, budget);
        if (pass.parts.empty())
            for (const std::size_t job : m_slots[slot])
                take(pass, job, budget);
    }

    void admit(Pass& pass, std::size_t slot, std::int64_t& budget)
    {
        while (!m_waiting.empty() && budget > 0 && roomOf(slot) > 0) {
            const std::size_t job = m_waiting.front();
            m_waiting.pop_front();
            m_slots[slot].push_back(job);
            take(pass, job, budget);
            if (!m_jobs[job].prompted())
                m_chunked = {job, slot};
        }
    }

    // What `job` can run now, within the budget.
    void take(Pass& pass, std::size_t index, std::int64_t& budget)
    {
        Job& job = m_jobs[index];
        const bool decode = job.prompted();
        const bool blocked = decode ? job.underWay > 0 : job.underWay > 0 && !m_rules.chunksFollow;
        if (budget <= 0 || blocked)
            return;
        const std::int64_t tokens = decode ? 1 : std::min(budget, job.prompt - job.computed);
        pass.parts.push_back({index, tokens, decode, job.computed});
        budget -= tokens;
        job.computed += tokens;
        ++job.underWay;
        if (!job.started)
            m_run.served[index].start = m_now;
        job.started = true;
    }

    // Pieces of a pass, in the order of its parts; a prompt's tokens may be cut anywhere.
    [[nodiscard]] std::vector<MicroBatch> piecesOf(const Pass& pass) const
    {
        std::vector<MicroBatch> pieces(1);
        for (const Part& part : pass.parts) {
            std::int64_t left = part.tokens;
            std::int64_t past = part.past;
            while (left > 0) {
                if (m_rules.piece > 0 && pieces.back().tokens() == m_rules.piece)
                    pieces.emplace_back();
                MicroBatch& to = pieces.back();
                const std::int64_t now
                    = m_rules.piece > 0 ? std::min(left, m_rules.piece - to.tokens()) : left;
                left -= now;
                if (part.decode) {
                    ++to.decodes;
                    to.context += past;
                } else {
                    to.promptTokens += now;
                    ++to.prompts;
                    to.pairs += now * (2 * past + now);
                }
                past += now;
                to.sampled += part.decode || past == m_jobs[part.job].prompt ? 1 : 0;
            }
        }
        return pieces;
    }

    // Stages serve in the order of coming, so that the whole way is known at once.
    void sendOff(Pass pass)
    {
        for (const MicroBatch& piece : piecesOf(pass)) {
            double at = m_now;
            for (int stage = 0; stage < m_rules.stages; ++stage) {
                const auto s = static_cast<std::size_t>(stage);
                const double computing = m_stageTime(stage, piece);
                at = std::max(at, m_stageFree[s]) + computing;
                m_stageFree[s] = at;
                m_run.busy[s] += computing;
                if (stage + 1 == m_rules.stages)
                    break;
                const double hop = m_hopTime(stage, piece);
                const bool held = m_rules.messages == PipelineRules::Messages::HoldSender;
                at = (held ? at : std::max(at, m_stageFree[s + 1])) + hop;
                m_stageFree[held ? s : s + 1] = at;
                m_run.wire[s] += hop;
            }
            pass.end = at;
        }
        ++m_run.passes;
        m_flying.push_back(std::move(pass));
    }

    // The oldest pass is through.
    void land()
    {
        const Pass pass = std::move(m_flying.front());
        m_flying.pop_front();
        m_slotBusy[static_cast<std::size_t>(pass.slot)] = false;
        for (const Part& part : pass.parts) {
            Job& job = m_jobs[part.job];
            --job.underWay;
            if (!part.decode && part.past + part.tokens < job.prompt)
                continue;
            if (++job.made == 1)
                m_run.served[part.job].firstToken = m_now;
            if (job.made < job.output)
                continue;
            m_run.served[part.job].end = m_now;
            for (std::list<std::size_t>& slot : m_slots)
                slot.remove(part.job);
            if (m_users > 0 && m_next < m_jobs.size())
                arrive(m_now);
        }
    }

    const PipelineRules& m_rules;
    const StageTime& m_stageTime;
    const HopTime& m_hopTime;
    const std::vector<Request>& m_requests;
    int m_users;
    std::vector<Job> m_jobs;
    std::size_t m_next = 0;
    std::deque<std::size_t> m_waiting;
    std::vector<std::list<std::size_t>> m_slots; // running, in the order of admission
    std::vector<bool> m_slotBusy;
    std::size_t m_turn = 0;
    std::optional<std::pair<std::size_t, std::size_t>> m_chunked; // a prompt in chunks and its slot
    std::deque<Pass> m_flying;
    std::vector<double> m_stageFree;
    double m_now = 0;
    PipelineRun m_run;
};

} // namespace

PipelineRun runPipeline(const PipelineRules& rules, const StageTime& stageTime, const HopTime& hopTime,
                        const std::vector<Request>& requests, int users)
{
    return Pipeline(rules, stageTime, hopTime, requests, users).run();
}

Steady steadyOf(const std::vector<Request>& requests, const std::vector<Served>& served)
{
    std::vector<std::size_t> order(served.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return served[a].end < served[b].end; });
    const std::size_t first = order.size() / 5;
    const std::size_t last = order.size() - 1 - order.size() / 5;
    const double begin = served[order[first]].end;
    const double span = served[order[last]].end - begin;
    Steady steady;
    double tokens = 0;
    double ended = 0;
    double gaps = 0;
    double many = 0;
    for (std::size_t i = first + 1; i <= last; ++i) {
        const Served& one = served[order[i]];
        const auto output = static_cast<double>(requests[order[i]].output);
        if (one.end > begin) { // whoever ended with the first was served before
            tokens += output;
            ++ended;
        }
        steady.ttft += one.firstToken - one.arrival;
        if (output > 1) {
            gaps += (one.end - one.firstToken) / (output - 1);
            ++many;
        }
    }
    const auto count = static_cast<double>(last - first);
    steady.outputRate = span > 0 ? tokens / span : 0;
    steady.requestRate = span > 0 ? ended / span : 0;
    steady.ttft /= std::max(1.0, count);
    steady.tpot = many > 0 ? gaps / many : 0;
    return steady;
}

} // namespace headroom::twin
