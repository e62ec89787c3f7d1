#include "model/cost/exchange_form.h"
#include "model/cost/form_parts.h"

namespace headroom {

Seconds floorOf(const Op& op, const Gpu& gpu, const Node& node)
{
    if (op.cls == OpClass::Collective)
        return exchangeFloor(op, node);
    // A processor's rates are what one program reached on it, and an engine's kernels may do better (8-bit
    // products run on other units than calibrate's fp32): no bound.
    if (gpu.processor())
        return {};
    const Seconds reading = op.bytes() / gpu.memoryBandwidth;
    if (op.cls == OpClass::Stream || op.cls == OpClass::Scan)
        return reading;
    return std::max(reading, over(op.flops, gpu.peak(op.unit)));
}

} // namespace headroom
