#pragma once

#include "model/count/layer_counts.h"
#include "model/count/op.h"
#include "model/count/sink.h"
#include "model/count/step_shape.h"
#include "model/count/stored_type.h"
#include "model/deploy/deployment.h"

#include <array>
#include <cstdint>
#include <vector>

namespace headroom {

// The layers of one pipeline stage, by kind, and what stands at its ends.
struct StageLayers {
    LayerCounts ofKind{};
    bool first = true;    // holds the embedding
    bool last = true;     // holds the head
    bool crosses = false; // its activations go on to another node
    int alike = 1;        // stages of the pipeline that look the same

    friend bool operator==(const StageLayers&, const StageLayers&) = default;
};
[[nodiscard]] StageLayers stageLayers(const Llm& llm, int stages, int stage);

using OpSink = Sink<Op>;

// Every operator that one GPU of the stage executes in the step, with its work. Tokens of several
// data-parallel ranks are counted for the busiest rank.
void forEachOperator(const Deployment& deployment, const StageLayers& stage, const StepShape& shape,
                     OpSink sink);

// What the last stage executes for one drafted token of each sequence: a module of multi-token prediction
// joins the hidden vector with the newest token's, runs its layers and the model's head.
void forEachDraftOperator(const Deployment& deployment, const MatrixKinds& matrices, const StepShape& shape,
                          OpSink sink);

// Whether the way from this stage to the next leads to another node: stages stand side by side in their
// order.
[[nodiscard]] bool crossesNodes(const Deployment& deployment, int stage);

// Data-parallel ranks that have something to do in the step.
[[nodiscard]] double busyRanks(const Deployment& deployment, const StepShape& shape);

} // namespace headroom
