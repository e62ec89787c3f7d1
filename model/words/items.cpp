#include "model/words/items.h"

#include "model/words/names.h"
#include "model/words/typos.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headroom::ask {

namespace {

using Match = Lexicon::Match;

constexpr std::size_t longestName = 18; // atoms: "meta-llama/Llama-3.1-70B-Instruct" has 11
constexpr std::size_t longestBefore
    = 6; // atoms in front of one of a name or phrase: "DeepSeek R1 distill Llama"

class Itemiser {
public:
    Itemiser(std::string_view question, const Vocabulary& vocabulary)
        : m_text(question),
          m_vocabulary(vocabulary),
          m_atoms(atomsOf(question)),
          m_chinese(std::ranges::any_of(m_atoms, [](const Atom& atom) { return atom.kind == AtomKind::Han; }))
    {}

    std::vector<Item> items()
    {
        for (; m_at < m_atoms.size(); ++m_at)
            correct();
        for (m_at = 0; m_at < m_atoms.size();)
            step();
        return std::move(m_items);
    }

private:
    // A word that is none: what it was meant to be takes its place.
    void correct()
    {
        Atom& atom = m_atoms[m_at];
        if (atom.kind != AtomKind::Letters || isWordOfTables(atom.text) || dtypeFromName(atom.text)
            || standsInPhrase() || standsInName(1))
            return;
        atom.typed = atom.text;
        std::size_t nearest = static_cast<std::size_t>(-1); // of names
        std::string meant;
        for (const Near& near : namesNear(atom.typed)) {
            atom.text = near.word;
            if (near.apart > nearest || !standsInName(near.sure ? 1 : 2))
                continue;
            meant = near.apart == nearest ? std::string() : atom.text;
            nearest = near.apart;
        }
        const auto fits = [&](std::string_view word, bool alone) {
            atom.text = word;
            return alone || standsInPhrase();
        };
        if (const Near near = wordEnds(m_atoms, m_at + 1) ? wordNear(atom.typed, fits) : Near{};
            near.apart < nearest)
            meant = near.word;
        atom.text = meant.empty() ? std::exchange(atom.typed, {}) : meant;
    }

    // Whether a phrase, or a name of so many atoms, goes over this atom or begins with it.
    [[nodiscard]] bool standsInPhrase()
    {
        return isCovered([&] { return phraseAt(m_atoms, m_at).atoms; });
    }
    [[nodiscard]] bool standsInName(std::size_t least)
    {
        return isCovered([&] {
            const std::size_t atoms = longestNamed(0).second;
            return atoms < least ? 0 : atoms;
        });
    }
    [[nodiscard]] bool isCovered(const auto& atomsHere)
    {
        const std::size_t here = m_at;
        m_at = here - std::min(here, longestBefore);
        while (m_at <= here && m_at + atomsHere() <= here)
            ++m_at;
        return std::exchange(m_at, here) <= here;
    }

