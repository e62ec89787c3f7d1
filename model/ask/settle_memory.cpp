#include "model/ask/settle.h"

#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

class MemoryOf {
public:
    MemoryOf(Draft& draft, Settled& settled) : m_draft(draft), m_settled(settled) {}

    // "how much VRAM does X need", "KV cache per token of X", "max context of X on one H100". What states a
    // number of these was read before.
    void settle()
    {
        if (!kvOfToken() && !longestContext())
            need();
    }

private:
    void asksFor(Asked what)
    {
        m_draft.question.kind = QuestionKind::Memory;
        m_draft.question.asked = what;
        m_settled.kindSaid = true;
    }

    // Takes the item and its neighbours on both sides as far as they are such words; whether any of them
    // asks.
    bool takeChain(std::size_t item, std::initializer_list<Meaning> words)
    {
        bool asks = false;
        m_draft.take(item);
        const auto takeOne = [&](std::size_t j) {
            asks = asks || m_draft.isAny(j, {HowMany, HowFast, Which, WhatGives, AtMost});
            m_draft.take(j);
        };
        for (std::size_t j = m_draft.previous(item); m_draft.isAny(j, words); j = m_draft.previous(item))
            takeOne(j);
        for (std::size_t j = m_draft.next(item);
             m_draft.isAny(j, words) && !m_draft.isNumber(m_draft.next(j)); j = m_draft.next(item))
            takeOne(j);
        return asks;
    }

    // "KV cache per token", "每个 token 的 KV 缓存多大".
    bool kvOfToken()
    {
        if (!m_draft.mentions(KvCache))
            return false;
        for (std::size_t i = 0; i < m_draft.size(); ++i) {
            // "每个 token" by itself may begin a target of time; without a time it says what is counted.
            const bool phrase = m_draft.is(i, Tpot)
                && (m_draft.at(i).text.starts_with("每") || m_draft.at(i).text.starts_with("单"));
            const bool words = m_draft.isAny(i, {Per, Every, Each}) && m_draft.is(m_draft.next(i), Token)
                && !m_draft.isAny(m_draft.previous(i), {Time, Dollar, Cent, Yuan}); // "ms per token"
            if (!phrase && !words)
                continue;
            if (words)
                m_draft.take(m_draft.next(i));
            m_draft.take(i);
            for (std::size_t j = 0; j < m_draft.size(); ++j)
                if (m_draft.isAny(j, {KvCache, MemoryWord}))
                    takeChain(j, {HowMany, Which, WhatGives, MemoryWord, KvCache});
            for (std::size_t j = 0; j < m_draft.size(); ++j)
                if (m_draft.isAny(j, {HowMany, WhatGives}))
                    m_draft.take(j);
            asksFor(Asked::KvOfToken);
            return true;
        }
        return false;
    }

    // "max context of X", "how long a context can X have", "最大上下文多少".
    bool longestContext()
    {
        for (std::size_t i = 0; i < m_draft.size(); ++i) {
            if (!m_draft.is(i, Context) || m_settled.contextSaid)
                continue;
            bool asked = m_draft.mentions(CanRun);
            asked = takeChain(i, {AtMost, HowMany, HowFast, Which, WhatGives, Token, Context}) || asked;
            for (std::size_t j = 0; j < m_draft.size(); ++j)
                if (m_draft.isAny(j, {AtMost, HowMany, HowFast, Which, WhatGives})
                    && !m_draft.isNumber(m_draft.next(j))) {
                    asked = true;
                    m_draft.take(j);
                }
            if (asked)
                asksFor(Asked::LongestContext);
            return asked;
        }
        return false;
    }

    // "how much VRAM does X need", "X 需要多大显存", "KV cache size of X"; not "is the VRAM enough".
    void need()
    {
        const bool fits = m_draft.mentions(CanRun) || m_draft.mentions(Enough);
        const auto asking = {HowMany, Which, WhatGives, Bytes};
        for (std::size_t i = 0; i < m_draft.size(); ++i) {
            const std::size_t before = m_draft.previous(i);
            if (!m_draft.isAny(i, {MemoryWord, KvCache}))
                continue;
            // "8 GB memory" states it; "128k KV cache" is the cache of a context.
            if (before != none && m_draft.at(before).isNumber()
                && !(m_draft.is(i, KvCache) && m_draft.at(before).kilo))
                continue;
            const bool beside = m_draft.isAny(before, asking) || m_draft.isAny(m_draft.next(i), asking);
            if (!beside && fits)
                continue;
            const bool cacheAlone = m_draft.is(i, KvCache) && !m_draft.mentions(MemoryWord);
            takeChain(i, {HowMany, Which, WhatGives, MemoryWord, KvCache, Weights, Total, About, Bytes});
            for (std::size_t j = 0; j < m_draft.size(); ++j)
                if (m_draft.isAny(j, {WhatGives, MemoryWord, KvCache, Weights, Total, Bytes}))
                    m_draft.take(j);
            return asksFor(cacheAlone ? Asked::KvOfContext : Asked::Memory);
        }
    }

    Draft& m_draft;
    Settled& m_settled;
};

} // namespace

void settleMemory(Draft& draft, Settled& settled) { MemoryOf(draft, settled).settle(); }

} // namespace headroom::ask
