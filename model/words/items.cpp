#include "model/words/items.h"

#include "model/words/names.h"
#include "model/words/sentence.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headroom::ask {

namespace {

using Match = Lexicon::Match;

class Itemiser {
public:
    Itemiser(std::string_view question, const Vocabulary& vocabulary)
        : m_text(question),
          m_sentence(question, vocabulary),
          m_atoms(m_sentence.atoms()),
          m_chinese(std::ranges::any_of(m_atoms, [](const Atom& atom) { return atom.kind == AtomKind::Han; }))
    {}

    std::vector<Item> items()
    {
        while (m_at < m_atoms.size())
            step();
        return std::move(m_items);
    }

private:
    void step()
    {
        for (const std::string_view kind : {"AbsentCard", "Figures"})
            if (const std::size_t atoms = shaped(kind);
                atoms > 0 && (kind == "Figures" || wordEnds(m_atoms, m_at + atoms)))
                return push(Item{.kind = ItemKind::Unknown, .identifier = kind == "AbsentCard"}, atoms);
        const Match word = runsIntoFigures() ? Match{} : m_sentence.phrase(m_at);
        if (countsBillions())
            return pushNumber(numberIn(m_atoms[m_at].text), 1);
        auto [named, atoms] = m_sentence.named(m_at, word.atoms);
        if (atoms > word.atoms)
            return push(std::move(named), atoms);
        const AtomKind kind = m_atoms[m_at].kind;
        if (const std::size_t family = kind == AtomKind::Han ? shaped("Family") : 0; family > word.atoms)
            return push(Item{.kind = ItemKind::Unknown}, family); // "百川"
        if (const std::size_t identifier = word ? 1 : identifierAtoms(); identifier > 1)
            return push(Item{.kind = ItemKind::Unknown, .identifier = true}, identifier);
        if (kind == AtomKind::Digits && word.atoms < 2) // "24/7" is a phrase
            return pushNumber(numberIn(m_atoms[m_at].text), 1);
        if (!word) // no phrase of the language and no name
            return pushUnknown();
        const bool isUnit = behindNumber() == (unitOf(word) == word.otherwise);
        pushWord(word.otherwise != nullptr && isUnit ? *word.otherwise : *word.word, word.atoms);
    }

    // How many atoms from here a row of this kind has; none where it ends within one.
    [[nodiscard]] std::size_t shaped(std::string_view kind) const
    {
        const std::size_t bytes = Names::shipped().shape(kind, m_text.substr(m_atoms[m_at].begin));
        const std::size_t end = m_atoms[m_at].begin + bytes;
        std::size_t last = m_at;
        while (last < m_atoms.size() && m_atoms[last].end <= end)
            ++last;
        return last > m_at && m_atoms[last - 1].end == end ? last - m_at : 0;
    }

    // "h1000" is no time, though "h" is an hour: a unit stands behind its number, never before one.
    [[nodiscard]] bool runsIntoFigures() const
    {
        const auto isFigure = [&](std::size_t i) { return m_atoms[i].kind == AtomKind::Digits; };
        const Match& word = m_sentence.phrase(m_at);
        const std::size_t after = m_at + word.atoms;
        return (word.is(Meaning::Time) || word.is(Meaning::Kilo)
                || (word && word.word->phrase == "c")) // "C500"
            && m_atoms[m_at].kind == AtomKind::Letters && after < m_atoms.size() && isFigure(after)
            && !m_atoms[after].spaceBefore && (m_at == 0 || m_atoms[m_at].spaceBefore || !isFigure(m_at - 1));
    }

    // Of a phrase that is a unit and something else besides, the unit: it stands behind a number or "per".
    [[nodiscard]] static const Word* unitOf(const Match& match)
    {
        return match.word->note.empty() || match.word->note == "asks" ? match.otherwise : match.word;
    }
    [[nodiscard]] bool behindNumber() const
    {
        return (!m_items.empty() && m_items.back().isNumber()) || behind(Meaning::Per, Meaning::Every);
    }
    // Whether one of these words stands right before: "机柜 42U", "功耗 350W".
    [[nodiscard]] bool behind(std::same_as<Meaning> auto... words) const
    {
        return !m_items.empty() && m_items.back().is(words...);
    }

