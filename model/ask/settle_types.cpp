#include "model/ask/settle.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

// The one type of a question about the cache of a token.
bool asksForCache(const Draft& draft)
{
    std::size_t types = 0;
    bool ofToken = false;
    for (std::size_t i = 0; i < draft.size(); ++i) {
        types += draft.isName(i, ItemKind::Type) ? 1U : 0U;
        ofToken = ofToken || (draft.isAny(i, {Per, Every, Each}) && draft.is(draft.next(i), Token))
            || (draft.is(i, Tpot) && draft.at(i).text.starts_with("每"));
    }
    return types == 1 && ofToken && draft.mentions(KvCache) && !draft.mentions(Weights);
}

// What a type is of, by the words beside it: to the right first ("fp8 kv", "fp8 weights and kv"), then to the
// left
// ("kv cache in fp8").
void takeType(Draft& draft, Settled& settled, DType type, Place place, std::vector<std::string> others)
{
    const std::size_t word = place.first;
    bool forKv = false;
    bool forWeights = false;
    for (std::size_t i = place.first; i <= place.last; ++i)
        draft.take(i);
    if (draft.is(draft.next(place.last), Quantised))
        draft.take(place.last = draft.next(place.last));
    const auto apart = [&](std::size_t j) { // "int4 with a 64k KV cache"
        for (std::size_t k = std::min(j, place.last) + 1; k < std::max(j, place.first); ++k)
            if (draft.at(k).kind != ItemKind::Word && draft.at(k).kind != ItemKind::Unknown)
                return true;
        return false;
    };
    const auto side = [&](std::size_t j) {
        const bool cache = j != none && !draft.isRead(j) && !apart(j)
            && (draft.is(j, KvCache) || draft.at(j).text == "cache" || draft.at(j).text == "缓存");
        if (!cache && (!draft.is(j, Weights) || apart(j)))
            return false;
        (cache ? forKv : forWeights) = true;
        draft.take(j);
        place.first = std::min(place.first, j);
        place.last = std::max(place.last, j);
        return true;
    };
    const std::size_t right = draft.next(place.last);
    const std::size_t beyond = draft.is(right, KvCache) ? draft.next(right) : none; // "int8 kv fp8"
    const bool ofOther = beyond != none && beyond == right + 1 && draft.isName(beyond, ItemKind::Type)
        && !draft.isAny(draft.next(beyond), {Weights, KvCache, Quantised});
    if (!ofOther && side(right)) {
        side(draft.next(right));
    } else {
        std::size_t left = draft.previous(place.first);
        if (draft.is(left, Equals) || (left != none && draft.at(left).text == "in"))
            left = draft.previous(left);
        if (side(left))
            side(draft.previous(left));
    }
    // "the KV cache per token of X in fp8": what is asked is the cache's.
    if (!forKv && !forWeights && asksForCache(draft))
        forKv = true;
    if (draft.is(draft.previous(place.first), Quantised))
        draft.take(place.first = draft.previous(place.first));
    Scenario& s = draft.question.scenario;
    const std::string typeName(name(type));
    const auto set = [&](std::optional<DType>& field, std::size_t& said) {
        if (said != none && field != type)
            return askWhichOf(draft, said, word, draft.say("two types are named: which?"));
        field = type;
        said = said == none ? word : said;
    };
    if (forKv)
        set(s.kv, settled.kv);
    if (forWeights || !forKv)
        set(s.weights, settled.weights);
    const bool both = forKv && forWeights;
    draft.note(place,
               draft.tell(both        ? "{} weights and KV cache"
                              : forKv ? "{} KV cache"
                                      : "{} weights",
                          typeName),
               {}, std::move(others));
}

// "AWQ 4-bit": a type that was said already, by its bits once more.
bool saysTheSame(const Draft& draft, const Item& item)
{
    const auto& weights = draft.question.scenario.weights;
    return item.bits > 0 && weights && std::abs(bytesPerElement(*weights) * 8 - item.bits) < 1;
}

// What so many bits mean too.
std::vector<std::string> othersOf(const Item& item)
{
    return item.bits == 4 ? std::vector<std::string>{"mxfp4", "nvfp4", "q4_k_m"}
        : item.bits == 8  ? std::vector<std::string>{"fp8", "q8_0"}
        : item.bits == 16 ? std::vector<std::string>{"fp16"}
                          : std::vector<std::string>{};
}

// "fp8 allowed", "allow int4 weights", "fp8 or int4 is fine": types a search may try, none it must take.
void settleAllowed(Draft& draft, std::size_t i)
{
    const auto typesFrom = [&](bool right) {
        std::vector<std::size_t> found;
        bool any = false;
        const auto beside = [&](std::size_t j) { // what was read between them parts them
            do
                j += right ? 1 : static_cast<std::size_t>(-1);
            while (j < draft.size() && draft.at(j).is(Filler));
            return j;
        };
        for (std::size_t j = beside(i); j < draft.size(); j = beside(j)) {
            const bool type = !draft.isRead(j) && draft.at(j).kind == ItemKind::Type;
            if (!type && !draft.isAny(j, {Or, KvCache, Weights, Quantised}))
                break;
            any = any || type;
            found.push_back(j);
        }
        return any ? found : std::vector<std::size_t>{};
    };
    std::vector<std::size_t> found = typesFrom(false);
    if (found.empty()) {
        found = typesFrom(true);
        if (!found.empty() && draft.isAny(draft.previous(i), {KvCache, Weights})) // "权重允许 fp8"
            found.push_back(draft.previous(i));
    }
    if (found.empty())
        return;
    bool kv = false;
    bool weights = false;
    std::vector<DType> types;
    std::string names;
    std::sort(found.begin(), found.end());
    for (const std::size_t j : found) {
        kv = kv || draft.is(j, KvCache);
        weights = weights || draft.is(j, Weights);
        if (draft.at(j).kind == ItemKind::Type) {
            types.push_back(draft.at(j).type);
            names += (names.empty() ? "" : ", ") + std::string(name(draft.at(j).type));
        }
    }
    draft.take(i);
    draft.takeAll(found);
    AllowedDeviations& allowed = draft.question.scenario.allowed;
    if (weights || !kv)
        allowed.weights = types;
    if (kv || !weights)
        allowed.kv = types;
    draft.note({std::min(i, found.front()), std::max(i, found.back())},
               draft.tell(kv == weights ? "{} may be tried for weights and KV cache"
                              : kv      ? "{} may be tried for the KV cache"
                                        : "{} may be tried for the weights",
                          names));
}

} // namespace

void settleTypes(Draft& draft, Settled& settled)
{
    for (std::size_t i = 0; i < draft.size(); ++i)
        if (draft.is(i, Allowed))
            settleAllowed(draft, i);
    for (const bool byBits : {false, true}) // what is named first: "4-bit AWQ"
        for (std::size_t i = 0; i < draft.size(); ++i) {
            const Item& item = draft.at(i);
            if (draft.isRead(i) || item.kind != ItemKind::Type || (item.bits > 0) != byBits)
                continue;
            if (saysTheSame(draft, item))
                draft.take(i);
            else
                takeType(draft, settled, item.type, {i, i}, othersOf(item));
        }
    for (const Assigned& quantity : settled.quantities)
        if (quantity.is("bits")) {
            draft.takeAll(quantity.span.parts);
            draft.problem(quantity.span, draft.tell("no type has so many bits"), "4, 8, 16");
        }
}

} // namespace headroom::ask
