#pragma once

#include "model/base/units.h"
#include "model/serve/gap_histogram.h"

#include <cstdint>
#include <vector>

namespace headroom::serve {

// The state of one replica at the end of a step.
struct LoadSample {
    Seconds time;
    std::int64_t running = 0;
    std::int64_t waiting = 0;
    std::int64_t kvTokens = 0; // in allocated blocks

    friend bool operator==(const LoadSample&, const LoadSample&) = default;
};

// What one replica did, summed while it runs.
class ReplicaLog {
public:
    struct Step {
        Seconds took;
        LoadSample after;
        std::int64_t prefillTokens = 0;
        std::int64_t decodes = 0;
    };
    void add(const Step& step)
    {
        ++steps;
        decodeSteps += step.decodes > 0 ? 1 : 0;
        prefillSteps += step.prefillTokens > 0 ? 1 : 0;
        prefillTokens += step.prefillTokens;
        decodedRows += step.decodes;
        busy += step.took;
        runningSeconds += static_cast<double>(step.after.running) * step.took.base();
        kvTokenSeconds += static_cast<double>(step.after.kvTokens) * step.took.base();
        peakRunning = step.after.running > peakRunning ? step.after.running : peakRunning;
        peakKvTokens = step.after.kvTokens > peakKvTokens ? step.after.kvTokens : peakKvTokens;
        if (steps >= m_nextSample && keepsSamples)
            sample(step.after);
    }

    bool keepsSamples = true; // few look at them
    GapHistogram gaps;
    std::int64_t steps = 0;
    std::int64_t decodeSteps = 0;   // that gave some running sequence a token
    std::int64_t prefillSteps = 0;  // that computed some prompt; a mixed step counts as both
    std::int64_t prefillTokens = 0; // computed, again where a preemption lost them
    std::int64_t decodedRows = 0;
    std::int64_t preemptions = 0;
    std::int64_t peakRunning = 0;
    std::int64_t peakKvTokens = 0;
    Seconds busy;
    double runningSeconds = 0;
    double kvTokenSeconds = 0;
    std::vector<LoadSample> samples; // evenly spread over the steps, at most `maxSamples`

    static constexpr std::size_t maxSamples = 1024; // more than a screen is wide

private:
    void sample(const LoadSample& now);
    std::int64_t m_stride = 1;
    std::int64_t m_nextSample = 1;
};

} // namespace headroom::serve
