#pragma once

#include "model/closed_form/prefill_mixing.h"

namespace headroom {

// What a replica that only computes prompts gets through at once when many wait: a pass of whole prompts, or
// one long prompt on each of the ranks that share experts, part by part.
struct PromptRound {
    double prompts = 1;
    StepCost cost;
    Seconds every;     // from one to the next
    double parts = 1;  // steps that a prompt takes
    bool whole = true; // a pass takes whole prompts
};
[[nodiscard]] PromptRound loneRound(const Deployment& deployment, const Load& load);
[[nodiscard]] PromptRound fullRound(const Deployment& deployment, const Load& load);

// How much later than on an idle replica a prompt is through where requests come at such a rate: the rest of
// the pass under way, a queue where passes fill up, and the prompts that share its own pass. `lone`: a round
// of one prompt. Busy at most for `mostBusy` of the time: a queue that is not endless.
[[nodiscard]] Seconds promptDelay(const PromptRound& lone, const PromptRound& full, double requestsPerSecond,
                                  double mostBusy);

} // namespace headroom
