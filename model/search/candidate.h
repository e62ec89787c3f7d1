#pragma once

#include "model/closed_form/operating_point.h"
#include "model/deploy/paid.h"
#include "model/resolve/resolve.h"
#include "model/search/kept_curve.h"
#include "model/search/prompt_wait.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

// What a replay of the traffic gave, at the percentile that the targets are promised for.
struct SimulatedService {
    // Times of all its requests on average.
    struct Means {
        Seconds ttft;
        Seconds tpot;
        Seconds latency;
    };

    double percentile = 90;
    Seconds ttft;
    Seconds tpot;
    Seconds latency;
    double attainment = 1; // share of requests that met every target
    bool stable = true;
    Means mean;
    Means closedForm;             // that said where to look
    double requestsPerSecond = 0; // answered by the whole service
    bool broken = false;          // ended where so many had missed the targets that the rest did not matter
    bool clear = false;      // ended where it was clear that enough meet them: what is told is played whole
    bool takesTurns = false; // its users wait for their answers: how many a second is its result
};

// GPUs that compute prompts and send their cache to those that decode.
struct PromptPool {
    std::shared_ptr<const Resolved> machine; // keeps what `deployment` points to
    Deployment deployment;                   // layout with its replicas
    Seconds transfer;                        // of one prompt's cache
    double busy = 0;                         // share of its time that prompts take, spares out of service
    FreePool free;                           // a first token where nobody waits
};

// One way to build the service, judged.
struct Candidate {
    std::shared_ptr<const Resolved> machine; // keeps what `deployment` points to
    Deployment deployment;                   // layout with its replicas
    Load load;                               // of one replica, at the stated load spread over the replicas
    OperatingPoint point;                    // the same: what users feel
    double maxConcurrency = 0;               // users at once in the whole service with all targets met
    double maxRequestsPerSecond = 0;         // at that concurrency
    bool maximumKnown = false;               // the most of both was looked for, and not only enough of it
    Capacity::Limit concurrencyLimit = Capacity::Limit::Targets;
    bool meets = false;
    TargetKind missed = TargetKind::None;
    // The time that misses its target by most over that target, or the stated rate over what is served of it,
    // whichever is more; at most 1: nothing is missed.
    double missedBy = 0;
    Message reason; // why it does not meet; empty when it does
    double confidence = 0;
    std::shared_ptr<KeptCurve> curve;  // of one replica; none of what does not fit, or has two pools
    std::optional<PromptPool> prompts; // then `deployment` only decodes
    int deviations = 0; // types and settings that differ from what was stated, published or usual
    std::optional<SimulatedService> simulated; // finalists under traffic only

    [[nodiscard]] int gpus() const
    {
        return deployment.layout.gpus() + (prompts ? prompts->deployment.layout.gpus() : 0);
    }
    [[nodiscard]] int nodes() const;
    // What the times of its answers rest on.
    [[nodiscard]] Source evidence() const { return worse(point.tpot.source, point.ttft.source); }
    [[nodiscard]] Message limitedBy() const;
};

// What users feel and the service gives becomes what its replay gave, as sure as the closed form is. One that
// was overloaded says nothing of either.
void tellReplayed(OperatingPoint& point, const SimulatedService& replay);

// Times that are held against the targets: at the percentile that they are promised for where there was a
// replay.
[[nodiscard]] UserTimes judgedTimes(const Candidate& candidate);

// What all of it costs to buy: GPUs as they are sold, boxes, network; empty where a GPU's price is not known.
[[nodiscard]] std::optional<Dollars> purchaseOf(const Candidate& candidate);

} // namespace headroom
