#include "model/ask/rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace headroom::ask {

using enum Meaning;

double roundedTo(double amount, int significant)
{
    const double scale = std::pow(10, significant - 1 - std::floor(std::log10(amount)));
    return std::round(amount * scale) / scale;
}

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
        return i != none && std::ranges::any_of(draft.at(i).text, [](unsigned char c) { return c >= 0x80; });
    };
    return chinese(quantity.cue) || chinese(quantity.span.number); // "budget 30万"
}

} // namespace

std::optional<Currency> currencyOf(const Draft& draft, const Assigned& quantity)
{
    if (quantity.span.unit != Euro && !isYuan(draft, quantity))
        return std::nullopt;
    return atRateTold(quantity.span.unit == Euro ? publishedEuro : publishedYuan);
}

double dollarsOf(const Draft& draft, const Assigned& quantity)
{
    const std::optional<Currency> currency = currencyOf(draft, quantity);
    const double dollars = currency ? quantity.span.value / currency->perDollar : 0;
    // Told again in its currency it is to be what was said, to the cent of a billion.
    return !currency ? quantity.span.value : dollars > 0 ? roundedTo(dollars, 12) : dollars;
}

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

void refuseSeveralPrices(Draft& draft)
{
    std::vector<Assigned*> prices;
    for (Assigned& one : draft.quantities)
        if ((one.role == nullptr || one.role->setting("ofOne") != nullptr)
            && ruleAround("price-beside", draft, one.span)
            && (prices.empty() || prices.front()->span.value != one.span.value))
            prices.push_back(&one);
    if (prices.size() < 2)
        return;
    for (Assigned* const one : prices) {
        draft.takeAll(one->span.parts);
        one->role = nullptr;
    }
    draft.problem({prices.front()->span.first, prices.back()->span.last},
                  draft.tell("several prices are named: a plan is made with one"),
                  draft.tell("ask of one of them at a time, or leave the prices out"));
}

} // namespace headroom::ask
