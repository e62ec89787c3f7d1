#include "model/ask/rules.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_values.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace headroom::ask {

namespace {

// Seconds of "per day", or of the unit: "requests a day".
double periodOf(const Span& rate)
{
    return rate.perTime > 0 ? rate.perTime : rate.unit == Meaning::RequestRate ? 1 / rate.unitValue : 0;
}

// "$25 an hour the box": of as many cards as were said, or as are usual.
double gpusInBox(const Draft& draft)
{
    for (const Assigned& one : draft.quantities)
        if (one.span.boxSize > 0)
            return one.span.boxSize;
    const auto& gpus = draft.question.scenario.gpus;
    return gpus.size() == 1 ? draft.vocabulary.gpusPerBox(gpus.front()) : 0;
}

// A number, one that an earlier rule named, one of a quantity by its role ("users", "rps.rate" a second,
// "ttft.from" of a range, "price.dollars"), or one of the scenario
// ("$rps").
double termOf(std::string_view name, const Draft& draft, const Span* it)
{
    if (name.empty())
        throw std::logic_error("a number is missing");
    if (name.front() == '-' || (name.front() >= '0' && name.front() <= '9'))
        return numberOf(name);
    if (const auto known = draft.known.find(name); known != draft.known.end())
        return known->second;
    const Scenario& s = draft.question.scenario;
    if (name == "$prompt" || name == "$output")
        return (name == "$prompt" ? s.prompt : s.output).mean();
    if (name == "$concurrency" || name == "$rps") // of a range the harder end
        return (name == "$rps" ? s.requestsPerSecond : s.concurrency).value_or(0);
    if (name == "box")
        return gpusInBox(draft);
    if (name.front() == '$')
        return numberFromText(scenarioValue(s, name.substr(1))).value_or(0);
    const auto [role, of] = cutAt(name, '.');
    const Assigned* const quantity = draft.find(role);
    const Span* const span = role == "it" ? it : quantity != nullptr ? &quantity->span : nullptr;
    if (span == nullptr)
        throw std::logic_error("no such number: " + std::string(name));
    const Item& number = draft.at(span->number);
    return of == "rate"                          ? span->perSecond()
        : of == "dollars" && quantity != nullptr ? dollarsOf(draft, *quantity)
        : of == "tokens"                         ? span->value * tokensOf(number) / number.value
        : of == "period"                         ? periodOf(*span)
        : of == "number"                         ? number.value
        : of == "from"                           ? span->from.value_or(span->value)
                                                 : span->value;
}

} // namespace

double numberCalled(std::string_view name, const Draft& draft, const Match& match)
{
    const std::size_t number = match.at(name.front());
    return number != none ? draft.at(number).value : numberOf(name);
}

double reckoned(std::string_view expression, const Draft& draft, const Span* it)
{
    if (expression.starts_with("ceil:")) {
        constexpr double rounding = 1e-9;
        return std::ceil(reckoned(expression.substr(5), draft, it) - rounding);
    }
    if (expression.starts_with("round:"))
        return std::max(1.0, std::round(reckoned(expression.substr(6), draft, it)));
    double value = 1;
    for (char sign = '*'; !expression.empty();) {
        const std::size_t end = std::min(expression.find_first_of("*/+"), expression.size());
        const double term = termOf(expression.substr(0, end), draft, it);
        value = sign == '*' ? value * term : sign == '/' ? value / term : value + term;
        sign = end < expression.size() ? expression[end] : sign;
        expression.remove_prefix(std::min(end + 1, expression.size()));
    }
    return value;
}

} // namespace headroom::ask
