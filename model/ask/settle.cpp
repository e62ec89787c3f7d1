#include "model/ask/rules.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

auto* firstOf(auto& all, const auto& is)
{
    const auto found = std::find_if(all.begin(), all.end(), is);
    return found == all.end() ? nullptr : &*found;
}

auto* foundIn(auto& settled, std::string_view role)
{
    if (role == "rate")
        return settled.rate ? &*settled.rate : nullptr;
    return firstOf(settled.quantities, [&](const Assigned& one) { return one.is(role); });
}

} // namespace

const Assigned* Settled::find(std::string_view role) const { return foundIn(*this, role); }
Assigned* Settled::find(std::string_view role) { return foundIn(*this, role); }

const Assigned* Settled::ofNumber(std::size_t item) const
{
    return firstOf(quantities, [&](const Assigned& one) { return one.span.number == item; });
}

namespace {

// Words of these meanings right beside a place are read with it.
Place widened(Draft& draft, Place place, const std::vector<Meaning>& with)
{
    const auto reads = [&](std::size_t i) {
        const bool one = std::any_of(with.begin(), with.end(), [&](Meaning m) { return draft.is(i, m); });
        if (one)
            draft.take(i);
        return one;
    };
    for (;;)
        if (const std::size_t before = draft.previous(place.first); reads(before))
            place.first = before;
        else if (const std::size_t after = draft.next(place.last); reads(after))
            place.last = after;
        else
            return place;
}

} // namespace

Place takeQuantity(Draft& draft, const Assigned& quantity)
{
    draft.takeAll(quantity.span.parts);
    draft.takeAll(quantity.span.scope);
    const auto& with = quantity.role->with;
    Place place{quantity.span.first, quantity.span.last};
    const std::size_t cue = quantity.cue;
    if (cue == none || (cue >= place.first && cue <= place.last))
        return widened(draft, place, with);
    const std::size_t from = std::min(cue, place.last) + 1;
    const std::size_t to = std::max(cue + 1, place.first + 1) - 1;
    for (std::size_t i = from; i < to && i < draft.size(); ++i) // something of something else between
        if (!says("own-between", draft, i))
            return widened(draft, place, with);
    for (std::size_t i = from; i < to; ++i)
        draft.take(i);
    draft.take(cue);
    return widened(draft, {std::min(place.first, cue), std::max(place.last, cue)}, with);
}

namespace {

// Of a pasted text only what differs is told: nobody reads two copies of a page.
bool isPasted(const Draft& draft)
{
    constexpr std::size_t longestTyped = 400; // bytes
    return draft.question.text.size() > longestTyped;
}

// The question with one phrase said beyond doubt.
std::string ready(const Draft& draft, const Span& span, const Role& role)
{
    const bool timed = span.unit == Time && span.unitAt == span.number + 1; // "3 s"
    const std::string said = draft.tell(role.say, draft.said(span.number, timed ? span.unitAt : span.number));
    if (isPasted(draft))
        return said;
    std::string text = draft.question.text;
    const std::size_t begin = draft.at(span.first).begin;
    const bool runsOn
        = begin > 0 && std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0; // "p95<3s"
    return text.replace(begin, draft.at(span.last).end - begin, (runsOn ? " " : "") + said);
}

} // namespace

void askBetween(Draft& draft, const Span& span, const Role& one, const Role& other)
{
    draft.problem(span, draft.tell("is it {} or {}?", draft.say(one.name), draft.say(other.name)),
                  draft.tell("ask '{}' or '{}'", ready(draft, span, one), ready(draft, span, other)));
}

namespace {

// The question with one of two names alone.
std::string without(const Draft& draft, std::size_t gone, std::size_t kept)
{
    if (isPasted(draft))
        return draft.said(kept, kept);
    const std::size_t first = std::min(gone, kept);
    const std::size_t last = std::max(gone, kept);
    bool joined = true; // "X or Y": what joins them goes too
    for (std::size_t j = first + 1; j < last; ++j)
        joined = joined && (draft.at(j).is(Or) || draft.at(j).is(Comma) || draft.at(j).is(Filler));
    const std::size_t begin = gone > kept && joined ? draft.at(kept).end : draft.at(gone).begin;
    std::size_t end = gone < kept && joined ? draft.at(kept).begin : draft.at(gone).end;
    std::string text = draft.question.text;
    if (begin > 0 && text[begin - 1] == ' ' && end < text.size() && text[end] == ' ')
        ++end;
    return text.erase(begin, end - begin);
}

} // namespace

void askWhichOf(Draft& draft, std::size_t one, std::size_t other, std::string_view what)
{
    draft.problem(other, std::string(what),
                  draft.tell("ask '{}' or '{}'", without(draft, other, one), without(draft, one, other)));
    for (std::size_t j = one + 1; j < other; ++j)
        if (draft.is(j, Or))
            draft.take(j);
}

std::string endOfRange(const Draft& draft, const Span& span, double value)
{
    if (!span.from || !(span.value > 0))
        return {};
    return draft.tell("of {} to {} the most", countText(value * *span.from / span.value), countText(value));
}

bool isBoundRight(Draft& draft, const Assigned& quantity, const Place& place, const std::string& text)
{
    const Meaning bound = quantity.span.bound;
    const Setting* const refused
        = bound == AtLeast || bound == AtMost ? quantity.role->setting(nameOf(bound)) : nullptr;
    if (refused != nullptr)
        draft.problem(place, std::string(draft.say(refused->values.at(0))),
                      draft.tell(refused->values.at(1), text));
    return refused == nullptr;
}

void refuseValue(Draft& draft, const Role& role, const Place& place, const std::string& text)
{
    const Setting* const wrong = role.setting("wrong");
    draft.problem(place,
                  wrong == nullptr ? draft.tell("{} is outside its range", text)
                                   : std::string(draft.say(wrong->values.front())),
                  wrong != nullptr && wrong->values.size() > 1
                      ? std::string(draft.say(wrong->values[1]))
                      : fmt::format("{} … {}", countText(role.possible.from), countText(role.possible.to)));
}

void aimAt(Draft& draft, Settled& settled, std::string_view objective, Place place)
{
    const std::optional<Objective> aim = objectiveFromKey(objective);
    if (!aim)
        return;
    const ObjectiveRow row = *objectiveRow(*aim);
    const std::string value(draft.say(Wording{row.english, row.chinese}));
    if (!draft.once(draft.say("the objective"), value, place))
        return;
    settled.known["objective"] = 1;
    draft.question.scenario.objective = *aim;
    draft.note(place, value);
}

} // namespace headroom::ask
