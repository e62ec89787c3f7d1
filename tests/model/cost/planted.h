#pragma once

#include "model/deploy/deployment.h"

namespace headroom::planted {

// Small stand-ins with round numbers, so that expected times can be worked out by hand.

inline Llm mistral7b()
{
    Llm llm;
    llm.id = "mistral-7b";
    llm.hidden = 4096;
    llm.vocab = 32000;
    llm.nativeType = DType::Fp16;
    llm.kinds = {{.mixer = Attention{.queryHeads = 32, .kvHeads = 8, .headDim = 128, .valueHeadDim = 128},
                  .mlp = {.intermediate = 14336}}};
    llm.layers.assign(32, 0);
    return llm;
}

inline Gpu rtx4090()
{
    Gpu gpu;
    gpu.id = "rtx-4090";
    gpu.smCount = 128;
    gpu.memoryUsable = Bytes(24e9);
    gpu.memoryBandwidth = BytesPerSecond(1008e9);
    gpu.peaks[static_cast<std::size_t>(MathUnit::Fp16)] = FlopsPerSecond(165.2e12);
    gpu.peaks[static_cast<std::size_t>(MathUnit::Bf16)] = FlopsPerSecond(165.2e12);
    gpu.tdp = Watts(450);
    return gpu;
}

inline Node box()
{
    Node node;
    node.id = "box";
    node.gpusPerNode = 8;
    node.intra
        = {.name = "link", .topology = LinkTopology::Switch, .perGpuPerDirection = BytesPerSecond(450e9)};
    node.inter
        = {.name = "net", .topology = LinkTopology::Network, .perGpuPerDirection = BytesPerSecond(50e9)};
    return node;
}

inline Engine ideal()
{
    Engine engine;
    engine.id = "ideal";
    engine.memoryFraction = 1;
    return engine;
}

// Every efficiency 1, no launch, no floor, no spread: the physical limit.
inline EfficiencySet limit()
{
    EfficiencySet set;
    set.id = "limit";
    const Uncertainty exact{.lnBias = 0, .lnSpread = 0, .source = Source::Exact};
    for (GemmForm& form : set.gemm)
        form = {.computeEfficiency = 1,
                .memoryEfficiency = 1,
                .launch = Seconds(0),
                .sharpness = 200,
                .waveExponent = 0,
                .uncertainty = exact};
    for (GroupedGemmForm& form : set.grouped)
        form = {.expertTiles = ExpertTiles::None,
                .computeEfficiency = 1,
                .memoryEfficiency = 1,
                .launch = Seconds(0),
                .sharpness = 200,
                .uncertainty = exact};
    set.prefillAttention = {.computeEfficiency = 1,
                            .memoryEfficiency = 1,
                            .halfLength = 0,
                            .launch = Seconds(0),
                            .uncertainty = exact};
    set.prefillMla = set.prefillAttention;
    set.decodeAttention = {.memoryEfficiency = 1,
                           .computeEfficiency = 1,
                           .floor = Seconds(0),
                           .launch = Seconds(0),
                           .uncertainty = exact};
    set.decodeAttention8 = set.decodeAttention;
    set.decodeMla = set.decodeAttention;
    set.decodeMla8 = set.decodeAttention;
    set.stream = {.memoryEfficiency = 1, .launch = Seconds(0), .uncertainty = exact};
    set.scan = set.stream;
    for (CollectiveForm& form : set.intraNode)
        form = {.floorBase = Seconds(0),
                .floorPerRank = Seconds(0),
                .perHop = Seconds(0),
                .linkEfficiency = 1,
                .uncertainty = exact};
    set.interNode = set.intraNode;
    set.eagerLaunch = Seconds(0);
    set.deviceSpread = 0;
    return set;
}

// One model on one card of a box, everything at its physical limit: what a test changes is all that differs.
struct World {
    Llm llm = mistral7b();
    Gpu gpu = rtx4090();
    Node node = box();
    Engine engine = ideal();
    EfficiencySet efficiency = limit();

    [[nodiscard]] Deployment deployment(Layout layout = {}) const
    {
        return {.llm = &llm,
                .gpu = &gpu,
                .node = &node,
                .engine = &engine,
                .efficiency = &efficiency,
                .layout = layout,
                .weights = DType::Fp16,
                .kv = DType::Fp16,
                .compute = MathUnit::Fp16};
    }
};

} // namespace headroom::planted
