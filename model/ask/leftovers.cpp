#include "model/ask/rules.h"

#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace headroom::ask {

// What a word that was not understood may have been meant to be.
std::string hintFor(const Draft& draft, const std::string& text)
{
    constexpr std::size_t shortest = 4; // bytes: of a single Chinese character everything is near
    const std::vector<std::string> near
        = text.size() < shortest ? std::vector<std::string>{} : Lexicon::shipped().nearest(text);
    return near.empty() ? std::string() : draft.tell("nearest: {}", fmt::join(near, ", "));
}

// What no rule read: told where the plan is the same without it, refused where a number, a name or a
// constraint would be lost.
void settleLeftovers(Draft& draft, Settled& settled)
{
    applyRules("names-left", draft, settled);
    settleLeftNumbers(draft, settled);
    applyRules("left", draft, settled);
    applyRules("last", draft, settled);
}

} // namespace headroom::ask
