#pragma once

#include "model/base/estimate.h"
#include "model/cost/forms.h"
#include "model/count/operators.h"
#include "model/count/step_shape.h"
#include "model/count/weights.h"
#include "model/deploy/deployment.h"

#include <algorithm>
#include <array>
#include <vector>

namespace headroom {

// A step of one replica with its parts. Parts are sums over the operators of one GPU of the slowest stage.
struct StepCost {
    Estimate<Seconds> rate;    // time between two such steps when the pipeline is full: what a decode feels
    Estimate<Seconds> latency; // from entering the first stage to leaving the last
    Seconds compute;
    Seconds memory;
    Seconds link;
    Seconds launch;
    Seconds host; // the engine's own time that is not hidden
    Flops flops;  // whole replica
    Bytes bytes;  // whole replica
    Bound bound = Bound::Memory;
};

// Operators of one step in their order, with the time of each.
struct TimedOps {
    struct One {
        Op op;
        Seconds time;
    };
    std::vector<One> all;
};

// Kinds of stages, each with a way to the next inside the node or out of it.
constexpr std::size_t waysOfStages = 2 * maxDistinctStages;

// How long one pass of a scheduler stays in each stage of a pipeline, way to the next stage included.
struct StagePass {
    struct Alike {
        Seconds seconds;
        int stages = 1; // one after the other
    };
    std::array<Alike, waysOfStages> kinds{};
    std::size_t kindCount = 0;
    Seconds host; // the engine's own time that is not hidden

    [[nodiscard]] Seconds latency() const
    {
        Seconds sum = host;
        for (std::size_t i = 0; i < kindCount; ++i)
            sum += kinds[i].seconds * kinds[i].stages;
        return sum;
    }
    [[nodiscard]] Seconds slowest() const
    {
        Seconds most;
        for (std::size_t i = 0; i < kindCount; ++i)
            most = std::max(most, kinds[i].seconds);
        return most;
    }
};

struct StageSum;
template <typename Stage>
class StageList;

// Times steps of one deployment; what does not depend on the step is worked out once. Never allocates.
class StepTimer {
public:
    explicit StepTimer(const Deployment& deployment);

    // One execution of an operator by the engine of the deployment.
    [[nodiscard]] OpTime timeOf(const Op& op) const;

    // `lanes`: of a pipeline, among how many passes the step is dealt out; 0: one for each stage.
    [[nodiscard]] StepCost cost(const StepShape& shape, double lanes = 0) const;
    // cost(shape).rate alone, and its value without the interval: what a simulation asks for every step.
    [[nodiscard]] Estimate<Seconds> rateWithInterval(const StepShape& shape, double lanes = 0) const;
    [[nodiscard]] Seconds rate(const StepShape& shape) const;
    // The former with one of the passes among which the step is dealt out, for which nothing is timed again.
    struct RateAndPass {
        Estimate<Seconds> rate;
        StagePass pass;
    };
    [[nodiscard]] RateAndPass rateAndPass(const StepShape& shape, double lanes) const;
    // The same for one who asks for many steps that differ little: an operator that is equal to the one at
    // its place in `known` takes that one's time, and stands there afterwards.
    [[nodiscard]] Seconds rate(const StepShape& shape, TimedOps& known) const;
    // One of the passes that a full pipeline has under way, by what is in it.
    [[nodiscard]] StagePass pass(const StepShape& shape) const;
    [[nodiscard]] StagePass pass(const StepShape& shape, TimedOps& known) const;
    // One drafted token of each sequence by the model's own prediction modules, on the last stage.
    [[nodiscard]] Estimate<Seconds> draftRate(const StepShape& shape) const;

