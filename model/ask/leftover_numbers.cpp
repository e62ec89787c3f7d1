#include "model/ask/rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <utility>
#include <vector>

namespace headroom::ask {

using enum Meaning;

namespace {

// Quantities that found no role: the same once more, one too many, a part of a name, or a number of nobody
// knows what.
class Numbers {
public:
    Numbers(Draft& draft, Settled& settled) : m_draft(draft), m_settled(settled) {}

    void settle()
    {
        for (const Assigned& quantity : m_settled.quantities)
            if (quantity.role == nullptr && !m_draft.isRead(quantity.span.number))
                number(quantity);
    }

private:
    void number(const Assigned& quantity)
    {
        const Span& span = quantity.span;
        Matched matched;
        const Rule* const rule
            = ruleAround("loose", m_draft, span, {span.number, span.last}, matched, m_settled);
        if (rule == nullptr)
            return again(quantity);
        m_draft.takeAll(span.parts);
        (void)obey(*rule, m_draft, m_settled, span.number, span, matched);
    }

    // Its role was given to another number: the same once more, or one too many.
    void again(const Assigned& quantity)
    {
        const Role& role = *quantity.candidates.front().role;
        const Assigned* const other = m_settled.find(role.id);
        Assigned own = quantity;
        own.role = &role;
        own.cue = quantity.candidates.front().cue;
        const Place place = takeQuantity(m_draft, own);
        if (other == nullptr)
            return m_draft.problem(
                place, m_draft.tell("a number of what?"),
                m_draft.tell("e.g. '500 users', '8k prompts', '20 TPS', '2s TTFT', '8x H100'"));
        if (other->span.value == quantity.span.value)
            return;
        const bool team = own.span.dimension != Dimension::User && other->span.dimension == Dimension::User;
        const bool onTop = says("on-top", m_draft, {own.span.number, own.span.last});
        if (role.id == "users" && team && !onTop) // "our team of 6 … 80 users"
            return m_draft.unused(
                place, m_draft.tell("not used: {} are there at once", countText(other->span.value)));
        if (const auto& there = m_draft.question.scenario.concurrency;
            role.id == "everyone" && there && m_settled.find("users") != nullptr)
            return m_draft.unused(place, m_draft.tell("not used: {} are there at once", countText(*there)));
        const auto text = [&](const Span& span) {
            if (span.unit == Time)
                return span.value < 1 ? fmt::format("{:.6g} ms", span.value * 1e3)
                                      : fmt::format("{:.6g} s", span.value);
            return countText(span.value);
        };
        m_draft.problem(place,
                        m_draft.tell("{} was already read as {}; here it would be {}", m_draft.say(role.name),
                                     text(other->span), text(quantity.span)),
                        m_draft.tell("ask one question at a time, or say it once"));
    }

    Draft& m_draft;
    Settled& m_settled;
};

} // namespace

std::vector<const Role*> openRoles(const Draft& draft, const Settled& settled, const Span& span)
{
    std::vector<const Role*> open;
    for (const Candidate& candidate : possibleOf(draft, span))
        if (!candidate.role->say.english.empty() && candidate.role->usual.has(span.value)
            && settled.find(candidate.role->id) == nullptr)
            open.push_back(candidate.role);
    return open;
}

// A name that the catalogue lacks: never another one in its place.
void tellAbsent(Draft& draft, std::size_t first, std::size_t last)
{
    std::vector<std::string> near;
    constexpr std::size_t longest = 40; // a name, not a sentence
    constexpr std::size_t few = 3;      // of many that are wrong the rest needs none
    if (const std::string name = draft.said(first, last);
        draft.vocabulary.nearest && name.size() <= longest && draft.problems.size() < few)
        near = draft.vocabulary.nearest(name);
    for (std::size_t i = first; i <= last; ++i)
        if (near.empty() && draft.isName(i, ItemKind::Model))
            near.push_back(draft.at(i).match.id);
    draft.problem({first, last}, draft.tell("is not in the catalogue"),
                  near.empty() ? std::string() : draft.tell("nearest: {}", fmt::join(near, ", ")));
}

void settleLeftNumbers(Draft& draft, Settled& settled) { Numbers(draft, settled).settle(); }

} // namespace headroom::ask
