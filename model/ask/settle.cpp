#include "model/ask/settle.h"

#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

const Assigned* Settled::find(std::string_view role) const
{
    const auto found = std::find_if(quantities.begin(), quantities.end(),
                                    [&](const Assigned& one) { return one.is(role); });
    return found == quantities.end() ? nullptr : &*found;
}

Place takeQuantity(Draft& draft, const Assigned& quantity)
{
    draft.takeAll(quantity.span.parts);
    draft.takeAll(quantity.span.scope);
    Place place{quantity.span.first, quantity.span.last};
    const std::size_t cue = quantity.cue;
    if (cue == none || (cue >= place.first && cue <= place.last))
        return place;
    const std::size_t from = std::min(cue, place.last) + 1;
    const std::size_t to = std::max(cue + 1, place.first + 1) - 1;
    bool beside = true; // nothing between them that is of something else
    for (std::size_t i = from; i < to && i < draft.size(); ++i)
        beside = beside
            && (draft.at(i).is(Filler)
                || draft.isAny(i, {Equals, About, AtMost, AtLeast, Mean, Token, Each, Every, Per})
                || (draft.at(i).is(Comma) && draft.at(i).text == ":"));
    if (!beside)
        return place;
    for (std::size_t i = from; i < to; ++i)
        draft.take(i);
    draft.take(cue);
    return {std::min(place.first, cue), std::max(place.last, cue)};
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
    const std::string said = draft.tell(role.say, draft.said(span.number, span.number));
    if (isPasted(draft))
        return said;
    std::string text = draft.question.text;
    const std::size_t begin = draft.at(span.first).begin;
    return text.replace(begin, draft.at(span.last).end - begin, said);
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

void widen(Draft& draft, Place& place, std::initializer_list<Meaning> meanings)
{
    for (bool more = true; more;) {
        more = false;
        const std::size_t before = draft.previous(place.first);
        const std::size_t after = draft.next(place.last);
        if (before != none && draft.isAny(before, meanings)) {
            draft.take(before);
            place.first = before;
            more = true;
        } else if (after != none && draft.isAny(after, meanings)) {
            draft.take(after);
            place.last = after;
            more = true;
        }
    }
}

namespace {

std::string readAs(const Draft& draft, const Role& role, const Span& span)
{
    const bool share = span.dimension == Dimension::Percent;
    std::string value = share ? fmt::format("{:.4g} %", span.value * 100) : countText(span.value);
    if (span.unitValue != 1 && !share)
        for (const std::size_t part : span.parts)
            if (draft.at(part).is(span.unit))
                value = fmt::format("{} {}", countText(span.value / span.unitValue), draft.said(part, part));
    if (span.from)
        value = countText(*span.from) + "–" + value;
    return draft.tell(role.read, value);
}

// Of a role that counts by the year or by the month what the number comes to.
double byPeriod(const Assigned& quantity)
{
    constexpr double year = 31557600;
    const Span& span = quantity.span;
    if (quantity.is("growth") && span.dimension == Dimension::Times) // "3x growth in a year"
        return span.value - 1;
    if (span.perTime <= 0)
        return span.value;
    if (quantity.is("hoursPerDay"))
        return span.value / 3600;
    if (quantity.is("growth")) // "20% a month" of what has grown already
        return std::pow(1 + span.value, year / span.perTime) - 1;
    return quantity.is("monthTokens") ? span.value / span.perTime * (year / 12) : span.value;
}

// "M4 Max 17GB", "a 3090 with 48G": the memory of the card that is named, or of none that there is.
bool isOfNamed(Draft& draft, const Assigned& quantity, const Place& place)
{
    std::size_t name = none;
    for (std::size_t i = 0; i < draft.size(); ++i)
        if (draft.isName(i, ItemKind::Gpu)) {
            if (name != none)
                return false;
            name = i;
        }
    if (name == none)
        return false;
    const auto found
        = draft.vocabulary.gpu(fmt::format("{} {:g}gb", draft.at(name).text, quantity.span.value / 1e9));
    auto& gpus = draft.question.scenario.gpus;
    if (found && gpus.size() == 1)
        gpus.front() = found->id;
    if (!found && (draft.mentions(Total) || draft.mentions(MemoryWord)))
        return false; // "80 GB of VRAM in total"
    if (!found)
        draft.problem({std::min(name, place.first), std::max(name, place.last)},
                      draft.tell("is not in the catalogue"), {});
    return true;
}

Meaning scopeOfRacks() { return Lexicon::shipped().meaningOf("Racks"); }

void setKey(Draft& draft, const Settled& settled, const Assigned& assigned)
{
    Assigned quantity = assigned;
    quantity.span.value = byPeriod(assigned);
    if (const Assigned* const racks = settled.find("racks"); racks != nullptr && quantity.is("power")
        && quantity.span.isPer(scopeOfRacks())) // "2 racks, 40 kW each"
        quantity.span.value *= racks->span.value;
    const Role& role = *quantity.role;
    const Span& span = quantity.span;
    const Place place = takeQuantity(draft, quantity);
    const std::string read = readAs(draft, role, span);
    const ScenarioKey* const key = findScenarioKey(role.key);
    const std::string field(draft.say(role.name));
    Scenario changed = draft.question.scenario;
    const std::string_view unit = span.dimension == Dimension::Watt ? " W" : "";
    if (key == nullptr || !key->set(changed, fmt::format("{:.12g}{}", span.value, unit)).empty()) {
        const std::string what = role.id == "tp" || role.id == "pp" || role.id == "ep" || role.id == "dp"
                || role.id == "replicas"
            ? draft.tell("a layout is split in whole parts")
            : draft.tell("{} is outside its range",
                         span.dimension == Dimension::Percent ? fmt::format("{:.4g} %", span.value * 100)
                                                              : countText(span.value));
        return draft.problem(
            place, what, fmt::format("{} … {}", countText(role.possible.from), countText(role.possible.to)));
    }
    if (!draft.once(field, countText(span.value), place))
        return;
    draft.question.scenario = std::move(changed);
    draft.note(place, read);
}

// "200 million prompt tokens and 20 million generated": one job, whose prompts and answers are as many to
// one.
bool settleBothWays(Draft& draft, const Settled& settled)
{
    const Assigned* prompts = nullptr;
    const Assigned* answers = nullptr;
    for (const Assigned& quantity : settled.quantities)
        for (std::size_t i = std::max<std::size_t>(quantity.span.first, 1) - 1;
             quantity.is("jobTokens") && i <= quantity.span.last + 2 && i < draft.size(); ++i) {
            if (draft.at(i).is(Prompt))
                prompts = &quantity;
            if (draft.at(i).is(Output))
                answers = &quantity;
        }
    if (prompts == nullptr || answers == nullptr || !(answers->span.value > 0))
        return false;
    Scenario& s = draft.question.scenario;
    s.jobTokens = prompts->span.value + answers->span.value;
    for (const Assigned* const part : {prompts, answers}) {
        const Place place = takeQuantity(draft, *part);
        draft.note(place, readAs(draft, *part->role, part->span));
    }
    const std::string field(draft.say("the prompt"));
    if (draft.wasSaid(field))
        return true;
    s.prompt = LengthDistribution::of(
        std::max(1.0, std::round(s.output.mean() * prompts->span.value / answers->span.value)));
    draft.setSaid(field, countText(s.prompt.mean()));
    draft.assume(draft.tell("prompts of {} tokens for answers of {}: as many to one as in the job",
                            countText(s.prompt.mean()), countText(s.output.mean())));
    return true;
}

// "1B tokens overnight": between two working days.
void settleNight(Draft& draft)
{
    constexpr double night = 8 * 3600;
    Scenario& s = draft.question.scenario;
    if ((!s.jobTokens && !s.jobRequests) || s.deadline)
        return;
    for (std::size_t i = 0; i < draft.size(); ++i) {
        const std::string said = draft.said(i, i);
        if (said != "overnight" && said != "一夜" && said != "隔夜")
            continue;
        draft.take(i);
        s.deadline = Seconds(night);
        draft.note(i, draft.tell("a job that is done within 8 hours"));
        return;
    }
}

} // namespace

void settleKeys(Draft& draft, Settled& settled)
{
    const Scenario& s = draft.question.scenario;
    const bool job
        = s.jobRequests || settled.find("jobTokens") != nullptr || settled.find("jobRequests") != nullptr;
    const bool bothWays = settleBothWays(draft, settled);
    for (const Assigned& quantity : settled.quantities) {
        const Assigned* const power = settled.find("power");
        const bool multiplies = quantity.is("racks") && power != nullptr && power->span.isPer(scopeOfRacks());
        if (multiplies)
            draft.takeAll(quantity.span.parts);
        if (multiplies || (quantity.is("groups") && draft.isRead(quantity.span.number)))
            continue;
        if (quantity.role == nullptr || quantity.role->key == "*" || (bothWays && quantity.is("jobTokens")))
            continue;
        if (quantity.role->key != "-" && (job || !quantity.is("deadline"))) {
            setKey(draft, settled, quantity);
            continue;
        }
        Place place = takeQuantity(draft, quantity);
        if (quantity.is("gpuMemory") && isOfNamed(draft, quantity, place))
            continue;
        draft.unused(place,
                     fmt::format("{}: {}", readAs(draft, *quantity.role, quantity.span),
                                 draft.say(quantity.role->why)));
    }
    settleNight(draft);
}

} // namespace headroom::ask
