#include "model/ask/lexicon.h"

#include "model/ask/phrases.h"
#include "model/spelling.h"

#include <algorithm>
#include <utility>

namespace headroom::ask {

namespace {

std::vector<std::string_view> phrasesOf(std::string_view list)
{
    std::vector<std::string_view> out;
    while (!list.empty()) {
        const std::size_t bar = list.find('|');
        out.push_back(list.substr(0, bar));
        list = bar == std::string_view::npos ? std::string_view{} : list.substr(bar + 1);
    }
    return out;
}

bool carriesMeaning(const Word& word)
{
    return word.meaning != Meaning::Filler && word.meaning != Meaning::Comma
        && word.meaning != Meaning::Number && word.meaning != Meaning::Kilo;
}

} // namespace

Lexicon::Lexicon()
{
    for (const PhraseRow& row : phraseRows()) {
        for (const std::string_view phrase : phrasesOf(row.phrases)) {
            Word word{.meaning = row.meaning, .phrase = std::string(phrase), .value = row.value, .atoms = {}};
            for (Atom& atom : atomsOf(phrase))
                word.atoms.push_back(std::move(atom.text));
            m_byFirstAtom[word.atoms.front()].push_back(m_words.size());
            if (carriesMeaning(word) && word.phrase.size() >= 3)
                m_meaningful.push_back(word.phrase);
            m_words.push_back(std::move(word));
        }
    }
}

std::optional<Lexicon::Match> Lexicon::longest(const std::vector<Atom>& atoms, std::size_t first) const
{
    const auto found = m_byFirstAtom.find(atoms[first].text);
    if (found == m_byFirstAtom.end())
        return std::nullopt;
    std::optional<Match> best;
    for (const std::size_t index : found->second) {
        const Word& word = m_words[index];
        if (best && word.atoms.size() <= best->atoms)
            continue;
        if (first + word.atoms.size() > atoms.size())
            continue;
        const auto same = [](const std::string& a, const Atom& b) { return a == b.text; };
        if (std::equal(word.atoms.begin(), word.atoms.end(),
                       atoms.begin() + static_cast<std::ptrdiff_t>(first), same))
            best = Match{&word, word.atoms.size()};
    }
    return best;
}

std::vector<std::string> Lexicon::nearest(std::string_view text) const
{
    return nearestSpellings(text, m_meaningful);
}

} // namespace headroom::ask
