#pragma once

#include "model/count/operator_builder.h"

#include <cstddef>

namespace headroom {

// A layer is what stands before its MLP and the rest: kinds that attend alike have the first in common.
enum class LayerPart : std::uint8_t { Mixer, Rest };
[[nodiscard]] bool sameMixing(const LayerKind& a, const LayerKind& b);

// The operators of a step in parts, for whoever works out the stages of a pipeline together, or many steps:
// what one layer of a kind executes does not depend on the stage, how its matrices are stored does not depend
// on the step.
class StepOperators {
public:
    StepOperators(const Deployment& deployment, const MatrixKinds& matrices, const StepShape& shape,
                  OpSink sink)
        : m_build(deployment, matrices, shape, sink)
    {}
    void ofLayer(std::size_t kind, LayerPart part) const;
    void ofEnds(const StageLayers& stage) const { m_build.ends(stage); }

private:
    OperatorBuilder m_build;
};

} // namespace headroom
