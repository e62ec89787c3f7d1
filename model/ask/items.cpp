#include "model/ask/items.h"

#include "model/ask/names.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headroom::ask {

namespace {

constexpr std::size_t longestName = 18; // atoms: "meta-llama/Llama-3.1-70B-Instruct" has 11

class Itemiser {
public:
    Itemiser(std::string_view question, const Lexicon& lexicon, const Vocabulary& vocabulary)
        : m_lexicon(lexicon), m_vocabulary(vocabulary), m_atoms(atomsOf(question))
    {}

    std::vector<Item> items()
    {
        while (m_at < m_atoms.size())
            step();
        joinSizeAndFamily(m_items, m_vocabulary);
        joinMemoryAndGpu(m_items, m_vocabulary);
        return std::move(m_items);
    }

private:
    void step()
    {
        if (negative() || countsBillions())
            return pushNumber();
        auto word = m_lexicon.longest(m_atoms, m_at);
        const std::size_t wordAtoms = word ? word->atoms : 0;
        auto [named, nameAtoms] = longestNamed(wordAtoms);
        if (named && nameAtoms > wordAtoms)
            return push(std::move(*named), nameAtoms);
        if (m_atoms[m_at].kind == AtomKind::Digits && wordAtoms < 2) // "24/7" is a phrase
            return identifierAtoms() > 1 && !word ? pushIdentifier() : pushNumber();
        if (!word || unitOfNothing(*word))
            return pushStranger();
        if (word->otherwise != nullptr && behindNumber() == (unitOf(*word) == word->otherwise))
            word->word = word->otherwise;
        if (word->word->meaning == Meaning::Number)
            return pushNumeral(*word);
        if (isNumeral(*word))
            return push(Item{.kind = ItemKind::Number, .value = word->word->value, .written = 1}, wordAtoms);
        pushWord(*word->word, wordAtoms);
    }

    void pushWord(const Word& word, std::size_t atoms)
    {
        push(Item{.kind = ItemKind::Word, .meaning = word.meaning, .value = word.value, .note = word.note},
             atoms);
    }

    // Of a phrase that is a unit and something else besides, the unit: it stands behind a number or "per".
    [[nodiscard]] static const Word* unitOf(const Lexicon::Match& match)
    {
        const auto unit = [](const Word* word) {
            return word->meaning == Meaning::Time || word->meaning == Meaning::Token
                || word->meaning == Meaning::Bytes || word->meaning == Meaning::Request;
        };
        return unit(match.word) ? match.word : match.otherwise;
    }
    [[nodiscard]] bool behindNumber() const
    {
        return !m_items.empty()
            && (m_items.back().isNumber() || m_items.back().is(Meaning::Per)
                || m_items.back().is(Meaning::Every));
    }

    // No phrase of the language and no name: mistyped, or written as names are, or simply not known.
    void pushStranger()
    {
        Atom& atom = m_atoms[m_at];
        const bool whole = atom.kind == AtomKind::Letters && wholeWord(m_at + 1);
        if (const Word* const near = whole ? m_lexicon.misspelt(atom.text) : nullptr) {
            pushWord(*near, 1);
            m_items.back().meant = near->phrase;
            return;
        }
        const std::string family = atom.kind == AtomKind::Letters && !m_corrected
            ? Names::shipped().familyMeant(atom.text)
            : std::string();
        if (!family.empty()) {
            const std::string typed = std::exchange(atom.text, family);
            m_corrected = true;
            auto [named, atoms] = longestNamed(0);
            m_corrected = false;
            if (named) {
                push(std::move(*named), atoms);
                m_items.back().meant = family;
                return;
            }
            atom.text = typed;
        }
        if (identifierAtoms() > 1)
            return pushIdentifier();
        pushUnknown();
    }

    [[nodiscard]] std::size_t identifierAtoms() const
    {
        return ask::identifierAtoms(m_atoms, m_at, m_lexicon, m_vocabulary);
    }

    void pushIdentifier() { push(Item{.kind = ItemKind::Unknown, .identifier = true}, identifierAtoms()); }

