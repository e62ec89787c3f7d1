// Kinds of stages and of layers that a step of a deployment has: what does not depend on the step.
#include "model/cost/step_cost.h"
#include "model/count/step_operators.h"

#include <algorithm>

namespace headroom {

StepTimer::StepTimer(const Deployment& deployment) : m_deployment(deployment), m_matrices(deployment)
{
    const int stages = deployment.layout.pp;
    for (int stage = 0; stage < stages; ++stage) {
        StageLayers layers = stageLayers(*deployment.llm, stages, stage);
        layers.crosses = crossesNodes(deployment, stage);
        const auto known
            = std::find_if(m_stages.begin(), m_stages.begin() + m_stageCount, [&](StageLayers other) {
                  other.alike = layers.alike;
                  return other == layers;
              });
        if (known != m_stages.begin() + m_stageCount)
            ++known->alike;
        else if (m_stageCount < m_stages.size())
            m_stages[m_stageCount++] = layers;
    }
    std::size_t before = maxLayerKinds;
    for (std::size_t i = 0; i < std::min(deployment.llm->kinds.size(), maxLayerKinds); ++i) {
        const auto has = [i](const StageLayers& layers) { return layers.ofKind[i] > 0; };
        if (std::none_of(m_stages.begin(), m_stages.begin() + m_stageCount, has))
            continue;
        m_kinds[i].used = true;
        m_severalKinds = m_severalKinds || before < i;
        if (before < i && sameMixing(deployment.llm->kinds[i], deployment.llm->kinds[before]))
            m_kinds[i].mixesAsBefore = m_kinds[before].mixesAsNext = true;
        before = i;
    }
}

} // namespace headroom
