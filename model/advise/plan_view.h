#pragma once

#include "model/base/result.h"
#include "model/base/run_control.h"
#include "model/closed_form/prediction.h"
#include "model/cost/forms.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario.h"
#include "model/search/search.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom {

class Catalogue;

// One operator of the slowest stage in a step, all its executions together.
struct OperatorFigure {
    bool prefill = false;
    Op op;
    OpTime each;  // of one execution
    Seconds time; // of all
    double shareOfStep = 0;
    double flopsPerByte = 0; // 0 for messages
    FlopsPerSecond achieved;
    FlopsPerSecond ceiling; // what the roofline of its arithmetic allows at that intensity
};

struct BatchFigure {
    double batch = 0;
    Prediction prediction;
};

struct ContextFigure {
    double contextTokens = 0;
    MemoryPlan memory;
    double largestBatch = 0; // sequences of that context that one replica holds
};

// Peak of one arithmetic unit: the flat part of a roofline.
struct Ceiling {
    MathUnit unit = MathUnit::Bf16;
    FlopsPerSecond peak;
};

// How far a plan view has looked, each taking several times as long as the one before. Answered: the answer
// and the curves around it, which follow a hand that drags a slider. Explained: with remedies, sensitivity,
// the Pareto set, growth, and what would be safe. Replayed: with requests that come at random put through the
// engine's scheduler, which may change the answer.
enum class PlanDepth : std::uint8_t { Answered, Explained, Replayed };

// Everything that is shown of one scenario: the answer, its prediction, and how both change around it. A
// value: a window and a report read it and never change it.
struct PlanView {
    std::shared_ptr<const Catalogue> catalogue; // what the rest points into
    Scenario asked;
    PlanDepth depth = PlanDepth::Replayed;
    std::shared_ptr<const SizingPlan> sizing;
    Resolved resolved;                     // the answer's machine, with the answer's layout and load put in
    Prediction prediction;                 // of the answer at its load
    std::vector<OperatorFigure> operators; // of the answer: prefill, then decode
    std::vector<Ceiling> ceilings;         // highest first
    std::vector<BatchFigure> byBatch;      // ascending; the answer's batch is among them
    std::vector<ContextFigure> byContext;  // at the answer's batch

    [[nodiscard]] const Candidate& answer() const { return sizing->answer; }
    [[nodiscard]] const std::vector<Message>& assumptions() const { return sizing->assumptions; }
    [[nodiscard]] const std::vector<Message>& warnings() const { return sizing->warnings; }
};

[[nodiscard]] Result<std::shared_ptr<const PlanView>>
makePlanView(const std::shared_ptr<const Catalogue>& catalogue, const Scenario& scenario,
             const TraceReader& readTrace, const RunControl& control, PlanDepth depth = PlanDepth::Replayed);

// The parts, for one resolved deployment.
[[nodiscard]] std::vector<OperatorFigure> operatorFigures(const Deployment& deployment, const Load& load);
[[nodiscard]] std::vector<Ceiling> rooflineCeilings(const Deployment& deployment);
[[nodiscard]] std::vector<BatchFigure> figuresByBatch(const Deployment& deployment, const Load& load);
[[nodiscard]] std::vector<ContextFigure> figuresByContext(const Deployment& deployment, const Load& load);

} // namespace headroom