    void step()
    {
        for (const std::string_view kind : {"AbsentCard", "Figures"})
            if (const std::size_t atoms = shaped(kind);
                atoms > 0 && (kind == "Figures" || wordEnds(m_atoms, m_at + atoms)))
                return push(Item{.kind = ItemKind::Unknown, .identifier = kind == "AbsentCard"}, atoms);
        const Match word = runsIntoFigures() ? Match{} : phraseAt(m_atoms, m_at);
        if (countsBillions())
            return pushNumber(numberIn(m_atoms[m_at].text), 1);
        auto [named, atoms] = longestNamed(word.atoms);
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
        const Match word = phraseAt(m_atoms, m_at);
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

    // The name or number type that begins here and is longer than so many atoms, and how long it is.
    [[nodiscard]] std::pair<Item, std::size_t> longestNamed(std::size_t wordAtoms) const
    {
        const Atom& first = m_atoms[m_at];
        if (first.kind == AtomKind::Symbol || first.text == "x" || first.text == "gpu") // "8 GPUs x MI300X"
            return {};
        const bool article = first.text == "a" && m_at + 1 < m_atoms.size() && m_atoms[m_at + 1].spaceBefore;
        const std::size_t ofNames = article ? m_at : nameEnd(); // "a 30-person team" is no A30
        for (std::size_t last = std::max(ofNames, typeEnd()); last > m_at + wordAtoms; --last) {
            const bool withS = isPlural(m_atoms, last);
            const Atom& end = m_atoms[last - 1];
            const bool sign
                = end.kind == AtomKind::Symbol && (end.text != "+" || end.spaceBefore); // "Command R+"
            if (sign || (!withS && !wordEnds(m_atoms, last)))
                continue;
            const std::string text = Names::shipped().respelled(joined(m_atoms, m_at, last));
            if (last <= ofNames)
                if (auto item = named(text, withS); item && !endsInCount(*item, last))
                    return {std::move(*item), last - m_at + (withS ? 1 : 0)};
            if (const auto type = withS ? std::nullopt : dtypeFromName(text))
                return {Item{.kind = ItemKind::Type, .type = *type}, last - m_at};
        }
        return {};
    }

    [[nodiscard]] std::optional<Item> named(const std::string& text, bool pluralOnly) const
    {
        if (auto found = m_vocabulary.gpu(text))
            return Item{.kind = ItemKind::Gpu, .match = std::move(*found)};
        if (pluralOnly || dtypeFromName(text))
            return std::nullopt;
        if (auto found = m_vocabulary.model(text))
            return Item{.kind = ItemKind::Model, .match = Names::shipped().usual(std::move(*found), text)};
        if (auto found = m_vocabulary.engine(text))
            return Item{.kind = ItemKind::Engine, .match = std::move(*found)};
        return std::nullopt;
    }

    // Names hold no sentence signs but - . _ / + and ( ).
    [[nodiscard]] static bool joinsName(const Atom& atom)
    {
        return std::string_view("-._/+()").find(atom.text) != std::string_view::npos;
    }

    // How far the atoms from here stand in names; an organisation before a slash may be anyone, but "EUR/h"
    // is of none.
    [[nodiscard]] std::size_t nameEnd() const
    {
        const std::size_t limit = std::min(m_atoms.size(), m_at + longestName);
        std::size_t slash = m_at;
        if (!phraseAt(m_atoms, m_at))
            for (std::size_t i = m_at + 1; i + 1 < limit && !m_atoms[i].spaceBefore; ++i)
                slash = m_atoms[i].text == "/" && !m_atoms[i + 1].spaceBefore ? i : slash;
        std::size_t end = m_at;
        for (int open = 0; end < limit; ++end) { // brackets
            const Atom& atom = m_atoms[end];
            open += atom.text == "(" ? 1 : atom.text == ")" ? -1 : 0;
            const bool part = open >= 0
                && (atom.kind == AtomKind::Symbol ? joinsName(atom) : end < slash || mayBeInName(atom));
            const bool stop // "$3.5/h. 200 users" names no H200
                = atom.text == "." && end + 1 < m_atoms.size() && m_atoms[end + 1].spaceBefore;
            if (!part || stop)
                break;
        }
        return end;
    }
    [[nodiscard]] bool mayBeInName(const Atom& atom) const
    {
        return atom.kind == AtomKind::Digits || m_vocabulary.inNames(atom.text)
            || Names::shipped().isRespelt(atom.text) || atom.text == "gb" || atom.text == "g"
            || (atom.text.ends_with('s') && m_vocabulary.inNames(atom.text.substr(0, atom.text.size() - 1)));
    }

    // "q4_k_m", "int 4", "nvfp4": of few atoms, with one space at most.
    [[nodiscard]] std::size_t typeEnd() const
    {
        constexpr std::size_t longest = 7;
        bool spaced = false;
        std::size_t end = m_at + 1;
        for (; end < m_atoms.size() && end < m_at + longest; ++end) {
            const Atom& atom = m_atoms[end];
            if ((atom.spaceBefore && std::exchange(spaced, true)) || atom.kind == AtomKind::Han
                || (atom.kind == AtomKind::Symbol && !joinsName(atom)))
                break;
        }
        return end;
    }

    // Whether an accelerator's name begins there: "8h100".
    [[nodiscard]] bool isGpuAt(std::size_t at) const
    {
        const bool begins = at < m_atoms.size() && m_atoms[at].kind != AtomKind::Symbol;
        std::size_t last = begins ? std::min(m_atoms.size(), at + 4) : at;
        while (last > at && !m_vocabulary.gpu(joined(m_atoms, at, last)))
            --last;
        return last > at;
    }
    // "Mistral Large 2 H100s", "2x H100": the figure that a name ends with counts what stands behind it.
    [[nodiscard]] bool endsInCount(const Item& item, std::size_t last) const
    {
        const bool times = last < m_atoms.size() && (m_atoms[last].text == "x" || m_atoms[last].text == "*");
        return item.kind == ItemKind::Model && item.match.how == NameMatch::How::Alias
            && m_atoms[last - 1].kind == AtomKind::Digits && m_atoms[last - 1].spaceBefore
            && isGpuAt(last + (times ? 1 : 0));
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
            && (phraseAt(m_atoms, m_at + 1) || m_atoms[m_at + 1].text == "x" || isGpuAt(m_at + 1));
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
        const Match next = phraseAt(m_atoms, at);
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
        const bool counts = isCounted(m_atoms, at + 1) || phraseAt(m_atoms, at + 1).is(Meaning::Context);
        return apart && !counts ? nullptr : next.word;
    }

    void pushNumber(double written, std::size_t atoms)
    {
        Item number{.kind = ItemKind::Number, .value = written, .written = written};
        while (const Word* const factor = factorAt(m_at + atoms)) {
            number.kilo = number.kilo || factor->phrase == "k" || factor->phrase == "m";
            number.value *= factor->value;
            atoms += factor->atoms.size();
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
    const Vocabulary& m_vocabulary;
    std::vector<Atom> m_atoms;
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
