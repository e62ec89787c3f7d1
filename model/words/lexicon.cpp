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

Lexicon::Lexicon(std::string_view name, std::string_view table)
{
    eachRow(name, table, [&](const auto& row, std::size_t) {
        const Meaning meaning = declared(fieldOf(row, 0));
        if (fieldOf(row, 0).empty() || fieldOf(row, 2).empty())
            throw std::logic_error("a row needs a meaning and a phrase");
        for (const std::string_view phrase : partsOf(fieldOf(row, 2), '|')) {
            Word word{.meaning = meaning,
                      .phrase = std::string(phrase),
                      .value = numberOf(fieldOf(row, 1)),
                      .note = std::string(fieldOf(row, 3)),
                      .atoms = {}};
            for (Atom& atom : atomsOf(phrase))
                word.atoms.push_back(std::move(atom.text));
            if (word.atoms.empty())
                throw std::logic_error("an empty phrase");
            m_byFirstAtom[word.atoms.front()].push_back(m_words.size());
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

namespace {

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

Lexicon::Match Lexicon::longest(const std::vector<Atom>& atoms, std::size_t first) const
{
    Match best;
    const auto found = first < atoms.size() ? m_byFirstAtom.find(atoms[first].text) : m_byFirstAtom.end();
    if (found == m_byFirstAtom.end())
        return best;
    for (const std::size_t index : found->second) {
        const Word& word = m_words[index];
        const std::size_t length = taken(word, atoms, first);
        if (length > best.atoms)
            best = {.word = &word, .atoms = length};
        else if (length > 0 && length == best.atoms)
            best.otherwise = &word;
    }
    return best;
}

Lexicon::Match phraseAt(const std::vector<Atom>& atoms, std::size_t first)
{
    return Lexicon::shipped().longest(atoms, first);
}

std::vector<std::string> Lexicon::nearest(std::string_view text) const
{
    return nearestSpellings(text, m_meaningful);
}

} // namespace headroom::ask
