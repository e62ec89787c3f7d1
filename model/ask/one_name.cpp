#include "model/ask/rules.h"
#include "model/words/names.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace headroom::ask {

namespace {

// Makes a name of the first piece: "g,a" of "80GB A100" is "a100 80gb", "g,f" of "A100 80G PCIe" is "a100
// pcie 80g", "a" of "70 billion parameters" is "70b". False where there is no such name.
bool rename(Item& one, const Setting& effect, const Draft& draft, const Match& match)
{
    constexpr double billion = 1e9;
    const bool gpu = effect.what == "gpu";
    const auto& find = gpu ? draft.vocabulary.gpu : draft.vocabulary.model;
    std::optional<NameMatch> found;
    if (effect.values.size() < 2) {
        one.text = fmt::format("{:g}b", one.value / billion);
        found = find(one.text);
    } else if (const Item& more = draft.at(match.at(effect.value(1).front())); more.isNumber()) {
        found = find(fmt::format("{} {:g}gb", one.text, more.value));
    } else {
        const std::size_t family = std::min(one.text.find_first_of(" -"), one.text.size());
        const std::string form = one.text.substr(0, family) + " " + more.text;
        found = find(form + one.text.substr(family));
        found = found ? std::move(found) : find(form);
    }
    one.kind = gpu ? ItemKind::Gpu : ItemKind::Model;
    if (found)
        one.match = gpu ? *std::move(found) : Names::shipped().usual(*std::move(found), one.text);
    return found.has_value();
}

// "70B 的 Llama", "Llama, the 70B version", "Llama on H100, 70B": a size and a family are one name, in
// whatever order they stand.
bool joinSize(Draft& draft, std::size_t size, std::size_t named)
{
    Item family = draft.at(named);
    const std::string& said = draft.at(size).text;
    if (family.kind != ItemKind::Model || isSizeAlone(family))
        return false;
    // "a 3B model (Llama 3.2 3B)", "Qwen3-30B-A3B has 30 billion parameters"
    const bool again = family.text.find(said) != std::string::npos;
    auto both = again ? std::move(family.match)
                      : draft.vocabulary.model(Names::shipped().respelled(family.text) + " " + said);
    if (!both)
        return false;
    family.match = *std::move(both);
    const auto [first, last] = std::minmax(size, named);
    const bool beside = !draft.any({first + 1, last}, [&](std::size_t i) {
        return !draft.at(i).is(Meaning::Filler, Meaning::Comma) && draft.at(i).text != "参数";
    });
    Item nothing{.kind = ItemKind::Word, .text = said};
    draft.become(beside && !again ? Place(first, last) : Place(named), std::move(family));
    if (again || !beside)
        draft.become(size, std::move(nothing));
    return true;
}

} // namespace

void readNames(Draft& draft)
{
    for (const std::string_view stage : {"one-name", "other-name"})
        for (std::size_t i = 0; i < draft.size(); ++i) {
            const Match match = ruleAt(stage, draft, i);
            if (!match)
                continue;
            const Setting& effect = match.rule->effects.front();
            Item one = draft.at(match.at(effect.value().front()));
            if (rename(one, effect, draft, match))
                draft.become(match.takenWith(i), std::move(one));
        }
    for (std::size_t i = 0; i < draft.size(); ++i)
        for (std::size_t named = 0; isSizeAlone(draft.at(i)) && named < draft.size(); ++named)
            if (joinSize(draft, i, named))
                break;
}

} // namespace headroom::ask
