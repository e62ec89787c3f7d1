#pragma once

#include <vector>

namespace headroom::twin {

// Seconds of one micro-batch in one layer of experts that are spread over ranks.
struct SpreadLayer {
    double attention = 0; // and all else that computes before the experts
    double dispatch = 0;
    double experts = 0; // of the busiest rank
    double combine = 0;
};

// So many micro-batches through the same layers on one GPU that computes one thing at a time and one network
// that carries one exchange at a time; who is ready first goes first. One: exchanges wait for computing and
// computing for exchanges. Two (DeepSeek's dual micro-batches, SGLang's two-batch overlap, vLLM's DBO): one
// computes while the other exchanges.
[[nodiscard]] double passTime(const std::vector<SpreadLayer>& layers, int microBatches);

} // namespace headroom::twin
