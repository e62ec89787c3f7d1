#include "calib/tools/cached_timings.h"

#include <map>
#include <string>

namespace headroom {

bool readsLongest(const Op& op, const Gpu& gpu)
{
    const Seconds fromMemory = (op.weightBytes + op.kvBytes) / gpu.memoryBandwidth;
    constexpr Seconds launch{4e-6};
    return fromMemory > launch && fromMemory > op.flops / gpu.peak(op.unit);
}
bool servedFromCache(const Op& op, const Gpu& gpu, double copies)
{
    constexpr double edge = 1.2; // a little more than the cache holds still leaves part of it there
    return (op.weightBytes + op.kvBytes) * copies < gpu.l2Cache * edge && readsLongest(op, gpu);
}

std::vector<OpSample> withoutImpossible(std::vector<OpSample> samples, const Gpu& gpu)
{
    struct Count {
        double rows = 0;
        double impossible = 0;
    };
    const auto impossible = [&](const OpSample& sample) {
        const Bytes read = sample.op.weightBytes + sample.op.kvBytes;
        return read > gpu.l2Cache && (read - gpu.l2Cache) / gpu.memoryBandwidth > sample.time;
    };
    std::map<std::string, Count> shapes;
    for (const OpSample& sample : samples) {
        Count& shape = shapes[sample.sweep];
        shape.rows += 1;
        shape.impossible += impossible(sample) ? 1 : 0;
    }
    constexpr double mostImpossible = 0.1;
    std::erase_if(samples, [&](const OpSample& sample) {
        const Count& shape = shapes[sample.sweep];
        return shape.impossible > mostImpossible * shape.rows || impossible(sample);
    });
    return samples;
}

} // namespace headroom
