#include "model/words/sentence.h"

#include "model/words/names.h"
#include "model/words/typos.h"

#include <algorithm>
#include <string>

namespace headroom::ask {

using Match = Lexicon::Match;

namespace {

constexpr std::size_t longestName = 18;  // atoms: "meta-llama/Llama-3.1-70B-Instruct" has 11
constexpr std::size_t longestBefore = 6; // in front of one of a name or phrase: "DeepSeek R1 distill Llama"

// Names hold no sentence signs but - . _ / + and ( ).
bool joinsName(const Atom& atom)
{
    return std::string_view("-._/+()").find(atom.text) != std::string_view::npos;
}

// Whether what begins at an atom, or at one of those before it, goes over it.
bool isCovered(std::size_t at, const auto& atomsFrom)
{
    const std::size_t first = at - std::min(at, longestBefore);
    std::size_t from = at;
    while (from > first && from + atomsFrom(from) <= at)
        --from;
    return from + atomsFrom(from) > at;
}

} // namespace

Sentence::Sentence(std::string_view question, const Vocabulary& vocabulary)
    : m_vocabulary(vocabulary), m_atoms(atomsOf(question)), m_known(m_atoms.size())
{
    for (std::size_t at = 0; at < m_atoms.size(); ++at)
        correct(at);
}

// A word that is none: what it was meant to be takes its place.
void Sentence::correct(std::size_t at)
{
    Atom& atom = m_atoms[at];
    if (atom.kind != AtomKind::Letters || standsInPhrase(at) || isWordOfTables(atom.text)
        || dtypeFromName(atom.text) || standsInName(at, 1))
        return;
    atom.typed = atom.text;
    std::size_t nearest = static_cast<std::size_t>(-1); // of names
    std::string meant;
    for (const Near& near : namesNear(atom.typed)) {
        spell(at, near.word);
        if (near.apart > nearest || !standsInName(at, near.sure ? 1 : 2))
            continue;
        meant = near.apart == nearest ? std::string() : atom.text;
        nearest = near.apart;
    }
    const auto fits = [&](std::string_view word, bool alone) {
        spell(at, word);
        return alone || standsInPhrase(at);
    };
    if (const Near near = wordEnds(m_atoms, at + 1) ? wordNear(atom.typed, fits) : Near{};
        near.apart < nearest)
        meant = near.word;
    spell(at, meant.empty() ? std::exchange(atom.typed, {}) : meant);
}

// Another word in the place of this one: what was known of it, and of what goes over it, is not.
void Sentence::spell(std::size_t at, std::string_view word)
{
    m_atoms[at].text = word;
    for (std::size_t i = at - std::min(at, longestBefore); i <= at; ++i)
        m_known[i] = {};
}

const Match& Sentence::phrase(std::size_t at) const
{
    static const Match none;
    if (at >= m_atoms.size())
        return none;
    std::optional<Match>& known = m_known[at].phrase;
    return known ? *known : known.emplace(phraseAt(m_atoms, at));
}

bool Sentence::standsInPhrase(std::size_t at) const
{
    return isCovered(at, [&](std::size_t from) { return phrase(from).atoms; });
}

// A name of so many atoms at least.
bool Sentence::standsInName(std::size_t at, std::size_t least) const
{
    return isCovered(at, [&](std::size_t from) {
        const std::size_t atoms = named(from, 0).second;
        return atoms < least ? 0 : atoms;
    });
}

std::pair<Item, std::size_t> Sentence::named(std::size_t at, std::size_t longerThan) const
{
    const Atom& first = m_atoms[at];
    if (first.kind == AtomKind::Symbol || first.text == "x" || first.text == "gpu") // "8 GPUs x MI300X"
        return {};
    const bool article = first.text == "a" && at + 1 < m_atoms.size() && m_atoms[at + 1].spaceBefore;
    const std::vector<NameKinds> kinds
        = article ? std::vector<NameKinds>{} : namesFrom(at); // "a 30-person team" is no A30
    const std::size_t ofNames = at + kinds.size();
    for (std::size_t last = std::max(ofNames, typeEnd(at)); last > at + longerThan; --last) {
        const bool withS = isPlural(m_atoms, last);
        const Atom& end = m_atoms[last - 1];
        const bool sign
            = end.kind == AtomKind::Symbol && (end.text != "+" || end.spaceBefore); // "Command R+"
        if (sign || (!withS && !wordEnds(m_atoms, last)))
            continue;
        const std::string text = Names::shipped().respelled(joined(m_atoms, at, last));
        if (last <= ofNames)
            if (auto item = called(text, kinds[last - 1 - at], withS); item && !endsInCount(*item, last))
                return {std::move(*item), last - at + (withS ? 1 : 0)};
        if (const auto type = withS ? std::nullopt : dtypeFromName(text))
            return {Item{.kind = ItemKind::Type, .type = *type}, last - at};
    }
    return {};
}

std::optional<Item> Sentence::called(const std::string& text, NameKinds kinds, bool plural) const
{
    const auto item = [&](ItemKind kind, bool may, const Vocabulary::Find& find) {
        auto found = may ? find(text) : std::nullopt;
        return found ? std::optional(Item{.kind = kind, .match = *std::move(found)}) : std::nullopt;
    };
    if (auto gpu = item(ItemKind::Gpu, kinds.gpu, m_vocabulary.gpu))
        return gpu;
    if (plural || dtypeFromName(text))
        return std::nullopt;
    auto model = item(ItemKind::Model, kinds.model, m_vocabulary.model);
    if (model)
        model->match = Names::shipped().usual(std::move(model->match), text);
    return model ? std::move(model) : item(ItemKind::Engine, kinds.engine, m_vocabulary.engine);
}

// How far the atoms from here stand in names, and of which kinds up to each; an organisation before a
// slash may be anyone, but "EUR/h" is of none.
std::vector<NameKinds> Sentence::namesFrom(std::size_t at) const
{
    const std::size_t limit = std::min(m_atoms.size(), at + longestName);
    std::size_t slash = at;
    if (!phrase(at))
        for (std::size_t i = at + 1; i + 1 < limit && !m_atoms[i].spaceBefore; ++i)
            slash = m_atoms[i].text == "/" && !m_atoms[i + 1].spaceBefore ? i : slash;
    std::vector<NameKinds> kinds;
    int open = 0; // brackets
    for (std::size_t end = at; end < limit; ++end) {
        const Atom& atom = m_atoms[end];
        const bool sign = atom.kind == AtomKind::Symbol;
        open += atom.text == "(" ? 1 : atom.text == ")" ? -1 : 0;
        const NameKinds here = end < slash || sign ? NameKinds::all() : namesWith(end);
        const bool stop // "$3.5/h. 200 users" names no H200
            = atom.text == "." && end + 1 < m_atoms.size() && m_atoms[end + 1].spaceBefore;
        if (open < 0 || (sign && !joinsName(atom)) || !here.any() || stop)
            break;
        kinds.push_back(kinds.empty() ? here : kinds.back() & here);
    }
    return kinds;
}

// Whose names an atom may be a part of; a figure may be the memory of a card.
NameKinds Sentence::namesWith(std::size_t at) const
{
    const Atom& atom = m_atoms[at];
    std::optional<NameKinds>& known = m_known[at].names;
    if (!known)
        known = atom.kind == AtomKind::Digits || Names::shipped().isRespelt(atom.text) || atom.text == "gb"
            ? NameKinds::all()
            : m_vocabulary.inNames(atom.text)
                | (atom.text.ends_with('s') ? m_vocabulary.inNames(atom.text.substr(0, atom.text.size() - 1))
                                            : NameKinds{});
    return *known;
}

// "q4_k_m", "int 4", "nvfp4": of few atoms, with one space at most.
std::size_t Sentence::typeEnd(std::size_t at) const
{
    constexpr std::size_t longest = 7;
    bool spaced = false;
    std::size_t end = at + 1;
    for (; end < m_atoms.size() && end < at + longest; ++end) {
        const Atom& atom = m_atoms[end];
        if ((atom.spaceBefore && std::exchange(spaced, true)) || atom.kind == AtomKind::Han
            || (atom.kind == AtomKind::Symbol && !joinsName(atom)))
            break;
    }
    return end;
}

bool Sentence::isGpu(std::size_t at) const
{
    const bool begins = at < m_atoms.size() && m_atoms[at].kind != AtomKind::Symbol;
    std::size_t last = begins ? std::min(m_atoms.size(), at + 4) : at;
    while (last > at && !(namesWith(at).gpu && m_vocabulary.gpu(joined(m_atoms, at, last))))
        --last;
    return last > at;
}

// "Mistral Large 2 H100s", "2x H100": the figure that a name ends with counts what stands behind it.
bool Sentence::endsInCount(const Item& item, std::size_t last) const
{
    const bool times = last < m_atoms.size() && (m_atoms[last].text == "x" || m_atoms[last].text == "*");
    return item.kind == ItemKind::Model && item.match.how == NameMatch::How::Alias
        && m_atoms[last - 1].kind == AtomKind::Digits && m_atoms[last - 1].spaceBefore
        && isGpu(last + (times ? 1 : 0));
}

} // namespace headroom::ask
