#include "model/ask/draft.h"

#include "model/ask/rules.h"
#include "model/base/figure_text.h"
#include "model/words/names.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

namespace headroom::ask {

std::string countText(double value)
{
    constexpr int digits = 6;
    return std::abs(value) >= 1000 ? groupedDigits(value) : fewDigits(value, digits);
}

std::string secondsText(double value)
{
    return value < 1 ? fmt::format("{:.6g} ms", value * 1e3) : fmt::format("{:.6g} s", value);
}

std::string_view oneOrMany(std::string_view text, double value)
{
    const std::size_t bar = text.find('|');
    return bar == std::string_view::npos ? text : value == 1 ? text.substr(0, bar) : text.substr(bar + 1);
}

Draft::Draft(std::string_view text, std::vector<Item> items, const Vocabulary& words, Language language)
    : vocabulary(words), m_items(std::move(items)), m_read(m_items.size(), false)
{
    question.text = text;
    question.language = language;
    std::ranges::transform(m_items, std::back_inserter(m_sorts), sortOf);
}

std::string_view Draft::say(std::string_view english) const
{
    static const std::unordered_map<std::string_view, std::string_view> chinese = [] {
        std::unordered_map<std::string_view, std::string_view> all;
        for (const auto& row : tsvRows(tableCalled("sentences")))
            all.emplace(row[0], row[1]);
        return all;
    }();
    const auto found = question.language == Language::Chinese ? chinese.find(english) : chinese.end();
    return found == chinese.end() ? english : found->second;
}

const Assigned* Draft::find(std::string_view role) const
{
    if (role == "rate")
        return rate ? &*rate : nullptr;
    return firstWith(quantities, true, [&](const Assigned& one) { return one.is(role); });
}

const Assigned* Draft::ofNumber(std::size_t item) const
{
    return firstWith(quantities, item, [](const Assigned& one) { return one.span.number; });
}

void Draft::become(Place place, Item one)
{
    one.begin = at(place.first).begin;
    one.end = at(place.last).end;
    one.spaceBefore = at(place.first).spaceBefore;
    m_items[place.first] = std::move(one);
    const auto rest = m_items.begin() + static_cast<std::ptrdiff_t>(place.first) + 1;
    m_items.erase(rest, m_items.begin() + static_cast<std::ptrdiff_t>(place.last) + 1);
    m_read.resize(m_items.size());
    m_sorts.clear();
    std::ranges::transform(m_items, std::back_inserter(m_sorts), sortOf);
}

std::string Draft::said(Place place) const
{
    return question.text.substr(at(place.first).begin, at(place.last).end - at(place.first).begin);
}

void Draft::note(Place place, std::string readAs, std::string reason, std::vector<std::string> alike)
{
    reason = why.empty() ? std::move(reason) : std::exchange(why, {});
    others.insert(others.end(), alike.begin(), alike.end());
    for (std::size_t i = place.first; i <= place.last; ++i)
        if (!at(i).typed.empty())
            reason += (reason.empty() ? "" : "; ") + tell("'{}' read as '{}'", at(i).typed, at(i).meant);
    question.interpretation.push_back({.said = said(place),
                                       .readAs = std::move(readAs),
                                       .why = std::move(reason),
                                       .others = std::exchange(others, {}),
                                       .position = at(place.first).begin});
}

void Draft::unused(Place place, std::string why)
{
    question.unused.push_back(
        {.said = said(place), .why = std::move(why), .position = at(place.first).begin});
}

void Draft::problem(Place place, const std::string& what, const std::string& hint)
{
    problems.push_back({fmt::format("'{}'", said(place)), asIs(what), asIs(hint)});
}

std::size_t Draft::rival(std::string_view field, std::size_t word, const std::string& value)
{
    const auto said = m_said.try_emplace(std::string(field), Said{value, word}).first;
    return said->second.value == value ? none : said->second.word;
}

bool Draft::once(std::string_view field, const std::string& value, Place place)
{
    const std::string before = m_said.try_emplace(std::string(field), Said{value}).first->second.value;
    if (before != value)
        problem(place, tell("{} was already read as {}; here it would be {}", field, before, value),
                tell("ask one question at a time, or say it once"));
    return before == value;
}

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
