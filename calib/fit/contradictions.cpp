#include "calib/fit/contradictions.h"

#include "model/cost/form_parts.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace headroom {

namespace {

// A larger problem may well be the faster one, when another kernel is chosen for it; not twice as fast.
constexpr double mostPlausible = 2;

// What the amount of work grows with. Experts have more with more rows, on this rank and on all, with more of
// themselves in use and with a wider slice.
using Sizes = std::array<double, 4>;
Sizes sizesOf(const Op& op)
{
    switch (op.cls) {
    case OpClass::Gemm:
        return {op.m};
    case OpClass::GroupedGemm:
        return {op.batch, op.m * op.experts, op.experts, op.n};
    case OpClass::PrefillAttention:
    case OpClass::PrefillMla:
    case OpClass::DecodeAttention:
    case OpClass::DecodeMla:
        return {op.batch, op.queryTokens, op.context};
    case OpClass::Stream:
    case OpClass::Scan:
        return {op.bytes().base()};
    case OpClass::Collective:
        return {op.message.base()};
    }
    return {};
}

bool larger(const Sizes& a, const Sizes& b)
{
    return a != b && std::equal(a.begin(), a.end(), b.begin(), std::greater_equal<>());
}

// What one expert layer has to do beyond another, by kernels that get little out of the accelerator.
Seconds additionalWork(const Op& op, const Op& beyond, const Gpu& gpu)
{
    constexpr double slowArithmetic = 0.25;
    constexpr double slowMemory = 0.5;
    constexpr double bytesPerPassedElement = 4; // sorting reads and writes rows in 16 bits
    const auto more = [](double one, double other) { return std::max(0.0, one - other); };
    const Bytes moved(more(op.weightBytes.base(), beyond.weightBytes.base())
                      + more(op.activationBytes.base(), beyond.activationBytes.base())
                      + more(op.batch, beyond.batch) * op.k * bytesPerPassedElement);
    return over(Flops(more(op.flops.base(), beyond.flops.base())), gpu.peak(op.unit) * slowArithmetic)
        + moved / (gpu.memoryBandwidth * slowMemory);
}

// Longer than another sample of its sweep allows.
bool tooLong(const OpSample& sample, const Sizes& sizes, const OpSample& other, const Sizes& otherSizes,
             const Gpu& gpu)
{
    if (sample.time <= other.time * mostPlausible)
        return false;
    if (larger(otherSizes, sizes))
        return true;
    return sample.op.cls == OpClass::GroupedGemm
        && sample.time > (other.time + additionalWork(sample.op, other.op, gpu)) * mostPlausible;
}

// Samples of one sweep that each of them contradicts.
std::vector<std::vector<std::size_t>> contradictionsAmong(const std::vector<const OpSample*>& sweep,
                                                          const Gpu& gpu)
{
    std::vector<std::vector<std::size_t>> out(sweep.size());
    std::vector<Sizes> sizes;
    for (const OpSample* sample : sweep)
        sizes.push_back(sizesOf(sample->op));
    for (std::size_t i = 0; i < sweep.size(); ++i) {
        for (std::size_t j = 0; j < sweep.size(); ++j) {
            if (i == j || !tooLong(*sweep[i], sizes[i], *sweep[j], sizes[j], gpu))
                continue;
            out[i].push_back(j);
            out[j].push_back(i);
        }
    }
    return out;
}

// Takes out, one after another, what most of the others contradict.
std::vector<std::size_t> contradicted(const std::vector<const OpSample*>& sweep, const Gpu& gpu)
{
    const std::vector<std::vector<std::size_t>> against = contradictionsAmong(sweep, gpu);
    std::vector<std::size_t> count;
    for (const std::vector<std::size_t>& others : against)
        count.push_back(others.size());
    std::vector<std::size_t> out;
    while (true) {
        const auto most
            = static_cast<std::size_t>(std::max_element(count.begin(), count.end()) - count.begin());
        const bool decided = std::any_of(against[most].begin(), against[most].end(), [&](std::size_t other) {
            return count[other] > 0 && count[other] < count[most];
        });
        if (count[most] == 0)
            return out;
        if (decided) {
            out.push_back(most);
            for (const std::size_t other : against[most])
                count[other] -= count[other] > 0 ? 1U : 0U;
        }
        count[most] = 0;
    }
}

} // namespace

Consistent withoutContradictions(std::vector<OpSample> samples, const Gpu& gpu)
{
    std::map<std::string, std::vector<std::size_t>> sweeps;
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (!samples[i].sweep.empty())
            sweeps[samples[i].sweep].push_back(i);
    std::vector<bool> wrong(samples.size());
    Consistent out;
    for (const auto& [name, members] : sweeps) {
        std::vector<const OpSample*> sweep;
        for (const std::size_t i : members)
            sweep.push_back(&samples[i]);
        for (const std::size_t i : contradicted(sweep, gpu)) {
            wrong[members[i]] = true;
            ++out.left;
        }
    }
    for (std::size_t i = 0; i < samples.size(); ++i)
        if (!wrong[i])
            out.samples.push_back(std::move(samples[i]));
    return out;
}

} // namespace headroom
