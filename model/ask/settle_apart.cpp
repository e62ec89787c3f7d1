#include "model/ask/rules.h"

#include <algorithm>
#include <vector>

namespace headroom::ask {

namespace {

// Whether a plan is made of it: a number without a role, too, may have been meant to be one's.
bool isUsed(const Draft& draft, const Settled& settled, const Assigned& one)
{
    const Role* const role = one.role != nullptr ? one.role
        : one.candidates.empty()                 ? nullptr
                                                 : one.candidates.front().role;
    Matched matched;
    if (role == nullptr)
        return ruleAround("matters", draft, one.span, one.span, matched) != nullptr;
    const bool job = settled.find("jobTokens") != nullptr || settled.find("jobRequests") != nullptr;
    const Setting* const thing = role->setting("thing"); // "2 monitors"; "thing=Plain": where it has no unit
    const bool things = thing != nullptr
        && (thing->values.empty() || dimensionOf(thing->values.front()) == one.span.dimension);
    return (role->key != "-" || role->setting("matters") != nullptr)
        && (role->setting("ofJob") == nullptr || job)
        && (!things || one.cue != none || !says("of-stranger", draft, one.span));
}

void readSentence(Draft& draft, Settled& settled, Place part)
{
    std::vector<Assigned*> numbers;
    for (Assigned& one : settled.quantities)
        if (one.span.number >= part.first && one.span.number < part.last)
            numbers.push_back(&one);
    const bool amount = std::any_of(numbers.begin(), numbers.end(), [](const Assigned* one) {
        return one->span.isMoney() && one->span.dimension != Dimension::MoneyOfTokens;
    });
    const auto asks = [&](std::size_t i) {
        return draft.isRead(i) || says("of-plan", draft, i) || (!amount && says("of-cost", draft, i));
    };
    if (draft.any(part, asks) || !draft.any(part, [&](std::size_t i) { return says("figure", draft, i); })
        || std::any_of(numbers.begin(), numbers.end(),
                       [&](const Assigned* one) { return isUsed(draft, settled, *one); }))
        return;
    for (std::size_t i = part.first; i < part.last; ++i)
        draft.take(i);
    for (Assigned* const one : numbers)
        one->role = nullptr;
    draft.unused({part.first, part.last - 1},
                 draft.tell("not used: it seems to have no bearing on the plan"));
}

} // namespace

// Whole sentences that name nothing, ask nothing and have no number that a plan is made of: "Backups are kept
// for 90 days." Their words say nothing of the question either.
void settleApart(Draft& draft, Settled& settled)
{
    const auto isModel = [&](std::size_t i) { return draft.isName(i, ItemKind::Model); };
    const auto joined = [&](std::size_t i) { return i < draft.size() && draft.at(i).text == ";"; };
    const bool model = draft.any({0, draft.size()}, isModel);
    for (std::size_t first = 0, end = 0; model && first < draft.size(); first = end + 1) {
        end = draft.sentenceOf(first).last;
        if (end > first && !joined(end) && !joined(first - 1))
            readSentence(draft, settled, {first, end});
    }
}

} // namespace headroom::ask
