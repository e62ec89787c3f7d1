#pragma once

#include "model/deploy/layout.h"
#include "model/search/search.h"

#include <string>

namespace headroom {

// "TP 4 × PP 2, 3 replicas"; "1 GPU" when nothing is split.
[[nodiscard]] Message layoutText(const Layout& layout);
// With two pools both: "TP 4, 3 replicas; prompts on TP 2".
[[nodiscard]] Message layoutText(const Candidate& candidate);

// "Llama 3.1 70B on 8 × NVIDIA H100 SXM (TP 8), vLLM".
[[nodiscard]] std::string deploymentText(const Deployment& deployment);

// "8 × NVIDIA H100 SXM"; pools of two kinds: "8 × … + 4 × …".
[[nodiscard]] std::string machinesText(const Candidate& candidate);

} // namespace headroom
