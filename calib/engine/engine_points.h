#pragma once

#include "model/base/estimate.h"
#include "model/base/result.h"
#include "model/import/bench_import.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

class Catalogue;

// What a figure of an engine's own benchmark is the time of.
enum class TimedPart : std::uint8_t {
    Prompts,    // prompts of some sequences, together
    DecodeStep, // one token for each of some sequences
    Batch,      // prompts and all tokens of a batch that nobody joins
    LoadedStep, // a user's time between tokens while others' prompts are read too
    Service     // a request's share of a service that is kept full
};
[[nodiscard]] Code timedPartName(TimedPart part);

// One figure of an engine as seconds, and what was run.
struct EnginePoint {
    Message what; // "qwen2.5-0.5b q8_0: one token for 4 behind 1024"
    TimedPart part = TimedPart::DecodeStep;
    double sequences = 1;
    double prompt = 0; // tokens of one sequence that are read
    double cached = 0; // before those
    double output = 0; // tokens of one answer
    double seconds = 0;
    std::shared_ptr<const Resolved> machine; // of the row's model and types

    [[nodiscard]] bool prefill() const { return part == TimedPart::Prompts; }
};

// Results of load tools as points; `asked` gives what they do not say: accelerator, engine (empty: the
// file's), calibration, layout. Refused where both say different things. Rows that say nothing of kernels are
// skipped and told.
struct EnginePoints {
    std::vector<EnginePoint> points;
    std::vector<Message> skipped;
};
[[nodiscard]] Result<EnginePoints> enginePoints(const std::vector<ImportedBench>& files,
                                                const Scenario& asked, const Catalogue& catalogue);

// The same point as a deployment foretells it, in seconds.
[[nodiscard]] Estimate<double> predictedTime(const EnginePoint& point, const Deployment& deployment);
[[nodiscard]] inline double predictedSeconds(const EnginePoint& point, const Deployment& deployment)
{
    return predictedTime(point, deployment).value;
}

} // namespace headroom
