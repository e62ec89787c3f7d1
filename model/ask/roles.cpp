#include "model/ask/roles.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace headroom::ask {

namespace {

// "1..300"
Role::Range rangeOf(std::string_view text)
{
    const std::size_t dots = std::min(text.find(".."), text.size());
    if (dots + 2 > text.size())
        throw std::logic_error("no range: '" + std::string(text) + "'");
    return {.from = numberOf(text.substr(0, dots)), .to = numberOf(text.substr(dots + 2))};
}

// "Prompt:3", "In:2.5>" (the word stands behind the number), "In:3=" (it is its label), "/User:1" (it is said
// of one), "@at-most:3" (a rule of this stage fits around it)
Cue cueOf(std::string_view text)
{
    constexpr std::string_view signs = "<>=./@"; // in the order of How, behind `Near`
    const std::size_t colon = std::min(text.rfind(':'), text.size());
    const std::size_t begin = signs.find(text.front()) == std::string_view::npos ? 0 : 1;
    const std::string_view name = text.substr(begin, std::max(colon, begin) - begin);
    std::string_view weight = text.substr(std::min(colon + 1, text.size()));
    Cue cue{.how
            = static_cast<Cue::How>(signs.find(begin > 0 ? text.front() : text.back()) + 1)}; // npos + 1 is 0
    weight.remove_suffix(begin == 0 && cue.how != Cue::How::Near ? 1 : 0);
    cue.weight = numberOf(weight);
    if (name.empty())
        throw std::logic_error("a cue names nothing: '" + std::string(text) + "'");
    if (cue.how == Cue::How::Around)
        cue.stage = name;
    else
        cue.word = Lexicon::shipped().demanded(name);
    return cue;
}

} // namespace

std::vector<Role> rolesOf(std::string_view table)
{
    std::vector<Role> roles;
    eachRow("roles", table, [&](const TsvRow& row) {
        Role role{.line = row.line, .id = row[0], .usual = rangeOf(row[2]), .possible = rangeOf(row[3])};
        for (const std::string_view fit : partsOf(row[1], ' ')) {
            const auto [dimension, score] = cutAt(fit, ':');
            const auto counted = demandedConstant<Dimension>(dimension, "nothing that a number counts");
            role.fits.push_back({.dimension = counted, .score = numberOf(score)});
        }
        for (const std::string_view cue : partsOf(row[4], ' '))
            if (cue == "@many")
                role.many = true;
            else if (!cue.empty())
                role.cues.push_back(cueOf(cue));
        role.name = {row[5], row[6]};
        role.read = {row[7], row[8]};
        role.say = {row[9], row[10]};
        role.key = row[11];
        role.why = {row[12], row[13]};
        role.settings = settingsOf(row[14]);
        for (const std::string_view word : partsOf(role.setting("with").value(), '|'))
            role.with.push_back(Lexicon::shipped().demanded(word));
        roles.push_back(std::move(role));
    });
    return roles;
}

std::span<const Role> shippedRoles()
{
    static const std::vector<Role> roles = rolesOf(tableCalled("roles"));
    return roles;
}

const Role& roleCalled(std::string_view id)
{
    const Role* const role = firstWith(shippedRoles(), id, &Role::id);
    if (role == nullptr)
        throw std::logic_error("no such role in resources/ask/roles.tsv: " + std::string(id));
    return *role;
}

bool Role::saysOfOne(Meaning scope) const
{
    return std::ranges::any_of(cues, [scope](const Cue& cue) {
        return cue.how == Cue::How::Per && (scope == Meaning::Each || cue.word == scope);
    });
}

} // namespace headroom::ask
