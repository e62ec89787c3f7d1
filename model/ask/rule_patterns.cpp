#include "model/ask/rules.h"
#include "model/words/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::ask {

using Test = Rule::Test;
using Tests = Rule::Tests;

// A place of the sentence that is tried.
struct At {
    const Draft& draft;
    std::size_t i;
    const Test& test;
    const Item& item;

    [[nodiscard]] bool is(ItemKind kind) const { return item.kind == kind; }
    [[nodiscard]] std::string_view firstWord() const
    {
        return std::string_view(item.text).substr(0, item.text.find(' '));
    }
};

namespace {

using Sets = std::map<std::string_view, std::string_view>; // "%People": what stands for it

// "27C", "42U", "230V": figures and a letter that count nothing here.
bool countsNothing(const Item& item)
{
    const std::size_t figures = std::min(item.text.find_first_not_of("0123456789"), item.text.size());
    return item.identifier && figures > 0 && item.text.size() == figures + 1
        && (figures < 3 || item.text.ends_with('v') || item.text.ends_with('c'));
}

// "v0.9.2"
bool isVersion(const Item& item)
{
    return item.kind == ItemKind::Unknown && item.text.find('.') != std::string::npos
        && item.text.find_first_not_of("v.0123456789") == std::string::npos;
}

bool isWord(const At& at)
{
    return at.item.is(at.test.word) && (at.test.text.empty() || at.item.note == at.test.text);
}
bool isNoted(const At& at) { return at.is(ItemKind::Word) && at.item.note == at.test.text; }
bool isTyped(const At& at)
{
    if (at.test.text.starts_with('*'))
        return at.item.text.ends_with(at.test.text.substr(1));
    return at.test.text.ends_with('*')
        ? at.item.text.starts_with(at.test.text.substr(0, at.test.text.size() - 1))
        : at.item.text == at.test.text
            || (at.item.is(Meaning::Comma) && at.draft.said(at.i) == at.test.text); // "、"
}
bool counts(const At& at) { return at.item.isNumber() && at.item.note == at.test.text; }

constexpr auto tests = std::to_array<Called<bool (*)(const At& at)>>({
    {"#", [](auto& at) { return at.item.isNumber(); }},
    {"#1", [](auto& at) { return at.item.isNumber() && at.item.value == 1; }},
    {"#plain", [](auto& at) { return at.item.isNumber() && !at.item.kilo; }},
    {"#k", [](auto& at) { return at.item.isNumber() && at.item.kilo; }},
    {"#apart",
     [](auto& at) { return at.item.isNumber() && at.i > 0 && at.draft.at(at.i - 1).is(Meaning::Filler); }},
    {"#few", [](auto& at) { return at.item.isNumber() && !at.item.kilo && at.item.value < 100; }},
    {"#large", [](auto& at) { return at.item.isNumber() && at.item.value >= 500; }},
    {"share", [](auto& at) { return at.item.share; }},
    {"noted", [](auto& at) { return !at.item.note.empty(); }},
    {"any", [](const At&) { return true; }},
    {"unit", [](auto& at) { return at.is(ItemKind::Word) && dimensionOf(at.item.note).has_value(); }},
    {"figures", [](auto& at) { return at.item.text.find_first_of("0123456789") != std::string::npos; }},
    {"letters",
     [](auto& at) {
         const auto first = static_cast<unsigned char>(at.item.text.front());
         return std::isalpha(first) != 0 || first >= 0x80;
     }},
    {"latin", [](auto& at) { return std::isalpha(static_cast<unsigned char>(at.item.text.front())) != 0; }},
    {"han", [](auto& at) { return static_cast<unsigned char>(at.item.text.front()) >= 0x80; }},
    {"plural", [](auto& at) { return at.item.text.ends_with('s'); }},
    {"word", [](auto& at) { return at.is(ItemKind::Word); }},
    {"valued", [](auto& at) { return at.item.value > 0; }},
    {"scope", [](auto& at) { return scopeAt(at.draft, at.i) != Meaning::Filler; }},
    {"labels", [](auto& at) { return at.draft.labelled(at.i) != none; }},
    {"Filler", [](auto& at) { return at.item.is(Meaning::Filler); }},
    {"Gpu", [](auto& at) { return at.is(ItemKind::Gpu); }},
    {"Model", [](auto& at) { return at.is(ItemKind::Model); }},
    {"Type", [](auto& at) { return at.is(ItemKind::Type); }},
    {"Engine", [](auto& at) { return at.is(ItemKind::Engine); }},
    {"Unknown", [](auto& at) { return at.is(ItemKind::Unknown); }},
    {"Family", [](auto& at) { return at.is(ItemKind::Model) && !at.item.match.others.empty(); }},
    {"Size", [](auto& at) { return isSizeAlone(at.item); }},
    {"$", [](auto& at) { return at.item.is(Meaning::Comma, Meaning::YesNo); }},
    {"read", [](auto& at) { return at.draft.isRead(at.i); }},
    {"tight", [](auto& at) { return !at.item.spaceBefore; }},
    {"version", [](auto& at) { return isVersion(at.item); }},
    {"amount", [](auto& at) { return countsNothing(at.item); }},
    {"identifier", [](auto& at) { return at.item.identifier; }},
    {"family", [](auto& at) { return Names::shipped().is("Family", at.firstWord()); }},
    {"engine", [](auto& at) { return Names::shipped().is("Engine", at.firstWord()); }},
    {"variant", [](auto& at) { return Names::shipped().is("Variant", at.firstWord()); }},
    {"Capital",
     [](auto& at) {
         const char first = at.draft.said(at.i).front();
         return first >= 'A' && first <= 'Z';
     }},
});

// Whether one of these fits as a whole.
bool fitsAny(const Draft& draft, std::size_t i, const Tests& any)
{
    return std::ranges::any_of(any, [&](const std::vector<Test>& all) {
        return std::ranges::all_of(all, [&](const Test& test) {
            return test.fits({draft, i, test, draft.at(i)}) != test.negated;
        });
    });
}

Tests anyOf(std::string_view text, const Sets& sets);

Test testOf(std::string_view text, const Sets& sets)
{
    if (text.starts_with('!')) {
        Test test = testOf(text.substr(1), sets);
        test.negated = true;
        return test;
    }
    if (const auto set = sets.find(text); set != sets.end())
        return {.fits = [](const At& at) { return fitsAny(at.draft, at.i, at.test.set); },
                .set = anyOf(set->second, sets)};
    if (text.starts_with("#:")) // "#:Box"
        return {.fits = counts, .text = text.substr(2)};
    if (text.starts_with(':')) // ":asks"
        return {.fits = isNoted, .text = text.substr(1)};
    if (text.starts_with('\''))
        return {.fits = isTyped, .text = text.substr(1, text.size() - 2)};
    if (const auto* const test = rowCalled(tests, text))
        return {.fits = test->value, .ends = text == "$", .labels = text == "labels"};
    const auto [word, note] = cutAt(text, ':');
    return {.fits = isWord, .word = Lexicon::shipped().demanded(word), .text = note};
}

// "User|Request", "Unknown&identifier", "Which&%Better", "any&!%Way"
Tests anyOf(std::string_view text, const Sets& sets)
{
    Tests any;
    for (const std::string_view part : partsOf(text, '|')) {
        any.emplace_back();
        for (const std::string_view one : partsOf(part, '&'))
            any.back().push_back(testOf(one, sets));
    }
    return any;
}

// "User|Request", "Total?", "Context*", "(Ttft)", "!#", "~n=#", "^Type", "@Model", "=Unknown&identifier"
Rule::Piece pieceOf(std::string_view text, const Sets& sets)
{
    const auto begins = [&](std::string_view signs) { // and cuts the sign that it begins with
        const bool one = !text.empty() && signs.find(text.front()) != std::string_view::npos;
        const char sign = one ? text.front() : '\0';
        text.remove_prefix(one ? 1 : 0);
        return sign;
    };
    Rule::Piece piece{.optional = text.ends_with('?'), .many = text.ends_with('*')};
    if (piece.optional || piece.many)
        text.remove_suffix(1);
    piece.negated = begins("!") != 0;
    piece.gap = begins("~^=@");
    if (text.size() > 2 && text[1] == '=') { // "n=#"
        piece.name = text.front();
        text.remove_prefix(2);
    }
    piece.context = begins("(") != 0;
    if (piece.context && !text.ends_with(')'))
        throw std::logic_error("a bracket is not closed: '" + std::string(text) + "'");
    if (piece.context)
        text.remove_suffix(1);
    if (text.empty())
        throw std::logic_error("a piece of a pattern is empty");
    piece.any = anyOf(text, sets);
    return piece;
}

// Its meanings, where it fits nothing but words.
std::vector<Meaning> wordsOf(const Tests& any)
{
    std::vector<Meaning> words;
    for (const std::vector<Test>& all : any) {
        std::vector<Meaning> one;
        for (const Test& test : all)
            if (one.empty() && !test.negated)
                one = test.word != Meaning::Filler ? std::vector{test.word} : wordsOf(test.set);
        if (one.empty())
            return {};
        words.insert(words.end(), one.begin(), one.end());
    }
    return words;
}

std::vector<Rule::Piece> piecesOf(std::string_view text, const Sets& sets)
{
    std::vector<Rule::Piece> pieces;
    for (const std::string_view part : partsOf(text, ' '))
        pieces.push_back(pieceOf(part, sets));
    return pieces;
}

std::vector<std::vector<Rule::Condition>> whenOf(std::string_view text, const Sets& sets)
{
    std::vector<std::vector<Rule::Condition>> when;
    for (const std::string_view part : partsOf(text, ' ')) {
        const auto set = sets.find(part);
        for (const std::string_view all : partsOf(set == sets.end() ? part : set->second, ' ')) {
            when.emplace_back();
            for (const std::string_view one : partsOf(all, '|'))
                when.back().push_back(conditionOf(one));
        }
    }
    return when;
}

// Whether a word may stand between two that are as near as a piece asks.
bool mayStand(const Item& between, char gap)
{
    constexpr std::array<std::string_view, 8> joins{"-", "of", "的", "used", "new", "old", "二手", "二手的"};
    return gap == '^' ? between.is(Meaning::Filler)
                      : std::ranges::find(joins, between.text) != joins.end()
            && (between.text != "-" || !between.spaceBefore);
}

bool isNear(const Draft& draft, std::size_t one, std::size_t other, char gap)
{
    bool near = true;
    if (gap == '~' || gap == '^')
        for (std::size_t i = std::min(one, other) + 1; i < std::max(one, other) && near; ++i)
            near = mayStand(draft.at(i), gap);
    return near;
}

// The place that a piece is tried at, seen from the one before.
std::size_t nextOf(const Draft& draft, std::size_t from, const Rule::Piece& piece, bool forward)
{
    if (!piece.touches())
        return forward ? draft.next(from) : draft.previous(from);
    const std::size_t i = forward ? from + 1 : from - 1; // before the first lies `none`
    return i < draft.size() ? i : none;
}

} // namespace

