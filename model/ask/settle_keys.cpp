#include "model/ask/rules.h"
#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

constexpr double year = 31557600; // seconds

// What the number of a role is as its key counts it: `comes` of its row.
using Reckoning = Called<double (*)(const Span& span)>;
constexpr std::array reckonings{
    Reckoning{"rate", [](const Span& s) { return s.perSecond(); }},
    Reckoning{"month", [](const Span& s) { return s.perSecond() * (year / 12); }},
    Reckoning{"hours", [](const Span& s) { return s.value / 3600; }},
    Reckoning{"days", // "22 days a month": of a week
              [](const Span& s) { return std::min(s.value / s.perTime, 1.0) * 7; }},
    Reckoning{"years", [](const Span& s) { return s.value / year; }},
    Reckoning{"rest", [](const Span& s) { return 1 - s.value; }},
    Reckoning{"growth-by", [](const Span& s) { return s.value; }},
    Reckoning{"growth-doubling", [](const Span& s) { return std::exp2(year / s.value) - 1; }},
    Reckoning{"busiest", [](const Span& s) { return std::max(1.0, s.value * 24); }},
    Reckoning{"percentile",
              [](const Span& s) {
                  return s.dimension == Dimension::Percent ? s.value * 100 : s.value == 999 ? 99.9 : s.value;
              }},
    Reckoning{"growth", // "3x growth in a year", "20% a month" of what has grown already
              [](const Span& s) {
                  return s.dimension == Dimension::Times ? s.value - 1
                      : s.perTime > 0                    ? std::pow(1 + s.value, year / s.perTime) - 1
                                                         : s.value;
              }},
};

std::string_view comesTo(const Role& role)
{
    const Setting* const comes = role.setting("comes");
    return comes == nullptr ? std::string_view{} : comes->values.front();
}

// What is said in money: settleMoney sets it.
bool isAmount(const Role& role) { return comesTo(role) == "dollars" || comesTo(role) == "hourly"; }

double reckoned(const Role& role, const Span& span)
{
    const Reckoning* const found = rowCalled(reckonings, comesTo(role));
    return found == nullptr ? span.value : found->value(span);
}

std::string valueText(const Draft& draft, const Role& role, const Span& span, double value)
{
    const std::string_view comes = comesTo(role);
    if (comes == "seconds")
        return value < 1 ? fmt::format("{:.6g} ms", value * 1e3) : fmt::format("{:.6g} s", value);
    if (comes == "rest" || comes.starts_with("growth")
        || (comes.empty() && span.dimension == Dimension::Percent))
        return fmt::format("{:.4g} %", value * 100);
    std::string text = countText(value);
    if (!comes.empty())
        return text;
    if (span.unitValue != 1 && span.unitAt != none) // as it was said
        text = fmt::format("{} {}", countText(value / span.unitValue), draft.said(span.unitAt, span.unitAt));
    return span.from ? countText(*span.from) + "–" + text : text;
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
    constexpr std::size_t near = 6; // items
    if (name == none || name > place.last + near || name + near < place.first)
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

// "2 racks, 40 kW each": how often the number counts.
double timesOf(const Settled& settled, const Assigned& quantity)
{
    const Assigned* const all = settled.find("racks");
    return all != nullptr && quantity.is("power") && quantity.span.isPer(Racks) ? all->span.value : 1;
}

// Why the number is another than the one that was said.
std::string whyOf(const Draft& draft, const Span& span, double value)
{
    return span.unit == Words                      ? draft.tell("1.5 tokens a word")
        : span.unit == Token && span.unitValue < 1 ? draft.tell("0.6 tokens a Chinese character")
                                                   : endOfRange(draft, span, value);
}

// Of the roles that set the same key the one that it is called after.
const Role& firstOf(std::string_view key)
{
    const auto roles = shippedRoles();
    return *std::find_if(roles.begin(), roles.end(), [&](const Role& role) { return role.key == key; });
}

void setKey(Draft& draft, Settled& settled, const Assigned& quantity)
{
    const Role& role = *quantity.role;
    const Span& span = quantity.span;
    const double value = reckoned(role, span) * timesOf(settled, quantity);
    const Place place = takeQuantity(draft, quantity);
    const std::string text = valueText(draft, role, span, value);
    if (!isBoundRight(draft, quantity, place, text))
        return;
    Scenario changed = draft.question.scenario;
    const std::string_view unit = span.dimension == Dimension::Watt ? " W" : "";
    const auto set = [&](Scenario& scenario, double to) {
        return findScenarioKey(role.key)->set(scenario, fmt::format("{:.17g}{}", to, unit)).empty();
    };
    if (quantity.is("costYears") && std::abs(value - 1) < 1e-6)
        return draft.note(place, draft.tell("what a year costs is told"));
    if (!set(changed, value))
        return refuseValue(draft, role, place, text);
    if (!draft.once(draft.say(firstOf(role.key).name), text, place))
        return;
    draft.question.scenario = std::move(changed);
    if (span.from && role.setting("easier") != nullptr)
        settled.easier.push_back({role.key, value * *span.from / span.value});
    const Setting* const other = role.setting("other");
    draft.note(place, draft.tell(oneOrMany(draft.say(role.read), value), text), whyOf(draft, span, value),
               other == nullptr ? std::vector<std::string>{}
                                : std::vector<std::string>{draft.tell(other->values.front(), text)});
}

} // namespace

void settleKeys(Draft& draft, Settled& settled)
{
    const Scenario& s = draft.question.scenario;
    applyWhole("job", draft, settled);
    const bool job = s.jobRequests || s.jobTokens || settled.find("jobTokens") != nullptr
        || settled.find("jobRequests") != nullptr;
    for (const Assigned& quantity : settled.quantities) {
        const Assigned* const power = settled.find("power");
        const bool multiplies
            = quantity.is("racks") && power != nullptr && timesOf(settled, *power) == quantity.span.value;
        if (multiplies)
            draft.takeAll(quantity.span.parts);
        if (multiplies || quantity.role == nullptr || quantity.role->key == "*" || isAmount(*quantity.role)
            || (quantity.is("groups") && draft.isRead(quantity.span.number)))
            continue;
        const Role& role = *quantity.role;
        if (role.key != "-" && (job || !quantity.is("deadline"))) {
            setKey(draft, settled, quantity);
            continue;
        }
        const Place place = takeQuantity(draft, quantity);
        if (quantity.is("gpuMemory") && isOfNamed(draft, quantity, place))
            continue;
        const Span& span = quantity.span;
        draft.unused(place,
                     fmt::format("{}: {}", draft.tell(role.read, valueText(draft, role, span, span.value)),
                                 draft.say(role.why)));
    }
}

} // namespace headroom::ask
