#include "model/words/meaning.h"

#include "model/words/enum_names.h"

namespace headroom::ask {

std::string_view nameOf(Meaning meaning)
{
    static constexpr auto& names = spellings<Meaning, static_cast<std::size_t>(Meaning::Free)>;
    static_assert(names.front() == "Filler" && names.back() == "Mention"); // of this compiler, too
    return meaning < Meaning::Free ? names.at(static_cast<std::size_t>(meaning)) : std::string_view{};
}

} // namespace headroom::ask
