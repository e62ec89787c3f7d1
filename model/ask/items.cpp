#include "model/ask/items.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace headroom::ask {

namespace {

constexpr std::size_t longestName = 18; // atoms: "meta-llama/Llama-3.1-70B-Instruct" has 11

double numberOf(const std::string& text)
{
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != ','; });
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

// Chinese names of model and accelerator families that no file spells in Latin letters.
struct Respelling {
    std::string_view chinese;
    std::string_view latin;
};
constexpr std::array respellings{
    Respelling{"通义千问", "qwen"},     Respelling{"千问", "qwen"},  Respelling{"昇腾", "ascend "},
    Respelling{"深度求索", "deepseek"}, Respelling{"智谱", "glm"},   Respelling{"百川", "baichuan"},
    Respelling{"日均", "每天 "},        Respelling{"月均", "每月 "}, Respelling{"书生", "internlm"},
    Respelling{"混元", "hunyuan"},
};

class Itemiser {
public:
    Itemiser(std::string_view question, const Lexicon& lexicon, const Vocabulary& vocabulary)
        : m_lexicon(lexicon), m_vocabulary(vocabulary), m_atoms(atomsOf(question))
    {}

    std::vector<Item> items()
    {
        while (m_at < m_atoms.size())
            step();
        joinSizeAndFamily();
        joinMemoryAndGpu();
        return std::move(m_items);
    }

private:
    void step()
    {
        if (negative())
            return pushNumber();
        if (countsBillions())
            return pushNumber();
        const auto word = m_lexicon.longest(m_atoms, m_at);
        const std::size_t wordAtoms = word ? word->atoms : 0;
        auto [named, nameAtoms] = longestNamed(wordAtoms);
        if (named && nameAtoms > wordAtoms)
            return push(std::move(*named), nameAtoms);
        if (m_atoms[m_at].kind == AtomKind::Digits)
            return pushNumber();
        if (!word || unitOfNothing(*word))
            return pushUnknown();
        if (word->word->meaning == Meaning::Number)
            return pushNumeral(*word);
        if (isNumeral(*word))
            return push(Item{.kind = ItemKind::Number, .value = word->word->value, .written = 1}, wordAtoms);
        Item item{.kind = ItemKind::Word, .meaning = word->word->meaning, .value = word->word->value};
        push(std::move(item), wordAtoms);
    }

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
        const bool behindNumber
            = m_at > 0 && !m_atoms[m_at].spaceBefore && m_atoms[m_at - 1].kind == AtomKind::Digits;
        return word.word->meaning == Meaning::Time && m_atoms[m_at].kind == AtomKind::Letters && !behindNumber
            && after < m_atoms.size() && !m_atoms[after].spaceBefore
            && m_atoms[after].kind == AtomKind::Digits;
    }

    // "70B 的 Llama", "Llama, the 70B version", "Llama on H100, 70B": a size and a family are one name, in
    // whatever order they stand.
    void joinSizeAndFamily()
    {
        for (std::size_t i = 0; i + 1 < m_items.size(); ++i)
            readParameters(i);
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            if (m_items[i].kind == ItemKind::Model)
                dropParameterWords(i);
            if (!isSizeAlone(m_items[i]))
                continue;
            for (std::size_t j = 0; j < m_items.size(); ++j) {
                if (j == i || m_items[j].kind != ItemKind::Model || isSizeAlone(m_items[j]))
                    continue;
                auto both = m_vocabulary.model(respelled(m_items[j].text) + " " + m_items[i].text);
                if (!both)
                    continue;
                join(std::min(i, j), std::max(i, j), j, *std::move(both));
                break;
            }
        }
    }

    // "a Llama of 70 billion parameters", "700 亿参数的 Llama".
    void readParameters(std::size_t i)
    {
        constexpr double fewest = 1e8;
        constexpr double billion = 1e9;
        Item& item = m_items[i];
        const std::string& after = m_items[i + 1].text;
        if (item.kind != ItemKind::Number || item.value < fewest
            || (after != "参数" && after.substr(0, 5) != "param"))
            return;
        const std::string size = fmt::format("{:g}b", item.value / billion);
        if (auto found = m_vocabulary.model(size)) {
            item.kind = ItemKind::Model;
            item.match = *std::move(found);
            item.text = size;
        }
    }

    [[nodiscard]] static bool isSizeAlone(const Item& item)
    {
        return item.kind == ItemKind::Model
            && item.text.find_first_not_of("0123456789. b") == std::string::npos;
    }

    // "70B 参数": what the size is of.
    void dropParameterWords(std::size_t name)
    {
        for (std::size_t j = name + 1; j < m_items.size() && j <= name + 2; ++j) {
            if (m_items[j].is(Meaning::Weights) && m_items[j].text == "参数")
                m_items[j].meaning = Meaning::Filler;
            if (!m_items[j].is(Meaning::Filler))
                return;
        }
    }

    // "80GB A100", "80G 的 A100": which of those that share the name.
    void joinMemoryAndGpu()
    {
        for (std::size_t i = 0; i + 2 < m_items.size(); ++i) {
            const std::string& unit = m_items[i + 1].text;
            const std::size_t gpu = m_items[i + 2].is(Meaning::Filler) ? i + 3 : i + 2;
            if (m_items[i].kind != ItemKind::Number || (unit != "gb" && unit != "g") || gpu >= m_items.size()
                || m_items[gpu].kind != ItemKind::Gpu)
                continue;
            auto both = m_vocabulary.gpu(fmt::format("{} {:g}gb", m_items[gpu].text, m_items[i].value));
            if (!both)
                continue;
            m_items[gpu].match = *std::move(both);
            m_items[gpu].begin = m_items[i].begin;
            m_items[gpu].spaceBefore = m_items[i].spaceBefore;
            m_items.erase(m_items.begin() + static_cast<std::ptrdiff_t>(i),
                          m_items.begin() + static_cast<std::ptrdiff_t>(gpu));
        }
    }

    // Neighbours become one item; over other words the size is left as a word that says nothing more.
    void join(std::size_t first, std::size_t last, std::size_t family, NameMatch both)
    {
        const auto at = [this](std::size_t i) { return m_items.begin() + static_cast<std::ptrdiff_t>(i); };
        Item& named = m_items[family];
        named.match = std::move(both);
        const bool neighbours = std::all_of(at(first + 1), at(last), [](const Item& item) {
            return item.is(Meaning::Filler) || item.is(Meaning::Comma);
        });
        if (!neighbours) {
            Item& size = m_items[family == first ? last : first];
            size.kind = ItemKind::Word;
            size.meaning = Meaning::Filler;
            return;
        }
        named.begin = m_items[first].begin;
        named.end = m_items[last].end;
        named.spaceBefore = m_items[first].spaceBefore;
        if (family == first) {
            m_items.erase(at(first + 1), at(last + 1));
        } else {
            m_items.erase(at(first), at(last));
        }
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
            if (auto item = named(spelled(m_at, last), withS))
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

    [[nodiscard]] std::string spelled(std::size_t first, std::size_t last) const
    {
        return respelled(joined(m_atoms, first, last));
    }

    [[nodiscard]] static std::string respelled(std::string text)
    {
        for (const Respelling& r : respellings)
            if (text.rfind(r.chinese, 0) == 0)
                return std::string(r.latin) + text.substr(r.chinese.size());
        return text;
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
            return Item{.kind = ItemKind::Model, .match = std::move(*found)};
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
            if (!next || next->word->meaning != Meaning::Kilo || !wholeWord(at + next->atoms))
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
        const double written = (minus ? -1 : 1) * numberOf(m_atoms[m_at + atoms - 1].text);
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
        const bool runsOn = !m_items.empty() && m_items.back().kind == ItemKind::Unknown;
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
};

} // namespace

std::vector<Item> itemsOf(std::string_view question, const Lexicon& lexicon, const Vocabulary& vocabulary)
{
    return Itemiser(question, lexicon, vocabulary).items();
}

} // namespace headroom::ask
