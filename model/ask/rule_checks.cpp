#include "model/ask/rules.h"
#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace headroom::ask {

namespace {

// What the code that tries a stage around a number wants to know by name, by what the row does (any, where
// that is empty).
struct Named {
    std::string_view stage;
    std::string_view effect;
    char piece;
};
constexpr std::array<Named, 18> needed{{{"label", "", 'n'},
                                        {"range", "", 'n'},
                                        {"pair", "", 'n'},
                                        {"spread", "", 'n'},
                                        {"quotient", "", 'n'},
                                        {"bare-time", "", 'u'},
                                        {"own-unit", "unit", 'u'},
                                        {"unit-in-front", "unit", 'u'},
                                        {"per-behind", "each", 'e'},
                                        {"per-behind", "scope", 's'},
                                        {"per-behind", "time", 't'},
                                        {"per-behind", "other", 'o'},
                                        {"period-in-front", "scope", 's'},
                                        {"period-in-front", "time", 't'},
                                        {"period-in-front", "rate", 't'},
                                        {"every-in-front", "scope", 's'},
                                        {"every-in-front", "time", 't'},
                                        {"every-in-front", "other", 'o'}}};

} // namespace

void checkStage(std::string_view stage, const Rule& rule)
{
    const std::string_view does = rule.effects.empty() ? std::string_view() : rule.effects.front().what;
    const auto names = [&](char name) {
        const auto here = [name](const Rule::Piece& piece) {
            return piece.name == name && !piece.negated && !piece.optional && !piece.many;
        };
        return std::any_of(rule.before.begin(), rule.before.end(), here)
            || std::any_of(rule.behind.begin(), rule.behind.end(), here) || here(rule.word);
    };
    const auto needs = [&](char name) {
        if (!names(name))
            throw std::logic_error(std::string("no piece of the pattern is called ") + name);
    };
    for (const Named& one : needed)
        if (one.stage == stage && does != "no" && (one.effect.empty() || one.effect == does))
            needs(one.piece);
    if (does.empty()
        && (stage == "bound" || stage == "per-behind" || stage == "period-in-front"
            || stage == "every-in-front"))
        throw std::logic_error("a rule of this stage has to say what it means");
    bool counts = false;
    for (const Rule::Effect& effect : rule.effects)
        if (stage == "machines" && (effect.what == "count" || effect.what == "box"))
            for (const std::string_view piece : effect.values) {
                if (piece.find_first_not_of("0123456789") != std::string_view::npos) // "count=2,n"
                    needs(piece.front());
                counts = true;
            }
    if (stage == "machines" && does != "no" && !counts)
        throw std::logic_error("a number of machines needs its number");
}

void checkCondition(std::string_view name, Rule::Condition& c, const Lexicon& lexicon)
{
    const auto [first, second] = cutAt(c.which, ':');
    const auto role = [](std::string_view of) {
        if (of != "rate")
            (void)roleCalled(of);
    };
    constexpr std::array<std::string_view, 4> ofRoles{"number:", "each:", "whole:", "at-once:"};
    if (name == "has:" || name == "per:" || name == "unit:")
        (void)lexicon.demanded(c.which);
    if (std::find(ofRoles.begin(), ofRoles.end(), name) != ofRoles.end())
        role(c.which);
    if (name == "of:")
        (void)lexicon.demanded(first);
    if (name == "of:" || name == "led:" || name == "around:" || (name == "counts:" && !second.empty()))
        role(second);
    if (name == "asking:" && !kindCalled(c.which))
        throw std::logic_error("no such kind of question: '" + std::string(c.which) + "'");
    const std::optional<Dimension> dimension = dimensionOf(first);
    if (name == "counts:" && !dimension)
        throw std::logic_error("nothing that a number counts: '" + std::string(first) + "'");
    c.dimension = dimension.value_or(Dimension::Plain);
    if (name == "$" && findScenarioKey(cutAt(c.which, '=').first) == nullptr)
        throw std::logic_error("no such key of a scenario: '" + std::string(c.which) + "'");
    if (name == "could:" || name == "ends:" || name == "fits:" || name == "holds:" || name == "led:"
        || name == "around:")
        c.stage = first;
}

// Stages that a rule asks for exist, and do not ask for its own again.
void checkAsked(const Rules& rules, std::string_view stage, const Rule& rule,
                std::vector<std::string_view> asking)
{
    if (std::find(asking.begin(), asking.end(), stage) != asking.end())
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
    std::vector<Rule::Piece> pieces = rule.before;
    pieces.push_back(rule.word);
    pieces.insert(pieces.end(), rule.behind.begin(), rule.behind.end());
    for (const Rule::Piece& piece : pieces)
        for (const auto& all : piece.any)
            for (const Rule::Test& test : all)
                if (test.labels)
                    ask("label");
}

void checkEffects(const Rule& rule)
{
    // Done by the code that tries a stage around a number.
    constexpr std::array<std::string_view, 32> around{
        "stop",   "no",      "unit",   "front",         "each",    "scope",   "time",  "rate",
        "other",  "count",   "box",    "one",           "changes", "cost",    "Token", "Time",
        "AtMost", "AtLeast", "as",     "number",        "share",   "same",    "bits",  "word",
        "sum",    "rest",    "period", "period-before", "Request", "unknown", "is",    "before"};
    constexpr std::array<std::string_view, 4> places{"take", "at", "set", "stop"};
    constexpr std::array<std::string_view, 8> tell{"note", "read",  "unused", "unused-as",
                                                   "once", "bound", "least",  "problem"};
    const auto isOf = [](const auto& names, std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    bool placed = !rule.word.any.empty();
    for (const Rule::Effect& effect : rule.effects) {
        const std::string what = "'" + std::string(effect.what) + "'";
        const std::optional<std::size_t> known = valuesOf(effect.what);
        const bool alone = isOf(around, effect.what);
        if (!known && findScenarioKey(effect.what) == nullptr && !alone)
            throw std::logic_error("no such effect: " + what);
        if (!alone && effect.values.size() < known.value_or(1))
            throw std::logic_error(what + " lacks a value");
        placed = placed || isOf(places, effect.what);
        if (!placed && isOf(tell, effect.what))
            throw std::logic_error(what + " tells of a place that no row has said");
    }
}

} // namespace headroom::ask
