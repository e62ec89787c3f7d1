#include "model/ask/settle.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace headroom::ask {

using enum Meaning;

namespace {

// Words that the role reads right beside a place are read with it.
Place widened(Draft& draft, Place place, const Role& role)
{
    const auto reads = [&](std::size_t i) {
        const bool one = std::ranges::any_of(role.with, [&](Meaning m) { return draft.is(i, m); });
        draft.take(one ? i : none);
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

std::string nearest(const Draft& draft, const std::vector<std::string>& names)
{
    return names.empty() ? std::string() : draft.tell("nearest: {}", fmt::join(names, ", "));
}

// The question with something else in the place of these bytes; of a pasted text that alone: nobody reads two
// copies of a page.
std::string edited(const Draft& draft, std::size_t begin, std::size_t end, std::string_view put,
                   const std::string& alone)
{
    constexpr std::size_t longestTyped = 400; // bytes
    std::string text = draft.question.text;
    return text.size() > longestTyped ? alone : text.replace(begin, end - begin, put);
}

// The question with one phrase said beyond doubt.
std::string ready(const Draft& draft, const Span& span, const Role& role)
{
    const bool withUnit // "3 s", "25%"
        = span.unitAt == span.number + 1 && (span.unit == Time || draft.said(span.unitAt) == "%");
    const std::string said
        = draft.tell(role.say, draft.said({span.number, withUnit ? span.unitAt : span.number}));
    const std::size_t begin = draft.at(span.first).begin;
    const bool runsOn = begin > 0
        && std::isalnum(static_cast<unsigned char>(draft.question.text[begin - 1])) != 0; // "p95<3s"
    return edited(draft, begin, draft.at(span.last).end, (runsOn ? " " : "") + said, said);
}

// The question with one of two names alone: of "X or Y" what joins them goes too.
std::string without(const Draft& draft, std::size_t gone, std::size_t kept)
{
    const bool joined = !draft.any({std::min(gone, kept) + 1, std::max(gone, kept)},
                                   [&](std::size_t j) { return !draft.at(j).is(Or, Comma, Filler); });
    const std::string& text = draft.question.text;
    const std::size_t begin = gone > kept && joined ? draft.at(kept).end : draft.at(gone).begin;
    const std::size_t end = gone < kept && joined ? draft.at(kept).begin : draft.at(gone).end;
    const bool spaces = begin > 0 && text[begin - 1] == ' ' && end < text.size() && text[end] == ' ';
    return edited(draft, begin, spaces ? end + 1 : end, "", draft.said(kept));
}

} // namespace

Place takeQuantity(Draft& draft, const Assigned& quantity)
{
    draft.takeAll(quantity.span.parts);
    draft.takeAll(quantity.span.scope);
    Place place = quantity.span;
    const std::size_t cue = quantity.cue;
    if (cue == none || (cue >= place.first && cue <= place.last))
        return widened(draft, place, *quantity.role);
    const Place between{std::min(cue, place.last) + 1, std::max(cue, place.first)};
    if (!draft.any(between, [&](std::size_t i) { return !says("own-between", draft, i); })) {
        for (std::size_t i = between.first; i < between.last; ++i) // nothing of something else
            draft.take(i);
        draft.take(cue);
        place = {std::min(place.first, cue), std::max(place.last, cue)};
    }
    return widened(draft, place, *quantity.role);
}

void askBetween(Draft& draft, const Span& span, const Role& one, const Role& other)
{
    draft.problem(span, draft.tell("is it {} or {}?", draft.say(one.name), draft.say(other.name)),
                  draft.tell("ask '{}' or '{}'", ready(draft, span, one), ready(draft, span, other)));
}

void askWhichOf(Draft& draft, std::size_t one, std::size_t other, std::string_view what)
{
    draft.problem(other, std::string(what),
                  draft.tell("ask '{}' or '{}'", without(draft, other, one), without(draft, one, other)));
    for (std::size_t j = one + 1; j < other; ++j)
        if (draft.is(j, Or))
            draft.take(j);
}

bool isBoundRight(Draft& draft, const Assigned& quantity, const Place& place, const std::string& text)
{
    const Meaning bound = quantity.span.bound;
    const Setting& refused = quantity.role->setting(bound == AtLeast      ? "AtLeast"
                                                        : bound == AtMost ? "AtMost"
                                                                          : "");
    if (!refused.what.empty())
        draft.problem(place, draft.tell(refused.value()), draft.tell(refused.value(1), text));
    return refused.what.empty();
}

void refuseValue(Draft& draft, const Role& role, const Place& place, const std::string& text)
{
    const auto [from, to] = role.possible;
    const Setting& wrong = role.setting("wrong");
    draft.problem(place, draft.tell(wrong.what.empty() ? "{} is outside its range" : wrong.value(), text),
                  wrong.values.size() > 1 ? draft.tell(wrong.value(1))
                                          : fmt::format("{} … {}", countText(from), countText(to)));
}

std::string hintFor(const Draft& draft, const std::string& text)
{
    constexpr std::size_t shortest = 4; // bytes: of a single Chinese character everything is near
    return text.size() < shortest ? std::string() : nearest(draft, Lexicon::shipped().nearest(text));
}

void tellAbsent(Draft& draft, Place place)
{
    std::vector<std::string> near;
    constexpr std::size_t longest = 40; // a name, not a sentence
    constexpr std::size_t few = 3;      // of many that are wrong the rest needs none
    if (const std::string name = draft.said(place); name.size() <= longest && draft.problems.size() < few)
        near = draft.vocabulary.nearest(name);
    for (std::size_t i = place.first; i <= place.last; ++i)
        if (near.empty() && draft.isName(i, ItemKind::Model))
            near.push_back(draft.at(i).match.id);
    draft.problem(place, draft.tell("is not in the catalogue"), nearest(draft, near));
}

void tellAgain(Draft& draft, Assigned own)
{
    own.become(own.likely(), own.candidates.front().cue);
    const Place place = takeQuantity(draft, own);
    const Assigned* const other = draft.find(own.role->id);
    if (other == nullptr)
        return draft.problem(place, draft.tell("a number of what?"),
                             draft.tell("e.g. '500 users', '8k prompts', '20 TPS', '2s TTFT', '8x H100'"));
    if (other->span.value == own.span.value)
        return;
    const auto text = [](const Span& span) {
        return span.unit == Meaning::Time ? secondsText(span.value) : countText(span.value);
    };
    draft.setSaid(draft.say(own.role->name), text(other->span));
    (void)draft.once(draft.say(own.role->name), text(own.span), place);
}

} // namespace headroom::ask
