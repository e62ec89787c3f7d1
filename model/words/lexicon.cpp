#include "model/words/lexicon.h"

#include "model/base/spelling.h"
#include "model/words/tables.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headroom::ask {

bool carriesMeaning(const Word& word)
{
    using enum Meaning;
    constexpr std::array none{Filler, Comma, Noise, Number, Kilo, Outside, Mention};
    return std::ranges::find(none, word.meaning) == none.end();
}

namespace {

// Of a phrase the first word and the second, where there is one: few phrases share both.
std::string beginningOf(std::string_view first, std::string_view second)
{
    std::string key(first);
    key += ' ';
    return key += second;
}

// How many atoms from the first are the phrase; none where it does not stand there. "Cost-effective" is
// "cost effective".
std::size_t taken(const Word& word, const std::vector<Atom>& atoms, std::size_t first)
{
    std::size_t at = first;
    for (const std::string& part : word.atoms) {
        const bool joins = at > first && at + 1 < atoms.size() && atoms[at].text == "-" && part != "-"
            && !atoms[at].spaceBefore && !atoms[at + 1].spaceBefore && atoms[at - 1].kind == AtomKind::Letters
            && atoms[at + 1].kind == AtomKind::Letters;
        at += joins ? 1 : 0;
        if (at >= atoms.size() || atoms[at++].text != part)
            return 0;
    }
    return at - first;
}

} // namespace

Lexicon::Lexicon(std::string_view name, std::string_view table)
{
    eachRow(name, table, [&](const TsvRow& row) {
        const Meaning meaning = declared(row[0]);
        if (row[0].empty() || row[2].empty())
            throw std::logic_error("a row needs a meaning and a phrase");
        for (const std::string_view phrase : partsOf(row[2], '|')) {
            Word word{.meaning = meaning,
                      .phrase = std::string(phrase),
                      .value = numberOf(row[1]),
                      .note = std::string(row[3]),
                      .atoms = {}};
            for (Atom& atom : atomsOf(phrase))
                word.atoms.push_back(std::move(atom.text));
            if (word.atoms.empty())
                throw std::logic_error("an empty phrase");
            m_byBeginning[beginningOf(word.atoms.front(), word.atoms.size() > 1 ? word.atoms[1] : "")]
                .push_back(m_words.size());
            if (carriesMeaning(word) && word.phrase.size() >= 3)
                m_meaningful.push_back(word.phrase);
            m_words.push_back(std::move(word));
        }
    });
    for (const Word& word : m_words)
        for (const std::string& atom : word.atoms)
            if (const Word*& alone = m_spelled[atom]; word.atoms.size() == 1)
                alone = &word;
}

const Lexicon& Lexicon::shipped()
{
    static const Lexicon lexicon("words", wordsTable());
    return lexicon;
}

const Lexicon& Lexicon::asides()
{
    static const Lexicon lexicon("asides", asidesTable());
    return lexicon;
}

Meaning Lexicon::declared(std::string_view name)
{
    const auto fresh = static_cast<Meaning>(static_cast<std::size_t>(Meaning::Free) + m_own.size());
    const auto known = constantCalled<Meaning>(name);
    return known ? *known : m_own.try_emplace(std::string(name), fresh).first->second;
}

Meaning Lexicon::meaningOf(std::string_view name) const
{
    const auto own = m_own.find(name);
    return own != m_own.end() ? own->second : constantCalled<Meaning>(name).value_or(Meaning::Filler);
}

Meaning Lexicon::demanded(std::string_view name) const
{
    const Meaning meaning = meaningOf(name);
    if (meaning == Meaning::Filler)
        throw std::logic_error("no such word in resources/ask/words.tsv: '" + std::string(name) + "'");
    return meaning;
}

Lexicon::Match Lexicon::longest(const std::vector<Atom>& atoms, std::size_t first) const
{
    Match best;
    const auto tryAll = [&](std::string_view second) {
        const auto found = m_byBeginning.find(beginningOf(atoms[first].text, second));
        if (found == m_byBeginning.end())
            return;
        for (const std::size_t index : found->second) {
            const Word* const word = &m_words[index];
            const std::size_t length = taken(*word, atoms, first);
            if (length > best.atoms)
                best = {.word = word, .atoms = length};
            else if (length > 0 && length == best.atoms) { // of several the first of the table, and the last
                best.otherwise = std::max({word, best.word, best.otherwise});
                best.word = std::min(word, best.word);
            }
        }
    };
    if (first >= atoms.size())
        return best;
    tryAll({});
    for (std::size_t second = first + 1; second < atoms.size() && second < first + 3; ++second)
        if (second == first + 1 || (atoms[first + 1].text == "-" && atoms[second].text != "-"))
            tryAll(atoms[second].text);
    return best;
}

std::vector<std::string> Lexicon::nearest(std::string_view text) const
{
    return nearestSpellings(text, m_meaningful);
}

} // namespace headroom::ask