    // "a million tokens": behind no number a factor written out is one.
    [[nodiscard]] static bool isNumeral(const Lexicon::Match& word)
    {
        const std::string& phrase = word.word->phrase;
        return word.word->meaning == Meaning::Kilo
            && (phrase == "hundred" || phrase == "thousand" || phrase == "million" || phrase == "billion");
    }

    // "h1000" is no time, though "h" is an hour: a unit stands behind its number, never before one.
    [[nodiscard]] bool unitOfNothing(const Lexicon::Match& word) const
    {
        const std::size_t after = m_at + word.atoms;
        const bool figureBefore
            = m_at > 0 && !m_atoms[m_at].spaceBefore && m_atoms[m_at - 1].kind == AtomKind::Digits;
        return word.word->meaning == Meaning::Time && m_atoms[m_at].kind == AtomKind::Letters && !figureBefore
            && after < m_atoms.size() && !m_atoms[after].spaceBefore
            && m_atoms[after].kind == AtomKind::Digits;
    }

    // "1B tokens" counts, "70B" by itself is the size of a model.
    [[nodiscard]] bool countsBillions() const
    {
        if (m_at + 2 >= m_atoms.size() || m_atoms[m_at].kind != AtomKind::Digits
            || m_atoms[m_at + 1].text != "b" || m_atoms[m_at + 1].spaceBefore)
            return false;
        const auto counted = m_lexicon.longest(m_atoms, m_at + 2);
        return counted
            && (counted->word->meaning == Meaning::Token || counted->word->meaning == Meaning::Request
                || counted->word->meaning == Meaning::RequestRate
                || counted->word->meaning == Meaning::TokenRate);
    }

    // A word ends where letters do not run on into digits or the other way round.
    [[nodiscard]] bool wholeWord(std::size_t last) const
    {
        if (last >= m_atoms.size() || m_atoms[last].spaceBefore)
            return true;
        const AtomKind next = m_atoms[last].kind;
        return next != AtomKind::Letters && next != AtomKind::Digits;
    }
    // "A100s": the plural of a name.
    [[nodiscard]] bool plural(std::size_t last) const
    {
        return last < m_atoms.size() && !m_atoms[last].spaceBefore && m_atoms[last].text == "s"
            && wholeWord(last + 1);
    }

    [[nodiscard]] std::pair<std::optional<Item>, std::size_t> longestNamed(std::size_t wordAtoms) const
    {
        const AtomKind first = m_atoms[m_at].kind;
        if (first == AtomKind::Symbol)
            return {};
        const std::size_t limit = std::min(m_atoms.size(), m_at + longestName);
        for (std::size_t last = limit; last > m_at + wordAtoms; --last) {
            const bool withS = plural(last);
            if (!withS && !wholeWord(last))
                continue;
            const AtomKind end = m_atoms[last - 1].kind;
            if (end == AtomKind::Symbol || breaksName(last))
                continue;
            if (auto item = named(Names::shipped().respelled(joined(m_atoms, m_at, last)), withS))
                return {std::move(item), last - m_at + (withS ? 1 : 0)};
        }
        return {};
    }

    // Names hold no sentence signs but - . _ / + and ( ).
    [[nodiscard]] bool breaksName(std::size_t last) const
    {
        return std::any_of(m_atoms.begin() + static_cast<std::ptrdiff_t>(m_at),
                           m_atoms.begin() + static_cast<std::ptrdiff_t>(last), [](const Atom& atom) {
                               return atom.kind == AtomKind::Symbol
                                   && std::string_view("-._/+()").find(atom.text) == std::string_view::npos;
                           });
    }

    [[nodiscard]] std::optional<Item> named(const std::string& text, bool pluralOnly) const
    {
        if (auto found = m_vocabulary.gpu(text))
            return Item{.kind = ItemKind::Gpu, .match = std::move(*found)};
        if (pluralOnly)
            return std::nullopt;
        if (const auto type = dtypeFromName(text))
            return Item{.kind = ItemKind::Type, .type = *type};
        if (auto found = m_vocabulary.model(text))
            return Item{.kind = ItemKind::Model, .match = Names::shipped().usual(std::move(*found), text)};
        if (auto found = m_vocabulary.engine(text))
            return Item{.kind = ItemKind::Engine, .match = std::move(*found)};
        return std::nullopt;
    }

