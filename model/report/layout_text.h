#pragma once

#include "model/deploy/layout_text.h"
#include "model/search/candidate_text.h"

namespace headroom {

// "Llama 3.1 70B on 8 × NVIDIA H100 SXM (TP 8), vLLM".
[[nodiscard]] Message deploymentText(const Deployment& deployment);

} // namespace headroom
