#include "model/words/items.h"

#include "model/words/names.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace headroom::ask {

namespace {

using Match = Lexicon::Match;

constexpr std::size_t longestName = 18;  // atoms: "meta-llama/Llama-3.1-70B-Instruct" has 11
constexpr std::size_t longestType = 7;   // "q4_k_m" has 6
constexpr std::size_t longestBefore = 6; // in front of one of a name or phrase: "DeepSeek R1 distill Llama"

class Itemiser {
public:
    Itemiser(std::string_view question, const Vocabulary& vocabulary)
        : m_text(question),
          m_vocabulary(vocabulary),
          m_atoms(question),
          m_known(m_atoms.size()),
          m_chinese(std::ranges::any_of(m_atoms, [](const Atom& atom) { return atom.kind == AtomKind::Han; }))
    {
        for (std::size_t at = 0; at < m_atoms.size(); ++at)
            correct(at);
    }

    std::vector<Item> items()
    {
        while (m_at < m_atoms.size())
            step();
        return std::move(m_items);
    }

private:
    void step()
    {
        const AtomKind kind = m_atoms[m_at].kind;
        const auto shaped
            = [&](std::string_view shapes) { return Names::shipped().shape(shapes, m_text, m_atoms, m_at); };
        for (const std::string_view shapes : {"AbsentCard", "Figures"})
            if (const std::size_t atoms = shaped(shapes); atoms > 0)
                return push(Item{.identifier = shapes == "AbsentCard"}, atoms);
        if (pushMachine())
            return;
        const Match word = runsIntoFigures() ? Match{} : phrase(m_at);
        const std::size_t next = m_at + 1;
        const bool number = kind == AtomKind::Digits && word.atoms < 2; // "24/7" is a phrase
        const bool size
            = !(m_atoms[next].text == "b" && m_atoms.isTight(next) && isCounted(m_atoms, next + 1));
        if (number && !size) // "1B tokens"
            return pushNumber(numberIn(m_atoms[m_at].text), 1);
        if (const Named& name = named(m_at); name.atoms > word.atoms)
            return push(name.item, name.atoms);
        if (const std::size_t family = kind == AtomKind::Han ? shaped("Family") : 0; family > word.atoms)
            return push(Item{}, family); // "百川"
        // Letters and figures in one; a number and what it counts are none: "8k", "20tps", "2xh200".
        const bool whole = !word && !(number && (phrase(next) || m_atoms[next].text == "x" || isGpu(next)));
        if (const std::size_t atoms = whole ? m_atoms.identifier(m_at) : 1; atoms > 1)
            return push(Item{.identifier = true}, atoms);
        if (number)
            return pushNumber(numberIn(m_atoms[m_at].text), 1);
        if (!word) // no phrase of the language and no name
            return pushUnknown();
        // Of a phrase that is a unit and something else besides, the unit stands behind a number or "per".
        const bool unitIsOther = word.word->note.empty() || word.word->note == "asks";
        const bool behindNumber = before().isNumber() || before().is(Meaning::Per, Meaning::Every);
        pushWord(word.otherwise != nullptr && behindNumber == unitIsOther ? *word.otherwise : *word.word,
                 word.atoms);
    }

    // "two DGX-2": two boxes of 16 V100; "a DGX A100 640GB" says once that it is a box.
    bool pushMachine()
    {
        const Names::Machine machine = Names::shipped().machine(m_text, m_atoms, m_at);
        auto gpu = machine.atoms > 0 ? m_vocabulary.gpu(std::string(machine.gpu)) : std::nullopt;
        if (!gpu)
            return false;
        const std::size_t at = m_at;
        const auto pushThere = [&](Item item) {
            m_at = at;
            push(std::move(item), machine.atoms);
        };
        if (!before().is(Meaning::Box))
            pushThere({.kind = ItemKind::Word, .meaning = Meaning::Box, .value = 1, .note = "Box"});
        pushThere({.kind = ItemKind::Number, .value = machine.cards, .written = machine.cards});
        pushThere({.kind = ItemKind::Gpu, .match = *std::move(gpu)});
        return true;
    }

    // "h1000" is no time, though "h" is an hour: a unit stands behind its number, never before one.
    [[nodiscard]] bool runsIntoFigures() const
    {
        const Match& word = phrase(m_at);
        const std::size_t after = m_at + word.atoms;
        const bool unit
            = word.is(Meaning::Time, Meaning::Kilo) || (word && word.word->phrase == "c"); // "C500"
        return unit && m_atoms[m_at].kind == AtomKind::Letters && m_atoms.isFigure(after)
            && m_atoms.isTight(after) && !(m_atoms.isTight(m_at) && m_atoms.isFigure(m_at - 1));
    }

    // The item before, or nothing.
    [[nodiscard]] const Item& before() const
    {
        static const Item nothing{.kind = ItemKind::Word};
        return m_items.empty() ? nothing : m_items.back();
    }

