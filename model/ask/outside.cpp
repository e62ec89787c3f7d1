#include "model/ask/draft.h"

#include <string>
#include <utility>

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
    bool model = false;
    for (std::size_t i = 0; i < draft.size(); ++i)
        model = model || draft.isName(i, ItemKind::Model);
    for (std::size_t i = 0; i < draft.size(); ++i) {
        if (!draft.isAny(i, {Meaning::Outside, Meaning::Mention}))
            continue;
        std::string sentence(draft.noteOf(draft.at(i).note));
        if (!model || draft.is(i, Meaning::Outside))
            return Problem{"'" + draft.said(i, i) + "'", std::move(sentence), {}};
        draft.make(i, Meaning::Filler);
        draft.take(i);
        draft.unused(i, std::move(sentence));
    }
    return std::nullopt;
}

} // namespace headroom::ask
