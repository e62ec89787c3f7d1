#include "model/ask/rules.h"

#include <fmt/format.h>
#include <string>

namespace headroom::ask {

namespace {

// What so many bits mean too.
std::vector<std::string> othersOf(const Item& item)
{
    return item.bits == 4 ? std::vector<std::string>{"mxfp4", "nvfp4", "q4_k_m"}
        : item.bits == 8  ? std::vector<std::string>{"fp8", "q8_0"}
        : item.bits == 16 ? std::vector<std::string>{"fp16"}
                          : std::vector<std::string>{};
}

} // namespace

void setType(Draft& draft, std::size_t word, const Place& place, bool ofWeights, bool ofKv)
{
    const Item& item = draft.at(word);
    const auto set = [&](std::optional<DType>& field, std::size_t& said) {
        if (said != none && field != item.type)
            return askWhichOf(draft, said, word, draft.say("two types are named: which?"));
        field = item.type;
        said = said == none ? word : said;
    };
    if (ofKv)
        set(draft.question.scenario.kv, draft.kv);
    if (ofWeights)
        set(draft.question.scenario.weights, draft.weights);
    draft.note(place,
               draft.tell(ofKv && ofWeights ? "{} weights and KV cache"
                              : ofKv        ? "{} KV cache"
                                            : "{} weights",
                          std::string(name(item.type))),
               {}, othersOf(item));
}

void allowTypes(Draft& draft, Place place)
{
    std::vector<DType> types;
    std::string names;
    for (std::size_t i = place.first; i <= place.last; ++i)
        if (draft.at(i).kind == ItemKind::Type) {
            types.push_back(draft.at(i).type);
            names += (names.empty() ? "" : ", ") + std::string(name(draft.at(i).type));
        }
    const auto says = [&](Meaning m) {
        return draft.any({place.first, place.last + 1}, [&](std::size_t i) { return draft.at(i).is(m); });
    };
    const bool ofWeights = says(Meaning::Weights);
    const bool ofKv = says(Meaning::KvCache);
    AllowedDeviations& allowed = draft.question.scenario.allowed;
    if (ofWeights || !ofKv)
        allowed.weights = types;
    if (ofKv || !ofWeights)
        allowed.kv = types;
    draft.note(place,
               draft.tell(ofKv == ofWeights ? "{} may be tried for weights and KV cache"
                              : ofKv        ? "{} may be tried for the KV cache"
                                            : "{} may be tried for the weights",
                          names));
}

void settleTypes(Draft& draft)
{
    applyRules("allowed", draft);
    for (const bool byBits : {false, true}) // what is named first: "4-bit AWQ"
        for (std::size_t i = 0; i < draft.size(); ++i) {
            const Item& item = draft.at(i);
            if (draft.isRead(i) || item.kind != ItemKind::Type || (item.bits > 0) != byBits)
                continue;
            applyRule("types", draft, i);
        }
    applyRules("bits", draft);
}

} // namespace headroom::ask
