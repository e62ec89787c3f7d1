#include "model/words/items.h"

#include "model/words/names.h"
#include "model/words/typos.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace headroom::ask {

namespace {

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
        readSpokenMoney(m_atoms);
        for (; m_at < m_atoms.size(); ++m_at)
            correct();
        for (m_at = 0; m_at < m_atoms.size();)
            step();
        joinSizeAndFamily(m_items, m_vocabulary);
        joinMemoryAndGpu(m_items, m_vocabulary);
        readForms(m_items, m_vocabulary);
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

    // Whether a phrase, or a name, goes over this atom or begins with it.
    [[nodiscard]] bool standsInPhrase() const
    {
        bool stands = false;
        for (std::size_t at = m_at - std::min(m_at, longestBefore); at <= m_at && !stands; ++at)
            if (const auto phrase = phraseAt(m_atoms, at))
                stands = at + phrase->atoms > m_at;
        return stands;
    }
    [[nodiscard]] bool standsInName(std::size_t least) // of so many atoms
    {
        const std::size_t here = m_at;
        bool stands = false;
        for (m_at = here - std::min(here, longestBefore); m_at <= here && !stands; ++m_at) {
            const auto [name, atoms] = longestNamed(0);
            stands = name && m_at + atoms > here && atoms >= least;
        }
        m_at = here;
        return stands;
    }

    void step()
    {
        if (isNegative(m_atoms, m_at) || countsBillions(m_atoms, m_at))
            return pushNumber();
        const std::string_view rest = m_text.substr(m_atoms[m_at].begin);
        if (const std::size_t atoms = atomsTo(Names::shipped().shape("AbsentCard", rest));
            atoms > 0 && wordEnds(m_atoms, m_at + atoms))
            return push(Item{.kind = ItemKind::Unknown, .identifier = true}, atoms);
        const bool begins = m_items.empty() || behind(Meaning::Comma) || m_items.back().text == "("
            || m_atoms[m_at].spaceBefore;
        if (begins && isListed(m_atoms, m_at, m_listed + 1)) {
            ++m_listed;
            push(Item{.kind = ItemKind::Word, .meaning = Meaning::Comma}, 2);
            m_items.back().text = ";";
            return;
        }
        if (const std::size_t atoms = atomsTo(Names::shipped().shape("Figures", rest)); atoms > 0)
            return push(Item{.kind = ItemKind::Unknown}, atoms);
        auto word = phraseAt(m_atoms, m_at);
        const std::size_t wordAtoms = word ? word->atoms : 0;
        auto [named, nameAtoms] = longestNamed(wordAtoms);
        if (named && nameAtoms > wordAtoms)
            return push(std::move(*named), nameAtoms);
        if (const std::size_t atoms = atomsTo(Names::shipped().family(rest)); atoms > wordAtoms)
            return push(Item{.kind = ItemKind::Unknown}, atoms);     // "百川"
        if (m_atoms[m_at].kind == AtomKind::Digits && wordAtoms < 2) // "24/7" is a phrase
            return identifierAtoms() > 1 && !word ? pushIdentifier() : pushNumber();
        if (!word || unitOfNothing(m_atoms, m_at, *word)) // no phrase of the language and no name
            return identifierAtoms() > 1 ? pushIdentifier() : pushUnknown();
        if (word->otherwise != nullptr && behindNumber() == (unitOf(*word) == word->otherwise))
            word->word = word->otherwise;
        if (word->word->meaning == Meaning::Number || word->word->note == "one") { // "a million tokens"
            const Numeral numeral = numeralAt(m_atoms, m_at);
            return pushNumber(numeral.value, numeral.atoms);
        }
        if (word->word->meaning == Meaning::Fraction || word->word->meaning == Meaning::Quantity)
            return push(Item{.kind = ItemKind::Number,
                             .value = word->word->value,
                             .written = word->word->value,
                             .share = word->word->meaning == Meaning::Fraction,
                             .note = word->word->note},
                        wordAtoms);
        push(Item{.kind = ItemKind::Word,
                  .meaning = word->word->meaning,
                  .value = word->word->value,
                  .note = word->word->note},
             wordAtoms);
    }

    // How many atoms from here are so many bytes; none where they end within one.
    [[nodiscard]] std::size_t atomsTo(std::size_t bytes) const
    {
        const std::size_t end = m_atoms[m_at].begin + bytes;
        std::size_t last = m_at;
        while (last < m_atoms.size() && m_atoms[last].end <= end)
            ++last;
        return last > m_at && m_atoms[last - 1].end == end ? last - m_at : 0;
    }

    // Of a phrase that is a unit and something else besides, the unit: it stands behind a number or "per".
    [[nodiscard]] static const Word* unitOf(const Lexicon::Match& match)
    {
        return match.word->note.empty() || match.word->note == "asks" ? match.otherwise : match.word;
    }
    [[nodiscard]] bool behindNumber() const
    {
        return (!m_items.empty() && m_items.back().isNumber()) || behind(Meaning::Per, Meaning::Every);
    }

