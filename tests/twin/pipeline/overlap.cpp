#include "overlap.h"

#include <algorithm>

namespace headroom::twin {

double passTime(const std::vector<SpreadLayer>& layers, int microBatches)
{
    struct Batch {
        std::size_t layer = 0;
        int part = 0;
        double ready = 0;
    };
    std::vector<Batch> batches(static_cast<std::size_t>(microBatches));
    double free[2] = {0, 0}; // the GPU, the network
    double end = 0;
    while (true) {
        // Of the batches the one whose next part can begin first; of equals the one behind.
        Batch* next = nullptr;
        double begins = 0;
        for (Batch& batch : batches) {
            if (batch.layer == layers.size())
                continue;
            const double begin = std::max(batch.ready, free[batch.part % 2]);
            const bool earlier
                = next == nullptr || begin < begins || (begin == begins && batch.ready < next->ready);
            if (earlier) {
                next = &batch;
                begins = begin;
            }
        }
        if (next == nullptr)
            return end;
        const SpreadLayer& layer = layers[next->layer];
        const double parts[] = {layer.attention, layer.dispatch, layer.experts, layer.combine};
        next->ready = free[next->part % 2] = begins + parts[next->part];
        end = std::max(end, next->ready);
        if (++next->part == 4) {
            next->part = 0;
            ++next->layer;
        }
    }
}

} // namespace headroom::twin
