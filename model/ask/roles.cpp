#include "model/ask/roles.h"

#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <stdexcept>
#include <string>

namespace headroom::ask {

namespace {

// "1..300"
Role::Range rangeOf(std::string_view text)
{
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos)
        throw std::logic_error("no range: '" + std::string(text) + "'");
    return {.from = numberOf(text.substr(0, dots)), .to = numberOf(text.substr(dots + 2))};
}

// "Prompt:3", "In:2.5>" (the word stands behind the number), "In:3=" (it is its label), "~Job|Batch:1" (one
// of the words stands elsewhere), "\"at|@\":1" (right before the number), "/User:1" (it is said of one),
// "@at-most:3" (a rule of this stage fits around it)
Cue cueOf(std::string_view text)
{
    const std::size_t colon = text.rfind(':');
    std::string_view name = text.substr(0, colon);
    std::string_view weight = text.substr(colon + 1); // of the whole where there is no colon
    weight.remove_suffix(weight.empty() || (weight.back() <= '9' && weight.back() >= '0') ? 0 : 1);
    Cue cue{.weight = numberOf(weight)};
    if (name.size() < 2)
        throw std::logic_error("a cue names nothing: '" + std::string(text) + "'");
    constexpr std::string_view sides = "<>=.";                      // in their order, behind `Any`
    constexpr std::string_view hows = "~\"/@";                      // the same, behind `Word`
    cue.side = static_cast<Cue::Side>(sides.find(text.back()) + 1); // none: npos + 1 is 0
    cue.how = static_cast<Cue::How>(hows.find(name.front()) + 1);
    if (cue.how != Cue::How::Word)
        name.remove_prefix(1);
    if (cue.how == Cue::How::Text)
        name.remove_suffix(1);
    for (const std::string_view word : partsOf(name, '|'))
        if (cue.how == Cue::How::Text || cue.how == Cue::How::Around)
            cue.texts.push_back(word);
        else
            cue.words.push_back(Lexicon::shipped().demanded(word));
    return cue;
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

std::vector<Role> rolesOf(std::string_view table)
{
    std::vector<Role> roles;
    eachRow("roles", table, [&](const auto& row, std::size_t line) {
        Role role{.line = line,
                  .id = fieldOf(row, 0),
                  .usual = rangeOf(fieldOf(row, 2)),
                  .possible = rangeOf(fieldOf(row, 3))};
        for (const std::string_view fit : partsOf(fieldOf(row, 1), ' ')) {
            const std::size_t colon = fit.find(':');
            role.fits.push_back({.dimension = demandedDimension(fit.substr(0, colon)),
                                 .score = numberOf(fit.substr(colon + 1))});
        }
        for (const std::string_view cue : partsOf(fieldOf(row, 4), ' '))
            if (cue == "@many")
                role.many = true;
            else if (!cue.empty())
                role.cues.push_back(cueOf(cue));
        role.name = {fieldOf(row, 5), fieldOf(row, 6)};
        role.read = {fieldOf(row, 7), fieldOf(row, 8)};
        role.say = {fieldOf(row, 9), fieldOf(row, 10)};
        role.key = fieldOf(row, 11);
        role.why = {fieldOf(row, 12), fieldOf(row, 13)};
        role.settings = settingsOf(fieldOf(row, 14));
        check(role, roles);
        if (const Setting* const with = role.setting("with"))
            for (const std::string_view word : partsOf(with->values.front(), '|'))
                role.with.push_back(Lexicon::shipped().demanded(word));
        roles.push_back(std::move(role));
    });
    return roles;
}

std::span<const Role> shippedRoles()
{
    static const std::vector<Role> roles = rolesOf(rolesTable());
    return roles;
}

const Role& roleCalled(std::string_view id)
{
    const auto roles = shippedRoles();
    const auto found = std::ranges::find_if(roles, [id](const Role& role) { return role.id == id; });
    if (found == roles.end())
        throw std::logic_error("no such role in resources/ask/roles.tsv: " + std::string(id));
    return *found;
}

const Setting* Role::setting(std::string_view what) const
{
    const auto found
        = std::ranges::find_if(settings, [what](const Setting& one) { return one.what == what; });
    return found == settings.end() ? nullptr : &*found;
}

bool Role::saysOfOne(Meaning scope) const
{
    return std::ranges::any_of(cues, [scope](const Cue& cue) {
        return cue.how == Cue::How::Per && (scope == Meaning::Each || cue.words.front() == scope);
    });
}

bool isScope(Meaning word)
{
    static const std::vector<Meaning> scopes = [] {
        std::vector<Meaning> all;
        for (const Role& role : shippedRoles())
            for (const Cue& cue : role.cues)
                if (cue.how == Cue::How::Per && cue.words.front() != Meaning::Time)
                    all.push_back(cue.words.front());
        return all;
    }();
    return std::ranges::find(scopes, word) != scopes.end();
}

} // namespace headroom::ask