    [[nodiscard]] std::size_t identifierAtoms() const
    {
        return ask::identifierAtoms(m_atoms, m_at, m_vocabulary);
    }

    void pushIdentifier() { push(Item{.kind = ItemKind::Unknown, .identifier = true}, identifierAtoms()); }

    [[nodiscard]] std::pair<std::optional<Item>, std::size_t> longestNamed(std::size_t wordAtoms) const
    {
        const AtomKind first = m_atoms[m_at].kind;
        if (first == AtomKind::Symbol || m_atoms[m_at].text == "x"
            || m_atoms[m_at].text == "gpu") // "8 GPUs x MI300X"
            return {};
        const bool article
            = m_atoms[m_at].text == "a" && m_at + 1 < m_atoms.size() && m_atoms[m_at + 1].spaceBefore;
        const std::size_t ofNames = article ? m_at : nameEnd(); // "a 30-person team" is no A30
        for (std::size_t last = std::max(ofNames, typeEnd()); last > m_at + wordAtoms; --last) {
            const bool withS = isPlural(m_atoms, last);
            const bool sign = m_atoms[last - 1].kind == AtomKind::Symbol
                && (m_atoms[last - 1].text != "+" || m_atoms[last - 1].spaceBefore); // "Command R+"
            if (sign || (!withS && !wordEnds(m_atoms, last)))
                continue;
            const std::string text = Names::shipped().respelled(joined(m_atoms, m_at, last));
            if (last <= ofNames)
                if (auto item = named(text, withS); item && !endsInCount(*item, m_atoms, last, m_vocabulary))
                    return {std::move(item), last - m_at + (withS ? 1 : 0)};
            if (const auto type = withS ? std::nullopt : dtypeFromName(text))
                return {Item{.kind = ItemKind::Type, .type = *type}, last - m_at};
        }
        return {};
    }

    // Names hold no sentence signs but - . _ / + and ( ).
    [[nodiscard]] static bool joinsName(const Atom& atom)
    {
        return std::string_view("-._/+()").find(atom.text) != std::string_view::npos;
    }

    // How far the atoms from here stand in names; an organisation before a slash may be anyone.
    [[nodiscard]] std::size_t nameEnd() const
    {
        const std::size_t limit = std::min(m_atoms.size(), m_at + longestName);
        std::size_t slash = m_at;
        for (std::size_t i = m_at; i + 1 < limit && (i == m_at || !m_atoms[i].spaceBefore); ++i)
            if (i == m_at + 1 && phraseAt(m_atoms, m_at)) // "EUR/h" is of no organisation
                break;
            else if (m_atoms[i].text == "/" && !m_atoms[i + 1].spaceBefore)
                slash = i;
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

    // Factors written behind a number: "8k", "2 万", "5 hundred".
    [[nodiscard]] double takeFactors(std::size_t& atoms, bool& kilo) const
    {
        double factor = 1;
        const bool powers = behind(Meaning::Power, Meaning::PowerDraw, Meaning::PowerLimited, Meaning::Supply,
                                   Meaning::Card);
        for (;;) {
            const std::size_t at = m_at + atoms;
            const auto next = phraseAt(m_atoms, at);
            if (!next || next->word->meaning != Meaning::Kilo
                || (m_atoms[at].kind == AtomKind::Letters && !wordEnds(m_atoms, at + next->atoms)))
                return factor;
            const bool letter = next->word->phrase.size() == 1;
            if (next->word->phrase == "w" && (!m_chinese || (m_text[m_atoms[at].begin] == 'W' && powers)))
                return factor; // "500W" are watts, but "500W 次" is 500 万
            constexpr std::array counts{Meaning::Token, Meaning::Context, Meaning::Request,
                                        Meaning::RequestRate};
            const auto counted = phraseAt(m_atoms, at + 1);
            if (letter && m_atoms[at].spaceBefore && next->word->phrase != "k"
                && !(counted && std::ranges::count(counts, counted->word->meaning) > 0))
                return factor; // "5 m" and "5 w" are no numbers, "1 M tokens" is
            kilo = kilo || next->word->phrase == "k" || next->word->phrase == "m";
            factor *= next->word->value;
            atoms += next->atoms;
        }
    }

    // Whether one of these words stands right before: "机柜 42U", "功耗 350W".
    [[nodiscard]] bool behind(std::same_as<Meaning> auto... words) const
    {
        return !m_items.empty() && m_items.back().is(words...);
    }

    void pushNumber()
    {
        const bool minus = m_atoms[m_at].text == "-";
        const std::size_t atoms = minus ? 2 : 1;
        pushNumber((minus ? -1 : 1) * numberIn(m_atoms[m_at + atoms - 1].text), atoms);
    }
    void pushNumber(double written, std::size_t atoms)
    {
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
    int m_listed = 0; // of the numbers of a list, the last
};

} // namespace

std::vector<Item> itemsOf(std::string_view question, const Vocabulary& vocabulary)
{
    return Itemiser(question, vocabulary).items();
}

} // namespace headroom::ask
