#include "model/ask/rules.h"
#include "model/ask/settle.h"
#include "model/base/price_kind.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/service_load.h"
#include "model/words/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>

namespace headroom::ask {

namespace {

using A = const At&;

// Words.

bool isNumber(A at) { return at.item().isNumber(); }
bool upper(char c) { return c >= 'A' && c <= 'Z'; }
bool figure(char c) { return c >= '0' && c <= '9'; }
bool latin(A at) { return std::isalpha(static_cast<unsigned char>(at.item().text.front())) != 0; }
bool han(A at) { return static_cast<unsigned char>(at.item().text.front()) >= 0x80; }

// "27C", "42U", "230V": figures and a letter that count nothing here.
bool countsNothing(A at)
{
    const std::string& text = at.item().text;
    const std::size_t figures = std::min(text.find_first_not_of("0123456789"), text.size());
    return at.item().identifier && figures > 0 && text.size() == figures + 1
        && (figures < 3 || text.ends_with('v') || text.ends_with('c'));
}

// "v0.9.2"
bool isVersion(A at)
{
    const std::string& text = at.item().text;
    return at.item().kind == ItemKind::Unknown && text.find('.') != std::string::npos
        && text.find_first_not_of("v.0123456789") == std::string::npos;
}

bool isNoted(A at) { return at.test->text.empty() || at.item().note == at.test->text; }
bool isWord(A at) { return at.item().is(at.test->word) && isNoted(at); }
bool isKind(A at) { return at.item().kind == at.test->kind; }
bool isUnit(A at) // a word, or that of the number
{
    if (at.test->word != Meaning::Filler)
        return at.tried != nullptr && at.tried->unit == at.test->word;
    return at.item().kind == ItemKind::Word && dimensionOf(at.item().note);
}

bool isTyped(A at)
{
    const std::string_view typed = at.test->text;
    const Item& item = at.item();
    return typed.starts_with('*') ? item.text.ends_with(typed.substr(1))
        : typed.ends_with('*')    ? item.text.starts_with(typed.substr(0, typed.size() - 1))
        : item.is(Meaning::Comma) // "、"
        ? item.text == typed || at.draft.question.text.compare(item.begin, item.end - item.begin, typed) == 0
        : item.text == typed;
}

// Numbers, quantities and the question.

// Whether a quantity has a role that this word leads to.
bool isAnswered(A at)
{
    const auto leads
        = [&](const Cue& cue) { return cue.isWord() && cue.weight > 0 && at.item().is(cue.word); };
    return std::ranges::any_of(at.draft.quantities, [&](const Assigned& one) {
        return one.role != nullptr && std::ranges::any_of(one.role->cues, leads);
    });
}

// Two of them, of which a scenario has one.
bool namesModels(A at)
{
    std::set<std::string_view> models;
    for (std::size_t i = 0; i < at.draft.size(); ++i)
        if (at.draft.isName(i, ItemKind::Model))
            models.insert(at.draft.at(i).match.id);
    return models.size() > 1;
}

// A price of what a word names, a provider or a kind, is known for all accelerators that are named.
bool isRented(A at)
{
    const Scenario& s = at.draft.question.scenario;
    const Item& item = at.item();
    const bool provider = item.is(Meaning::Provider);
    const auto kind = provider ? s.money.priceKind : priceKindOf(item.note);
    return !s.gpus.empty() && (!provider || s.money.provider.empty())
        && std::ranges::all_of(s.gpus, [&](const std::string& gpu) {
               return at.draft.vocabulary.rents(provider ? std::string_view(item.note) : s.money.provider,
                                                kind ? name(*kind) : std::string_view(), gpu);
           });
}

// "128k", as lengths of contexts are.
bool isWindow(A at)
{
    const Item& number = at.draft.at(at.number().number);
    int exponent = 0;
    return number.kilo && number.value == number.written * 1000 && !at.number().from
        && std::frexp(std::abs(number.written), &exponent) == 0.5 && exponent >= 3;
}

// "$traffic=constant", or any value.
bool isSaid(A at)
{
    const auto [key, value] = cutAt(at.test->text, '=');
    const std::string said = scenarioValue(at.draft.question.scenario, key);
    return value.empty() ? !said.empty() : said == value;
}

// "said:prompt": "the prompt"
bool isKnown(A at)
{
    const std::string field = "the " + std::string(at.test->text);
    return at.draft.wasSaid(at.draft.say(field));
}

// "everyone>users", "value=4"
bool compares(A at)
{
    const auto [left, right] = cutAt(at.test->text, at.test->name.front());
    const double one = reckoned(left, at);
    const double other = reckoned(right, at);
    return at.test->name == ">" ? one > other : one == other;
}

bool within(A at, Place place) { return saysIn(at.test->stage, at.draft, {place.first, place.last + 1}); }

// The part that may be put aside.
const Aside& aside(A at)
{
    if (at.draft.aside == nullptr)
        throw std::logic_error("asked of a part that is put aside, where none is tried");
    return *at.draft.aside;
}

bool isOwn(A at) { return saysIn(at.test->stage, at.draft, {aside(at).first, aside(at).end}); }

bool isElse(A at, const auto& is) // besides that part
{
    return at.draft.any({0, at.draft.size()}, [&](std::size_t i) { return aside(at).outside[i] && is(i); });
}

// The same accelerator stands besides that part, too, or a number of the same thing.
bool isTwice(A at)
{
    const std::string_view counted = isNumber(at) ? countedBy(at.draft, at.word) : std::string_view{};
    return isElse(at, [&](std::size_t i) {
        return isNumber(at)
            ? !counted.empty() && at.draft.isNumber(i) && countedBy(at.draft, i) == counted
            : at.draft.isName(i, at.item().kind) && at.draft.at(i).match.id == at.item().match.id;
    });
}

// "30 questions a shift", of one of what no plan is said of.
bool isPerOther(A at)
{
    return std::ranges::any_of(at.number().per, [](Meaning one) {
        return one != Meaning::User && one != Meaning::Request && one != Meaning::Each;
    });
}

// "is:gpus", or any role.
bool isRole(A at)
{
    const Assigned* const one = at.draft.ofNumber(at.number().number);
    return one != nullptr && (at.test->text == "any" ? one->role != nullptr : one->is(at.test->text));
}

// No role can be said of it.
bool isUnfit(A at)
{
    const Assigned* const one = at.draft.ofNumber(at.number().number);
    return one != nullptr && one->candidates.empty();
}

// What may be asked, what stands behind its colon ("word", "role", "stage", …), and whether it is so.
struct Fact {
    std::string_view name;
    std::string_view takes;
    bool (*holds)(A at);
};
constexpr auto facts = std::to_array<Fact>({
    // of a word
    {"#", "note", [](A at) { return isNumber(at) && isNoted(at); }},
    {"#1", "", [](A at) { return isNumber(at) && at.item().value == 1; }},
    {"#plain", "", [](A at) { return isNumber(at) && !at.item().kilo; }},
    {"#k", "", [](A at) { return isNumber(at) && at.item().kilo; }},
    {"#apart", "", [](A at) { return isNumber(at) && at.draft.beside(at.word).first + 1 < at.word; }},
    {"#few", "", [](A at) { return isNumber(at) && !at.item().kilo && at.item().value < 100; }},
    {"#large", "", [](A at) { return isNumber(at) && at.item().value >= 500; }},
    {":", "note", [](A at) { return at.item().kind == ItemKind::Word && isNoted(at); }},
    {"share", "", [](A at) { return at.item().share; }},
    {"noted", "", [](A at) { return !at.item().note.empty(); }},
    {"any", "", [](A) { return true; }},
    {"unit", "word?", isUnit},
    {"figures", "", [](A at) { return std::ranges::any_of(at.item().text, figure); }},
    {"letters", "", [](A at) { return latin(at) || han(at); }},
    {"latin", "", latin},
    {"han", "", han},
    {"valued", "", [](A at) { return at.item().value > 0; }},
    {"scope", "", [](A at) { return scopeAt(at.draft, at.word) != Meaning::Filler; }},
    {"labels", "", [](A at) { return at.draft.labelled(at.word) != none; }},
    {"Filler", "", [](A at) { return at.item().is(Meaning::Filler); }},
    {"of-bits", "", [](A at) { return at.item().bits > 0; }},
    {"Family", "", [](A at) { return at.item().kind == ItemKind::Model && !at.item().match.others.empty(); }},
    {"Size", "", [](A at) { return isSizeAlone(at.item()); }},
    {"$", "", [](A at) { return at.item().is(Meaning::Comma, Meaning::YesNo); }},
    {"read", "", [](A at) { return at.draft.isRead(at.word); }},
    {"tight", "", [](A at) { return !at.item().spaceBefore; }},
    {"version", "", isVersion},
    {"amount", "", countsNothing},
    {"identifier", "", [](A at) { return at.item().identifier; }},
    {"names", "text",
     [](A at) { return Names::shipped().is(at.test->text, cutAt(at.item().text, ' ').first); }},
    {"Capital", "", [](A at) { return upper(at.draft.said(at.word).front()); }},
    {"answered", "", isAnswered},
    {"rented", "", isRented},
    {"makes", "", [](A at) { return !gpusOf(at.draft, at.word).empty(); }},
    {"leads", "lead", [](A at) { return at.draft.leads.at(at.word).contains(at.test->word); }},
    {"tells", "text", [](A at) { return isNumber(at) && countedBy(at.draft, at.word) == at.test->text; }},
    {"twice", "", isTwice},
    // of a part that may be put aside
    {"aside", "lead", [](A at) { return aside(at).kind == at.test->text; }},
    {"own", "stage", isOwn},
    {"else", "stage",
     [](A at) { return isElse(at, [&](std::size_t i) { return says(at.test->stage, at.draft, i); }); }},
    // of the number that is tried
    {"bare", "", [](A at) { return at.number().unit == Meaning::Filler; }},
    {"unbound", "", [](A at) { return at.number().bound == Meaning::Filler; }},
    {"at-most", "", [](A at) { return at.number().bound == Meaning::AtMost; }},
    {"window", "", isWindow},
    {"ranged", "", [](A at) { return at.number().from.has_value(); }},
    {"money", "", [](A at) { return at.number().isMoney(); }},
    {"timed", "", [](A at) { return at.number().perTime > 0; }},
    {"unfit", "", isUnfit},
    {"per-other", "", isPerOther},
    {"is", "text", isRole},
    {"integer", "", [](A at) { return at.number().value == std::floor(at.number().value); }},
    {"of-gpu", "", [](A at) { return at.number().gpu != none; }},
    {"names-box", "", [](A at) { return namesBox(at.draft, at.number()); }},
    {"either", "", [](A at) { return openRoles(at.draft, at.number()).size() > 1; }},
    {"ends", "stage", [](A at) { return says(at.test->stage, at.draft, at.number().last); }},
    // the same, or of the quantity with the role: whether there is one, and what is said of it
    {"number", "role", [](A at) { return at.quantity != nullptr; }},
    {"each", "role", [](A at) { return at.span().isPer(Meaning::User) || at.span().interval; }},
    {"whole", "role?", [](A at) { return at.span().per.empty(); }},
    {"of", "word:role?", [](A at) { return at.span().isPer(at.test->word); }}, // of one of so many
    {"counts", "dimension:role?", [](A at) { return at.span().dimension == at.test->dimension; }},
    // a rule of the stage fits the word that leads it, or around it, or one of its words
    {"led", "stage:role", [](A at) { return says(at.test->stage, at.draft, at.quantity->cue); }},
    {"around", "stage:role?", [](A at) { return bool(ruleAround(at.test->stage, at.draft, at.span())); }},
    {"holds", "stage:role?", [](A at) { return within(at, at.span()); }},
    // of the question
    {"refused", "", [](A at) { return !at.draft.problems.empty(); }},
    {"choice", "", [](A at) { return at.scenario().gpus.size() > 1; }},
    {"counted", "", [](A at) { return at.scenario().gpuCount || !at.scenario().gpuCounts.empty(); }},
    {"why", "", [](A at) { return !at.draft.why.empty(); }},
    {"full", "", [](A at) { return fullyLoaded(at.scenario()); }},
    {"models", "", namesModels},
    {"drafting", "", [](A at) { return at.draft.vocabulary.draftingStated; }},
    {"could", "stage", [](A at) { return could(at.test->stage, at.draft); }},
    {"has", "word", [](A at) { return at.draft.mentions(at.test->word); }},
    {"known", "text", [](A at) { return at.draft.known.contains(at.test->text); }},
    {"said", "text", isKnown},
    {"asking", "kind",
     [](A at) { return constantCalled<QuestionKind>(at.test->text) == at.draft.question.kind; }},
    {"asked", "text", [](A at) { return constantCalled<Asked>(at.test->text) == at.draft.question.asked; }},
    // "within:total:said-output", of what was taken
    {"within", "text:stage", [](A at) { return within(at, at.draft.places.at(at.test->text)); }},
    {"$key", "key", isSaid},
    {">", "text", compares},
    {"=", "text", compares},
});

// One part of what stands behind the colon.
void take(Test& test, std::string_view what, std::string_view text)
{
    const auto refuse = [&](std::string_view why) {
        throw std::logic_error(std::string(why) + ": '" + std::string(text) + "'");
    };
    if (what.ends_with('?') && text.empty())
        return;
    if (what.starts_with("word"))
        test.word = Lexicon::shipped().demanded(text);
    else if (what == "stage")
        test.stage = text;
    else if (what == "text")
        test.text = text;
    else if (what == "lead")
        test.word = asidePhrases().demanded(text);
    else if (what == "dimension")
        test.dimension = demandedDimension(text);
    else if (what == "key" && findScenarioKey(cutAt(text, '=').first) == nullptr)
        refuse("no such key of a scenario");
    else if (what == "kind" && !constantCalled<QuestionKind>(text))
        refuse("no such kind of question");
    else if (what.starts_with("role"))
        test.role = text == "rate" ? text : roleCalled(text).id;
}

Test testOf(std::string_view text, const Sets& sets)
{
    const auto cut = [&](char sign) {
        const bool there = text.starts_with(sign);
        text.remove_prefix(there ? 1 : 0);
        return there;
    };
    Test test{.negated = cut('!'), .before = cut('^')};
    if (const auto set = sets.find(text); set != sets.end()) {
        test.set = allTestsOf(set->second, sets);
        test.holds = [](A at) {
            return std::ranges::all_of(at.test->set, [&](const Tests& any) { return holds(at, any); });
        };
        return test;
    }
    if (text.starts_with('\'')) {
        test.holds = isTyped;
        test.text = text.substr(1, text.size() - 2);
        return test;
    }
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::size_t sign = text.find_first_of(text.starts_with('$') ? ">" : ">=");
    const std::string_view called = sign != std::string_view::npos ? text.substr(sign, 1)
        : text.starts_with('$') && text.size() > 1                 ? "$key"
        : text.starts_with(':')                                    ? ":"
                                                                   : text.substr(0, colon);
    const std::string_view behind = text.substr(std::min(colon + 1, text.size()));
    const auto kind = constantCalled<ItemKind>(text);
    if (const Fact* const fact = rowCalled(facts, called)) {
        test.name = fact->name;
        test.holds = fact->holds;
        test.text = called == "$key" ? text.substr(1) : sign == std::string_view::npos ? behind : text;
        const bool several = fact->takes.find(':') != std::string_view::npos;
        const auto [first, second]
            = several ? cutAt(test.text, ':') : std::pair(test.text, std::string_view());
        take(test, cutAt(fact->takes, ':').first, first);
        take(test, cutAt(fact->takes, ':').second, second);
        if (test.name == "labels")
            test.stage = "label";
    } else if (kind && *kind != ItemKind::Number) {
        test.kind = *kind;
        test.name = text;
        test.holds = isKind;
    } else {
        test.holds = isWord;
        test.word = Lexicon::shipped().demanded(text.substr(0, colon));
        test.text = behind;
    }
    return test;
}

} // namespace

Tests testsOf(std::string_view text, const Sets& sets)
{
    Tests any;
    for (const std::string_view part : partsOf(text, '|')) {
        any.emplace_back();
        for (const std::string_view one : partsOf(part, '&'))
            any.back().push_back(testOf(one, sets));
    }
    return any;
}

std::vector<Tests> allTestsOf(std::string_view text, const Sets& sets)
{
    if (text.find('\'') != std::string_view::npos) // phrases, which may hold spaces
        return {testsOf(text, sets)};
    std::vector<Tests> all;
    for (const std::string_view part : partsOf(text, ' '))
        all.push_back(testsOf(part, sets));
    return all;
}

bool holds(const At& at, const Tests& any)
{
    At here = at;
    const auto isSo = [&](const Test& test) {
        here.test = &test;
        here.tried = test.before ? at.before : at.tried;
        here.quantity = test.role.empty() ? nullptr : at.draft.find(test.role);
        const bool lacks = !test.role.empty() && here.quantity == nullptr;
        return (!lacks && test.holds(here)) != test.negated;
    };
    return std::ranges::any_of(any, [&](const auto& all) { return std::ranges::all_of(all, isSo); });
}

} // namespace headroom::ask
