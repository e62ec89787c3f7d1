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

Currency atRateTold(const Currency& published)
{
    return toldCurrency().code == published.code ? toldCurrency() : published;
}

namespace {

double roundedTo(double amount, int significant)
{
    const double scale = std::pow(10, significant - 1 - std::floor(std::log10(amount)));
    return std::round(amount * scale) / scale;
}

// In Chinese an amount without its unit is in yuan.
bool isYuan(const Draft& draft, const Assigned& quantity)
{
    if (quantity.span.unit != Filler)
        return quantity.span.unit == Yuan;
    const auto chinese = [&](std::size_t i) {
        return i != none && std::ranges::any_of(draft.at(i).text, [](unsigned char c) { return c >= 0x80; });
    };
    return chinese(quantity.cue) || chinese(quantity.span.number); // "budget 30万"
}

// The currency of an amount that is none of dollars: at the rate that amounts are told at, or the published
// one.
std::optional<Currency> currencyOf(const Draft& draft, const Assigned& quantity)
{
    if (quantity.span.unit != Euro && !isYuan(draft, quantity))
        return std::nullopt;
    return atRateTold(quantity.span.unit == Euro ? publishedEuro : publishedYuan);
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
class KeyOf {
public:
    KeyOf(Draft& draft, const Assigned& quantity)
        : m_draft(draft),
          m_quantity(quantity),
          m_role(*quantity.role),
          m_span(quantity.span),
          m_comes(settingOf("comes")),
          m_isAmount(m_comes == "dollars" || m_comes == "hourly")
    {
        const auto over = draft.known.find(settingOf("over"));
        m_over = over == draft.known.end() ? 1 : over->second;
    }

    Place set()
    {
        const Place place = takeQuantity(m_draft, m_quantity);
        if (m_span.unit == OtherMoney) {
            m_draft.problem(m_span, m_draft.tell("amounts are read in dollars, yuan and euros"),
                            m_draft.tell("'$20/hour', '¥150/hour'"));
            return place;
        }
        const double value = reckoned((m_isAmount ? dollarsOf(m_draft, m_quantity) : m_span.value) / m_over);
        const std::string text = told(value);
        Scenario changed = m_draft.question.scenario;
        if (!isBoundRight(m_draft, m_quantity, place, text))
            return place;
        if (!findScenarioKey(m_role.key)->set(changed, written(value)).empty())
            refuseValue(m_draft, m_role, place, text);
        else if (const Role& first = *firstWith(shippedRoles(), m_role.key, &Role::key); // that sets this key
                 m_draft.once(m_draft.say(first.name), text, place)) {
            m_draft.question.scenario = std::move(changed);
            note(place, value, text);
        }
        return place;
    }

    void tellUnused()
    {
        const Place place = takeQuantity(m_draft, m_quantity);
        if (!m_quantity.is("gpuMemory") || !isOfNamed(place))
            m_draft.unused(place,
                           fmt::format("{}: {}", m_draft.tell(m_role.read, told(m_span.value)),
                                       m_draft.say(m_role.why)));
    }

private:
    [[nodiscard]] std::string_view settingOf(std::string_view name) const
    {
        const Setting* const setting = m_role.setting(name);
        return setting == nullptr ? std::string_view{} : setting->value();
    }

    // What the number is as its key counts it: `comes` of its row.
    [[nodiscard]] double reckoned(double value) const
    {
        const double period = m_span.perTime;
        const Dimension dimension = m_span.dimension;
        if (m_comes.starts_with('(')) // "(it/3600)"
            return byRow("roles", m_role.line, [&] {
                return ask::reckoned(m_comes.substr(1, m_comes.size() - 2),
                                     {.draft = m_draft, .tried = &m_span});
            });
        return m_comes == "days"           ? std::min(value / period, 1.0) * 7 // "22 days a month": of a week
            : m_comes == "rest"            ? 1 - value
            : m_comes == "busiest"         ? std::max(1.0, value * 24)
            : m_comes == "tokens"          ? lengthOf(value)
            : m_comes == "hourly"          ? anHour(value, period > 0 ? period : 3600)
            : m_comes == "percentile"      ? percentile(value)
            : m_comes == "growth-doubling" ? std::exp2(year / value) - 1
            // "3x growth in a year", "20% a month" of what has grown already
            : m_comes != "growth"           ? value
            : dimension == Dimension::Times ? value - 1
            : period > 0                    ? std::pow(1 + value, year / period) - 1
                                            : value;
    }

    // "99%", "p99", "p999"
    [[nodiscard]] double percentile(double value) const
    {
        return m_span.dimension == Dimension::Percent ? value * 100 : value == 999 ? 99.9 : value;
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
        const Item& number = m_draft.at(m_span.number);
        return std::round(number.value > 0 ? tokens * tokensOf(number) / number.value : tokens);
    }
    [[nodiscard]] double lowerLength() const
    {
        constexpr double thousands = 1000; // "1-2k" are both, "500-2k" one
        return *m_span.from >= thousands ? lengthOf(*m_span.from) : std::round(*m_span.from);
    }
    // Lengths are drawn from all of a range.
    [[nodiscard]] bool isDrawn() const { return m_comes == "tokens" && m_span.from && !m_span.grows; }

    [[nodiscard]] std::string told(double value) const
    {
        if (m_isAmount)
            return amountText(m_draft, m_quantity, value);
        if (m_comes == "seconds")
            return secondsText(value);
        if (m_comes == "rest" || m_comes.starts_with("growth")
            || (m_comes.empty() && m_span.dimension == Dimension::Percent))
            return fmt::format("{:.4g} %", value * 100);
        std::string text = countText(value);
        if (isDrawn())
            return countText(lowerLength()) + "–" + text;
        if (!m_comes.empty())
            return text;
        if (m_span.unitValue != 1) // as it was said; "8 点到 10 点" are hours
            text = fmt::format("{} {}", countText(value / m_span.unitValue),
                               m_span.unitAt == none ? "h" : m_draft.said(m_span.unitAt));
        return m_span.from ? countText(*m_span.from) + "–" + text : text;
    }

    // As the key is written.
    [[nodiscard]] std::string written(double value) const
    {
        return isDrawn() ? fmt::format("uniform:{:.0f}-{:.0f}", lowerLength(), value)
                         : fmt::format("{:.17g}{}", value, m_span.dimension == Dimension::Watt ? " W" : "");
    }

    void note(Place place, double value, const std::string& text)
    {
        if (m_isAmount && !m_draft.question.currency)
            m_draft.question.currency = currencyOf(m_draft, m_quantity);
        if (m_span.from && m_role.setting("easier") != nullptr)
            m_draft.easier.push_back({m_role.key, value * *m_span.from / m_span.value});
        std::vector<std::string> others;
        if (const std::string_view other = settingOf("other"); !other.empty())
            others.push_back(m_draft.tell(other, m_isAmount ? countText(roundedTo(value, 4)) : text));
        m_draft.note(place, m_draft.tell(oneOrMany(m_draft.say(m_role.read), value), text, m_over),
                     whyOf(value), std::move(others));
    }

    // Why the number is another than the one that was said: its unit, or which end of a range is planned for.
    [[nodiscard]] std::string whyOf(double value) const
    {
        if (m_span.unit == Words)
            return m_draft.tell("1.5 tokens a word");
        if (m_span.unit == Token && m_span.unitValue < 1)
            return m_draft.tell("0.6 tokens a Chinese character");
        if (m_isAmount || m_comes == "tokens" || !m_span.from || !(m_span.value > 0))
            return {};
        return m_draft.tell("of {} to {} the most", countText(value * *m_span.from / m_span.value),
                            countText(value));
    }

    // "M4 Max 17GB", "a 3090 with 48G": the memory of the card that is named, or of none that there is.
    [[nodiscard]] bool isOfNamed(Place place)
    {
        std::vector<std::size_t> names;
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (m_draft.isName(i, ItemKind::Gpu))
                names.push_back(i);
        constexpr std::size_t near = 6; // items
        if (names.size() != 1 || names.front() > place.last + near || names.front() + near < place.first)
            return false;
        const std::size_t name = names.front();
        const auto found
            = m_draft.vocabulary.gpu(fmt::format("{} {:g}gb", m_draft.at(name).text, m_span.value / 1e9));
        auto& gpus = m_draft.question.scenario.gpus;
        if (found && gpus.size() == 1)
            gpus.front() = found->id;
        if (!found && (m_draft.mentions(Total) || m_draft.mentions(MemoryWord)))
            return false; // "80 GB of VRAM in total"
        if (!found)
            m_draft.problem({std::min(name, place.first), std::max(name, place.last)},
                            m_draft.tell("is not in the catalogue"), {});
        return true;
    }

    Draft& m_draft;
    const Assigned& m_quantity;
    const Role& m_role;
    const Span& m_span;
    std::string_view m_comes;
    bool m_isAmount;
    double m_over = 1; // "an 8xH100 node costs $16/h": of how many together it was said
};

} // namespace

double dollarsOf(const Draft& draft, const Assigned& quantity)
{
    const std::optional<Currency> currency = currencyOf(draft, quantity);
    const double dollars = currency ? quantity.span.value / currency->perDollar : 0;
    // Told again in its currency it is to be what was said, to the cent of a billion.
    return !currency ? quantity.span.value : dollars > 0 ? roundedTo(dollars, 12) : dollars;
}

Place setKey(Draft& draft, const Assigned& quantity) { return KeyOf(draft, quantity).set(); }
void tellUnused(Draft& draft, const Assigned& quantity) { KeyOf(draft, quantity).tellUnused(); }

void settleKeys(Draft& draft)
{
    for (const Assigned& quantity : draft.quantities) {
        if (quantity.role == nullptr || quantity.role->key == "*" || draft.isRead(quantity.span.number))
            continue;
        if (quantity.role->key == "-")
            tellUnused(draft, quantity);
        else
            setKey(draft, quantity);
    }
}

} // namespace headroom::ask
