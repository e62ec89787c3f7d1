#include "model/serve/policy.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace headroom::serve {

namespace {
std::int64_t tokenBudget(const Scheduling& scheduling)
{
    return scheduling.maxBatchedTokens > 0 ? scheduling.maxBatchedTokens
                                           : std::numeric_limits<std::int32_t>::max();
}

// Blocks for sequence `index`, taken from those admitted last when there are not enough. False: it had to go
// itself.
bool reserveOrPreempt(Batch& batch, StepPlan& plan, std::size_t index, std::int32_t tokens)
{
    while (!batch.reserve(batch.running()[index], tokens)) {
        batch.settleDecoders();
        plan.preempted.push_back(batch.running().back().request);
        plan.movedTokens += batch.preemptLast();
        if (batch.running().size() <= index)
            return false;
    }
    return true;
}

// As planRunning, where those that decode are followed and there are the blocks for everybody.
std::optional<std::int64_t> planFollowed(Batch& batch, StepPlan& plan, std::int64_t budget)
{
    const Decoders& decoders = batch.decoders();
    std::int64_t blocks = decoders.blocksFor(1);
    std::int64_t promised = 0; // tokens, to prompts
    std::int64_t prompts = 0;
    for (const std::int32_t index : decoders.prompts()) {
        const Sequence& sequence = batch.running()[static_cast<std::size_t>(index)];
        const std::int64_t before = index - prompts++; // that decode
        const auto tokens = static_cast<std::int32_t>(
            std::min<std::int64_t>(sequence.target - sequence.computed, budget - before - promised));
        if (tokens <= 0)
            continue;
        blocks += batch.lacks(sequence, sequence.computed + tokens);
        promised += tokens;
        plan.chunks.push_back({.sequence = index, .tokens = tokens});
    }
    if (blocks > batch.pool().free()) {
        plan.chunks.clear();
        return std::nullopt;
    }
    for (const StepPlan::Chunk& chunk : plan.chunks) {
        Sequence& sequence = batch.running()[static_cast<std::size_t>(chunk.sequence)];
        static_cast<void>(batch.reserve(sequence, sequence.computed + chunk.tokens));
    }
    if (decoders.size() > 0)
        batch.takeNextBlocks();
    plan.decodes = decoders.size() > 0;
    return std::max<std::int64_t>(budget - decoders.size() - promised, 0);
}

// A token for every decoding sequence and the budget's rest for prompts that are under way, oldest first.
// Returns what is left of the budget.
std::int64_t planRunning(Batch& batch, StepPlan& plan, std::int64_t budget)
{
    if (batch.decoders().followed()) {
        if (const std::optional<std::int64_t> left = planFollowed(batch, plan, budget))
            return *left;
        batch.settleDecoders();
    }
    for (std::size_t i = 0; i < batch.running().size(); ++i) {
        const Sequence& sequence = batch.running()[i];
        const std::int32_t tokens = sequence.decoding
            ? sequence.decodeWrites(batch.scheduling())
            : static_cast<std::int32_t>(std::min<std::int64_t>(sequence.target - sequence.computed, budget));
        if (tokens <= 0)
            continue;
        const std::int32_t held = sequence.computed + tokens;
        if (held > sequence.lease.room && !reserveOrPreempt(batch, plan, i, held))
            break;
        budget -= sequence.decoding ? std::int64_t{tokens} * batch.scheduling().beams : tokens;
        if (sequence.decoding)
            plan.decodes = true;
        else
            plan.chunks.push_back({.sequence = static_cast<std::int32_t>(i), .tokens = tokens});
    }
    return std::max<std::int64_t>(budget, 0);
}

// Of prompts that another lane began, the next parts: they follow one another through the stages. Returns
// what is left of the budget.
std::int64_t planUnderWay(Batch& batch, StepPlan& plan, std::int64_t budget)
{
    std::deque<Sequence>& prompts = batch.promptsUnderWay();
    while (budget > 0 && plan.preempted.empty() && !prompts.empty()) {
        const auto index = batch.running().size();
        batch.running().push_back(std::move(prompts.front()));
        prompts.pop_front();
        const Sequence& sequence = batch.running()[index];
        const auto tokens = static_cast<std::int32_t>(std::min(
            batch.scheduling().partOfPrompt(sequence.computed, sequence.target - sequence.computed), budget));
        if (!reserveOrPreempt(batch, plan, index, sequence.computed + tokens))
            break;
        plan.chunks.push_back({.sequence = static_cast<std::int32_t>(index), .tokens = tokens});
        budget -= tokens;
    }
    return budget;
}

// Sequences whose cache lies on the host or came over the link: they decode with this step.
void rejoin(Batch& batch, StepPlan& plan)
{
    while (!batch.swapped().empty() && batch.admissible(batch.swapped().front())) {
        plan.movedTokens += batch.swapIn().computed;
        plan.decodes = true;
    }
}

bool isTransferred(const Ticket& ticket) { return ticket.state == Ticket::State::Transferred; }

void admitTransferred(Batch& batch, StepPlan& plan, const Admission& admission)
{
    Ticket& ticket = batch.waiting().front();
    ticket.lastToken = plan.begins;
    plan.joined.push_back(ticket.request);
    batch.admit(admission, 0);
    plan.decodes = true;
}

void planChunkedPrefill(Batch& batch, StepPlan& plan)
{
    std::int64_t budget = planRunning(batch, plan, tokenBudget(batch.scheduling()));
    budget = planUnderWay(batch, plan, budget);
    if (!plan.preempted.empty())
        return;
    rejoin(batch, plan);
    while (batch.swapped().empty() && !batch.waiting().empty() && budget > 0) {
        const std::optional<Admission> admission = batch.admissible(batch.waiting().front());
        if (!admission)
            break;
        if (isTransferred(batch.waiting().front())) {
            admitTransferred(batch, plan, *admission);
            budget -= batch.scheduling().decodeTokens();
            continue;
        }
        const auto tokens = static_cast<std::int32_t>(
            std::min<std::int64_t>(admission->target - admission->cached, budget));
        batch.admit(*admission, tokens);
        const auto index = static_cast<std::int32_t>(batch.running().size()) - 1;
        plan.chunks.push_back({.sequence = index, .tokens = tokens});
        budget -= tokens;
    }
}

// Parts of prompts that are under way, as far as the budget goes; what they take of it.
std::int64_t planRest(Batch& batch, StepPlan& plan, std::int64_t budget)
{
    std::int64_t planned = 0;
    for (std::size_t i = 0; i < batch.running().size() && planned < budget; ++i) {
        const Sequence& sequence = batch.running()[i];
        if (sequence.decoding || sequence.target <= sequence.computed)
            continue;
        const auto tokens = static_cast<std::int32_t>(
            std::min(batch.scheduling().partOfPrompt(sequence.computed, sequence.target - sequence.computed),
                     budget - planned));
        if (!reserveOrPreempt(batch, plan, i, sequence.computed + tokens))
            break;
        plan.chunks.push_back({.sequence = static_cast<std::int32_t>(i), .tokens = tokens});
        planned += tokens;
    }
    return planned;
}

// Whole prompts from the head of the line as long as they fit the step; the first one always does, or is cut
// to what does where the engine splits prompts.
void planWholePrompts(Batch& batch, StepPlan& plan)
{
    const std::int64_t budget = tokenBudget(batch.scheduling());
    const bool splits = batch.scheduling().splitsPrompts;
    std::int64_t planned = splits ? planRest(batch, plan, budget) : 0;
    planned = budget - planUnderWay(batch, plan, budget - planned);
    while (plan.preempted.empty() && !batch.waiting().empty()) {
        const std::optional<Admission> admission = batch.admissible(batch.waiting().front());
        if (!admission)
            break;
        if (isTransferred(batch.waiting().front())) {
            admitTransferred(batch, plan, *admission);
            continue;
        }
        std::int32_t tokens = admission->target - admission->cached;
        if (splits && planned >= budget)
            break;
        if (splits)
            tokens = static_cast<std::int32_t>(std::min<std::int64_t>(tokens, budget - planned));
        else if (planned > 0 && planned + tokens > budget)
            break;
        batch.admit(*admission, tokens);
        const auto index = static_cast<std::int32_t>(batch.running().size()) - 1;
        plan.chunks.push_back({.sequence = index, .tokens = tokens});
        planned += tokens;
    }
    if (!plan.chunks.empty())
        plan.decodes = false; // prompts have the step to themselves
}

void planPrefillFirst(Batch& batch, StepPlan& plan)
{
    if (batch.swapped().empty())
        planWholePrompts(batch, plan);
    if (!plan.chunks.empty())
        return;
    planRunning(batch, plan, tokenBudget(batch.scheduling()));
    if (plan.preempted.empty())
        rejoin(batch, plan);
}

// Everyone who waits and has room begins; the budget of a step says how many prompts are computed at once,
// not how many requests make a batch.
void planStatic(Batch& batch, StepPlan& plan)
{
    if (batch.running().empty())
        while (!batch.waiting().empty()) {
            const std::optional<Admission> admission = batch.admissible(batch.waiting().front());
            if (!admission)
                break;
            batch.admit(*admission, 0);
        }
    const std::int64_t budget = tokenBudget(batch.scheduling());
    std::int64_t planned = 0;
    const std::vector<Sequence>& running = batch.running();
    for (std::size_t i = 0; i < running.size(); ++i) {
        const std::int32_t tokens = running[i].target - running[i].computed;
        if (running[i].decoding)
            continue;
        if (planned > 0 && planned + tokens > budget)
            break; // in their order
        plan.chunks.push_back({.sequence = static_cast<std::int32_t>(i), .tokens = tokens});
        planned += tokens;
    }
    plan.decodes = plan.chunks.empty() && !running.empty(); // prompts have the step to themselves
}
} // namespace

void StepPlan::clear()
{
    chunks.clear();
    decodes = false;
    preempted.clear();
    joined.clear();
    movedTokens = 0;
}

void planStep(Batch& batch, StepPlan& plan)
{
    plan.clear();
    switch (batch.scheduling().kind) {
    case SchedulerKind::Static:
        return planStatic(batch, plan);
    case SchedulerKind::PrefillFirst:
        return planPrefillFirst(batch, plan);
    case SchedulerKind::ChunkedPrefill:
        return planChunkedPrefill(batch, plan);
    }
}

} // namespace headroom::serve
