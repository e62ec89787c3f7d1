#pragma once

#include "model/closed_form/scheduling.h"
#include "model/closed_form/step_work.h"
#include "model/scenario/request.h"
#include "model/serve/outcome.h"

#include <algorithm>
#include <cstdint>
#include <list>
#include <vector>

namespace headroom::serve::testing {

// One replica the slow way: one step at a time, every token on its own, every count taken afresh. Written
// without a look at the fast one; knows no prefix cache, no swap, no beams.
struct NaiveEngine {
    struct Job {
        std::int32_t id, prompt, output, computed = 0, made = 0, target = 0;
    };
    Scheduling rules;
    StepTime stepTime;
    std::list<Job> waiting, running; // running in the order of admission
    std::vector<Outcome> outcomes;
    std::int64_t steps = 0;
    std::int64_t peakBlocks = 0;

    [[nodiscard]] std::int64_t blocks(std::int64_t tokens) const
    {
        return (tokens + rules.pageTokens() - 1) / rules.pageTokens();
    }
    [[nodiscard]] std::int64_t held(const Job& job) const
    {
        return rules.reservesAnswer() ? blocks(job.prompt + job.output) : blocks(job.computed);
    }
    [[nodiscard]] std::int64_t usedBlocks() const
    {
        std::int64_t used = 0;
        for (const Job& job : running)
            used += held(job);
        return used;
    }

    std::vector<Outcome> serve(const std::vector<Request>& requests)
    {
        outcomes.assign(requests.size(), Outcome{.start = Seconds(-1)});
        std::size_t next = 0;
        double clock = 0;
        while (next < requests.size() || !waiting.empty() || !running.empty()) {
            if (waiting.empty() && running.empty())
                clock = std::max(clock, requests[next].arrival.base());
            for (; next < requests.size() && requests[next].arrival.base() <= clock; ++next) {
                const Request& request = requests[next];
                outcomes[next].arrival = request.arrival;
                const std::int64_t longest
                    = request.promptTokens + request.outputTokens - (rules.reservesAnswer() ? 0 : 1);
                if (blocks(longest) > rules.pages())
                    outcomes[next].state = Outcome::State::Refused;
                else
                    waiting.push_back(
                        {static_cast<std::int32_t>(next), request.promptTokens, request.outputTokens});
            }
            if (!waiting.empty() || !running.empty())
                clock = step(clock);
        }
        return outcomes;
    }

    double step(double clock)
    {
        std::vector<std::pair<Job*, std::int32_t>> work; // tokens to compute, admitted order
        bool evicted = false;
        std::int64_t budget = rules.maxBatchedTokens;
        const bool mixed = rules.kind == SchedulerKind::ChunkedPrefill;
        const auto admit = [&](bool whole) {
            std::int64_t planned = 0;
            while (!waiting.empty() && static_cast<std::int64_t>(running.size()) < rules.sequenceLimit()
                   && (whole || budget > 0)) {
                Job job = waiting.front();
                job.target = job.prompt + job.made;
                const std::int64_t needs
                    = rules.reservesAnswer() ? blocks(job.prompt + job.output) : blocks(job.target);
                std::int64_t taken = usedBlocks();
                for (const auto& [other, tokens] : work)
                    taken += rules.reservesAnswer()
                        ? 0
                        : blocks(other->computed + tokens) - blocks(other->computed);
                if (needs > rules.pages() - taken)
                    break;
                const std::int32_t tokens = whole
                    ? job.target
                    : static_cast<std::int32_t>(std::min<std::int64_t>(job.target, budget));
                if (whole && planned > 0 && planned + tokens > rules.maxBatchedTokens)
                    break;
                planned += tokens;
                budget -= tokens;
                waiting.pop_front();
                running.push_back(job);
                work.emplace_back(&running.back(), tokens);
            }
        };
        const auto advanceRunning = [&] {
            for (auto job = running.begin(); job != running.end(); ++job) {
                const bool decodes = job->computed >= job->target;
                const auto tokens = static_cast<std::int32_t>(
                    decodes ? 1 : std::min<std::int64_t>(job->target - job->computed, budget));
                if (tokens <= 0)
                    continue;
                const auto isShort = [&] {
                    if (rules.reservesAnswer())
                        return false;
                    std::int64_t taken
                        = usedBlocks() + blocks(job->computed + tokens) - blocks(job->computed);
                    for (const auto& [other, more] : work)
                        taken += blocks(other->computed + more) - blocks(other->computed);
                    return taken > rules.pages();
                };
                bool gone = false;
                while (!gone && isShort()) {
                    Job victim = running.back();
                    gone = &running.back() == &*job;
                    running.pop_back();
                    ++outcomes[static_cast<std::size_t>(victim.id)].preemptions;
                    victim.computed = 0;
                    waiting.push_front(victim);
                    evicted = true;
                }
                if (gone)
                    return;
                budget -= tokens;
                work.emplace_back(&*job, tokens);
            }
        };
        if (mixed) {
            advanceRunning();
            if (!evicted)
                admit(false);
        } else if (rules.kind == SchedulerKind::PrefillFirst) {
            admit(true);
            if (work.empty()) {
                budget = rules.maxBatchedTokens;
                advanceRunning();
            }
        }
        return perform(work, clock);
    }

    double perform(const std::vector<std::pair<Job*, std::int32_t>>& work, double clock)
    {
        StepWork sum;
        std::int64_t grown = 0;
        for (const auto& [job, tokens] : work) {
            grown += rules.reservesAnswer() ? 0 : blocks(job->computed + tokens) - blocks(job->computed);
            if (job->computed >= job->target) {
                ++sum.decodeSequences;
                sum.decodeContext += job->computed;
                ++sum.sampledRows;
            } else {
                Outcome& outcome = outcomes[static_cast<std::size_t>(job->id)];
                if (outcome.start.base() < 0)
                    outcome.start = Seconds(clock);
                sum.addChunk(tokens, job->computed);
                sum.sampledRows += job->computed + tokens == job->target ? 1 : 0;
            }
        }
        peakBlocks = std::max(peakBlocks, usedBlocks() + grown);
        ++steps;
        const double end = clock + stepTime(shapeOf(sum)).base();
        for (const auto& [job, tokens] : work) {
            job->computed += tokens;
            if (job->computed < job->target)
                continue;
            Outcome& outcome = outcomes[static_cast<std::size_t>(job->id)];
            if (job->made == 0)
                outcome.firstToken = Seconds(end);
            ++job->made;
            if (job->made == job->output) {
                outcome.end = Seconds(end);
                outcome.state = Outcome::State::Done;
            }
        }
        running.remove_if([](const Job& job) { return job.made == job.output; });
        return end;
    }
};

} // namespace headroom::serve::testing
