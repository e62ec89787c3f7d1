#include "model/ask/settle.h"
#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace headroom::ask {

using enum Meaning;

Currency atRateTold(bool euro)
{
    const Currency& published = euro ? publishedEuro : publishedYuan;
    return toldCurrency().code == published.code ? toldCurrency() : published;
}

namespace {

double roundedTo(double amount, int significant)
{
    const double scale = std::pow(10, significant - 1 - std::floor(std::log10(amount)));
    return std::round(amount * scale) / scale;
}

// The currency of an amount that is none of dollars: at the rate that amounts are told at, or the published
// one. In Chinese an amount without its unit is in yuan.
std::optional<Currency> currencyOf(const Draft& draft, const Assigned& quantity)
{
    const auto chinese = [&](std::size_t i) {
        return i != none && std::ranges::any_of(draft.at(i).text, [](unsigned char c) { return c >= 0x80; });
    };
    const Meaning unit = quantity.span.unit;
    const bool untold
        = unit == Filler && (chinese(quantity.cue) || chinese(quantity.span.number)); // "budget 30万"
    return untold || unit == Yuan || unit == Euro ? std::optional(atRateTold(unit == Euro)) : std::nullopt;
}

constexpr double year = 31557600; // seconds

// "$2.475", "$100,000", "18 元（1 美元合 7.2734 元，即 2.475 美元）".
std::string amountText(const Draft& draft, const Assigned& quantity, double dollars)
{
    // What was said is told as it was said; what was worked out from it in as many digits as mean something.
    const auto digits = [said = quantity.span.value](double amount, int significant) {
        constexpr double same = 1e-9;
        return countText(std::abs(amount - said) <= same * said ? said : roundedTo(amount, significant));
    };
    const std::optional<Currency> currency = currencyOf(draft, quantity);
    if (!currency)
        return draft.tell("${}", digits(dollars, 6));
    return draft.tell("{3}{0} (${1} at {2:.5g} {4} to a dollar)", digits(dollars * currency->perDollar, 5),
                      digits(dollars, 4), currency->perDollar, currency->sign,
                      draft.say(currency->code == publishedYuan.code ? "yuan" : "euros"));
}

// A quantity whose role is a key of the scenario, or would be.
struct KeyOf {
    Draft& draft;
    const Assigned& quantity;
    const Role& role = *quantity.role;
    const Span& span = quantity.span;
    std::string_view comes = role.setting("comes").value();
    bool isAmount = comes == "dollars" || comes == "hourly";
    std::string_view all = role.setting("over").value(); // "an 8xH100 node costs $16/h": of so many together
    double over = draft.known.contains(all) ? draft.known.at(all) : 1;

    Place set()
    {
        const Place place = takeQuantity(draft, quantity);
        if (span.unit == OtherMoney) {
            draft.problem(span, draft.tell("amounts are read in dollars, yuan and euros"),
                          draft.tell("'$20/hour', '¥150/hour'"));
            return place;
        }
        const double value = reckoned((isAmount ? dollarsOf(draft, quantity) : span.value) / over);
        const std::string text = told(value);
        Scenario changed = draft.question.scenario;
        if (!isBoundRight(draft, quantity, place, text))
            return place;
        if (!findScenarioKey(role.key)->set(changed, written(value)).empty())
            refuseValue(draft, role, place, text);
        else if (const Role& first = *firstWith(shippedRoles(), role.key, &Role::key); // that sets this key
                 draft.once(draft.say(first.name), text, place)) {
            draft.question.scenario = std::move(changed);
            note(place, value, text);
        }
        return place;
    }

    void tellUnused()
    {
        const Place place = takeQuantity(draft, quantity);
        if (!quantity.is("gpuMemory") || !isOfNamed(place))
            draft.unused(place,
                         fmt::format("{}: {}", draft.tell(role.read, told(span.value)), draft.say(role.why)));
    }

    // What the number is as its key counts it: `comes` of its row.
    [[nodiscard]] double reckoned(double value) const
    {
        const double period = span.perTime;
        const Dimension dimension = span.dimension;
        if (comes.starts_with('(')) // "(it/3600)"
            return byRow("roles", role.line, [&] {
                return ask::reckoned(comes.substr(1, comes.size() - 2), {.draft = draft, .tried = &span});
            });
        return comes == "days"           ? std::min(value / period, 1.0) * 7 // "22 days a month": of a week
            : comes == "rest"            ? 1 - value
            : comes == "busiest"         ? std::max(1.0, value * 24)
            : comes == "tokens"          ? lengthOf(value)
            : comes == "hourly"          ? anHour(value, period > 0 ? period : 3600)
            : comes == "percentile"      ? (dimension == Dimension::Percent ? value * 100 // "99%", "p99"
                                                : value == 999              ? 99.9        // "p999"
                                                                            : value)
            : comes == "growth-doubling" ? std::exp2(year / value) - 1
            // "3x growth in a year", "20% a month" of what has grown already
            : comes != "growth"             ? value
            : dimension == Dimension::Times ? value - 1
            : period > 0                    ? std::pow(1 + value, year / period) - 1
                                            : value;
    }

