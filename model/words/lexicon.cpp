#include "model/words/lexicon.h"

#include "model/base/spelling.h"
#include "model/words/tables.h"

#include <algorithm>
#include <array>

namespace headroom::ask {

bool carriesMeaning(const Word& word)
{
    using enum Meaning;
    constexpr std::array none{Filler, Comma, Noise, Number, Kilo, Outside, Mention};
    return std::ranges::find(none, word.meaning) == none.end();
}

Lexicon::Lexicon(std::string_view name, std::string_view table)
{
    eachRow(name, table, [&](const TsvRow& row) {
        if (row[0].empty() || row[2].empty())
            throw std::logic_error("a row needs a meaning and a phrase");
        const auto free = static_cast<Meaning>(static_cast<std::size_t>(Meaning::Free) + m_own.size());
        const auto known = constantCalled<Meaning>(row[0]);
        const Meaning meaning = known ? *known : m_own.try_emplace(std::string(row[0]), free).first->second;
        for (const std::string_view phrase : partsOf(row[2], '|')) {
            m_words.push_back({meaning, std::string(phrase), numberOf(row[1]), std::string(row[3])});
            const Word* const word = &m_words.back();
            const Atoms atoms(phrase);
            std::size_t step = 0;
            for (const Atom& atom : atoms) {
                if (const Word*& alone = m_spelled[atom.text]; atoms.size() == 1)
                    alone = word;
                step = m_steps[step].next.try_emplace(atom.text, m_steps.size()).first->second;
                m_steps.resize(std::max(m_steps.size(), step + 1));
            }
            if (step == 0)
                throw std::logic_error("an empty phrase");
            Match& end = m_steps[step].end; // of several the first of the table, and the last
            (end ? end.otherwise : end.word) = word;
            if (carriesMeaning(*word) && word->phrase.size() >= 3)
                m_meaningful.push_back(word->phrase);
        }
    });
}

const Lexicon& Lexicon::shipped()
{
    static const Lexicon lexicon("words", tableCalled("words"));
    return lexicon;
}

const Lexicon& Lexicon::asides()
{
    static const Lexicon lexicon("asides", tableCalled("asides"));
    return lexicon;
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

Lexicon::Match Lexicon::follow(const Step& step, const Atoms& atoms, std::size_t first, std::size_t at) const
{
    Match best = step.end;
    best.atoms = best ? at - first : 0;
    const auto go = [&](std::size_t to) {
        if (const auto next = step.next.find(atoms[to].text); next != step.next.end())
            if (const Match longer = follow(m_steps[next->second], atoms, first, to + 1);
                longer.atoms > best.atoms)
                best = longer;
    };
    const auto isLetters = [&](std::size_t i) { return atoms[i].kind == AtomKind::Letters; };
    go(at);
    if (at > first && atoms[at].text == "-" && atoms.isTight(at) && atoms.isTight(at + 1) && isLetters(at - 1)
        && isLetters(at + 1))
        go(at + 1); // "cost-effective" is "cost effective"
    return best;
}

std::vector<std::string> Lexicon::nearest(std::string_view text) const
{
    return nearestSpellings(text, m_meaningful);
}

} // namespace headroom::ask
