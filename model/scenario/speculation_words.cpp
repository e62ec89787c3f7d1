#include "model/scenario/speculation_words.h"

#include "model/base/quantity_text.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

constexpr int mostDrafted = 64; // far beyond any engine's limit; keeps (g + 1) rows a number

tl::unexpected<Problems> wrong(std::string_view text)
{
    return refuse(
        "", say("expected how tokens are drafted, got '{}'", asIs(text)),
        "draft:MODEL:g=4,a=0.7, ngram:g=4,a=0.4 or mtp:g=1,a=0.8 (g drafted tokens, each accepted with "
        "probability a)");
}

// "g=4,a=0.7" in any order, both given.
bool readNumbers(std::string_view text, SpeculationWords& out)
{
    bool acceptance = false;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        begin = end + 1;
        const Result<double> number = numberFromText(part.substr(std::min<std::size_t>(part.size(), 2)));
        if (!number)
            return false;
        if (part.starts_with("g=") && out.draftTokens == 0 && *number >= 1 && *number <= mostDrafted
            && *number == std::floor(*number))
            out.draftTokens = static_cast<int>(*number);
        else if (part.starts_with("a=") && !acceptance && *number >= 0 && *number <= 1)
            out.acceptance = *number;
        else
            return false;
        acceptance = acceptance || part.starts_with("a=");
    }
    return acceptance && out.draftTokens > 0;
}

} // namespace

Result<SpeculationWords> speculationWords(std::string_view text)
{
    using Kind = SpeculativeDecoding::Kind;
    const std::size_t first = text.find(':');
    if (first == std::string_view::npos)
        return wrong(text);
    const std::string_view kind = text.substr(0, first);
    std::string_view numbers = text.substr(first + 1);
    SpeculationWords out;
    out.kind = kind == "draft" ? Kind::DraftModel
        : kind == "ngram"      ? Kind::NGram
        : kind == "mtp"        ? Kind::Mtp
                               : Kind::None;
    if (out.kind == Kind::None)
        return wrong(text);
    if (out.kind == Kind::DraftModel) {
        const std::size_t second = numbers.rfind(':');
        if (second == std::string_view::npos || second == 0)
            return wrong(text);
        out.draft = numbers.substr(0, second);
        numbers.remove_prefix(second + 1);
    }
    return readNumbers(numbers, out) ? Result<SpeculationWords>(std::move(out)) : wrong(text);
}

} // namespace headroom
