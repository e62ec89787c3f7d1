#include "model/yaml/efficiency_source.h"

#include "model/yaml/efficiency_yaml.h"

namespace headroom {

namespace {

// p of the norm that joins compute and memory time: as good as their maximum (2^(1/p) - 1 is below 1e-6).
constexpr double asSharpAsMaximum = 1e6;

constexpr Uncertainty certain{.lnBias = 0, .lnSpread = 0, .source = Source::Exact};

} // namespace

EfficiencySet idealEfficiency()
{
    const PrefillAttentionForm prefill{
        .computeEfficiency = 1, .memoryEfficiency = 1, .halfLength = 0, .launch = {}, .uncertainty = certain};
    const DecodeAttentionForm decode{.memoryEfficiency = 1,
                                     .computeEfficiency = 1,
                                     .floor = {},
                                     .launch = {},
                                     .floorSharpness = asSharpAsMaximum,
                                     .uncertainty = certain};
    const StreamForm stream{.memoryEfficiency = 1, .launch = {}, .uncertainty = certain};
    const CollectiveForm collective{.floorBase = {},
                                    .floorPerRank = {},
                                    .perHop = {},
                                    .linkEfficiency = 1,
                                    .sharpness = asSharpAsMaximum,
                                    .uncertainty = certain};
    EfficiencySet set{.id = "ideal", .gpu = {}, .family = {}, .implementation = "ideal"};
    set.gemm.fill({.computeEfficiency = 1,
                   .memoryEfficiency = 1,
                   .launch = {},
                   .sharpness = asSharpAsMaximum,
                   .waveExponent = 0,
                   .quantiseEfficiency = 0,
                   .uncertainty = certain});
    set.grouped.fill({.computeEfficiency = 1,
                      .memoryEfficiency = 1,
                      .launch = {},
                      .sharpness = asSharpAsMaximum,
                      .rowTile = 1,
                      .uncertainty = certain});
    set.prefillAttention = set.prefillMla = prefill;
    set.decodeAttention = set.decodeAttention8 = set.decodeMla = decode;
    set.stream = set.scan = stream;
    set.intraNode.fill(collective);
    set.interNode.fill(collective);
    set.graphNode = set.eagerLaunch = {};
    set.deviceSpread = 0;
    return set;
}

Result<EfficiencySet> chosenEfficiency(const std::filesystem::path& root, const Gpu& gpu,
                                       const Engine& engine)
{
    if (engine.id == "ideal")
        return idealEfficiency();
    return readPrior(root, gpu.family);
}

} // namespace headroom
