#include "model/ask/rules.h"
#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::ask {

namespace {

// What the code that tries a stage wants to know by name: of the stage, or of what its row does.
constexpr std::array<std::pair<char, std::string_view>, 6> needed{{{'n', "label range pair spread quotient"},
                                                                   {'u', "bare-time unit"},
                                                                   {'e', "each"},
                                                                   {'s', "scope"},
                                                                   {'t', "time rate"},
                                                                   {'o', "other"}}};
// Done by the code that tries a stage around a number.
constexpr std::array<std::string_view, 29> around{
    "stop", "no",      "unit",  "front", "each",   "scope",  "time",          "rate",    "other", "box",
    "one",  "changes", "cost",  "as",    "number", "share",  "same",          "bits",    "word",  "sum",
    "rest", "seconds", "count", "is",    "before", "period", "period-before", "unknown", "tenths"};
// Stages whose rows have to say what they mean.
constexpr std::array<std::string_view, 4> said{"bound", "per-behind", "period-in-front", "every-in-front"};
// Effects that say where the others tell of, and those that tell.
constexpr std::array<std::string_view, 4> places{"take", "at", "set", "stop"};
constexpr std::array<std::string_view, 8> tell{"note", "read",  "unused", "unused-as",
                                               "once", "bound", "least",  "problem"};

bool isOf(const auto& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

std::vector<Rule::Piece> piecesOf(const Rule& rule)
{
    std::vector<Rule::Piece> pieces = rule.before;
    pieces.push_back(rule.word);
    pieces.insert(pieces.end(), rule.behind.begin(), rule.behind.end());
    return pieces;
}

bool asksLabels(const Rule::Tests& any)
{
    return std::ranges::any_of(any, [](const std::vector<Rule::Test>& all) {
        return std::ranges::any_of(
            all, [](const Rule::Test& test) { return test.labels || asksLabels(test.set); });
    });
}

void needs(const Rule& rule, char name)
{
    const std::vector<Rule::Piece> pieces = piecesOf(rule);
    if (std::ranges::none_of(pieces, [name](const Rule::Piece& piece) {
            return piece.name == name && !piece.negated && !piece.optional && !piece.many;
        }))
        throw std::logic_error(std::string("no piece of the pattern is called ") + name);
}

void checkEffects(const Rule& rule)
{
    bool placed = !rule.word.any.empty();
    for (const Setting& effect : rule.effects) {
        const std::string what = "'" + std::string(effect.what) + "'";
        const std::optional<std::size_t> known = valuesOf(effect.what);
        const bool alone
            = isOf(around, effect.what) || Lexicon::shipped().meaningOf(effect.what) != Meaning::Filler;
        if (!known && findScenarioKey(effect.what) == nullptr && !alone)
            throw std::logic_error("no such effect: " + what);
        if (!alone && effect.values.size() < known.value_or(1))
            throw std::logic_error(what + " lacks a value");
        if (effect.what == "is" || effect.what == "before")
            (void)demandedDimension(effect.value());
        placed = placed || isOf(places, effect.what);
        if (!placed && isOf(tell, effect.what))
            throw std::logic_error(what + " tells of a place that no row has said");
    }
}

void checkMachines(const Rule& rule)
{
    bool counts = false;
    for (const Setting& effect : rule.effects)
        if (effect.what == "count" || effect.what == "box")
            for (const std::string_view piece : effect.values) {
                if (piece.find_first_not_of("0123456789") != std::string_view::npos) // "count=2,n"
                    needs(rule, piece.front());
                counts = true;
            }
    if (!counts)
        throw std::logic_error("a number of machines needs its number");
}

} // namespace

void checkRule(std::string_view stage, const Rule& rule)
{
    checkEffects(rule);
    const std::string_view does = rule.does();
    if (does == "no" || rule.word.any.empty())
        return;
    const bool alone = !rule.effects.empty() && rule.effects.front().values.empty();
    for (const auto& [piece, names] : needed)
        if (const auto all = partsOf(names, ' '); isOf(all, stage) || (alone && isOf(all, does)))
            needs(rule, piece);
    if (does.empty() && isOf(said, stage))
        throw std::logic_error("a rule of this stage has to say what it means");
    if (stage == "machines")
        checkMachines(rule);
}

void checkAsked(const Rules& rules, std::string_view stage, const Rule& rule,
                std::vector<std::string_view> asking)
{
    if (isOf(asking, stage))
        throw std::logic_error("stage '" + std::string(stage) + "' asks for itself");
    asking.push_back(stage);
    const auto ask = [&](std::string_view other) {
        if (!rules.contains(other))
            throw std::logic_error("no such stage: '" + std::string(other) + "'");
        for (const Rule& one : rules.at(other))
            checkAsked(rules, other, one, asking);
    };
    for (const auto& any : rule.when)
        for (const Rule::Condition& one : any)
            if (!one.stage.empty())
                ask(one.stage);
    for (const Setting& effect : rule.effects)
        if (effect.what == "also")
            ask(effect.value());
    for (const Rule::Piece& piece : piecesOf(rule))
        if (asksLabels(piece.any))
            ask("label");
}

} // namespace headroom::ask
