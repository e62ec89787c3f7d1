#include "model/ask/reading.h"

namespace headroom::ask {

using enum Meaning;

// "how much VRAM does X need", "KV cache per token of X", "max context of X on one H100". What states a
// number of these was read before.
void Reading::readMemory()
{
    if (readKvOfToken() || readLongestContext())
        return;
    readMemoryNeed();
}

void Reading::asksForMemory(Asked what)
{
    m_question.kind = QuestionKind::Memory;
    m_question.asked = what;
    m_kindSaid = true;
}

// Takes the item and its neighbours on both sides as far as they are such words; whether any of them asks.
bool Reading::takeChain(std::size_t item, std::initializer_list<Meaning> words)
{
    bool asks = false;
    take(item);
    const auto takeOne = [&](std::size_t j) {
        asks = asks || isAny(j, {HowMany, HowFast, Which, WhatGives, AtMost});
        take(j);
    };
    for (std::size_t j = previous(item); isAny(j, words); j = previous(item))
        takeOne(j);
    for (std::size_t j = next(item); isAny(j, words) && !isNumber(next(j)); j = next(item))
        takeOne(j);
    return asks;
}

// "KV cache per token", "每个 token 的 KV 缓存多大", "fp8 KV cache per token".
bool Reading::readKvOfToken()
{
    if (!mentions(KvCache))
        return false;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        // "每个 token" by itself may begin a target of time; without a time it says what is counted.
        const bool phrase = is(i, Tpot) && (at(i).text.starts_with("每") || at(i).text.starts_with("单"));
        const bool words = isAny(i, {Per, Every, Each}) && is(next(i), Token)
            && !isAny(previous(i), {Time, Dollar, Cent, Yuan}); // "ms per token"
        if (!phrase && !words)
            continue;
        if (words)
            take(next(i));
        take(i);
        for (std::size_t j = 0; j < m_items.size(); ++j)
            if (isAny(j, {KvCache, MemoryWord}))
                takeChain(j, {HowMany, Which, WhatGives, MemoryWord, KvCache});
        for (std::size_t j = 0; j < m_items.size(); ++j)
            if (isAny(j, {HowMany, WhatGives}))
                take(j);
        asksForMemory(Asked::KvOfToken);
        return true;
    }
    return false;
}

// "max context of X", "how long a context can X have", "最大上下文多少".
bool Reading::readLongestContext()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Context))
            continue;
        const auto asking = {AtMost, HowMany, HowFast, Which, WhatGives};
        const bool beside = takeChain(i, {AtMost, HowMany, HowFast, Which, WhatGives, Token, Context});
        bool elsewhere = false;
        for (std::size_t j = 0; j < m_items.size(); ++j)
            if (isAny(j, asking) && !isNumber(next(j))) {
                elsewhere = true;
                take(j);
            }
        if (!beside && !elsewhere && !mentions(CanRun)) {
            m_used[i] = false; // a number is missing
            return false;
        }
        asksForMemory(Asked::LongestContext);
        return true;
    }
    return false;
}

// "KV cache size of X at 128k": beside memory a number of thousands is a context.
void Reading::readBareContext()
{
    for (std::size_t i = 0; i < m_items.size() && !m_context; ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity || !at(i).kilo || quantity->perTime > 0
            || (quantity->unit != Filler && quantity->unit != Token))
            continue;
        take(*quantity);
        takeLength(Context, LengthDistribution::of(tokensOf(at(i))), quantity->first, quantity->last - 1);
        settleContext();
    }
}

// "how much VRAM does X need", "VRAM for X", "X 需要多大显存", "KV cache size of X"; not "is the VRAM
// enough".
bool Reading::readMemoryNeed()
{
    const bool fits = mentions(CanRun) || mentions(Enough);
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        // "8 GB memory" states it; "128k KV cache" is the cache of a context.
        const std::size_t before = previous(i);
        if (!isAny(i, {MemoryWord, KvCache}) || (isNumber(before) && !(is(i, KvCache) && at(before).kilo)))
            continue;
        const auto words = {HowMany, Which, WhatGives, MemoryWord, KvCache, Weights, Total, About};
        const bool beside
            = isAny(previous(i), {HowMany, Which, WhatGives}) || isAny(next(i), {HowMany, Which, WhatGives});
        if (!beside && fits)
            continue;
        const bool cacheAlone = is(i, KvCache) && !mentions(MemoryWord);
        takeChain(i, words);
        for (std::size_t j = 0; j < m_items.size(); ++j)
            if (isAny(j, {WhatGives, MemoryWord, KvCache, Weights, Total}))
                take(j);
        readBareContext();
        asksForMemory(cacheAlone ? Asked::KvOfContext : Asked::Memory);
        return true;
    }
    return false;
}

} // namespace headroom::ask