    // How many atoms from here are letters and figures written in one, as names are: "MI450", "gpt-5", "3n";
    // one where they are not, or are a number and what it counts: "8k", "20tps", "2xh200".
    [[nodiscard]] std::size_t identifierAtoms() const
    {
        const auto isOf = [&](std::size_t i, AtomKind kind) {
            return i < m_atoms.size() && m_atoms[i].kind == kind && (i == m_at || !m_atoms[i].spaceBefore);
        };
        const auto isFigure = [&](std::size_t i) { return isOf(i, AtomKind::Digits); };
        const auto isPart = [&](std::size_t i) { return isOf(i, AtomKind::Letters) || isFigure(i); };
        const auto joins = [&](std::size_t i) { // "gpt-5", but "4-8" is a range
            const auto sign = i > m_at && isOf(i, AtomKind::Symbol) ? std::string_view(m_atoms[i].text)
                                                                    : std::string_view();
            return isPart(i + 1)
                && (sign == "." || sign == "_" || (sign == "-" && (!isFigure(i - 1) || !isFigure(i + 1))));
        };
        std::size_t end = m_at;
        bool letters = m_atoms[m_at].text.find('.') != std::string::npos; // "0.9.2"
        bool figures = false;
        for (; isPart(end) || joins(end); ++end) {
            letters = letters || isOf(end, AtomKind::Letters);
            figures = figures || isFigure(end);
        }
        const bool counts = isFigure(m_at) && m_at + 1 < m_atoms.size()
            && (m_sentence.phrase(m_at + 1) || m_atoms[m_at + 1].text == "x" || m_sentence.isGpu(m_at + 1));
        return letters && figures && !counts ? end - m_at : 1;
    }

    // "1B tokens", and not the size of a model.
    [[nodiscard]] bool countsBillions() const
    {
        return m_at + 1 < m_atoms.size() && m_atoms[m_at].kind == AtomKind::Digits
            && m_atoms[m_at + 1].text == "b" && !m_atoms[m_at + 1].spaceBefore
            && isCounted(m_atoms, m_at + 2);
    }

    // A factor written behind a number: "8k", "2 万", "5 hundred"; null where none is.
    [[nodiscard]] const Word* factorAt(std::size_t at) const
    {
        const Match& next = m_sentence.phrase(at);
        if (!next.is(Meaning::Kilo)
            || (m_atoms[at].kind == AtomKind::Letters && !wordEnds(m_atoms, at + next.atoms)))
            return nullptr;
        const std::string& phrase = next.word->phrase;
        const bool watts = m_text[m_atoms[at].begin] == 'W'
            && behind(Meaning::Power, Meaning::PowerDraw, Meaning::PowerLimited, Meaning::Supply,
                      Meaning::Card);
        if (phrase == "w" && (!m_chinese || watts)) // "500W" are watts, but "500W 次" is 500 万
            return nullptr;
        // "5 m" and "5 w" are no numbers, "1 M tokens" is.
        const bool apart = phrase.size() == 1 && phrase != "k" && m_atoms[at].spaceBefore;
        const bool counts = isCounted(m_atoms, at + 1) || m_sentence.phrase(at + 1).is(Meaning::Context);
        return apart && !counts ? nullptr : next.word;
    }

    void pushNumber(double written, std::size_t atoms)
    {
        Item number{.kind = ItemKind::Number, .value = written, .written = written};
        double scale = 1;
        while (const Word* const factor = factorAt(m_at + atoms)) {
            number.kilo = number.kilo || factor->phrase == "k" || factor->phrase == "m";
            scale = m_atoms[m_at + atoms].kind == AtomKind::Han ? factor->value : 1;
            number.value *= factor->value;
            atoms += factor->atoms.size();
        }
        if (scale > 1 && m_at + atoms + 1 < m_atoms.size() && m_atoms[m_at + atoms].kind == AtomKind::Digits)
            if (const Word* const less = factorAt(m_at + atoms + 1);
                less != nullptr && less->value < scale) { // "1万2千"
                number.value += numberIn(m_atoms[m_at + atoms].text) * less->value;
                atoms += 1 + less->atoms.size();
            }
        push(std::move(number), atoms);
    }

    void pushWord(const Word& word, std::size_t atoms)
    {
        if (word.meaning == Meaning::Number || word.note == "one") { // "a million tokens"
            const Numeral numeral = numeralAt(m_atoms, m_at);
            return pushNumber(numeral.value, numeral.atoms);
        }
        const bool share = word.meaning == Meaning::Fraction;
        const bool number = share || word.meaning == Meaning::Quantity;
        push(Item{.kind = number ? ItemKind::Number : ItemKind::Word,
                  .meaning = word.meaning,
                  .value = word.value,
                  .written = number ? word.value : 0,
                  .share = share,
                  .note = word.note},
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
        for (std::size_t i = m_at; i < m_at + atoms; ++i)
            if (!m_atoms[i].typed.empty() && item.kind != ItemKind::Unknown) {
                item.typed = m_atoms[i].typed;
                item.meant = m_atoms[i].text;
            }
        m_at += atoms;
        m_items.push_back(std::move(item));
    }

    std::string_view m_text;
    Sentence m_sentence;
    const std::vector<Atom>& m_atoms;
    bool m_chinese = false;
    std::vector<Item> m_items;
    std::size_t m_at = 0;
};

} // namespace

bool isSizeAlone(const Item& item)
{
    return item.kind == ItemKind::Model && item.text.find_first_not_of("0123456789. b") == std::string::npos;
}

std::vector<Item> itemsOf(std::string_view question, const Vocabulary& vocabulary)
{
    return Itemiser(question, vocabulary).items();
}

} // namespace headroom::ask
