#pragma once

#include "model/plan/deployment.h"

namespace headroom::planted {

// Small stand-ins with round numbers, so that expected times can be worked out by hand.

inline Llm mistral7b()
{
    Llm llm;
    llm.id = "mistral-7b";
    llm.hidden = 4096;
    llm.vocab = 32000;
    llm.nativeType = DType::Fp16;
    llm.kinds = {{.mixer = {.queryHeads = 32, .kvHeads = 8, .headDim = 128, .valueHeadDim = 128},
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
        form = {1, 1, Seconds(0), 200, 0, exact};
    for (GroupedGemmForm& form : set.grouped)
        form = {1, 1, Seconds(0), 200, 1, exact};
    set.prefillAttention = {1, 1, 0, Seconds(0), exact};
    set.prefillMla = set.prefillAttention;
    set.decodeAttention = {1, 1, Seconds(0), Seconds(0), 6, exact};
    set.decodeAttention8 = set.decodeAttention;
    set.decodeMla = set.decodeAttention;
    set.stream = {1, Seconds(0), exact};
    set.scan = set.stream;
    for (CollectiveForm& form : set.intraNode)
        form = {Seconds(0), Seconds(0), Seconds(0), 1, 3, exact};
    set.interNode = set.intraNode;
    set.eagerLaunch = Seconds(0);
    set.deviceSpread = 0;
    return set;
}

} // namespace headroom::planted
