#include "model/ask/draft.h"

#include "model/base/figure_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom::ask {

std::string countText(double value)
{
    constexpr int digits = 6;
    return std::abs(value) >= 1000 ? groupedDigits(value) : fewDigits(value, digits);
}

Draft::Draft(std::string_view text, std::vector<Item> items, const Vocabulary& words, Language language)
    : vocabulary(words), m_text(text), m_items(std::move(items)), m_read(m_items.size(), false)
{
    question.text = text;
    question.language = language;
}

std::string_view Draft::say(std::string_view english, std::string_view chinese) const
{
    return question.language == Language::Chinese ? chinese : english;
}

bool Draft::isAny(std::size_t i, std::initializer_list<Meaning> meanings) const
{
    return std::any_of(meanings.begin(), meanings.end(), [&](Meaning m) { return is(i, m); });
}

bool Draft::mentions(Meaning m) const
{
    return std::any_of(m_items.begin(), m_items.end(), [m](const Item& item) { return item.is(m); });
}

std::size_t Draft::next(std::size_t i) const
{
    for (std::size_t j = i + 1; j < m_items.size(); ++j)
        if (!m_read[j] && !m_items[j].is(Meaning::Filler))
            return j;
    return none;
}

std::size_t Draft::previous(std::size_t i) const
{
    for (std::size_t j = std::min(i, m_items.size()); j-- > 0;)
        if (!m_read[j] && !m_items[j].is(Meaning::Filler))
            return j;
    return none;
}

std::size_t Draft::touching(std::size_t i) const
{
    for (std::size_t j = i + 1; j < m_items.size(); ++j)
        if (!m_items[j].is(Meaning::Filler))
            return m_read[j] ? none : j;
    return none;
}

// "in 2000 out 300": both words stand in front.
std::size_t Draft::labelledTersely(std::size_t word) const
{
    static const Meaning in = Lexicon::shipped().meaningOf("In");
    static const Meaning out = Lexicon::shipped().meaningOf("Out");
    const auto pairFrom = [&](std::size_t i) {
        return i + 3 < m_items.size() && m_items[i].is(in) && m_items[i + 1].isNumber()
            && m_items[i + 2].is(out) && m_items[i + 3].isNumber();
    };
    const bool leads = pairFrom(word) || (word >= 2 && pairFrom(word - 2));
    return leads ? word + 1 : none;
}

std::size_t Draft::labelled(std::size_t word) const
{
    if (word >= m_items.size() || m_items[word].kind != ItemKind::Word)
        return none;
    if (const std::size_t terse = labelledTersely(word); terse != none)
        return terse;
    const bool flag = word > 1 && m_items[word - 1].text == "-" && m_items[word - 2].text == "-";
    bool sign = flag;
    std::size_t i = word + 1;
    const auto isSaid = [](const Item& item) { // "users=12 gpu=4090x2"
        return item.isNumber() || item.kind == ItemKind::Gpu || item.kind == ItemKind::Type;
    };
    for (; i < m_items.size() && !isSaid(m_items[i]); ++i) {
        const Item& item = m_items[i];
        const bool letter
            = !item.text.empty() && std::isalpha(static_cast<unsigned char>(item.text.front())) != 0;
        const bool bound = item.is(Meaning::AtMost) || item.is(Meaning::AtLeast) || item.is(Meaning::About);
        if (item.is(Meaning::Equals) || item.text == ":" || (bound && !letter))
            sign = true;
        else if (!bound && !(sign && (item.is(Meaning::Dollar) || item.is(Meaning::Yuan))))
            return none;
    }
    return sign && i < m_items.size() ? i : none;
}

void Draft::takeAll(const std::vector<std::size_t>& items)
{
    for (const std::size_t i : items)
        take(i);
}

void Draft::make(std::size_t i, Meaning meaning)
{
    m_items[i].kind = ItemKind::Word;
    m_items[i].meaning = meaning;
}

std::string Draft::said(std::size_t first, std::size_t last) const
{
    return m_text.substr(at(first).begin, at(last).end - at(first).begin);
}

void Draft::note(std::size_t first, std::size_t last, std::string readAs, std::string why,
                 std::vector<std::string> others)
{
    for (std::size_t i = first; why.empty() && i <= last; ++i)
        if (!at(i).meant.empty())
            why = fmt::format(fmt::runtime(say("'{}' read as '{}'", "“{}”读作“{}”")), said(i, i),
                              at(i).meant);
    question.interpretation.push_back({.said = said(first, last),
                                       .readAs = std::move(readAs),
                                       .why = std::move(why),
                                       .others = std::move(others),
                                       .position = at(first).begin});
}

void Draft::unused(std::size_t first, std::size_t last, std::string why)
{
    question.unused.push_back(
        {.said = said(first, last), .why = std::move(why), .position = at(first).begin});
}

void Draft::problem(std::size_t first, std::size_t last, ProblemText what, ProblemText hint)
{
    problems.push_back({fmt::format("'{}'", said(first, last)), std::move(what), std::move(hint)});
}

bool Draft::once(std::string_view field, const std::string& value, std::size_t first, std::size_t last)
{
    const auto [known, fresh] = m_said.try_emplace(std::string(field), value);
    if (fresh || known->second == value)
        return true;
    problem(first, last,
            fmt::format(fmt::runtime(say("{} was already read as {}; here it would be {}",
                                         "{} 前面读作 {}，这里又是 {}")),
                        field, known->second, value),
            std::string(say("ask one question at a time, or say it once", "一次只问一个，或只说一遍")));
    return false;
}

} // namespace headroom::ask
