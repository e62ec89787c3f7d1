#include "model/ask/draft_teller.h"
#include "model/ask/settle.h"
#include "model/base/price_kind.h"

#include <algorithm>
#include <array>
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

class Amounts : DraftTeller {
public:
    Amounts(Draft& draft, Settled& settled)
        : DraftTeller(draft), m_settled(settled), m_money(draft.question.scenario.money)
    {}

    void settle()
    {
        for (const Assigned& quantity : m_settled.quantities) {
            constexpr std::array<std::string_view, 5> roles{"price", "budget", "purchaseBudget",
                                                            "purchasePrice", "electricity"};
            if (quantity.role != nullptr
                && std::find(roles.begin(), roles.end(), quantity.role->id) != roles.end())
                amount(quantity);
            else if (quantity.is("years"))
                years(quantity);
            else if (quantity.is("costYears"))
                costYears(quantity);
        }
        for (std::size_t i = 0; i < m_draft.size(); ++i) // "I have $200k to spend; what to buy"
            if (m_draft.is(i, Budget) && (m_money.purchaseBudget || m_money.budgetPerHour))
                m_draft.take(i);
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            buyOrRent(i);
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (m_draft.isAny(i, {Provider, Meaning::PriceKind}) && !m_draft.is(m_draft.previous(i), Not))
                offer(i);
            else if (m_draft.is(i, ToldIn))
                toldIn(i);
    }

private:
    // In Chinese an amount without its unit is in yuan.
    [[nodiscard]] bool isYuan(const Assigned& quantity) const
    {
        if (quantity.span.unit != Filler)
            return quantity.span.unit == Yuan;
        const auto chinese = [&](std::size_t i) {
            return i != none && std::any_of(m_draft.at(i).text.begin(), m_draft.at(i).text.end(), [](char c) {
                       return static_cast<unsigned char>(c) >= 0x80;
                   });
        };
        return chinese(quantity.cue) || chinese(quantity.span.number) // "budget 30万"
            || std::any_of(quantity.span.parts.begin(), quantity.span.parts.end(),
                           [&](std::size_t i) { return m_draft.at(i).is(Budget) && chinese(i); });
    }

    // The currency of an amount that is none of dollars: at the rate that amounts are told at, or the
    // published one.
    [[nodiscard]] std::optional<Currency> currencyOf(const Assigned& quantity) const
    {
        if (quantity.span.unit != Euro && !isYuan(quantity))
            return std::nullopt;
        const Currency& published = quantity.span.unit == Euro ? publishedEuro : publishedYuan;
        return toldCurrency().code == published.code ? toldCurrency() : published;
    }

    double inDollars(const Assigned& quantity)
    {
        const std::optional<Currency> currency = currencyOf(quantity);
        if (!currency)
            return quantity.span.value;
        if (!m_draft.question.currency)
            m_draft.question.currency = currency;
        const double dollars = quantity.span.value / currency->perDollar;
        // Told again in its currency it is to be what was said, to the cent of a billion.
        return dollars > 0 ? rounded(dollars, 12) : dollars;
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
        const std::optional<Currency> currency = currencyOf(quantity);
        if (!currency)
            return tell("${}", digits(dollars, 6));
        const bool yuan = currency->code == publishedYuan.code;
        const std::string_view unit = yuan ? say("yuan") : say("euros");
        return tell("{3}{0} (${1} at {2:.5g} {4} to a dollar)", digits(dollars * currency->perDollar, 5),
                    digits(dollars, 4), currency->perDollar, currency->sign, unit);
    }

