#include "model/serve/stage_clock.h"

#include <algorithm>
#include <utility>

namespace headroom::serve {

StageClock::Passage StageClock::enter(Seconds now, const StagePass& pass)
{
    Passage passage{.leftFirst = now, .end = now};
    std::size_t stage = 0;
    for (std::size_t kind = 0; kind < pass.kindCount; ++kind)
        for (int i = 0; i < pass.kinds[kind].stages; ++i, ++stage) {
            if (stage == m_free.size())
                m_free.emplace_back();
            passage.end = std::max(passage.end, m_free[stage]) + pass.kinds[kind].seconds;
            m_free[stage] = passage.end;
            if (stage == 0)
                passage.leftFirst = passage.end;
        }
    passage.end += pass.host;
    m_lastEnd = std::max(m_lastEnd, passage.end);
    return passage;
}

PassMemo::PassMemo(PassTime passTime) : m_passTime(std::move(passTime))
{
    if (m_passTime)
        m_entries.resize(memoEntries);
}

const StagePass& PassMemo::operator()(const StepWork& work)
{
    Entry& entry = m_entries[memoPlace(work)];
    if (!entry.known || entry.work != work)
        entry = {.work = work, .pass = m_passTime(shapeOf(work)), .known = true};
    return entry.pass;
}

} // namespace headroom::serve
