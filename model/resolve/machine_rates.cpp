#include "model/resolve/machine_rates.h"

#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "model/resolve/kernel_owner.h"

#include <algorithm>

namespace headroom {

namespace {

// Products of the executor that say what arithmetic sustains (calib/sweep/cuda_grid.cpp).
constexpr double largeProduct = 8192;

struct LibraryProduct {
    MathUnit unit;
    GemmClass type;
    double bytesPerElement;
};
constexpr std::array libraryProducts{
    LibraryProduct{MathUnit::Fp32, GemmClass::Fp32, 4}, LibraryProduct{MathUnit::Fp16, GemmClass::Half, 2},
    LibraryProduct{MathUnit::Bf16, GemmClass::Half, 2}, LibraryProduct{MathUnit::Fp8, GemmClass::Fp8, 1},
    LibraryProduct{MathUnit::Int8, GemmClass::Int8, 1}};

FlopsPerSecond publishedRate(const LibraryProduct& product, const EfficiencySet& known, const Gpu& gpu)
{
    if (!gpu.has(product.unit))
        return {};
    const Op op = gemmOp(OpName::Qkv,
                         {.m = largeProduct,
                          .n = largeProduct,
                          .k = largeProduct,
                          .weightBytesPerElement = product.bytesPerElement,
                          .activationBytes = product.bytesPerElement},
                         product.type, product.unit);
    EfficiencySet plain = known;
    plain.exactShapes.clear(); // corrections of other matrices
    const OpTime time = timeOp(op, gpu, Node{}, plain);
    return time.total.base() > 0 ? op.flops / time.total : FlopsPerSecond{};
}

// Published timings are bursts of some milliseconds: these are held against them. What clocks settle at under
// a server's load is in the figures that were fitted to servers.
FlopsPerSecond burstOf(const MeasuredMachine& machine, std::size_t unit)
{
    return machine.burst[unit].base() > 0 ? machine.burst[unit] : machine.sustained[unit];
}

// Beyond these a figure is another card's, or a misreading, and no machine's own.
double believable(double ratio) { return std::clamp(ratio, 0.25, 2.0); }

} // namespace

RateRatios rateRatios(const EfficiencySet& measured, const EfficiencySet& known, const Gpu& gpu)
{
    RateRatios out;
    if (!measured.calibration || measured.calibration->machine.kind == "cpu")
        return out;
    const MeasuredMachine& machine = measured.calibration->machine;
    if (machine.read.base() > 0 && gpu.memoryBandwidth.base() > 0)
        out.read = believable(machine.read / (gpu.memoryBandwidth * known.readShare));
    // Only of the library's own published form is the ratio the machine's; an engine's kernels are other
    // kernels.
    std::array<double, mathUnitCount> told{};
    for (const LibraryProduct& product : libraryProducts) {
        const auto unit = static_cast<std::size_t>(product.unit);
        if (ownerOf({.cls = OpClass::Gemm, .gemm = product.type}, measured, known.implementation)
            != KernelOwner::Library)
            continue;
        const FlopsPerSecond published = publishedRate(product, known, gpu);
        if (const FlopsPerSecond rate = burstOf(machine, unit); rate.base() > 0 && published.base() > 0)
            told[unit] = believable(rate / published);
    }
    // Power and clocks are those of all units: what was not told goes by the products of 16 bits.
    const double brain = told[static_cast<std::size_t>(MathUnit::Bf16)];
    const double half = told[static_cast<std::size_t>(MathUnit::Fp16)];
    const double others = brain > 0 ? brain : half > 0 ? half : 1;
    for (std::size_t unit = 0; unit < mathUnitCount; ++unit)
        out.arithmetic[unit] = told[unit] > 0 ? told[unit] : others;
    if (machine.graph.perNode.base() > 0)
        out.launchGap = machine.graph.perNode - known.graphNode;
    return out;
}

MathUnit unitOfForm(const FormSlot& slot)
{
    if (slot.cls != OpClass::Gemm && slot.cls != OpClass::GroupedGemm)
        return MathUnit::Bf16;
    switch (slot.gemm) {
    case GemmClass::Fp32:
        return MathUnit::Fp32;
    case GemmClass::Fp8:
    case GemmClass::Fp8Block:
        return MathUnit::Fp8;
    case GemmClass::Int8:
        return MathUnit::Int8;
    case GemmClass::Fp4:
        return MathUnit::Fp4;
    case GemmClass::Half:
    case GemmClass::WeightOnly8:
    case GemmClass::WeightOnly4:
    case GemmClass::Mxfp4:
        return MathUnit::Bf16;
    }
    return MathUnit::Bf16;
}

void scaleForm(EfficiencySet& set, const FormSlot& slot, const RateRatios& ratios)
{
    const double arithmetic = ratios.of(unitOfForm(slot));
    // What a rate bounds is named by which rate; everything else is time, a number or a share of the first.
    visitForm(set, slot, [&](auto& form) {
        if constexpr (requires { form.computeEfficiency; })
            form.computeEfficiency *= arithmetic;
        if constexpr (requires { form.vectorCompute; })
            form.vectorCompute *= arithmetic;
        if constexpr (requires { form.spreadCompute; })
            form.spreadCompute *= arithmetic;
        if constexpr (requires { form.rowEfficiency; })
            form.rowEfficiency *= arithmetic;
        if constexpr (requires { form.memoryEfficiency; })
            form.memoryEfficiency *= ratios.read;
        if constexpr (requires { form.vectorMemory; })
            form.vectorMemory *= ratios.read;
        if constexpr (requires { form.spreadMemory; })
            form.spreadMemory *= ratios.read;
        if constexpr (requires { form.quantiseEfficiency; })
            form.quantiseEfficiency *= ratios.read;
        // A launch cannot become shorter than half of what was published: the rest of it is the kernel's own.
        if constexpr (requires {
                          form.memoryEfficiency;
                          form.launch;
                      })
            form.launch = std::max(form.launch + ratios.launchGap, form.launch * 0.5);
    });
}

} // namespace headroom
