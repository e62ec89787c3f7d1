#pragma once

#include "model/deploy/boxes.h"
#include "model/deploy/deployment.h"

namespace headroom {

// What whole runs of layouts miss beyond their operators and their engine, in ln. Both are taken from
// published runs whose source, vendor, generation or configuration was left out, by the interval score
// (width, and ten times what lies beyond; each source with the root of its rows).

// How well the stages of a pipeline keep each other busy, prompts alone and steps with decodes. 125 figures
// of 13 sources: without the source the score is 1.255 with these, 1.271 with 0.12 and 1.268 with 0.2 for
// both, and from 0.2 to 0.25 for prompts it is the same; ranges hold 86 % of the rows.
constexpr double amongPipelinesPrompts = 0.2;
constexpr double amongPipelinesDecodes = 0.12;

// How prompts go over several boxes: whose links, adapters and builds were set up by hand. 102 figures of 16
// sources: the score is least between 0.2 and 0.3 without the source, the configuration and the generation,
// at 0.2 without the vendor. It is of prompts as a whole: one in proportion to what exchanges take of them
// gains nothing, and decodes need none (ranges hold 85 % of all other rows without).
constexpr double amongBoxes = 0.25;

// A step of decodes, or of prompts alone. Stages that stand in boxes of their own are a pipeline's.
[[nodiscard]] inline double lnSpreadAmong(const Deployment& deployment, bool decodes)
{
    if (deployment.layout.pp > 1)
        return decodes ? amongPipelinesDecodes : amongPipelinesPrompts;
    return !decodes && spansBoxes(deployment) ? amongBoxes : 0;
}

} // namespace headroom
