#include "model/ask/rules.h"
#include "model/base/price_kind.h"
#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

double rounded(double amount, int significant)
{
    const double scale = std::pow(10, significant - 1 - std::floor(std::log10(amount)));
    return std::round(amount * scale) / scale;
}

// Dollars an hour are told to the cent: what a month or a rate adds behind that means nothing.
double anHour(double dollars, double seconds)
{
    constexpr int digits = 8;
    return dollars > 0 ? rounded(dollars / seconds * 3600, digits) : 0;
}

} // namespace

Currency atRateTold(const Currency& published)
{
    return toldCurrency().code == published.code ? toldCurrency() : published;
}

namespace {

// In Chinese an amount without its unit is in yuan.
bool isYuan(const Draft& draft, const Assigned& quantity)
{
    if (quantity.span.unit != Filler)
        return quantity.span.unit == Yuan;
    const auto chinese = [&](std::size_t i) {
        return i != none && std::any_of(draft.at(i).text.begin(), draft.at(i).text.end(), [](char c) {
                   return static_cast<unsigned char>(c) >= 0x80;
               });
    };
    return chinese(quantity.cue) || chinese(quantity.span.number) // "budget 30万"
        || std::any_of(quantity.span.parts.begin(), quantity.span.parts.end(),
                       [&](std::size_t i) { return draft.at(i).is(Budget) && chinese(i); });
}

// The currency of an amount that is none of dollars: at the rate that amounts are told at, or the
// published one.
std::optional<Currency> currencyOf(const Draft& draft, const Assigned& quantity)
{
    if (quantity.span.unit != Euro && !isYuan(draft, quantity))
        return std::nullopt;
    return atRateTold(quantity.span.unit == Euro ? publishedEuro : publishedYuan);
}

} // namespace

double dollarsOf(const Draft& draft, const Assigned& quantity)
{
    const std::optional<Currency> currency = currencyOf(draft, quantity);
    const double dollars = currency ? quantity.span.value / currency->perDollar : 0;
    // Told again in its currency it is to be what was said, to the cent of a billion.
    return !currency ? quantity.span.value : dollars > 0 ? rounded(dollars, 12) : dollars;
}

namespace {

class Amounts {
public:
    Amounts(Draft& draft, Settled& settled)
        : m_draft(draft), m_settled(settled), m_money(draft.question.scenario.money)
    {}

    void settle()
    {
        if (pricesOfSeveral())
            return;
        for (const Assigned& quantity : m_settled.quantities)
            if (const Setting* const comes = quantity.role ? quantity.role->setting("comes") : nullptr)
                if (comes->values.front() == "dollars" || comes->values.front() == "hourly")
                    amount(quantity, comes->values.front() == "hourly");
        applyRules("money", m_draft, m_settled);
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (m_draft.isAny(i, {Provider, Meaning::PriceKind}) && !m_draft.is(m_draft.previous(i), Not))
                offer(i);
    }

private:
    // "H100 at $2.1/hr, H200 at $2.9/hr", "$2.9 on demand, $2.1 reserved": of one price alone a plan is made.
    bool pricesOfSeveral()
    {
        std::vector<const Assigned*> prices;
        bool kinds = false;
        const auto priced = [&](std::size_t i) {
            kinds = kinds || m_draft.is(i, Meaning::PriceKind);
            return m_draft.isName(i, ItemKind::Gpu) || m_draft.is(i, Meaning::PriceKind);
        };
        for (const Assigned& one : m_settled.quantities) {
            if (!one.is("price") && !one.is("budget") && !one.is("purchasePrice") && !one.is("purchaseBudget")
                && one.role != nullptr)
                continue;
            const auto [before, behind] = m_draft.beside(one.span);
            if (one.span.isMoney() && (priced(before) || priced(behind))
                && (prices.empty() || prices.front()->span.value != one.span.value))
                prices.push_back(&one);
        }
        if (prices.size() < 2 || (m_draft.question.scenario.gpus.size() < 2 && !kinds))
            return false;
        for (const Assigned* const one : prices)
            m_draft.takeAll(one->span.parts);
        m_draft.problem({prices.front()->span.first, prices.back()->span.last},
                        m_draft.tell("several prices are named: a plan is made with one"),
                        m_draft.tell("ask of one of them at a time, or leave the prices out"));
        return true;
    }

    // "$2.475", "$100,000", "18 元（1 美元合 7.2734 元，即 2.475 美元）".
    [[nodiscard]] std::string told(const Assigned& quantity, double dollars) const
    {
        // What was said is told as it was said; what was worked out from it in as many digits as mean
        // something.
        const double said = quantity.span.value;
        const auto digits = [said](double amount, int significant) {
            constexpr double same = 1e-9;
            return countText(std::abs(amount - said) <= same * said ? said : rounded(amount, significant));
        };
        const std::optional<Currency> currency = currencyOf(m_draft, quantity);
        if (!currency)
            return m_draft.tell("${}", digits(dollars, 6));
        const bool yuan = currency->code == publishedYuan.code;
        const std::string_view unit = yuan ? m_draft.say("yuan") : m_draft.say("euros");
        return m_draft.tell("{3}{0} (${1} at {2:.5g} {4} to a dollar)",
                            digits(dollars * currency->perDollar, 5), digits(dollars, 4), currency->perDollar,
                            currency->sign, unit);
    }

