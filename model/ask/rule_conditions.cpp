#include "model/ask/rules.h"
#include "model/ask/span_units.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/service_load.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace headroom::ask {

// What a condition is asked of.
struct Known {
    const Draft& draft;
    const Settled& settled;
    std::size_t word;
    const Scenario& s;
    const Span* span; // that it is tried around
    [[nodiscard]] bool is(QuestionKind kind) const { return draft.question.kind == kind; }
};

namespace {

// A word that asks, and leads no number.
bool asks(const Draft& draft)
{
    for (std::size_t i = 0; i < draft.size(); ++i)
        if (draft.isAny(
                i, {Meaning::AtMost, Meaning::HowMany, Meaning::HowFast, Meaning::Which, Meaning::WhatGives})
            && !draft.isNumber(draft.next(i)))
            return true;
    return false;
}

// Whether a quantity has a role that this word leads to.
bool isAnswered(const Settled& settled, Meaning word)
{
    return std::any_of(
        settled.quantities.begin(), settled.quantities.end(), [word](const Assigned& quantity) {
            return quantity.role != nullptr
                && std::any_of(
                       quantity.role->cues.begin(), quantity.role->cues.end(), [word](const Cue& cue) {
                           return cue.how == Cue::How::Word && cue.weight > 0 && cue.words.front() == word;
                       });
        });
}

// "We compared 3 vendors": no name stands in the sentence.
bool namesNothing(const Draft& draft, std::size_t word)
{
    return !draft.any(draft.sentenceOf(word), [&](std::size_t i) { return draft.at(i).isName(); });
}

// "128k", as lengths of contexts are.
bool isWindow(const Item& number)
{
    int exponent = 0;
    return number.kilo && number.value == number.written * 1000
        && std::frexp(std::abs(number.written), &exponent) == 0.5 && exponent >= 3;
}

constexpr std::array<Called<bool (*)(const Known& k)>, 51> facts{{
    {"kind", [](const Known& k) { return k.settled.kindSaid; }},
    {"asks", [](const Known& k) { return asks(k.draft); }},
    {"answered", [](const Known& k) { return isAnswered(k.settled, k.draft.at(k.word).meaning); }},
    {"leads-read",
     [](const Known& k) { return k.draft.isRead(k.word + 1) && k.draft.at(k.word + 1).isNumber(); }},
    {"size", [](const Known& k) { return k.is(QuestionKind::Size); }},
    {"predict", [](const Known& k) { return k.is(QuestionKind::Predict); }},
    {"fit", [](const Known& k) { return k.is(QuestionKind::Fit); }},
    {"capacity", [](const Known& k) { return k.is(QuestionKind::Capacity); }},
    {"memory", [](const Known& k) { return k.is(QuestionKind::Memory); }},
    {"objective", [](const Known& k) { return k.settled.objectiveSaid; }},
    {"several", [](const Known& k) { return k.settled.severalSaid; }},
    {"one", [](const Known& k) { return k.settled.oneSaid; }},
    {"rates", [](const Known& k) { return k.settled.ratesAsked; }},
    {"context", [](const Known& k) { return k.settled.contextSaid; }},
    {"refused", [](const Known& k) { return !k.draft.problems.empty(); }},
    {"gpus", [](const Known& k) { return !k.s.gpus.empty(); }},
    {"choice", [](const Known& k) { return k.s.gpus.size() > 1; }},
    {"counted", [](const Known& k) { return k.s.gpuCount.has_value(); }},
    {"counts", [](const Known& k) { return k.s.gpuCount || !k.s.gpuCounts.empty(); }},
    {"load", [](const Known& k) { return k.s.concurrency || k.s.requestsPerSecond; }},
    {"concurrency", [](const Known& k) { return k.s.concurrency.has_value(); }},
    {"rate", [](const Known& k) { return k.s.requestsPerSecond.has_value(); }},
    {"rate-said", [](const Known& k) { return k.settled.rate.has_value(); }},
    {"rate-each", [](const Known& k) { return k.settled.rate && isOfEach(k.settled.rate->span); }},
    {"constant", [](const Known& k) { return k.s.traffic == "constant"; }},
    {"why", [](const Known& k) { return !k.settled.why.empty(); }},
    {"batch", [](const Known& k) { return k.s.batch.has_value(); }},
    {"full", [](const Known& k) { return fullyLoaded(k.s); }},
    {"peak", [](const Known& k) { return k.s.peakFactor > 1; }},
    {"job", [](const Known& k) { return k.s.jobTokens || k.s.jobRequests; }},
    {"deadline", [](const Known& k) { return k.s.deadline.has_value(); }},
    {"model", [](const Known& k) { return !k.s.model.empty(); }},
    {"unnamed", [](const Known& k) { return namesNothing(k.draft, k.word); }},
    {"weights", [](const Known& k) { return k.s.weights.has_value(); }},
    {"targets", [](const Known& k) { return k.s.targets.any(); }},
    {"capped",
     [](const Known& k) { // what it may cost or take
         return k.s.money.budgetPerHour || k.s.money.purchaseBudget || k.s.powerCap || k.s.mostGpus
             || k.s.mostBoxes;
     }},
    {"bare", [](const Known& k) { return k.span->unit == Meaning::Filler; }},
    {"uncounted",
     [](const Known& k) {
         return k.span->dimension == Dimension::Plain || k.span->dimension == Dimension::PlainRate;
     }},
    {"unbound", [](const Known& k) { return k.span->bound == Meaning::Filler; }},
    {"at-most", [](const Known& k) { return k.span->bound == Meaning::AtMost; }},
    {"minutes", [](const Known& k) { return k.span->perTime >= 60; }},
    {"days", [](const Known& k) { return k.span->perTime >= 3600; }},
    {"months", [](const Known& k) { return k.span->perTime >= 2.5e6; }},
    {"window", [](const Known& k) { return isWindow(k.draft.at(k.span->number)) && !k.span->from; }},
    {"of-a", [](const Known& k) { return k.draft.at(back(*k.span)).text.ends_with(" a"); }},
    {"money", [](const Known& k) { return k.span->isMoney(); }},
    {"timed", [](const Known& k) { return k.span->perTime > 0; }},
    {"thousands", [](const Known& k) { return k.span->value >= 1000; }},
    {"rated", [](const Known& k) { return k.span->perTime > 0 || !k.span->per.empty(); }},
    {"as-many",
     [](const Known& k) {
         const Assigned* const gpus = k.settled.find("gpus");
         return gpus != nullptr && gpus->span.value == k.span->value;
     }},
    {"drafting", [](const Known& k) { return k.draft.vocabulary.draftingStated; }},
}};

bool saysAtOnce(const Assigned& quantity, const Draft& draft)
{
    const auto says = [&](std::size_t i) {
        return draft.at(i).is(Meaning::Moment) || draft.at(i).is(Meaning::Concurrent);
    };
    return std::any_of(quantity.span.parts.begin(), quantity.span.parts.end(), says)
        || (quantity.cue != none && says(quantity.cue));
}

// What is asked of the quantity with a role: "number:users" whether there is one.
constexpr std::array<Called<bool (*)(const Assigned& quantity, const Draft& draft)>, 7> ofQuantities{{
    {"number", [](const Assigned&, const Draft&) { return true; }},
    {"plain", [](const Assigned& q, const Draft&) { return q.span.dimension == Dimension::Plain; }},
    {"people", [](const Assigned& q, const Draft&) { return q.span.dimension == Dimension::People; }},
    {"hours", [](const Assigned& q, const Draft&) { return q.span.perTime >= 3600; }},
    {"days", [](const Assigned& q, const Draft&) { return q.span.perTime >= 86400; }},
    {"ranged", [](const Assigned& q, const Draft&) { return q.span.from.has_value(); }},
    {"at-once", saysAtOnce},
}};

// A number, one that an earlier rule named, one of a quantity by its role ("users", "rps.rate" a second,
// "ttft.from" of a range), or one of the scenario
// ("$rps").
double termOf(std::string_view name, const Draft& draft, const Settled& settled)
{
    if (name.front() >= '0' && name.front() <= '9')
        return numberOf(name);
    if (const auto known = settled.known.find(name); known != settled.known.end())
        return known->second;
    const Scenario& s = draft.question.scenario;
    if (name == "$prompt" || name == "$output")
        return (name == "$prompt" ? s.prompt : s.output).mean();
    if (name.front() == '$')
        return numberFromText(scenarioValue(s, name.substr(1))).value_or(0);
    const std::size_t dot = std::min(name.find('.'), name.size());
    if (const Assigned* const quantity = settled.find(name.substr(0, dot)); quantity != nullptr)
        return name.ends_with(".rate")  ? quantity->span.perSecond()
            : name.ends_with(".tokens") ? quantity->span.value * tokensOf(draft.at(quantity->span.number))
                / draft.at(quantity->span.number).value
            : name.ends_with(".from") ? quantity->span.from.value_or(quantity->span.value)
                                      : quantity->span.value;
    throw std::logic_error("no such number: " + std::string(name));
}

bool saysWithin(const Draft& draft, Place place, std::string_view word)
{
    const bool typed = word.starts_with('\'');
    for (std::size_t i = place.first; i <= place.last; ++i)
        if (typed ? draft.at(i).text.starts_with(word.substr(1, word.size() - 2))
                  : draft.at(i).is(Lexicon::shipped().meaningOf(word)))
            return true;
    return false;
}

// What is asked with a word, a role or an expression behind the colon.
constexpr std::array<Called<bool (*)(const Known& k, const Rule::Condition& c)>, 9> ofNames{{
    {"has", [](const Known& k, const Rule::Condition& c) { return k.draft.mentions(c.word); }},
    {"per", [](const Known& k, const Rule::Condition& c) { return k.span->isPer(c.word); }},
    {"unit",
     [](const Known& k, const Rule::Condition& c) { return k.span != nullptr && k.span->unit == c.word; }},
    {"known", [](const Known& k, const Rule::Condition& c) { return k.settled.known.contains(c.which); }},
    {"said",
     [](const Known& k, const Rule::Condition& c) {
         const std::string field = "the " + std::string(c.which);
         return k.draft.wasSaid(k.draft.say(field));
     }},
    {"asked",
     [](const Known& k, const Rule::Condition& c) {
         return measureCalled(c.which) == k.draft.question.asked;
     }},
    {"could", // a rule of this stage fits
     [](const Known& k, const Rule::Condition& c) {
         Matched matched;
         for (std::size_t i = 0; i < k.draft.size(); ++i)
             if (ruleAt(c.which, k.draft, k.settled, i, matched) != nullptr)
                 return true;
         return false;
     }},
    {"within", // "within:total:Output", of what was taken
     [](const Known& k, const Rule::Condition& c) {
         const std::size_t colon = c.which.find(':');
         return saysWithin(k.draft, k.settled.places.at(c.which.substr(0, colon)), c.which.substr(colon + 1));
     }},
    {"reckoned", // "users<everyone"
     [](const Known& k, const Rule::Condition& c) {
         const std::size_t sign = c.which.find_first_of("<>");
         const double left = reckoned(c.which.substr(0, sign), k.draft, k.settled);
         const double right = reckoned(c.which.substr(sign + 1), k.draft, k.settled);
         return c.which[sign] == '<' ? left < right : left > right;
     }},
}};

bool holds(const Rule::Condition& c, const Known& known)
{
    const Assigned* const quantity = c.ofQuantity != nullptr ? known.settled.find(c.which) : nullptr;
    const bool so = c.fact != nullptr ? c.fact(known)
        : c.named != nullptr          ? c.named(known, c)
                                      : quantity != nullptr && c.ofQuantity(*quantity, known.draft);
    return so != c.negated;
}

} // namespace