    // A factor written behind a number: "8k", "2 万", "5 hundred"; none matches where none is.
    [[nodiscard]] Match factorAt(std::size_t at) const
    {
        const Match& next = phrase(at);
        if (!next.is(Meaning::Kilo)
            || (m_atoms[at].kind == AtomKind::Letters && !m_atoms.wordEnds(at + next.atoms)))
            return {};
        const std::string& factor = next.word->phrase;
        const bool watts // "机柜 42U", "功耗 350W"
            = m_text[m_atoms[at].begin] == 'W'
            && before().is(Meaning::Power, Meaning::PowerDraw, Meaning::PowerLimited, Meaning::Supply,
                           Meaning::Card);
        if (factor == "w" && (!m_chinese || watts)) // "500W" are watts, but "500W 次" is 500 万
            return {};
        // "5 m" and "5 w" are no numbers, "1 M tokens" is.
        const bool apart = factor.size() == 1 && factor != "k" && m_atoms[at].spaceBefore;
        const bool counts = isCounted(m_atoms, at + 1) || phrase(at + 1).is(Meaning::Context);
        return apart && !counts ? Match{} : next;
    }

    void pushNumber(double written, std::size_t atoms)
    {
        Item number{.kind = ItemKind::Number, .value = written, .written = written};
        double scale = 1;
        while (const Match factor = factorAt(m_at + atoms)) {
            const Word& word = *factor.word;
            number.kilo = number.kilo || word.phrase == "k" || word.phrase == "m";
            scale = m_atoms[m_at + atoms].kind == AtomKind::Han ? word.value : 1;
            number.value *= word.value;
            atoms += factor.atoms;
        }
        const Match less = m_atoms.isFigure(m_at + atoms) ? factorAt(m_at + atoms + 1) : Match{};
        if (less && less.word->value < scale) { // "1万2千"
            number.value += numberIn(m_atoms[m_at + atoms].text) * less.word->value;
            atoms += 1 + less.atoms;
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
        const Atom& atom = m_atoms[m_at];
        if (before().kind != ItemKind::Unknown || before().identifier || atom.kind != m_atoms[m_at - 1].kind)
            return push(Item{}, 1);
        Item& last = m_items.back();
        last.text += (atom.spaceBefore ? " " : "") + atom.text;
        last.end = atom.end;
        ++m_at;
    }

    void push(Item item, std::size_t atoms)
    {
        item.text = m_atoms.joined(m_at, m_at + atoms);
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

    // A word that is none: what it was meant to be takes its place.
    void correct(std::size_t at)
    {
        const std::string typed = m_atoms[at].text;
        const auto isName = [&](std::string_view kind) { return Names::shipped().is(kind, typed); };
        if (m_atoms[at].kind != AtomKind::Letters || isCovered(at, false)
            || Lexicon::asides().longest(m_atoms, at) || isName("Other") || isName("Spelled")
            || dtypeFromName(typed) || isCovered(at, true))
            return;
        const auto fits = [&](std::string_view word, bool ofNames, bool alone) {
            spell(at, word, typed);
            return ofNames ? isCovered(at, true, alone ? 1 : 2) : alone || isCovered(at, false);
        };
        const std::string_view meant = meantBy(typed, m_atoms.wordEnds(at + 1), fits);
        spell(at, meant.empty() ? typed : meant, meant.empty() ? "" : typed);
    }

    // Another word there: what was found with the one before is forgotten.
    void spell(std::size_t at, std::string_view word, std::string_view typed)
    {
        m_atoms.spell(at, word, typed);
        for (std::size_t i = at - std::min(at, longestName + longestBefore); i <= at; ++i)
            m_known[i] = {};
    }

    [[nodiscard]] const Match& phrase(std::size_t at) const
    {
        static const Match none;
        if (at >= m_atoms.size())
            return none;
        std::optional<Match>& known = m_known[at].phrase;
        return known ? *known : known.emplace(Lexicon::shipped().longest(m_atoms, at));
    }

    // Whether a name of so many atoms at least, or a phrase, goes over an atom, begun there or before.
    [[nodiscard]] bool isCovered(std::size_t at, bool byName, std::size_t least = 1) const
    {
        for (std::size_t before = 0; before <= std::min(at, longestBefore); ++before) {
            const std::size_t atoms = byName ? named(at - before).atoms : phrase(at - before).atoms;
            if (atoms > before && atoms >= least)
                return true;
        }
        return false;
    }

    // The longest name or number type that begins there, with the s of a plural.
    struct Named {
        Item item;
        std::size_t atoms = 0;
    };
    [[nodiscard]] const Named& named(std::size_t at) const
    {
        std::optional<Named>& known = m_known[at].named;
        return known ? *known : known.emplace(nameAt(at));
    }

    [[nodiscard]] Named nameAt(std::size_t at) const
    {
        const Atom& first = m_atoms[at];
        const bool article = first.text == "a" && at + 1 < m_atoms.size() && !m_atoms.isTight(at + 1);
        if (first.kind == AtomKind::Symbol || article    // "a 30-person team" is no A30
            || first.text == "x" || first.text == "gpu") // "8 GPUs x MI300X"
            return {};
        const std::vector<NameKinds> kinds = namesFrom(at);
        const std::size_t ofNames = at + kinds.size();
        std::size_t last = at + 1; // a number type has no spaces
        while (last < at + longestType && m_atoms.isTight(last) && m_atoms[last].kind != AtomKind::Han)
            ++last;
        for (last = std::max(last, ofNames); last > at; --last) {
            const bool withS // "A100s"
                = m_atoms.isTight(last) && m_atoms[last].text == "s" && m_atoms.wordEnds(last + 1);
            const Atom& end = m_atoms[last - 1];
            const bool sign
                = end.kind == AtomKind::Symbol && (end.text != "+" || end.spaceBefore); // "Command R+"
            if (sign || (!withS && !m_atoms.wordEnds(last)))
                continue;
            const std::string text = Names::shipped().respelled(m_atoms.joined(at, last));
            if (last <= ofNames)
                if (auto item = called(text, kinds[last - 1 - at], withS); item && !endsInCount(*item, last))
                    return {std::move(*item), last - at + (withS ? 1 : 0)};
            if (const auto type = withS ? std::nullopt : dtypeFromName(text))
                return {Item{.kind = ItemKind::Type, .type = *type}, last - at};
        }
        return {};
    }

    [[nodiscard]] std::optional<Item> called(const std::string& text, NameKinds kinds, bool plural) const
    {
        if (auto gpu = kinds.gpu ? m_vocabulary.gpu(text) : std::nullopt)
            return Item{.kind = ItemKind::Gpu, .match = *std::move(gpu)};
        if (plural || dtypeFromName(text))
            return std::nullopt;
        if (auto model = kinds.model ? m_vocabulary.model(text) : std::nullopt)
            return Item{.kind = ItemKind::Model, .match = Names::shipped().usual(*std::move(model), text)};
        if (auto engine = kinds.engine ? m_vocabulary.engine(text) : std::nullopt)
            return Item{.kind = ItemKind::Engine, .match = *std::move(engine)};
        return std::nullopt;
    }

    // How far the atoms from here stand in names, and of which kinds up to each; an organisation before a
    // slash may be anyone, but "EUR/h" is of none.
    [[nodiscard]] std::vector<NameKinds> namesFrom(std::size_t at) const
    {
        const std::size_t limit = std::min(m_atoms.size(), at + longestName);
        std::size_t slash = at;
        if (!phrase(at))
            for (std::size_t i = at + 1; i + 1 < limit && m_atoms.isTight(i); ++i)
                slash = m_atoms[i].text == "/" && m_atoms.isTight(i + 1) ? i : slash;
        std::vector<NameKinds> kinds;
        int open = 0; // brackets
        for (std::size_t end = at; end < limit; ++end) {
            const Atom& atom = m_atoms[end];
            const bool sign = atom.kind == AtomKind::Symbol;
            open += atom.text == "(" ? 1 : atom.text == ")" ? -1 : 0;
            const bool joins = !sign || std::string_view("-._/+()").find(atom.text) != std::string_view::npos;
            const NameKinds here = end < slash || sign ? NameKinds::all() : namesWith(end);
            const bool stop // "$3.5/h. 200 users" names no H200
                = atom.text == "." && end + 1 < m_atoms.size() && !m_atoms.isTight(end + 1);
            if (open < 0 || !joins || !here.any() || stop)
                break;
            kinds.push_back(kinds.empty() ? here : kinds.back() & here);
        }
        return kinds;
    }

    // Whose names an atom may be a part of; a figure may be the memory of a card.
    [[nodiscard]] NameKinds namesWith(std::size_t at) const
    {
        const Atom& atom = m_atoms[at];
        std::optional<NameKinds>& known = m_known[at].names;
        if (!known)
            known
                = atom.kind == AtomKind::Digits || Names::shipped().isRespelt(atom.text) || atom.text == "gb"
                ? NameKinds::all()
                : m_vocabulary.inNames(atom.text)
                    | (atom.text.ends_with('s')
                           ? m_vocabulary.inNames(atom.text.substr(0, atom.text.size() - 1))
                           : NameKinds{});
        return *known;
    }

    [[nodiscard]] bool isGpu(std::size_t at) const
    {
        return at < m_atoms.size() && named(at).item.kind == ItemKind::Gpu;
    }

    // "Mistral Large 2 H100s", "2x H100": the figure that a name ends with counts what stands behind it.
    [[nodiscard]] bool endsInCount(const Item& item, std::size_t last) const
    {
        const bool times = m_atoms[last].text == "x" || m_atoms[last].text == "*";
        return item.kind == ItemKind::Model && item.match.how == NameMatch::How::Alias
            && m_atoms.isFigure(last - 1) && !m_atoms.isTight(last - 1) && isGpu(last + (times ? 1 : 0));
    }

    struct Known {
        std::optional<Match> phrase;    // that begins there
        std::optional<NameKinds> names; // that have it
        std::optional<Named> named;     // that begins there
    };
    std::string_view m_text;
    const Vocabulary& m_vocabulary;
    Atoms m_atoms;
    mutable std::vector<Known> m_known; // of each atom, found once
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
