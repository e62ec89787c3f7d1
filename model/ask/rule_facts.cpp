#include "model/ask/rules.h"
#include "model/ask/settle.h"
#include "model/base/price_kind.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/service_load.h"
#include "model/words/names.h"

#include <algorithm>
#include <array>
#include <cctype>
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

bool isUnit(A at) // a word, or that of the number
{
    if (at.test->word != Meaning::Filler)
        return at.tried != nullptr && at.tried->unit == at.test->word;
    return at.item().kind == ItemKind::Word && constantCalled<Dimension>(at.item().note);
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

// "$traffic=constant", or any value.
bool isSaid(A at)
{
    const auto [key, value] = cutAt(at.test->text, '=');
    const std::string said = scenarioValue(at.draft.question.scenario, key);
    return value.empty() ? !said.empty() : said == value;
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

bool isOther(Meaning one) { return one != Meaning::User && one != Meaning::Request && one != Meaning::Each; }

// The quantity of the number that is tried; one without a role where it is in another one, or none is read.
const Assigned& quantity(A at)
{
    static const Assigned nothing;
    const Assigned* const one = at.draft.ofNumber(at.number().number);
    return one == nullptr ? nothing : *one;
}

// "is:gpus", "likely:users", or any role.
bool isRole(A at, const Role* role)
{
    const std::string_view id = at.test->text;
    return role != nullptr && (id.empty() || id == "any" || role->id == id);
}

// What its row sets: "row:matters"; "row:thing" where it counts what that names, if it names anything.
bool isRow(A at)
{
    const Role* const role = quantity(at).likely();
    const Setting& set = role == nullptr ? Setting{} : role->setting(at.test->text);
    return !set.what.empty()
        && (set.values.empty() || constantCalled<Dimension>(set.value()) == at.number().dimension);
}

// Its clause, to behind the last word.
Place clauseOf(A at, std::size_t word)
{
    return at.draft.partOf(word, [](const Item& item) {
        return item.is(Meaning::Comma) || item.text == "(" || item.text == ")";
    });
}

// No other number of its clause is such that a rule of the stage fits around it.
bool isAlone(A at)
{
    const Place clause = clauseOf(at, at.number().first);
    return std::ranges::none_of(at.draft.quantities, [&](const Assigned& one) {
        return one.span.number != at.number().number && one.span.isIn(clause)
            && ruleAround(at.test->stage, at.draft, one.span);
    });
}

constexpr auto facts = std::to_array<Fact>({
    // of a word
    {"#", "note", [](A at) { return isNumber(at) && at.isNoted(); }},
    {"#1", "", [](A at) { return isNumber(at) && at.item().value == 1; }},
    {"#plain", "", [](A at) { return isNumber(at) && !at.item().kilo; }},
    {"#k", "", [](A at) { return isNumber(at) && at.item().kilo; }},
    {"#few", "", [](A at) { return isNumber(at) && !at.item().kilo && at.item().value < 100; }},
    {":", "note", [](A at) { return at.item().kind == ItemKind::Word && at.isNoted(); }},
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
    {"Filler", "", [](A at) { return at.item().is(Meaning::Filler); }},
    {"of-bits", "", [](A at) { return at.item().bits > 0; }},
    {"Family", "", [](A at) { return at.item().kind == ItemKind::Model && !at.item().match.others.empty(); }},
    {"Size", "", [](A at) { return isSizeAlone(at.item()); }},
    {"$", "", [](A at) { return at.item().is(Meaning::Comma, Meaning::YesNo); }},
    {"read", "", [](A at) { return at.draft.isRead(at.word); }},
    {"tight", "", [](A at) { return !at.item().spaceBefore; }},
    {"made-of", "text",
     [](A at) { return at.item().text.find_first_not_of(at.test->text) == std::string::npos; }},
    {"amount", "", countsNothing},
    {"identifier", "", [](A at) { return at.item().identifier; }},
    {"names", "text",
     [](A at) { return Names::shipped().is(at.test->text, cutAt(at.item().text, ' ').first); }},
    {"Capital", "", [](A at) { return upper(at.draft.said(at.word).front()); }},
    {"answered", "", isAnswered},
    {"rented", "", isRented},
    {"counted-so", "", [](A at) { return at.draft.ofNumber(at.word) != nullptr; }},
    {"makes", "", [](A at) { return !gpusOf(at.draft, at.word).empty(); }},
    {"leads", "lead",
     [](A at) { return at.word < at.draft.leads.size() && at.draft.leads[at.word].contains(at.test->word); }},
    {"tells", "text", [](A at) { return isNumber(at) && countedBy(at.draft, at.word) == at.test->text; }},
    {"twice", "", isTwice},
    {"fits", "stage", [](A at) { return says(at.test->stage, at.draft, at.word); }},
    // of a part that may be put aside
    {"aside", "lead", [](A at) { return aside(at).kind == at.test->text; }},
    {"inside", "", [](A at) { return at.draft.aside != nullptr && at.word > at.draft.aside->first; }},
    {"own", "stage",
     [](A at) {
         return saysIn(at.test->stage, at.draft, {aside(at).first, aside(at).end});
     }},
    {"else", "stage",
     [](A at) { return isElse(at, [&](std::size_t i) { return says(at.test->stage, at.draft, i); }); }},
    // of the number that is tried
    {"bare", "", [](A at) { return at.number().unit == Meaning::Filler; }},
    {"unbound", "", [](A at) { return at.number().bound == Meaning::Filler; }},
    {"at-most", "", [](A at) { return at.number().bound == Meaning::AtMost; }},
    {"interval", "", [](A at) { return at.number().interval; }},
    {"ranged", "", [](A at) { return at.number().from.has_value(); }},
    {"money", "", [](A at) { return at.number().isMoney(); }},
    {"timed", "", [](A at) { return at.number().perTime > 0; }},
    {"unfit", "", [](A at) { return quantity(at).candidates.empty(); }}, // for any role
    {"per-other", "", // "30 questions a shift", of one of what no plan is said of
     [](A at) { return std::ranges::any_of(at.number().per, isOther); }},
    {"is", "text", [](A at) { return isRole(at, quantity(at).role); }},
    {"of-gpu", "", [](A at) { return at.number().gpu != none; }},
    {"either", "", [](A at) { return openRoles(at.draft, quantity(at)).size() > 1; }},
    {"likely", "text?", [](A at) { return isRole(at, quantity(at).likely()); }},
    {"row", "text", isRow},
    {"sets", "text",
     [](A at) { return quantity(at).likely() != nullptr && quantity(at).likely()->key == at.test->text; }},
    {"cued", "", [](A at) { return quantity(at).cue != none; }},
    {"clause", "stage",
     [](A at) { return saysIn(at.test->stage, at.draft, clauseOf(at, at.number().first)); }},
    {"alone", "stage", isAlone},
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
    {"blank", "",
     [](A at) { return at.draft.question.text.find_first_not_of(" \t\r\n") == std::string::npos; }},
    {"could", "stage", [](A at) { return could(at.test->stage, at.draft); }},
    {"has", "word", [](A at) { return at.draft.mentions(at.test->word); }},
    {"known", "text", [](A at) { return at.draft.known.contains(at.test->text); }},
    {"said", "text", // "said:prompt": "the prompt"
     [](A at) {
         const std::string field = "the " + std::string(at.test->text);
         return at.draft.wasSaid(at.draft.say(field));
     }},
    {"asking", "kind",
     [](A at) { return constantCalled<QuestionKind>(at.test->text) == at.draft.question.kind; }},
    {"asked", "text", [](A at) { return constantCalled<Asked>(at.test->text) == at.draft.question.asked; }},
    // "within:total:said-output", of what was taken
    {"within", "text:stage", [](A at) { return within(at, at.draft.places.at(at.test->text)); }},
    {"$key", "key", isSaid},
    {">", "text", compares},
    {"=", "text", compares},
});

} // namespace

const Fact* factCalled(std::string_view name) { return firstWith(facts, name, &Fact::name); }

} // namespace headroom::ask
