#include "model/ask/rules.h"
#include "model/ask/span_units.h"
#include "model/base/price_kind.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/service_load.h"
#include "model/words/enum_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace headroom::ask {

std::optional<QuestionKind> kindCalled(std::string_view name)
{
    return constantCalled<QuestionKind, static_cast<std::size_t>(QuestionKind::Memory) + 1>(name);
}

std::optional<Asked> measureCalled(std::string_view name)
{
    return constantCalled<Asked, static_cast<std::size_t>(Asked::LongestContext) + 1>(name);
}

std::optional<Asked> measureOf(const Item& word)
{
    struct Measure {
        Asked asked;
        Meaning word;
        std::string_view note;
    };
    constexpr std::array measures{Measure{Asked::FirstToken, Meaning::Ttft, "first-token"},
                                  Measure{Asked::BetweenTokens, Meaning::Tpot, "between-tokens"},
                                  Measure{Asked::Request, Meaning::Latency, "request"},
                                  Measure{Asked::Throughput, Meaning::Throughput, "throughput"}};
    for (const Measure& one : measures)
        if (word.is(one.word) || word.note == one.note)
            return one.asked;
    return std::nullopt;
}

// What a condition is asked of.
struct Known {
    const Draft& draft;
    const Settled& settled;
    std::size_t word;
    const Scenario& s;
    const Span* span; // that it is tried around
    const Rule::Condition& c;
    // Of a word or a number, where it is tried at one.
    [[nodiscard]] const Span& number() const
    {
        if (span == nullptr)
            throw std::logic_error("asked of a number, where none is tried");
        return *span;
    }
    [[nodiscard]] std::size_t place() const
    {
        if (word == none)
            throw std::logic_error("asked of a word, where none is tried");
        return word;
    }
    [[nodiscard]] const Item& item() const { return draft.at(place()); }
    // Of "around:in-total:rate" what stands on either side of the last colon, and the quantity of the second.
    [[nodiscard]] std::string_view first() const { return cutAt(c.which, ':').first; }
    [[nodiscard]] std::string_view second() const { return cutAt(c.which, ':').second; }
    [[nodiscard]] const Assigned* behind() const { return settled.find(second()); }
    // Whether there is a quantity with the role, and it is so.
    [[nodiscard]] bool quantity(auto&& so) const
    {
        const Assigned* const found = settled.find(c.which);
        return found != nullptr && so(*found);
    }
};

