#include "model/ask/rules.h"
#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace headroom::ask {

using enum Meaning;

namespace {

constexpr double year = 31557600; // seconds

// Dollars an hour are told to the cent: what a month or a rate adds behind that means nothing.
double anHour(double dollars, double seconds)
{
    constexpr int digits = 8;
    return dollars > 0 ? roundedTo(dollars / seconds * 3600, digits) : 0;
}

// A length: tokens written with k are powers of two, as context windows and serving benchmarks count them.
double lengthOf(const Draft& draft, const Span& span, double tokens)
{
    const Item& number = draft.at(span.number);
    return std::round(number.value > 0 ? tokens * tokensOf(number) / number.value : tokens);
}

// What the number of a role is as its key counts it: `comes` of its row.
struct Asked {
    const Draft& draft;
    const Span& span;
    double value; // in dollars, if it is money
};
using Reckoning = Called<double (*)(const Asked& a)>;
constexpr std::array reckonings{
    Reckoning{"rate", [](const Asked& a) { return a.span.perSecond(); }},
    Reckoning{"month", [](const Asked& a) { return a.span.perSecond() * (year / 12); }},
    Reckoning{"hours", [](const Asked& a) { return a.value / 3600; }},
    Reckoning{"days", // "22 days a month": of a week
              [](const Asked& a) { return std::min(a.value / a.span.perTime, 1.0) * 7; }},
    Reckoning{"years", [](const Asked& a) { return a.value / year; }},
    Reckoning{"rest", [](const Asked& a) { return 1 - a.value; }},
    Reckoning{"growth-by", [](const Asked& a) { return a.value; }},
    Reckoning{"growth-doubling", [](const Asked& a) { return std::exp2(year / a.value) - 1; }},
    Reckoning{"busiest", [](const Asked& a) { return std::max(1.0, a.value * 24); }},
    Reckoning{"tokens", [](const Asked& a) { return lengthOf(a.draft, a.span, a.value); }},
    Reckoning{"hourly",
              [](const Asked& a) { return anHour(a.value, a.span.perTime > 0 ? a.span.perTime : 3600); }},
    Reckoning{"percentile",
              [](const Asked& a) {
                  return a.span.dimension == Dimension::Percent ? a.value * 100
                      : a.value == 999                          ? 99.9
                                                                : a.value;
              }},
    Reckoning{"growth", // "3x growth in a year", "20% a month" of what has grown already
              [](const Asked& a) {
                  return a.span.dimension == Dimension::Times ? a.value - 1
                      : a.span.perTime > 0 ? std::pow(1 + a.value, year / a.span.perTime) - 1
                                           : a.value;
              }},
};

std::string_view comesTo(const Role& role)
{
    const Setting* const comes = role.setting("comes");
    return comes == nullptr ? std::string_view{} : comes->values.front();
}
bool isAmount(const Role& role) { return comesTo(role) == "dollars" || comesTo(role) == "hourly"; }

// "an 8xH100 node costs $16/h": of how many together it was said.
double overOf(const Settled& settled, const Role& role)
{
    const Setting* const over = role.setting("over");
    const auto known = over == nullptr ? settled.known.end() : settled.known.find(over->values.front());
    return known == settled.known.end() ? 1 : known->second;
}

double reckoned(const Draft& draft, const Settled& settled, const Assigned& quantity)
{
    const Role& role = *quantity.role;
    double value = isAmount(role) ? dollarsOf(draft, quantity) : quantity.span.value;
    value /= overOf(settled, role);
    const Reckoning* const found = rowCalled(reckonings, comesTo(role));
    return found == nullptr ? value : found->value({draft, quantity.span, value});
}

double lowerLength(const Draft& draft, const Span& span)
{
    constexpr double thousands = 1000; // "1-2k" are both, "500-2k" one
    return *span.from >= thousands ? lengthOf(draft, span, *span.from) : std::round(*span.from);
}

std::string valueText(const Draft& draft, const Assigned& quantity, double value)
{
    const std::string_view comes = comesTo(*quantity.role);
    const Span& span = quantity.span;
    if (isAmount(*quantity.role))
        return amountText(draft, quantity, value);
    if (comes == "seconds")
        return secondsText(value);
    if (comes == "rest" || comes.starts_with("growth")
        || (comes.empty() && span.dimension == Dimension::Percent))
        return fmt::format("{:.4g} %", value * 100);
    std::string text = countText(value);
    if (comes == "tokens" && span.from && !span.grows)
        return countText(lowerLength(draft, span)) + "–" + text;
    if (!comes.empty())
        return text;
    if (span.unitValue != 1 && span.unitAt != none) // as it was said
        text = fmt::format("{} {}", countText(value / span.unitValue), draft.said(span.unitAt, span.unitAt));
    if (span.dimension == Dimension::Time && span.unitValue == 3600 && span.unitAt == none) // "8 点到 10 点"
        text = fmt::format("{} h", countText(value / span.unitValue));
    return span.from ? countText(*span.from) + "–" + text : text;
}

// As the key is written: lengths are drawn from all of a range.
std::string keyText(const Draft& draft, const Assigned& quantity, double value)
{
    const Span& span = quantity.span;
    if (comesTo(*quantity.role) == "tokens" && span.from && !span.grows)
        return fmt::format("uniform:{:.0f}-{:.0f}", lowerLength(draft, span), value);
    return fmt::format("{:.17g}{}", value, span.dimension == Dimension::Watt ? " W" : "");
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

// Why the number is another than the one that was said.
std::string whyOf(const Draft& draft, const Assigned& quantity, double value)
{
    const Span& span = quantity.span;
    return span.unit == Words                      ? draft.tell("1.5 tokens a word")
        : span.unit == Token && span.unitValue < 1 ? draft.tell("0.6 tokens a Chinese character")
        : isAmount(*quantity.role) || comesTo(*quantity.role) == "tokens" ? std::string()
                                                                          : endOfRange(draft, span, value);
}

// Of the roles that set the same key the one that it is called after.
const Role& firstOf(std::string_view key)
{
    const auto roles = shippedRoles();
    return *std::find_if(roles.begin(), roles.end(), [&](const Role& role) { return role.key == key; });
}

} // namespace

Place setKey(Draft& draft, Settled& settled, const Assigned& quantity)
{
    const Role& role = *quantity.role;
    const Span& span = quantity.span;
    const Place place = takeQuantity(draft, quantity);
    if (span.unit == OtherMoney) {
        draft.problem(span, draft.tell("amounts are read in dollars, yuan and euros"),
                      draft.tell("'$20/hour', '¥150/hour'"));
        return place;
    }
    const double value = reckoned(draft, settled, quantity);
    const std::string text = valueText(draft, quantity, value);
    if (!isBoundRight(draft, quantity, place, text))
        return place;
    Scenario changed = draft.question.scenario;
    if (!findScenarioKey(role.key)->set(changed, keyText(draft, quantity, value)).empty()) {
        refuseValue(draft, role, place, text);
        return place;
    }
    if (!draft.once(draft.say(firstOf(role.key).name), text, place))
        return place;
    draft.question.scenario = std::move(changed);
    if (isAmount(role) && !draft.question.currency)
        draft.question.currency = currencyOf(draft, quantity);
    if (span.from && role.setting("easier") != nullptr)
        settled.easier.push_back({role.key, value * *span.from / span.value});
    std::vector<std::string> others = std::exchange(settled.others, {});
    if (const Setting* const other = role.setting("other"))
        others.push_back(
            draft.tell(other->values.front(), isAmount(role) ? countText(roundedTo(value, 4)) : text));
    std::string why = std::exchange(settled.why, {});
    draft.note(place, draft.tell(oneOrMany(draft.say(role.read), value), text, overOf(settled, role)),
               why.empty() ? whyOf(draft, quantity, value) : std::move(why), std::move(others));
    return place;
}

void settleKeys(Draft& draft, Settled& settled)
{
    for (const Assigned& quantity : settled.quantities) {
        if (quantity.role == nullptr || quantity.role->key == "*" || draft.isRead(quantity.span.number))
            continue;
        if (quantity.role->key == "-")
            tellUnused(draft, quantity);
        else
            setKey(draft, settled, quantity);
    }
}

void tellUnused(Draft& draft, const Assigned& quantity)
{
    const Place place = takeQuantity(draft, quantity);
    if (!quantity.is("gpuMemory") || !isOfNamed(draft, quantity, place))
        draft.unused(
            place,
            fmt::format("{}: {}",
                        draft.tell(quantity.role->read, valueText(draft, quantity, quantity.span.value)),
                        draft.say(quantity.role->why)));
}

} // namespace headroom::ask
