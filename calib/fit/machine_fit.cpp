#include "calib/fit/machine_fit.h"

#include "calib/fit/robust_fit.h"
#include "model/efficiency/efficiency_set.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace headroom {

namespace {

std::size_t sizesOf(const std::vector<SizedTime>& samples)
{
    std::set<double> sizes;
    for (const SizedTime& sample : samples)
        sizes.insert(sample.size);
    return sizes.size();
}

// Fits t = values[0] + size * values[1].
std::vector<double> fitLine(const std::vector<SizedTime>& samples, FitParameter start, FitParameter slope)
{
    FitTask task{.parameters = {std::move(start), std::move(slope)}};
    for (const SizedTime& sample : samples) {
        task.lnMeasured.push_back(std::log(sample.time.base()));
        task.lnSpread.push_back(sample.lnSpread);
    }
    task.predictLn = [&samples](std::span<const double> values, std::span<double> out) {
        for (std::size_t i = 0; i < samples.size(); ++i)
            out[i] = std::log(values[0] + samples[i].size * values[1]);
    };
    return fitRobustly(task).values;
}

// Priors that say little: any machine's figures lie within a factor of ten of these.
constexpr double wide = 1.2;
constexpr double least = 1e-15; // seconds: below any start and any byte

} // namespace

Ramp fitRamp(const std::vector<SizedTime>& samples)
{
    constexpr std::size_t fewest = 4;
    if (sizesOf(samples) < fewest)
        return {};
    double perByte = samples.front().time.base() / samples.front().size; // of the fastest
    for (const SizedTime& sample : samples)
        perByte = std::min(perByte, sample.time.base() / sample.size);
    constexpr double usualStart = 3e-6; // of an empty launch and one trip to memory
    const std::vector<double> line
        = fitLine(samples, {.name = "start", .prior = usualStart, .lnSpread = wide, .low = least},
                  {.name = "seconds a byte", .prior = perByte, .lnSpread = wide, .low = least});
    return {.full = BytesPerSecond(1 / line[1]), .half = Bytes(line[0] / line[1])};
}

GraphCost fitGraphCost(const std::vector<SizedTime>& samples)
{
    constexpr std::size_t fewest = 3;
    if (sizesOf(samples) < fewest)
        return {};
    constexpr double usualBase = 10e-6; // twice an eager launch: there and back
    const double usualNode = EfficiencySet{}.graphNode.base();
    const std::vector<double> line
        = fitLine(samples, {.name = "base", .prior = usualBase, .lnSpread = wide, .low = least},
                  {.name = "node", .prior = usualNode, .lnSpread = wide, .low = least});
    return {.base = Seconds(line[0]), .perNode = Seconds(line[1])};
}

} // namespace headroom