Rules rulesOf(std::string_view table)
{
    Rules rules;
    Sets sets;
    eachRow("rules", table, [&](const auto& row, std::size_t line) {
        if (fieldOf(row, 0).starts_with('%')) {
            if (fieldOf(row, 1).find(fieldOf(row, 0)) != std::string_view::npos
                || !sets.emplace(fieldOf(row, 0), fieldOf(row, 1)).second)
                throw std::logic_error("a set within itself, or twice: " + std::string(fieldOf(row, 0)));
            return;
        }
        const std::string_view word = fieldOf(row, 3);
        Rule rule{.line = line,
                  .when = whenOf(fieldOf(row, 1), sets),
                  .before = piecesOf(fieldOf(row, 2), sets),
                  .word = word.empty() ? Rule::Piece{} : pieceOf(word, sets),
                  .behind = piecesOf(fieldOf(row, 4), sets),
                  .effects = settingsOf(fieldOf(row, 5))};
        rule.words = wordsOf(rule.word.any);
        std::reverse(rule.before.begin(), rule.before.end());
        checkRule(fieldOf(row, 0), rule);
        rules[fieldOf(row, 0)].push_back(std::move(rule));
    });
    for (const auto& [stage, all] : rules)
        for (const Rule& rule : all)
            byRow("rules", rule.line, [&] { checkAsked(rules, stage, rule, {}); });
    return rules;
}

bool fits(const Draft& draft, std::size_t i, const Rule::Piece& piece)
{
    if (i == none)
        return std::ranges::any_of(piece.any, [](const std::vector<Test>& all) { return all.front().ends; });
    return (piece.gap == '@' || !draft.isRead(i)) && fitsAny(draft, i, piece.any);
}

// Walks from one word to one side; false where the pattern does not fit.
bool walk(const Draft& draft, std::size_t from, const std::vector<Rule::Piece>& pieces, bool forward,
          Match& match)
{
    for (const Rule::Piece& piece : pieces)
        for (bool more = true; more; more = more && piece.many) {
            const std::size_t i = nextOf(draft, from, piece, forward);
            more = fits(draft, i, piece) && isNear(draft, from, i, piece.gap);
            if (more && piece.many && forward && !piece.touches() && draft.isNumber(draft.next(i)))
                more = false; // it leads the number
            if (more ? piece.negated : !piece.optional && !piece.many && !piece.negated)
                return false;
            if (!more || piece.any.front().front().ends)
                break;
            match.seen.push_back(i);
            if (!piece.context)
                match.taken.push_back(i);
            if (piece.name != 0)
                match.named[piece.name] = i;
            from = i;
        }
    return true;
}

} // namespace headroom::ask