    // Operators of the stage that rules the rate, for tables, pictures and explanations.
    [[nodiscard]] std::vector<Op> operators(const StepShape& shape) const;
    [[nodiscard]] const Deployment& deployment() const { return m_deployment; }
    [[nodiscard]] const MatrixKinds& matrices() const { return m_matrices; }

private:
    template <typename Stage, typename Timing>
    [[nodiscard]] StageList<Stage> sumUp(const StepShape& shape, const Timing& timing) const;
    template <typename Stage, typename Timing>
    [[nodiscard]] StageList<Stage> inTurns(const StepShape& shape, const Timing& timing) const;
    template <typename Stage>
    [[nodiscard]] StageList<Stage> sumUp(const StepShape& shape) const;
    template <typename Stage, typename Timing>
    [[nodiscard]] StageList<Stage> sumOfParts(const StepShape& shape, const StepShape& part,
                                              const Timing& timing) const;
    template <typename Stage>
    [[nodiscard]] StageList<Stage> sumOfParts(const StepShape& shape, const StepShape& part) const;
    [[nodiscard]] auto remembering(TimedOps& known, std::size_t& place) const;
    template <typename Timing>
    [[nodiscard]] auto alikeOnce(const Timing& timing) const;
    template <typename Stage>
    [[nodiscard]] StagePass passOf(const StageList<Stage>& stages, const StepShape& shape) const;
    template <typename Stage>
    [[nodiscard]] Estimate<Seconds> rateOf(const StageList<Stage>& stages, const StepShape& shape,
                                           const StepShape& part) const;
    template <typename Stage>
    void wait(Stage& stage, const StepShape& shape) const;
    [[nodiscard]] OpTime timeAndFloor(const Op& op) const;

    // How long kinds of stages take. How they follow one another: step_pace.cpp.
    using StageSeconds = std::array<Seconds, waysOfStages>;
    struct Pace {
        double rate = 0;
        double passing = 0;      // from the first stage to the last
        std::size_t slowest = 0; // stage
    };
    // What that asks of a step which is run in parts like `part`, however long its stages take.
    struct Succession {
        bool full = false;    // a pipeline that takes in a part each time its slowest stage is free
        bool decodes = false; // there
        double pieces = 1;
        double ofStage = 0; // the host's, between two parts
        double host = 0;    // and beside those, once
    };
    [[nodiscard]] Succession succession(const StepShape& shape, const StepShape& part) const;
    [[nodiscard]] Pace pace(const StageSeconds& stages, const Succession& parts) const;
    // How sure of whole runs, where it is so much of the stages: deviation of the logarithm.
    [[nodiscard]] double spreadOfRuns(double ofStages, const StepShape& shape) const;
    struct Sureness {
        double lnSpread = 0;
        Source source = Source::Exact;
    };
    template <typename Stage>
    [[nodiscard]] Sureness sureness(const StageList<Stage>& stages, const StepShape& shape) const;
    template <typename Stage>
    [[nodiscard]] Pace pace(const StageList<Stage>& stages, const Succession& parts) const;
    template <typename Stage>
    [[nodiscard]] double floorOfRate(const StageList<Stage>& stages, const Succession& parts) const;

    // Parts of a step: step_parts.cpp.
    [[nodiscard]] StepShape pieceOf(const StepShape& shape) const;
    // Of a step in pieces like `part`: `part` itself where all are alike.
    [[nodiscard]] StepShape firstPiece(const StepShape& shape, const StepShape& part) const;
    [[nodiscard]] static StepShape otherPiece(const StepShape& shape, const StepShape& first,
                                              const StepShape& part);
    [[nodiscard]] StepShape microBatch(const StepShape& shape, double lanes = 0) const;
    [[nodiscard]] static StepShape halfOf(const StepShape& shape);
    // Micro-batches that it takes to cover a step.
    [[nodiscard]] static double covers(const StepShape& shape, const StepShape& part);

    [[nodiscard]] Seconds hostTime(const StepShape& shape) const;
    // Of that, what each stage of a pipeline spends between two micro-batches.
    [[nodiscard]] Seconds hostOfStage(const StepShape& shape) const;

    Deployment m_deployment;
    MatrixKinds m_matrices;
    struct Kind {
        bool used = false;                               // in some stage
        bool mixesAsBefore = false, mixesAsNext = false; // of those that are used
    };
    std::array<Kind, maxLayerKinds> m_kinds{};
    bool m_severalKinds = false; // that are used
    std::array<StageLayers, waysOfStages> m_stages{};
    std::size_t m_stageCount = 0;
};

} // namespace headroom
