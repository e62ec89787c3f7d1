#include "model/words/language.h"

#include "model/text/utf8.h"
#include "model/words/text.h"

#include <algorithm>
#include <vector>

namespace headroom::ask {

Language languageOf(std::string_view text)
{
    const std::vector<Atom> atoms = atomsOf(text);
    const bool chinese = std::any_of(atoms.begin(), atoms.end(),
                                     [](const Atom& atom) { return atom.kind == AtomKind::Han; });
    return chinese ? Language::Chinese : Language::English;
}

std::size_t foreignIn(std::string_view text)
{
    std::size_t foreign = 0;
    bool inWord = false; // of Cyrillic
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character next = utf8At(text, at);
        at += std::max<std::size_t>(next.bytes, 1);
        const bool cyrillic = next.code >= 0x400 && next.code <= 0x4FF;
        const bool kana = next.code >= 0x3040 && next.code <= 0x30FF;
        const bool hangul = next.code >= 0xA000 && next.code <= 0xD7FF;
        foreign += kana || hangul || (cyrillic && !inWord) ? 1U : 0U;
        inWord = cyrillic;
    }
    return foreign;
}

} // namespace headroom::ask
