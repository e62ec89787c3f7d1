#include "model/measured/kept_wide.h"

namespace headroom {

KeptWide keptWideOfNotes(std::string_view notes)
{
    constexpr std::string_view keeps = "keeps ";
    constexpr std::string_view wide = " in 16 bits";
    KeptWide out;
    for (std::size_t at = notes.find(wide); at != std::string_view::npos; at = notes.find(wide, at + 1)) {
        // Notes are clauses between semicolons: what another one keeps is not meant.
        std::string_view clause = notes.substr(0, at);
        clause.remove_prefix(clause.rfind(';') + 1); // npos + 1 is 0
        const std::size_t begin = clause.rfind(keeps);
        if (begin == std::string_view::npos)
            continue;
        const std::string_view words = clause.substr(begin + keeps.size());
        const auto parts = widePartsFromText(words);
        if (!parts) {
            out.unknown = words;
            continue;
        }
        for (const WidePartName& one : widePartNames)
            out.parts.*one.part = out.parts.*one.part || *parts.*one.part;
    }
    return out;
}

} // namespace headroom
