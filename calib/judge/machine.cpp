#include "calib/judge/machine.h"

#include "calib/fit/machine_fit.h"

#include <algorithm>

namespace headroom {

namespace {

// Operands are rotated, but caches are larger than a machine tells where guests share it: what is read in
// less time than the largest by the byte came from one of them.
BytesPerSecond rateOfLargest(const std::vector<SizedTime>& times)
{
    BytesPerSecond out{};
    double largest = 0;
    for (const SizedTime& each : times) {
        if (each.size < largest)
            continue;
        const BytesPerSecond rate = Bytes(each.size) / each.time;
        out = each.size > largest ? rate : std::max(out, rate);
        largest = each.size;
    }
    return out;
}

// Of each layer that was timed in a burst and one after another: by the type that its products are in.
std::array<double, mathUnitCount> settledShares(const Sweep& sweep, const SampleTable& table)
{
    std::array<double, mathUnitCount> burst{};
    std::array<double, mathUnitCount> settled{};
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const SweepPoint& point = sweep.points[i];
        if (point.kind != PointKind::Machine || point.tasks.size() < 2 || !table.points[i]
            || !table.points[i]->refused.empty())
            continue;
        const auto product
            = std::find_if(point.tasks.begin(), point.tasks.end(),
                           [](const kernels::Task& task) { return task.kernel == kernels::Kernel::Gemm; });
        if (product == point.tasks.end())
            continue;
        const auto unit = static_cast<std::size_t>(kernels::workOf(*product).unit);
        (point.tasks.front().sustained ? settled : burst)[unit] = table.points[i]->timing.perLaunch.base();
    }
    std::array<double, mathUnitCount> out{};
    constexpr double least = 0.5; // no card settles below half of its clock
    for (std::size_t unit = 0; unit < mathUnitCount; ++unit)
        if (burst[unit] > 0 && settled[unit] > 0 && burst[unit] >= least * settled[unit])
            out[unit] = std::min(burst[unit] / settled[unit], 1.0);
    return out;
}

} // namespace

MeasuredMachine machineFrom(const kernels::DeviceFacts& facts, const Sweep& sweep, const SampleTable& table)
{
    MeasuredMachine machine{.kind = facts.kind,
                            .name = facts.name,
                            .driver = facts.driver,
                            .libraries = facts.libraries,
                            .uuidHash = facts.uuidHash,
                            .units = std::max(facts.units, 1),
                            .memory = facts.memory,
                            .cache = facts.cache};
    std::vector<SizedTime> reads;
    std::vector<SizedTime> copies;
    std::vector<SizedTime> graphs;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const SweepPoint& point = sweep.points[i];
        const std::optional<Sample>& sample = table.points[i];
        if (point.kind != PointKind::Machine || point.tasks.size() > 1 || !sample || !sample->refused.empty())
            continue;
        const kernels::Task& task = point.tasks.front();
        const Op op = kernels::workOf(task);
        const Seconds time = sample->timing.perLaunch;
        const auto keep = [&](std::vector<SizedTime>& times, double size) {
            times.push_back({.size = size, .time = time, .lnSpread = sample->timing.lnSpread});
        };
        switch (task.kernel) {
        case kernels::Kernel::Empty:
            if (task.graphNodes > 0)
                keep(graphs, task.graphNodes);
            else if (!task.eager)
                machine.emptyLaunch = time;
            break;
        case kernels::Kernel::Read:
            keep(reads, op.bytes().base());
            break;
        case kernels::Kernel::Copy:
            keep(copies, op.bytes().base());
            break;
        case kernels::Kernel::Gemm: {
            FlopsPerSecond& rate
                = (task.sustained ? machine.sustained : machine.burst)[static_cast<std::size_t>(op.unit)];
            rate = std::max(rate, op.flops / time);
            break;
        }
        default:
            break;
        }
    }
    for (std::size_t unit = 0; unit < mathUnitCount; ++unit)
        if (!(machine.sustained[unit].base() > 0)) // a run that ended before clocks settled knows no other
            machine.sustained[unit] = machine.burst[unit];
    machine.settled = settledShares(sweep, table);
    machine.read = rateOfLargest(reads);
    machine.copy = rateOfLargest(copies);
    machine.reads = fitRamp(reads);
    machine.copies = fitRamp(copies);
    machine.graph = fitGraphCost(graphs);
    return machine;
}

Seconds eagerLaunchFrom(const Sweep& sweep, const SampleTable& table)
{
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const kernels::Task& task = sweep.points[i].tasks.front();
        if (task.kernel == kernels::Kernel::Empty && task.eager && table.points[i]
            && table.points[i]->refused.empty())
            return table.points[i]->timing.perLaunch;
    }
    return {};
}

Achieved achievedBy(const SweepPoint& point, Seconds time, const MeasuredMachine& machine)
{
    double flops = 0;
    double bytes = 0;
    double compute = 0; // seconds at the peaks
    double memory = 0;
    for (const kernels::Task& task : point.tasks) {
        const Op op = kernels::workOf(task);
        const FlopsPerSecond peak = machine.sustained[static_cast<std::size_t>(op.unit)];
        flops += op.flops.base();
        bytes += op.bytes().base();
        compute += peak.base() > 0 ? (op.flops / peak).base() : 0;
        memory += machine.read.base() > 0 ? (op.bytes() / machine.read).base() : 0;
    }
    const double bound = std::max(compute, memory);
    return {.intensity = bytes > 0 ? flops / bytes : 0,
            .ofPeak = time.base() > 0 ? bound / time.base() : 0,
            .memoryBound = memory >= compute};
}

} // namespace headroom
