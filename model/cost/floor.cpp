#include "model/cost/exchange_form.h"
#include "model/cost/form_parts.h"

namespace headroom {

Seconds floorOf(const Op& op, const Gpu& gpu, const Node& node)
{
    if (op.cls == OpClass::Collective)
        return exchangeFloor(op, node);
    const Seconds reading = op.bytes() / gpu.memoryBandwidth;
    if (op.cls == OpClass::Stream || op.cls == OpClass::Scan)
        return reading;
    return std::max(reading, over(op.flops, gpu.peak(op.unit)));
}

} // namespace headroom