namespace {

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

// Two of them, of which a scenario has one.
bool namesModels(const Draft& draft)
{
    std::string_view first;
    return draft.any({0, draft.size()}, [&](std::size_t i) {
        if (!draft.isName(i, ItemKind::Model))
            return false;
        const bool other = !first.empty() && draft.at(i).match.id != first;
        first = draft.at(i).match.id;
        return other;
    });
}

// "128k", as lengths of contexts are.
bool isWindow(const Item& number)
{
    int exponent = 0;
    return number.kilo && number.value == number.written * 1000
        && std::frexp(std::abs(number.written), &exponent) == 0.5 && exponent >= 3;
}

bool saysAtOnce(const Assigned& quantity, const Draft& draft)
{
    const auto says = [&](std::size_t i) {
        return draft.at(i).is(Meaning::Moment) || draft.at(i).is(Meaning::Concurrent);
    };
    return std::any_of(quantity.span.parts.begin(), quantity.span.parts.end(), says)
        || (quantity.cue != none && says(quantity.cue));
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

using K = const Known&;
constexpr std::array<Called<bool (*)(K k)>, 51> conditions{{
    {"answered", [](K k) { return isAnswered(k.settled, k.item().meaning); }},
    {"refused", [](K k) { return !k.draft.problems.empty(); }},
    {"gpus", [](K k) { return !k.s.gpus.empty(); }},
    {"choice", [](K k) { return k.s.gpus.size() > 1; }},
    {"counts", [](K k) { return k.s.gpuCount || !k.s.gpuCounts.empty(); }},
    {"load", [](K k) { return k.s.concurrency || k.s.requestsPerSecond; }},
    {"why", [](K k) { return !k.settled.why.empty(); }},
    {"full", [](K k) { return fullyLoaded(k.s); }},
    {"job", [](K k) { return k.s.jobTokens || k.s.jobRequests; }},
    {"makes", [](K k) { return !gpusOf(k.draft, k.place()).empty(); }},
    {"models", [](K k) { return namesModels(k.draft); }},
    {"targets", [](K k) { return k.s.targets.any(); }},
    {"capped",
     [](K k) { // what it may cost or take
         return k.s.money.budgetPerHour || k.s.money.purchaseBudget || k.s.powerCap || k.s.mostGpus
             || k.s.mostBoxes;
     }},
    {"bare", [](K k) { return k.number().unit == Meaning::Filler; }},
    {"whole", [](K k) { return k.number().per.empty(); }},
    {"per-other",
     [](K k) {
         return std::any_of(k.number().per.begin(), k.number().per.end(), [](Meaning one) {
             return one != Meaning::User && one != Meaning::Request && one != Meaning::Each;
         });
     }},
    {"unbound", [](K k) { return k.number().bound == Meaning::Filler; }},
    {"at-most", [](K k) { return k.number().bound == Meaning::AtMost; }},
    {"window", [](K k) { return isWindow(k.draft.at(k.number().number)) && !k.number().from; }},
    {"ranged", [](K k) { return k.number().from.has_value(); }},
    {"money", [](K k) { return k.number().isMoney(); }},
    {"timed", [](K k) { return k.number().perTime > 0; }},
    {"thousands", [](K k) { return k.number().value >= 1000; }},
    {"rated", [](K k) { return k.number().perTime > 0 || !k.number().per.empty(); }},
    {"rented", // a price of what the word names is known for all that are named
     [](K k) {
         const Item& item = k.item();
         const bool provider = item.is(Meaning::Provider);
         const auto kind = provider ? k.s.money.priceKind : priceKindOf(item.note);
         const auto& rents = k.draft.vocabulary.rents;
         return rents && !k.s.gpus.empty() && (!provider || k.s.money.provider.empty())
             && std::all_of(k.s.gpus.begin(), k.s.gpus.end(), [&](const std::string& gpu) {
                    return rents(provider ? std::string_view(item.note) : k.s.money.provider,
                                 kind ? name(*kind) : std::string_view(), gpu);
                });
     }},
    {"priced", [](K k) { return k.s.money.gpuPrice || k.s.money.buy; }},
    {"unfit",
     [](K k) {
         const Assigned* const tried = k.settled.ofNumber(k.number().number);
         return tried != nullptr && tried->candidates.empty();
     }},
    {"either", [](K k) { return openRoles(k.draft, k.settled, k.number()).size() > 1; }},
    {"drafting", [](K k) { return k.draft.vocabulary.draftingStated; }},
    // Of the quantity with the role behind the colon: "number:users" whether there is one.
    {"number:", [](K k) { return k.quantity([](auto&) { return true; }); }},
    {"each:",
     [](K k) { return k.quantity([](auto& q) { return q.span.isPer(Meaning::User) || q.span.interval; }); }},
    {"whole:", [](K k) { return k.quantity([](auto& q) { return q.span.per.empty(); }); }},
    {"at-once:", [](K k) { return k.quantity([&](auto& q) { return saysAtOnce(q, k.draft); }); }},
    {"counts:", // "counts:People:users" of that quantity, "counts:Plain" of the number that is tried
     [](K k) {
         if (k.second().empty())
             return k.number().dimension == k.c.dimension;
         const Assigned* const found = k.behind();
         return found != nullptr && found->span.dimension == k.c.dimension;
     }},
    // Of a word, a name or an expression behind it.
    {"$", // "$rps": a key of the scenario that was said; "$traffic=constant"
     [](K k) {
         const auto [key, value] = cutAt(k.c.which, '=');
         const std::string said = scenarioValue(k.s, key);
         return value.empty() ? !said.empty() : said == value;
     }},
    {"has:", [](K k) { return k.draft.mentions(k.c.word); }},
    {"per:", [](K k) { return k.number().isPer(k.c.word); }},
    {"unit:", [](K k) { return k.span != nullptr && k.span->unit == k.c.word; }},
    {"known:", [](K k) { return k.settled.known.contains(k.c.which); }},
    {"said:",
     [](K k) {
         const std::string field = "the " + std::string(k.c.which);
         return k.draft.wasSaid(k.draft.say(field));
     }},
    {"asking:", [](K k) { return kindCalled(k.c.which) == k.draft.question.kind; }},
    {"asked:", [](K k) { return measureCalled(k.c.which) == k.draft.question.asked; }},
    {"fits:",
     [](K k) {
         Matched matched;
         return ruleAround(k.c.which, k.draft, k.number(), k.number(), matched, k.settled) != nullptr;
     }},
    {"holds:",
     [](K k) {
         return k.draft.any({k.number().first, k.number().last + 1},
                            [&](std::size_t i) { return says(k.c.which, k.draft, i); });
     }},
    {"ends:", [](K k) { return says(k.c.which, k.draft, k.number().last); }},
    {"could:", [](K k) { return could(k.c.which, k.draft, k.settled); }}, // a rule of this stage fits
    {"of:", // "of:Racks:power": it is said of one of so many
     [](K k) {
         const Assigned* const found = k.behind();
         return found != nullptr && found->span.isPer(Lexicon::shipped().meaningOf(k.first()));
     }},
    {"led:", // "led:both-ways:output": a rule of the stage fits the word that leads it
     [](K k) {
         const Assigned* const found = k.behind();
         return found != nullptr && found->cue != none && says(k.first(), k.draft, found->cue);
     }},
    {"around:", // "around:in-total:rate": a rule of the stage fits around the quantity
     [](K k) {
         const Assigned* const found = k.behind();
         Matched matched;
         return found != nullptr
             && ruleAround(k.first(), k.draft, found->span, found->span, matched, k.settled) != nullptr;
     }},
    {"within:", // "within:total:Output", of what was taken
     [](K k) { return saysWithin(k.draft, k.settled.places.at(k.first()), k.second()); }},
    {">", // "everyone>users"
     [](K k) {
         const auto [left, right] = cutAt(k.c.which, '>');
         return reckoned(left, k.draft, k.settled, k.span) > reckoned(right, k.draft, k.settled, k.span);
     }},
}};

} // namespace

std::vector<std::string> gpusOf(const Draft& draft, std::size_t vendor)
{
    const Item& maker = draft.at(vendor);
    const auto& all = draft.vocabulary.gpusOfVendor;
    return all ? all(maker.note.empty() ? maker.text : maker.note) : std::vector<std::string>{};
}

Rule::Condition conditionOf(std::string_view text, const Lexicon& lexicon)
{
    Rule::Condition c{.negated = text.starts_with('!')};
    if (c.negated)
        text.remove_prefix(1);
    c.before = text.starts_with('^');
    if (c.before)
        text.remove_prefix(1);
    const std::size_t colon = std::min(text.find(':') + 1, text.size()); // behind it
    const std::string_view sign = text.find('>') != std::string_view::npos ? ">"
        : text.starts_with('$')                                            ? "$"
                                                                           : text.substr(0, colon);
    const auto* const known = rowCalled(conditions, sign.empty() ? text : sign);
    c.which = sign == ">" ? text : text.substr(sign.size());
    c.word = lexicon.meaningOf(c.which);
    if (known == nullptr)
        throw std::logic_error("no such condition: " + std::string(text));
    c.holds = known->value;
    checkCondition(known->name, c, lexicon);
    return c;
}

bool holdsAll(const Rule& rule, const Draft& draft, const Settled& settled, std::size_t word,
              const Span* span, const Span* before)
{
    const auto holds = [&](const Rule::Condition& one) {
        return one.holds({draft, settled, word, draft.question.scenario, one.before ? before : span, one})
            != one.negated;
    };
    return rule.when.empty() || byRow("rules", rule.line, [&] {
               return std::all_of(rule.when.begin(), rule.when.end(), [&](const auto& any) {
                   return std::any_of(any.begin(), any.end(), holds);
               });
           });
}

} // namespace headroom::ask