    void amount(const Assigned& quantity)
    {
        Place place = takeQuantity(m_draft, quantity);
        widen(m_draft, place, {Budget, Price});
        const Span& span = quantity.span;
        if (span.unit == OtherMoney)
            return m_draft.problem(span, tell("amounts are read in dollars, yuan and euros"),
                                   tell("'$20/hour', '¥150/hour'"));
        if (!(span.value > 0))
            return m_draft.problem(place, tell("a price is above zero"), "$2.5/hour");
        const double dollars = inDollars(quantity);
        if (quantity.is("electricity"))
            electricity(quantity, dollars, place);
        else if (quantity.is("purchasePrice"))
            purchasePrice(quantity, dollars, place);
        else if (quantity.is("purchaseBudget"))
            purchaseBudget(quantity, dollars, place);
        else if (span.perTime <= 0)
            m_draft.problem(place, tell("an amount without a period"), periods());
        else if (quantity.is("price") || pricesAll(span))
            price(quantity, dollars, place);
        else
            budget(quantity, dollars, place);
    }

    [[nodiscard]] std::string periods() const
    {
        return tell("'$20/hour', '$5000 a month', '$100k to buy', '$25000 each to buy'");
    }

    void electricity(const Assigned& quantity, double dollars, const Place& place)
    {
        if (!m_draft.once(say("the electricity price"), countText(dollars), place))
            return;
        m_money.electricityPerKwh = dollars;
        m_draft.note(place, tell("electricity at {}/kWh", told(quantity, dollars)));
    }

    void purchasePrice(const Assigned& quantity, double dollars, const Place& place)
    {
        if (!m_draft.once(say("the purchase price"), countText(dollars), place))
            return;
        m_money.buy = true;
        m_money.purchasePrice = Dollars(dollars);
        m_draft.note(place, tell("{} to buy one GPU", told(quantity, dollars)));
    }

    // "buy for $100k", "预算 100 万元买卡": of all GPUs together.
    void purchaseBudget(const Assigned& quantity, double dollars, Place place)
    {
        widen(m_draft, place, {Budget, Buy, Total});
        if (quantity.span.bound == AtLeast)
            return m_draft.problem(place, tell("a lower limit on cost is no target"), tell("'$100k to buy'"));
        if (!m_draft.once(say("the purchase budget"), countText(dollars), place))
            return;
        const bool said = m_draft.mentions(Buy);
        m_money.buy = true;
        m_money.purchaseBudget = Dollars(dollars);
        const std::string typed = m_draft.said(quantity.span.first, quantity.span.last);
        m_draft.note(place, tell("all GPUs are bought for at most {}", told(quantity, dollars)),
                     said ? std::string() : tell("no period was said"),
                     said ? std::vector<std::string>{}
                          : std::vector<std::string>{tell("budget {} a month", typed),
                                                     tell("budget {} a year", typed)});
    }

