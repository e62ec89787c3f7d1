#pragma once

#include "calib/fit/form_fit.h"
#include "model/cost/forms.h"
#include "model/count/op_work.h"

#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

// Timings that a known set of efficiencies would give.
namespace headroom::planted {

inline Gpu bigGpu()
{
    Gpu gpu;
    gpu.id = "planted";
    gpu.smCount = 132;
    gpu.memoryBandwidth = BytesPerSecond(3.35e12);
    for (const MathUnit unit : {MathUnit::Fp16, MathUnit::Bf16})
        gpu.peaks[static_cast<std::size_t>(unit)] = FlopsPerSecond(989e12);
    gpu.peaks[static_cast<std::size_t>(MathUnit::Fp8)] = FlopsPerSecond(1979e12);
    return gpu;
}

inline Node bigNode()
{
    Node node;
    node.gpusPerNode = 8;
    node.intra
        = {.name = "switch", .topology = LinkTopology::Switch, .perGpuPerDirection = BytesPerSecond(450e9)};
    node.inter
        = {.name = "net", .topology = LinkTopology::Network, .perGpuPerDirection = BytesPerSecond(50e9)};
    return node;
}

inline Op gemm(double m, double n, double k, GemmClass type)
{
    const double weight = type == GemmClass::Fp8 ? 1 : 2;
    return Op{.cls = OpClass::Gemm,
              .flops = Flops(2 * m * n * k),
              .weightBytes = Bytes(n * k * weight),
              .activationBytes = Bytes(m * (n + k) * 2),
              .unit = type == GemmClass::Fp8 ? MathUnit::Fp8 : MathUnit::Bf16,
              .gemm = type,
              .m = m,
              .n = n,
              .k = k};
}

// Times of `ops` under `truth`, with noise.
inline std::vector<OpSample> timed(const std::vector<Op>& ops, const EfficiencySet& truth, double noise,
                                   const Gpu& gpu = bigGpu())
{
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    std::vector<OpSample> samples;
    for (const Op& op : ops) {
        const double seconds
            = timeOp(op, gpu, bigNode(), truth).total.base() * std::exp(noise * normal(random));
        samples.push_back(
            {.op = op,
             .time = Seconds(seconds),
             .lnSpread = noise,
             .group = std::to_string(op.n) + "x" + std::to_string(op.k) + "/" + std::to_string(op.ranks)});
    }
    return samples;
}

inline std::vector<Op> gemmGrid(GemmClass type)
{
    std::vector<Op> ops;
    for (const double m : {1., 4., 16., 64., 128., 256., 512., 1024., 4096.})
        for (const auto& [n, k] : {std::pair{4096., 4096.},
                                   {6144., 4096.},
                                   {28672., 4096.},
                                   {4096., 14336.},
                                   {8192., 8192.},
                                   {57344., 8192.},
                                   {8192., 1024.}})
            ops.push_back(gemm(m, n, k, type));
    return ops;
}

} // namespace headroom::planted
