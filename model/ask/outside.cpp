#include "model/ask/draft.h"
#include "model/ask/tables.h"

#include <algorithm>
#include <string>

namespace headroom::ask {

namespace {

bool isKana(std::string_view text)
{
    return text.size() == 3 && static_cast<unsigned char>(text[0]) == 0xE3
        && (static_cast<unsigned char>(text[1]) == 0x81 || static_cast<unsigned char>(text[1]) == 0x82
            || static_cast<unsigned char>(text[1]) == 0x83);
}

bool isCyrillicOrHangul(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    return (lead >= 0xD0 && lead <= 0xD3) || (lead >= 0xEA && lead <= 0xED);
}

// Words of other languages: two of them are no accident.
bool isForeign(const std::vector<Atom>& atoms, const Draft& draft)
{
    std::size_t foreign = 0;
    std::size_t other = 0;
    for (const Atom& atom : atoms) {
        for (std::size_t at = 0; at + 3 <= atom.text.size(); at += 3)
            other += isKana(std::string_view(atom.text).substr(at, 3)) ? 1U : 0U;
        other += isCyrillicOrHangul(atom.text) ? 1U : 0U;
    }
    for (std::size_t i = 0; i < draft.size(); ++i)
        foreign += draft.at(i).is(Meaning::Foreign) ? 1U : 0U;
    return foreign >= 2 || other >= 2;
}

} // namespace

std::optional<Problem> outside(Draft& draft)
{
    const std::vector<Atom> atoms = atomsOf(draft.question.text);
    if (isForeign(atoms, draft))
        return Problem{draft.tell("the question"), draft.tell("questions are read in English and in Chinese"),
                       draft.tell("e.g. 'how many H100 for Llama 70B with 100 users at 20 tokens/s'")};
    static const Lexicon topics(outsideTable());
    for (std::size_t at = 0; at < atoms.size(); ++at) {
        const auto topic = topics.longest(atoms, at);
        const auto phrase = topic ? Lexicon::shipped().longest(atoms, at) : std::nullopt;
        if (!topic || (phrase && phrase->atoms > topic->atoms)) // "微调后的" is not "微调"
            continue;
        const std::size_t begin = atoms[at].begin;
        const std::size_t end = atoms[at + topic->atoms - 1].end;
        bool model = false;
        bool named = false; // a part of a name that the catalogue has, or of a longer phrase
        for (std::size_t i = 0; i < draft.size(); ++i) {
            const Item& item = draft.at(i);
            const bool apart = item.end <= begin || item.begin >= end;
            named = named || (item.kind == ItemKind::Word && item.begin < begin && item.end >= end)
                || (item.kind == ItemKind::Model && !apart && item.begin < begin);
            model = model || (item.kind == ItemKind::Model && apart);
        }
        if (named)
            continue;
        const std::string said = draft.question.text.substr(begin, end - begin);
        const std::string sentence(draft.noteOf(topic->word->note));
        if (topics.meaningOf("Beside") != topic->word->meaning || !model)
            return Problem{"'" + said + "'", sentence, {}};
        for (std::size_t i = 0; i < draft.size(); ++i)
            if (draft.at(i).begin >= begin && draft.at(i).end <= end) {
                draft.make(i, Meaning::Filler);
                draft.take(i);
            }
        draft.question.unused.push_back({.said = said, .why = sentence, .position = begin});
    }
    return std::nullopt;
}

} // namespace headroom::ask
