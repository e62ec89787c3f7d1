#include "model/ask/lexicon.h"

#include "model/ask/tables.h"
#include "model/base/spelling.h"

#include <algorithm>
#include <array>
#include <utility>

namespace headroom::ask {

bool carriesMeaning(const Word& word)
{
    using enum Meaning;
    constexpr std::array none{Filler, Comma, Noise, Number, Kilo, Outside, Mention};
    return std::find(none.begin(), none.end(), word.meaning) == none.end();
}

Lexicon::Lexicon(std::string_view table)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(Meaning::Free); ++i)
        m_meanings.emplace(nameOf(static_cast<Meaning>(i)), static_cast<Meaning>(i));
    for (const auto& row : rowsOf(table)) {
        const Meaning meaning = declared(fieldOf(row, 0));
        for (const std::string_view phrase : partsOf(fieldOf(row, 2), '|')) {
            Word word{.meaning = meaning,
                      .phrase = std::string(phrase),
                      .value = numberOf(fieldOf(row, 1)),
                      .note = std::string(fieldOf(row, 3)),
                      .atoms = {}};
            for (Atom& atom : atomsOf(phrase))
                word.atoms.push_back(std::move(atom.text));
            m_byFirstAtom[word.atoms.front()].push_back(m_words.size());
            if (carriesMeaning(word) && word.phrase.size() >= 3)
                m_meaningful.push_back(word.phrase);
            m_words.push_back(std::move(word));
        }
    }
    for (const Word& word : m_words)
        for (const std::string& atom : word.atoms)
            if (const Word*& alone = m_spelled[atom]; word.atoms.size() == 1)
                alone = &word;
}

const Lexicon& Lexicon::shipped()
{
    static const Lexicon lexicon(wordsTable());
    return lexicon;
}

Meaning Lexicon::declared(std::string_view name)
{
    const auto fresh = static_cast<Meaning>(m_meanings.size() + 1);
    return m_meanings.try_emplace(std::string(name), fresh).first->second;
}

Meaning Lexicon::meaningOf(std::string_view name) const
{
    const auto found = m_meanings.find(name);
    return found == m_meanings.end() ? Meaning::Filler : found->second;
}

std::optional<Lexicon::Match> Lexicon::longest(const std::vector<Atom>& atoms, std::size_t first) const
{
    const auto found = m_byFirstAtom.find(atoms[first].text);
    if (found == m_byFirstAtom.end())
        return std::nullopt;
    std::optional<Match> best;
    for (const std::size_t index : found->second) {
        const Word& word = m_words[index];
        if ((best && word.atoms.size() < best->atoms) || first + word.atoms.size() > atoms.size())
            continue;
        const auto same = [](const std::string& a, const Atom& b) { return a == b.text; };
        if (!std::equal(word.atoms.begin(), word.atoms.end(),
                        atoms.begin() + static_cast<std::ptrdiff_t>(first), same))
            continue;
        if (best && best->atoms == word.atoms.size())
            best->otherwise = &word;
        else
            best = Match{.word = &word, .atoms = word.atoms.size()};
    }
    return best;
}

std::vector<std::string> Lexicon::nearest(std::string_view text) const
{
    return nearestSpellings(text, m_meaningful);
}

} // namespace headroom::ask