    // Factors written behind a number: "8k", "2 万", "5 hundred".
    [[nodiscard]] double takeFactors(std::size_t& atoms, bool& kilo) const
    {
        double factor = 1;
        for (;;) {
            const std::size_t at = m_at + atoms;
            if (at >= m_atoms.size())
                return factor;
            const auto next = m_lexicon.longest(m_atoms, at);
            if (!next || next->word->meaning != Meaning::Kilo
                || (m_atoms[at].kind == AtomKind::Letters && !wholeWord(at + next->atoms)))
                return factor;
            const bool letter = next->word->phrase.size() == 1;
            if (letter && m_atoms[at].spaceBefore && next->word->phrase != "k")
                return factor; // "5 m" and "5 w" are no numbers
            kilo = kilo || next->word->phrase == "k" || next->word->phrase == "m";
            factor *= next->word->value;
            atoms += next->atoms;
        }
    }

    // "-5" that begins a word; the hyphen of "8-GPU" and of a range is none.
    [[nodiscard]] bool negative() const
    {
        return m_atoms[m_at].text == "-" && m_at + 1 < m_atoms.size()
            && m_atoms[m_at + 1].kind == AtomKind::Digits && !m_atoms[m_at + 1].spaceBefore
            && (m_at == 0 || m_atoms[m_at].spaceBefore);
    }

    void pushNumber()
    {
        const bool minus = m_atoms[m_at].text == "-";
        std::size_t atoms = minus ? 2 : 1;
        bool kilo = false;
        const double written = (minus ? -1 : 1) * numberIn(m_atoms[m_at + atoms - 1].text);
        const double factor = takeFactors(atoms, kilo);
        push(Item{.kind = ItemKind::Number, .value = written * factor, .kilo = kilo, .written = written},
             atoms);
    }

    // "两", "二十五", "five hundred".
    void pushNumeral(const Lexicon::Match& word)
    {
        std::size_t atoms = word.atoms;
        double written = word.word->value;
        const std::size_t next = m_at + atoms;
        if (next < m_atoms.size() && std::fmod(written, 10) == 0) {
            const auto digit = m_lexicon.longest(m_atoms, next);
            if (digit && digit->word->meaning == Meaning::Number && digit->word->value < 10) {
                written += digit->word->value;
                atoms += digit->atoms;
            }
        }
        bool kilo = false;
        const double factor = takeFactors(atoms, kilo);
        push(Item{.kind = ItemKind::Number, .value = written * factor, .kilo = kilo, .written = written},
             atoms);
    }

    void pushUnknown()
    {
        const bool runsOn = !m_items.empty() && m_items.back().kind == ItemKind::Unknown
            && !m_items.back().identifier && m_atoms[m_at].kind == m_atoms[m_at - 1].kind;
        const Atom& atom = m_atoms[m_at];
        if (!runsOn)
            return push(Item{.kind = ItemKind::Unknown}, 1);
        Item& last = m_items.back();
        last.text += (atom.spaceBefore ? " " : "") + atom.text;
        last.end = atom.end;
        ++m_at;
    }

    void push(Item item, std::size_t atoms)
    {
        item.text = joined(m_atoms, m_at, m_at + atoms);
        item.begin = m_atoms[m_at].begin;
        item.end = m_atoms[m_at + atoms - 1].end;
        item.spaceBefore = m_atoms[m_at].spaceBefore;
        m_at += atoms;
        m_items.push_back(std::move(item));
    }

    const Lexicon& m_lexicon;
    const Vocabulary& m_vocabulary;
    std::vector<Atom> m_atoms;
    std::vector<Item> m_items;
    std::size_t m_at = 0;
    bool m_corrected = false; // the first letters of the name that is tried stand as they were meant
};

} // namespace

std::vector<Item> itemsOf(std::string_view question, const Lexicon& lexicon, const Vocabulary& vocabulary)
{
    return Itemiser(question, lexicon, vocabulary).items();
}

} // namespace headroom::ask
