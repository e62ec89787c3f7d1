#include "model/ask/rules.h"
#include "model/base/price_kind.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/service_load.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

namespace headroom::ask {

// What a condition is asked of.
struct Known {
    const Draft& draft;
    std::size_t word;
    const Span* tried; // that it is tried around
    const Rule::Condition& c;
    const Assigned* quantity; // with the role that it names
    const Scenario& s;

    // Of a word or a number, where it is tried at one.
    [[nodiscard]] const Span& number() const
    {
        if (tried == nullptr)
            throw std::logic_error("asked of a number, where none is tried");
        return *tried;
    }
    [[nodiscard]] std::size_t place() const
    {
        if (word == none)
            throw std::logic_error("asked of a word, where none is tried");
        return word;
    }
    [[nodiscard]] const Item& item() const { return draft.at(place()); }
    // Of the quantity with the role, or of the one that is tried.
    [[nodiscard]] const Span& span() const { return quantity != nullptr ? quantity->span : number(); }
    [[nodiscard]] bool fitsAround(const Span& one) const
    {
        return static_cast<bool>(ruleAround(c.stage, draft, one));
    }
};

namespace {

// Whether a quantity has a role that this word leads to.
bool isAnswered(const Draft& draft, Meaning word)
{
    const auto leads = [word](const Cue& cue) { return cue.isWord() && cue.weight > 0 && cue.word == word; };
    return std::ranges::any_of(draft.quantities, [&](const Assigned& one) {
        return one.role != nullptr && std::ranges::any_of(one.role->cues, leads);
    });
}

// Two of them, of which a scenario has one.
bool namesModels(const Draft& draft)
{
    std::set<std::string_view> models;
    for (std::size_t i = 0; i < draft.size(); ++i)
        if (draft.isName(i, ItemKind::Model))
            models.insert(draft.at(i).match.id);
    return models.size() > 1;
}

// A price of what a word names, a provider or a kind, is known for all accelerators that are named.
bool isRented(const Draft& draft, const Item& item)
{
    const Scenario& s = draft.question.scenario;
    const bool provider = item.is(Meaning::Provider);
    const auto kind = provider ? s.money.priceKind : priceKindOf(item.note);
    return !s.gpus.empty() && (!provider || s.money.provider.empty())
        && std::ranges::all_of(s.gpus, [&](const std::string& gpu) {
               return draft.vocabulary.rents(provider ? std::string_view(item.note) : s.money.provider,
                                             kind ? name(*kind) : std::string_view(), gpu);
           });
}

// "128k", as lengths of contexts are.
bool isWindow(const Item& number)
{
    int exponent = 0;
    return number.kilo && number.value == number.written * 1000
        && std::frexp(std::abs(number.written), &exponent) == 0.5 && exponent >= 3;
}

// A condition, what stands behind its colon ("word", "role", "stage", …), and when it holds.
struct Row {
    std::string_view name;
    std::string_view takes;
    bool (*holds)(const Known& k);
};
using K = const Known&;
constexpr auto conditions = std::to_array<Row>({
    {"answered", "", [](K k) { return isAnswered(k.draft, k.item().meaning); }},
    {"refused", "", [](K k) { return !k.draft.problems.empty(); }},
    {"gpus", "", [](K k) { return !k.s.gpus.empty(); }},
    {"choice", "", [](K k) { return k.s.gpus.size() > 1; }},
    {"counts", "", [](K k) { return k.s.gpuCount || !k.s.gpuCounts.empty(); }},
    {"load", "", [](K k) { return k.s.concurrency || k.s.requestsPerSecond; }},
    {"why", "", [](K k) { return !k.draft.why.empty(); }},
    {"full", "", [](K k) { return fullyLoaded(k.s); }},
    {"job", "", [](K k) { return k.s.jobTokens || k.s.jobRequests; }},
    {"makes", "", [](K k) { return !gpusOf(k.draft, k.place()).empty(); }},
    {"models", "", [](K k) { return namesModels(k.draft); }},
    {"targets", "", [](K k) { return k.s.targets.any(); }},
    {"capped", "", // what it may cost or take
     [](K k) {
         return k.s.money.budgetPerHour || k.s.money.purchaseBudget || k.s.powerCap || k.s.mostGpus
             || k.s.mostBoxes;
     }},
    {"bare", "", [](K k) { return k.number().unit == Meaning::Filler; }},
    {"per-other", "",
     [](K k) {
         return std::ranges::any_of(k.number().per, [](Meaning one) {
             return one != Meaning::User && one != Meaning::Request && one != Meaning::Each;
         });
     }},
    {"unbound", "", [](K k) { return k.number().bound == Meaning::Filler; }},
    {"at-most", "", [](K k) { return k.number().bound == Meaning::AtMost; }},
    {"window", "", [](K k) { return isWindow(k.draft.at(k.number().number)) && !k.number().from; }},
    {"ranged", "", [](K k) { return k.number().from.has_value(); }},
    {"money", "", [](K k) { return k.number().isMoney(); }},
    {"timed", "", [](K k) { return k.number().perTime > 0; }},
    {"thousands", "", [](K k) { return k.number().value >= 1000; }},
    {"rated", "", [](K k) { return k.number().perTime > 0 || !k.number().per.empty(); }},
    {"rented", "", [](K k) { return isRented(k.draft, k.item()); }},
    {"priced", "", [](K k) { return k.s.money.gpuPrice || k.s.money.buy; }},
    {"unfit", "",
     [](K k) {
         const Assigned* const one = k.draft.ofNumber(k.number().number);
         return one != nullptr && one->candidates.empty();
     }},
    {"either", "", [](K k) { return openRoles(k.draft, k.number()).size() > 1; }},
    {"drafting", "", [](K k) { return k.draft.vocabulary.draftingStated; }},
    // Of the quantity with the role: "number:users" whether there is one.
    {"number:", "role", [](K) { return true; }},
    {"each:", "role", [](K k) { return k.span().isPer(Meaning::User) || k.span().interval; }},
    {"whole", "", [](K k) { return k.number().per.empty(); }},
    {"whole:", "role", [](K k) { return k.span().per.empty(); }},
    {"of:", "word:role", [](K k) { return k.span().isPer(k.c.word); }}, // it is said of one of so many
    // "counts:People:users" of that quantity, "counts:Plain" of the number that is tried
    {"counts:", "dimension:role?", [](K k) { return k.span().dimension == k.c.dimension; }},
    {"led:", "stage:role", // a rule of the stage fits the word that leads it
     [](K k) { return k.quantity->cue != none && says(k.c.stage, k.draft, k.quantity->cue); }},
    {"around:", "stage:role", [](K k) { return k.fitsAround(k.span()); }},
    {"fits:", "stage", [](K k) { return k.fitsAround(k.number()); }},
    {"holds:", "stage:role?",
     [](K k) {
         return saysIn(k.c.stage, k.draft, {k.span().first, k.span().last + 1});
     }},
    {"ends:", "stage", [](K k) { return says(k.c.stage, k.draft, k.number().last); }},
    {"could:", "stage", [](K k) { return could(k.c.stage, k.draft); }},
    {"has:", "word", [](K k) { return k.draft.mentions(k.c.word); }},
    {"per:", "word", [](K k) { return k.number().isPer(k.c.word); }},
    {"unit:", "word", [](K k) { return k.tried != nullptr && k.tried->unit == k.c.word; }},
    {"known:", "", [](K k) { return k.draft.known.contains(k.c.which); }},
    {"said:", "",
     [](K k) {
         const std::string field = "the " + std::string(k.c.which);
         return k.draft.wasSaid(k.draft.say(field));
     }},
    {"asking:", "kind", [](K k) { return constantCalled<QuestionKind>(k.c.which) == k.draft.question.kind; }},
    {"asked:", "", [](K k) { return constantCalled<Asked>(k.c.which) == k.draft.question.asked; }},
    {"within:", "name:stage", // "within:total:said-output", of what was taken
     [](K k) {
         const Place place = k.draft.places.at(cutAt(k.c.which, ':').first);
         return saysIn(k.c.stage, k.draft, {place.first, place.last + 1});
     }},
    {"$", "key", // "$rps": a key of the scenario that was said; "$traffic=constant"
     [](K k) {
         const auto [key, value] = cutAt(k.c.which, '=');
         const std::string said = scenarioValue(k.s, key);
         return value.empty() ? !said.empty() : said == value;
     }},
    {">", "", // "everyone>users"
     [](K k) {
         const auto [left, right] = cutAt(k.c.which, '>');
         return reckoned(left, k.draft, k.tried) > reckoned(right, k.draft, k.tried);
     }},
});

// One part of what stands behind the colon of a condition.
void take(Rule::Condition& c, std::string_view what, std::string_view text)
{
    const auto refuse = [&](std::string_view why) {
        throw std::logic_error(std::string(why) + ": '" + std::string(text) + "'");
    };
    if (what == "word")
        c.word = Lexicon::shipped().demanded(text);
    else if (what == "stage")
        c.stage = text;
    else if (what == "dimension")
        c.dimension = demandedDimension(text);
    else if (what == "key" && findScenarioKey(cutAt(text, '=').first) == nullptr)
        refuse("no such key of a scenario");
    else if (what == "kind" && !constantCalled<QuestionKind>(text))
        refuse("no such kind of question");
    else if (what == "role" || (what == "role?" && !text.empty()))
        c.role = text == "rate" ? text : roleCalled(text).id;
}

} // namespace

std::vector<std::string> gpusOf(const Draft& draft, std::size_t vendor)
{
    const Item& maker = draft.at(vendor);
    return draft.vocabulary.gpusOfVendor(maker.note.empty() ? maker.text : maker.note);
}

Rule::Condition conditionOf(std::string_view text)
{
    const auto cut = [&](char sign) {
        const bool there = text.starts_with(sign);
        text.remove_prefix(there ? 1 : 0);
        return there;
    };
    Rule::Condition c{.negated = cut('!'), .before = cut('^')};
    const std::size_t colon = std::min(text.find(':') + 1, text.size()); // behind it
    const std::string_view sign = text.find('>') != std::string_view::npos ? ">"
        : text.starts_with('$')                                            ? "$"
                                                                           : text.substr(0, colon);
    const auto* const row = rowCalled(conditions, sign.empty() ? text : sign);
    if (row == nullptr)
        throw std::logic_error("no such condition: " + std::string(text));
    c.holds = row->holds;
    c.which = sign == ">" ? text : text.substr(sign.size());
    const bool several = row->takes.find(':') != std::string_view::npos;
    const auto [first, second] = several ? cutAt(c.which, ':') : std::pair(c.which, std::string_view());
    take(c, cutAt(row->takes, ':').first, first);
    take(c, cutAt(row->takes, ':').second, second);
    return c;
}

bool holdsAll(const Rule& rule, const Draft& draft, std::size_t word, const Span* span, const Span* before)
{
    const auto holds = [&](const Rule::Condition& one) {
        const Assigned* const quantity = one.role.empty() ? nullptr : draft.find(one.role);
        const bool lacks = !one.role.empty() && quantity == nullptr;
        const Known known{draft, word, one.before ? before : span, one, quantity, draft.question.scenario};
        return (!lacks && one.holds(known)) != one.negated;
    };
    return rule.when.empty() || byRow("rules", rule.line, [&] {
               return std::ranges::all_of(rule.when,
                                          [&](const auto& any) { return std::ranges::any_of(any, holds); });
           });
}

} // namespace headroom::ask
