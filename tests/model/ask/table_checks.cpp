#include "tests/model/ask/table_checks.h"

#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::tests {

using namespace ask;

namespace {

// What the code that tries a stage wants to know by name: of the stage, or of what its row does.
constexpr std::array<std::pair<char, std::string_view>, 6> needed{{{'n', "label range pair spread quotient"},
                                                                   {'u', "bare-time unit"},
                                                                   {'e', "each"},
                                                                   {'s', "scope each-noun"},
                                                                   {'t', "time rate"},
                                                                   {'o', "other"}}};
// Done by the code that tries a stage around a number, which needs no value of them.
constexpr std::string_view around
    = "stop no unit front counted each scope time rate other box one changes cost as sum "
      "rest part seconds count is before period period-before leads";
// Stages whose rows have to say what they mean.
constexpr std::string_view said
    = "bound per-behind period-in-front every-in-front machines aside-goes aside-begins aside-number";
// Effects that say where the others tell of, and those that tell.
constexpr std::string_view places = "take at set stop";
constexpr std::string_view tell = "note read unused unused-as once bound least problem";

bool isOf(std::string_view names, std::string_view name)
{
    return std::ranges::count(partsOf(names, ' '), name) > 0;
}

std::vector<Rule::Piece> piecesOf(const Rule& rule)
{
    std::vector<Rule::Piece> pieces = rule.before;
    pieces.push_back(rule.word);
    pieces.insert(pieces.end(), rule.behind.begin(), rule.behind.end());
    return pieces;
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
            (void)demandedConstant<Dimension>(effect.value(), "nothing that a number counts");
        if (effect.what == "count" || effect.what == "box")
            for (const std::string_view piece : effect.values) // "count=2,n"
                if (piece.find_first_not_of("0123456789") != std::string_view::npos)
                    needs(rule, piece.front());
        placed = placed || isOf(places, effect.what);
        if (!placed && isOf(tell, effect.what))
            throw std::logic_error(what + " tells of a place that no row has said");
    }
}

// What the code that tries the stage wants to know.
void checkRule(std::string_view stage, const Rule& rule)
{
    checkEffects(rule);
    const std::string_view does = rule.does();
    if (does == "no" || rule.word.any.empty())
        return;
    const bool alone = !rule.effects.empty() && rule.effects.front().values.empty();
    for (const auto& [piece, names] : needed)
        if (isOf(names, stage) || (alone && isOf(names, does)))
            needs(rule, piece);
    if (does.empty() && isOf(said, stage))
        throw std::logic_error("a rule of this stage has to say what it means");
}

// Every stage that is asked for is there, and none asks by others for itself.
void checkAsked(const Rules& rules, std::string_view stage, const Rule& rule,
                std::vector<std::string_view> asking)
{
    if (std::ranges::count(asking, stage) > 0)
        throw std::logic_error("stage '" + std::string(stage) + "' asks for itself");
    asking.push_back(stage);
    const auto ask = [&](std::string_view other) {
        if (!rules.contains(other))
            throw std::logic_error("no such stage: '" + std::string(other) + "'");
        for (const Rule& one : rules.at(other))
            checkAsked(rules, other, one, asking);
    };
    const auto askAll = [&](const auto& self, const Tests& any) -> void {
        for (const std::vector<Test>& all : any)
            for (const Test& test : all) {
                if (!test.stage.empty())
                    ask(test.stage);
                if (test.set != nullptr)
                    for (const Tests& within : *test.set)
                        self(self, within);
            }
    };
    for (const Tests& any : rule.when)
        askAll(askAll, any);
    for (const Rule::Piece& piece : piecesOf(rule))
        askAll(askAll, piece.any);
    for (const Setting& effect : rule.effects)
        for (const std::string_view other : stagesOf(effect))
            ask(other);
}

// What its settings need, that its key is one of a scenario, and that its sentences can be filled in.
void check(const Role& role, const std::vector<Role>& others)
{
    if (role.id.empty()
        || std::ranges::any_of(others, [&](const Role& other) { return other.id == role.id; }))
        throw std::logic_error("a role needs a name of its own");
    if (others.size() >= mostRoles)
        throw std::logic_error(fmt::format("more than {} roles", mostRoles));
    if (role.key != "-" && role.key != "*" && findScenarioKey(role.key) == nullptr)
        throw std::logic_error("no such key of a scenario: '" + std::string(role.key) + "'");
    constexpr std::array<std::string_view, 5> flags{"easier", "matters", "ofJob", "ofOne", "thing"};
    for (const Setting& one : role.settings) {
        const bool flag = std::ranges::count(flags, one.what) > 0;
        const std::size_t values = flag ? 0 : one.what == "AtMost" || one.what == "AtLeast" ? 2 : 1;
        if (one.values.size() < values)
            throw std::logic_error(fmt::format("'{}' needs {} values", one.what, values));
    }
    for (const std::string_view text : {role.read.english, role.read.chinese, role.say.english,
                                        role.say.chinese, role.why.english, role.why.chinese})
        (void)fmt::format(fmt::runtime(text), "", 1.0);
}

} // namespace

std::vector<std::string_view> stagesOf(const Setting& effect)
{
    return isOf("also do around numbers", effect.what) ? effect.values : std::vector<std::string_view>{};
}

Rules checkedRules(std::string_view table)
{
    Rules rules = rulesOf(table);
    for (const auto& [stage, all] : rules)
        for (const Rule& rule : all)
            byRow("rules", rule.line, [&, stage = stage] {
                checkRule(stage, rule);
                checkAsked(rules, stage, rule, {});
            });
    return rules;
}

std::vector<Role> checkedRoles(std::string_view table, const Rules& rules)
{
    std::vector<Role> roles = rolesOf(table);
    for (std::size_t i = 0; i < roles.size(); ++i)
        byRow("roles", roles[i].line, [&] {
            check(roles[i], {roles.begin(), roles.begin() + static_cast<std::ptrdiff_t>(i)});
            for (const Cue& cue : roles[i].cues)
                if (cue.how == Cue::How::Around && !rules.contains(cue.stage))
                    throw std::logic_error("no such stage: " + std::string(cue.stage));
        });
    return roles;
}

} // namespace headroom::tests