    void amount(const Assigned& quantity, bool hourly)
    {
        const Place place = takeQuantity(m_draft, quantity);
        const Span& span = quantity.span;
        if (span.unit == OtherMoney)
            return m_draft.problem(span, m_draft.tell("amounts are read in dollars, yuan and euros"),
                                   m_draft.tell("'$20/hour', '¥150/hour'"));
        if (!(span.value > 0))
            return refuseValue(m_draft, *quantity.role, place, {});
        Matched matched;
        const bool pricesAll
            = hourly && ruleAround("price-of-all", m_draft, span, span, matched, m_settled) != nullptr;
        const bool price = hourly && (quantity.is("price") || pricesAll);
        constexpr double hour = 3600;
        if (hourly && span.perTime <= 0) // "8x H200 at $3.5"
            m_draft.assume(m_draft.tell("{} is the price of an hour", m_draft.said(span.first, span.last)));
        const bool ofBox = span.isPer(Box);
        const bool ofAll = ofBox || pricesAll;
        const int gpus = ofBox ? gpusInBox() : m_draft.question.scenario.gpuCount.value_or(1);
        if (ofBox && gpus <= 0)
            return m_draft.problem(place, m_draft.tell("how many GPUs are in each?"),
                                   m_draft.tell("e.g. '2 servers of 8 H100'"));
        double dollars = dollarsOf(m_draft, quantity);
        if (const auto currency = currencyOf(m_draft, quantity); currency && !m_draft.question.currency)
            m_draft.question.currency = currency;
        dollars = ofAll ? dollars / gpus : dollars;
        if (hourly)
            dollars = anHour(dollars, span.perTime > 0 ? span.perTime : hour);
        const Role& role = price ? roleCalled("price") : *quantity.role;
        if (!findScenarioKey(role.key)
                 ->set(m_draft.question.scenario, fmt::format("{:.17g}", dollars))
                 .empty())
            return refuseValue(m_draft, role, place, countText(dollars));
        if ((!price && !isBoundRight(m_draft, quantity, place, {}))
            || !m_draft.once(m_draft.say(role.name), countText(dollars), place))
            return;
        m_money.buy = m_money.buy || role.setting("buys") != nullptr;
        std::string why;
        std::vector<std::string> others;
        if (const Setting* const other = role.setting("other"))
            others = {m_draft.tell(other->values.front(), countText(rounded(dollars, 4)))};
        if (quantity.is("purchaseBudget") && !m_draft.mentions(Buy)) {
            const std::string typed = m_draft.said(span.first, span.last);
            why = m_draft.tell("no period was said");
            others = {m_draft.tell("budget {} a month", typed), m_draft.tell("budget {} a year", typed)};
        }
        m_draft.note(place,
                     ofAll && price ? m_draft.tell("all {1} GPUs together: {0} for one GPU-hour",
                                                   told(quantity, dollars), gpus)
                                    : m_draft.tell(role.read, told(quantity, dollars)),
                     std::move(why), std::move(others));
    }

    // "$25 an hour the box": of as many cards as were said, or as are usual.
    [[nodiscard]] int gpusInBox() const
    {
        for (const Assigned& one : m_settled.quantities)
            if (one.span.boxSize > 0)
                return static_cast<int>(one.span.boxSize);
        const auto& gpus = m_draft.question.scenario.gpus;
        return gpus.size() == 1 && m_draft.vocabulary.gpusPerBox ? m_draft.vocabulary.gpusPerBox(gpus.front())
                                                                 : 0;
    }

    // "on AWS", "spot": a price that is known is planned with.
    void offer(std::size_t i)
    {
        const bool provider = m_draft.is(i, Provider);
        const std::string& name = m_draft.at(i).note;
        m_draft.take(i);
        const auto& gpus = m_draft.question.scenario.gpus;
        const auto& rents = m_draft.vocabulary.rents;
        const auto kind = provider ? m_money.priceKind : priceKindOf(name);
        const bool known = rents && !m_money.gpuPrice && !m_money.buy && !gpus.empty()
            && (!provider || m_money.provider.empty())
            && std::all_of(gpus.begin(), gpus.end(), [&](const std::string& gpu) {
                               return rents(provider ? std::string_view(name) : m_money.provider,
                                            kind ? headroom::name(*kind) : std::string_view(), gpu);
                           });
        if (!known)
            return m_draft.unused(
                i,
                m_money.gpuPrice || m_money.buy ? m_draft.tell("the price that was said is taken")
                    : gpus.empty()
                    ? m_draft.tell("name the card to have its price; the usual cloud prices are taken")
                    : m_draft.tell("no such price is known for this card; the usual cloud price is taken"));
        if (provider)
            m_money.provider = name;
        else
            m_money.priceKind = kind;
        m_draft.note(i, provider ? m_draft.tell("prices of {}", name) : m_draft.tell("{} prices", name));
    }

    Draft& m_draft;
    Settled& m_settled;
    Money& m_money;
};

} // namespace

void settleMoney(Draft& draft, Settled& settled) { Amounts(draft, settled).settle(); }

} // namespace headroom::ask
