#include "model/serve/stage_clock.h"

#include <algorithm>
#include <utility>

namespace headroom::serve {

Seconds StageClock::enter(Seconds now, const StagePass& pass, std::size_t lane)
{
    Seconds end = now;
    std::size_t stage = 0;
    for (std::size_t kind = 0; kind < pass.kindCount; ++kind)
        for (int i = 0; i < pass.kinds[kind].stages; ++i, ++stage) {
            if (stage == m_free.size())
                m_free.emplace_back();
            end = std::max(end, m_free[stage]) + pass.kinds[kind].seconds;
            m_free[stage] = end;
        }
    end += pass.host;
    m_lastEnd = std::max(m_lastEnd, end);
    if (lane >= m_ends.size())
        m_ends.resize(lane + 1);
    m_ends[lane] = end;
    return end;
}

PassMemo::PassMemo(PassTime passTime) : m_passTime(std::move(passTime))
{
    if (m_passTime)
        m_entries.resize(memoEntries);
}

const StagePass& PassMemo::operator()(const StepWork& work)
{
    if (work.prefillTokens == 0) { // as StepMemo
        m_latest = m_passTime(shapeOf(work));
        return m_latest;
    }
    Entry& entry = m_entries[memoPlace(work)];
    if (!entry.known || entry.work != work)
        entry = {.work = work, .pass = m_passTime(shapeOf(work)), .known = true};
    return entry.pass;
}

} // namespace headroom::serve