    // Dollars an hour are told to the cent: what a month or a rate adds behind that means nothing.
    [[nodiscard]] static double anHour(double dollars, double seconds)
    {
        constexpr int digits = 8;
        return dollars > 0 ? roundedTo(dollars / seconds * 3600, digits) : 0;
    }
    // Tokens written with k are powers of two, as context windows and serving benchmarks count them.
    [[nodiscard]] double lengthOf(double tokens) const
    {
        const Item& number = draft.at(span.number);
        return std::round(number.value > 0 ? tokens * tokensOf(number) / number.value : tokens);
    }
    [[nodiscard]] double lowerLength() const
    {
        constexpr double thousands = 1000; // "1-2k" are both, "500-2k" one
        return *span.from >= thousands ? lengthOf(*span.from) : std::round(*span.from);
    }
    // Lengths are drawn from all of a range.
    [[nodiscard]] bool isDrawn() const { return comes == "tokens" && span.from && !span.grows; }

    [[nodiscard]] std::string told(double value) const
    {
        if (isAmount)
            return amountText(draft, quantity, value);
        if (comes == "seconds")
            return secondsText(value);
        if (comes == "rest" || comes.starts_with("growth")
            || (comes.empty() && span.dimension == Dimension::Percent))
            return fmt::format("{:.4g} %", value * 100);
        std::string text = countText(value);
        if (isDrawn())
            return countText(lowerLength()) + "–" + text;
        if (!comes.empty())
            return text;
        if (span.unitValue != 1) // as it was said; "8 点到 10 点" are hours
            text = fmt::format("{} {}", countText(value / span.unitValue),
                               span.unitAt == none ? "h" : draft.said(span.unitAt));
        return span.from ? countText(*span.from) + "–" + text : text;
    }

    // As the key is written.
    [[nodiscard]] std::string written(double value) const
    {
        return isDrawn() ? fmt::format("uniform:{:.0f}-{:.0f}", lowerLength(), value)
                         : fmt::format("{:.17g}{}", value, span.dimension == Dimension::Watt ? " W" : "");
    }

    void note(Place place, double value, const std::string& text)
    {
        if (isAmount && !draft.question.currency)
            draft.question.currency = currencyOf(draft, quantity);
        if (span.from && role.setting("easier").what == "easier")
            draft.easier.push_back({role.key, value * *span.from / span.value});
        std::vector<std::string> others;
        if (const std::string_view other = role.setting("other").value(); !other.empty())
            others.push_back(draft.tell(other, isAmount ? countText(roundedTo(value, 4)) : text));
        draft.note(place, draft.tell(oneOrMany(draft.say(role.read), value), text, over), whyOf(value),
                   std::move(others));
    }

    // Why the number is another than the one that was said: its unit, or which end of a range is planned for.
    [[nodiscard]] std::string whyOf(double value) const
    {
        if (span.unit == Words)
            return draft.tell("1.5 tokens a word");
        if (span.unit == Token && span.unitValue < 1)
            return draft.tell("0.6 tokens a Chinese character");
        if (isAmount || comes == "tokens" || !span.from || !(span.value > 0))
            return {};
        return draft.tell("of {} to {} the most", countText(value * *span.from / span.value),
                          countText(value));
    }

    // "M4 Max 17GB", "a 3090 with 48G": the memory of the card that is named, or of none that there is.
    [[nodiscard]] bool isOfNamed(Place place)
    {
        std::vector<std::size_t> names;
        for (std::size_t i = 0; i < draft.size(); ++i)
            if (draft.isName(i, ItemKind::Gpu))
                names.push_back(i);
        constexpr std::size_t near = 6; // items
        if (names.size() != 1 || names.front() > place.last + near || names.front() + near < place.first)
            return false;
        const std::size_t name = names.front();
        const auto found
            = draft.vocabulary.gpu(fmt::format("{} {:g}gb", draft.at(name).text, span.value / 1e9));
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
};

} // namespace

double dollarsOf(const Draft& draft, const Assigned& quantity)
{
    const std::optional<Currency> currency = currencyOf(draft, quantity);
    const double dollars = currency ? quantity.span.value / currency->perDollar : 0;
    // Told again in its currency it is to be what was said, to the cent of a billion.
    return !currency ? quantity.span.value : dollars > 0 ? roundedTo(dollars, 12) : dollars;
}

Place setKey(Draft& draft, const Assigned& quantity) { return KeyOf{draft, quantity}.set(); }
void tellUnused(Draft& draft, const Assigned& quantity) { KeyOf{draft, quantity}.tellUnused(); }

} // namespace headroom::ask
