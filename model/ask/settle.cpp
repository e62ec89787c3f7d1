#include "model/ask/settle.h"

#include "model/scenario/scenario_keys.h"

#include <algorithm>
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
    Place place{.first = quantity.span.first, .last = quantity.span.last};
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
    return {.first = std::min(place.first, cue), .last = std::max(place.last, cue)};
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
    return draft.tell(role.readEnglish, role.readChinese, value);
}

void setKey(Draft& draft, const Assigned& quantity)
{
    const Role& role = *quantity.role;
    const Span& span = quantity.span;
    const Place place = takeQuantity(draft, quantity);
    const std::string read = readAs(draft, role, span);
    const ScenarioKey* const key = findScenarioKey(role.key);
    const std::string field(draft.say(role.nameEnglish, role.nameChinese));
    Scenario changed = draft.question.scenario;
    const std::string_view unit = span.dimension == Dimension::Watt ? " W" : "";
    if (key == nullptr || !key->set(changed, fmt::format("{:.12g}{}", span.value, unit)).empty()) {
        const std::string what = role.id == "tp" || role.id == "pp" || role.id == "ep" || role.id == "dp"
                || role.id == "replicas"
            ? draft.tell("a layout is split in whole parts", "并行度必须是整数")
            : draft.tell("{} is outside its range", "{} 超出范围",
                         span.dimension == Dimension::Percent ? fmt::format("{:.4g} %", span.value * 100)
                                                              : countText(span.value));
        return draft.problem(
            place.first, place.last, what,
            fmt::format("{} … {}", countText(role.possible.from), countText(role.possible.to)));
    }
    if (!draft.once(field, countText(span.value), place.first, place.last))
        return;
    draft.question.scenario = std::move(changed);
    draft.note(place.first, place.last, read);
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
        draft.note(i, i, draft.tell("a job that is done within 8 hours", "8 小时内完成的任务"));
        return;
    }
}

} // namespace

void settleKeys(Draft& draft, Settled& settled)
{
    const bool job = std::any_of(settled.quantities.begin(), settled.quantities.end(), [](const Assigned& q) {
        return q.role != nullptr && (q.is("jobTokens") || q.is("jobRequests"));
    });
    for (const Assigned& quantity : settled.quantities) {
        if (quantity.role == nullptr || quantity.role->key == "*")
            continue;
        if (quantity.role->key != "-" && (job || !quantity.is("deadline"))) {
            setKey(draft, quantity);
            continue;
        }
        Place place = takeQuantity(draft, quantity);
        const std::size_t name = quantity.span.first - 1;
        if (quantity.is("gpuMemory") && quantity.span.first > 0
            && draft.isName(name, ItemKind::Gpu)) { // "M4 Max 17GB"
            draft.problem(name, place.last, draft.tell("is not in the catalogue", "目录中没有这一款"), {});
            continue;
        }
        draft.unused(place.first, place.last,
                     fmt::format("{}: {}", readAs(draft, *quantity.role, quantity.span),
                                 draft.say(quantity.role->whyEnglish, quantity.role->whyChinese)));
    }
    settleNight(draft);
}

} // namespace headroom::ask
