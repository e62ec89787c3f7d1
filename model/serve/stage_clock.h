#pragma once

#include "model/closed_form/step_work.h"
#include "model/cost/step_cost.h"

#include <functional>
#include <vector>

namespace headroom::serve {

// How long a pass of this shape stays in each stage of a pipeline.
using PassTime = std::function<StagePass(const StepShape&)>;

// The stages of one pipeline: passes go through them in the order in which they come, one in a stage at a
// time.
class StageClock {
public:
    // When the pass of this lane is through. Precondition: nobody enters earlier than who entered before.
    Seconds enter(Seconds now, const StagePass& pass, std::size_t lane);
    [[nodiscard]] Seconds lastEnd() const { return m_lastEnd; }
    [[nodiscard]] bool isUnderWay(std::size_t lane, Seconds now) const
    {
        return lane < m_ends.size() && m_ends[lane] > now;
    }

private:
    std::vector<Seconds> m_free; // from when on, of each stage
    std::vector<Seconds> m_ends; // of each lane's last pass
    Seconds m_lastEnd;
};

// A PassTime that remembers, as StepMemo does.
class PassMemo {
public:
    explicit PassMemo(PassTime passTime);
    [[nodiscard]] const StagePass& operator()(const StepWork& work);

private:
    struct Entry {
        StepWork work;
        StagePass pass;
        bool known = false;
    };
    PassTime m_passTime;
    std::vector<Entry> m_entries; // none without a PassTime
    StagePass m_latest;
};

} // namespace headroom::serve