    // "rent 8 A100 for $12/hour", "8 张 A100 每小时 80 元": the price of all of them.
    [[nodiscard]] bool pricesAll(const Span& span) const
    {
        const int gpus = m_draft.question.scenario.gpuCount.value_or(1);
        if (gpus <= 1 || !span.per.empty() || span.first == 0 || span.bound != Filler)
            return false;
        const Item& before = m_draft.at(span.first - 1);
        std::size_t count = span.first - 1; // "一块 H100 每小时 2.2 美元": one is what it is of
        while (count > 0 && !m_draft.at(count).isNumber() && !m_draft.at(count).is(Comma))
            --count;
        if (m_draft.at(count).isNumber() && m_draft.at(count).value == 1)
            return false;
        const bool rents = m_draft.mentions(Rent) && before.text == "for";
        return rents
            || (before.kind == ItemKind::Gpu
                && static_cast<unsigned char>(m_draft.at(span.first).text.front()) >= 0x80);
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

    void price(const Assigned& quantity, double dollars, const Place& place)
    {
        const bool ofBox = quantity.span.isPer(Box);
        const bool ofAll = ofBox || pricesAll(quantity.span);
        const int gpus = ofBox ? gpusInBox() : m_draft.question.scenario.gpuCount.value_or(1);
        if (gpus <= 0)
            return m_draft.problem(place, tell("how many GPUs are in each?"),
                                   tell("e.g. '2 servers of 8 H100'"));
        const double perHourUsd = anHour(ofAll ? dollars / gpus : dollars, quantity.span.perTime);
        if (!m_draft.once(say("the price of a GPU"), countText(perHourUsd), place))
            return;
        m_money.gpuPrice = dollarsPerHour(perHourUsd);
        m_draft.note(
            place,
            ofAll ? tell("all {1} GPUs together: {0} for one GPU-hour", told(quantity, perHourUsd), gpus)
                  : tell("{} for one GPU-hour", told(quantity, perHourUsd)));
    }

    void budget(const Assigned& quantity, double dollars, const Place& place)
    {
        if (quantity.span.bound == AtLeast)
            return m_draft.problem(place, tell("a lower limit on cost is no target"), "'under $20/hour'");
        const double perHourUsd = anHour(dollars, quantity.span.perTime);
        if (!m_draft.once(say("the budget"), countText(perHourUsd), place))
            return;
        m_money.budgetPerHour = perHourUsd;
        m_draft.note(place, tell("the service costs at most {}/hour", told(quantity, perHourUsd)), {},
                     {tell("${} per GPU-hour", countText(rounded(perHourUsd, 4)))});
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
                m_money.gpuPrice || m_money.buy ? tell("the price that was said is taken")
                    : gpus.empty()
                    ? tell("name the card to have its price; the usual cloud prices are taken")
                    : tell("no such price is known for this card; the usual cloud price is taken"));
        if (provider)
            m_money.provider = name;
        else
            m_money.priceKind = kind;
        m_draft.note(i, provider ? tell("prices of {}", name) : tell("{} prices", name));
    }

    // "the bill in EUR"
    void toldIn(std::size_t i)
    {
        m_draft.take(i);
        const Currency& published = m_draft.at(i).note == publishedEuro.code ? publishedEuro : publishedYuan;
        if (!m_draft.question.currency)
            m_draft.question.currency = toldCurrency().code == published.code ? toldCurrency() : published;
        m_draft.note(i, tell("amounts are told in {}", published.code));
    }

    // "amortised over 3 years", "3 年折旧".
    void years(const Assigned& quantity)
    {
        const Place place = takeQuantity(m_draft, quantity);
        const double years = quantity.span.value / 31557600.0;
        if (years < 0.1 || years > 30)
            return m_draft.problem(place, tell("a machine is written off over 1 to 10 years"), "3 years");
        m_money.amortisationYears = years;
        m_draft.note(place, tell("written off over {:.4g} years", years));
    }

    // "what does it cost over 3 years": every answer says what a year costs.
    void costYears(const Assigned& quantity)
    {
        const Place place = takeQuantity(m_draft, quantity);
        const double years = quantity.span.value / 31557600.0;
        if (std::abs(years - 1) < 1e-6)
            return m_draft.note(place, tell("what a year costs is told"));
        m_money.years = years;
        m_draft.note(place, tell("costs over {:.4g} years", years));
    }

    // "which GPUs should I buy", "rent".
    void buyOrRent(std::size_t i)
    {
        if (!m_draft.isAny(i, {Buy, Price, Rent}))
            return;
        const bool buys = m_draft.is(i, Buy);
        m_draft.take(i);
        const std::size_t other = m_draft.is(m_draft.next(i), Or) ? m_draft.next(m_draft.next(i)) : none;
        if (buys ? m_draft.isAny(other, {Price, Rent}) : m_draft.is(other, Buy)) { // every answer says both
            m_draft.take(m_draft.next(i));
            m_draft.take(other);
            return m_draft.note({i, other}, tell("rented and bought: both where both prices are known"));
        }
        m_money.buy = m_money.buy || buys;
        m_draft.note(i,
                     std::string(buys ? say("bought: purchase price, power and electricity")
                                      : say("rented by the hour")));
    }

    Settled& m_settled;
    Money& m_money;
};

} // namespace

void settleMoney(Draft& draft, Settled& settled) { Amounts(draft, settled).settle(); }

} // namespace headroom::ask