Rule::Condition conditionOf(std::string_view text, const Lexicon& lexicon)
{
    Rule::Condition c{.negated = text.starts_with('!')};
    if (c.negated)
        text.remove_prefix(1);
    const std::size_t colon = std::min(text.find(':'), text.size());
    const bool compares = text.find_first_of("<>") != std::string_view::npos;
    const std::string_view name = compares ? "reckoned" : text.substr(0, colon);
    c.which = compares ? text : text.substr(std::min(colon + 1, text.size()));
    c.word = lexicon.meaningOf(c.which);
    const auto* const fact = colon == text.size() && !compares ? rowCalled(facts, name) : nullptr;
    const auto* const ofQuantity = rowCalled(ofQuantities, name);
    const auto* const named = rowCalled(ofNames, name);
    if (fact != nullptr)
        c.fact = fact->value;
    else if (ofQuantity != nullptr)
        c.ofQuantity = ofQuantity->value;
    else if (named != nullptr)
        c.named = named->value;
    else
        throw std::logic_error("no such condition: " + std::string(text));
    return c;
}

bool holdsAll(const Rule& rule, const Draft& draft, const Settled& settled, std::size_t word,
              const Span* span)
{
    const Known known{draft, settled, word, draft.question.scenario, span};
    return std::all_of(rule.when.begin(), rule.when.end(), [&](const auto& any) {
        return std::any_of(any.begin(), any.end(), [&](const auto& one) { return holds(one, known); });
    });
}

double reckoned(std::string_view expression, const Draft& draft, const Settled& settled)
{
    if (expression.starts_with("ceil:")) {
        constexpr double rounding = 1e-9;
        return std::ceil(reckoned(expression.substr(5), draft, settled) - rounding);
    }
    if (expression.starts_with("round:"))
        return std::max(1.0, std::round(reckoned(expression.substr(6), draft, settled)));
    double value = 1;
    for (char sign = '*'; !expression.empty();) {
        const std::size_t end = std::min(expression.find_first_of("*/+"), expression.size());
        const double term = termOf(expression.substr(0, end), draft, settled);
        value = sign == '*' ? value * term : sign == '/' ? value / term : value + term;
        sign = end < expression.size() ? expression[end] : sign;
        expression.remove_prefix(std::min(end + 1, expression.size()));
    }
    return value;
}

} // namespace headroom::ask
