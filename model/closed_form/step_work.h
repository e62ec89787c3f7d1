#pragma once

#include "model/base/units.h"
#include "model/count/step_shape.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::serve {

// One engine step in whole numbers, all sequences summed: two steps that compare equal take equally long.
struct StepWork {
    std::int64_t prefillTokens = 0;
    std::int64_t prefillSequences = 0;
    std::int64_t prefillPairs = 0; // twice the query-key pairs of all chunks: tokens * (2 * past + tokens)
    std::int64_t decodeSequences = 0;
    std::int64_t decodeQueries = 1; // tokens that each decode has checked: 1 and those drafted
    std::int64_t decodeContext = 0; // cached tokens that all decodes read
    std::int64_t decodeSpan = 0;    // between the longest and the shortest of them
    std::int64_t sampledRows = 0;
    std::int64_t ranks = 1;     // the above is of the busiest of these data-parallel ranks
    std::int64_t allTokens = 0; // of all of them, which their experts see; 0 with one rank

    [[nodiscard]] std::int64_t tokens() const { return prefillTokens + decodeSequences * decodeQueries; }
    void addChunk(std::int64_t tokens, std::int64_t past)
    {
        prefillTokens += tokens;
        ++prefillSequences;
        prefillPairs += tokens * (2 * past + tokens);
    }
    friend bool operator==(const StepWork&, const StepWork&) = default;
};

// Cached tokens that a decode reads; precondition: there are some.
[[nodiscard]] inline double meanContext(const StepWork& work)
{
    return static_cast<double>(work.ranks * work.decodeContext)
        / static_cast<double>(work.ranks * work.decodeSequences);
}

// The same as the means that a cost model works with. The mean past is chosen such that the step's query-key
// pairs, which attention is paid by, stay exact even when chunks and pasts differ.
[[nodiscard]] StepShape shapeOf(const StepWork& work);

// How long a step takes. Pure: the same shape always takes the same time.
using StepTime = std::function<Seconds(const StepShape&)>;

// Where a memo of `memoEntries` keeps such a step.
constexpr std::size_t memoEntries = 4096; // of 88 bytes stay in a core's second-level cache
[[nodiscard]] std::size_t memoPlace(const StepWork& work);

// A StepTime that remembers. Only exact repetitions are answered from memory, so results do not depend on it.
class StepMemo {
public:
    explicit StepMemo(StepTime stepTime);
    [[nodiscard]] Seconds operator()(const StepWork& work);

private:
    struct Entry {
        StepWork work;
        Seconds time{-1}; // negative: empty
    };
    StepTime m_stepTime;
    std::vector<Entry> m_entries;
};

} // namespace headroom::serve
