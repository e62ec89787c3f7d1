#include "model/resolve/speculation.h"

#include "model/scenario/speculation_words.h"
#include "model/yaml/catalogue.h"

namespace headroom {

Result<SpeculativeDecoding> speculationFromText(std::string_view text, const Catalogue& catalogue)
{
    const Result<SpeculationWords> words = speculationWords(text);
    if (!words)
        return refuse(words.error());
    SpeculativeDecoding out{.kind = words->kind};
    out.draftTokens = words->draftTokens;
    out.acceptance = words->acceptance;
    if (words->draft.empty())
        return out;
    const Result<NameMatch> match = catalogue.findModel(words->draft);
    if (!match)
        return refuse(match.error());
    const Result<const Llm*> draft = catalogue.model(match->id);
    if (!draft)
        return refuse(draft.error());
    out.draft = *draft;
    return out;
}

} // namespace headroom
