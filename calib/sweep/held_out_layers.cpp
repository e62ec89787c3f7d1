#include "calib/sweep/held_out_layers.h"

#include <array>

namespace headroom {

std::vector<LayerCase> settlingLayers(const Catalogue& catalogue, const std::string& deviceKind)
{
    const Result<const Llm*> llm = catalogue.model("llama-3.1-8b");
    std::vector<LayerCase> out;
    if (deviceKind == "cpu" || !llm)
        return out;
    for (const DType type : {DType::Bf16, DType::Fp8})
        out.push_back({.llm = *llm,
                       .weights = type,
                       .activations = type,
                       .decode = false,
                       .sequences = 2,
                       .queryTokens = 1024});
    return out;
}

std::vector<LayerCase> heldOutLayers(const Catalogue& catalogue, const std::string& deviceKind)
{
    struct Step {
        bool decode;
        std::int64_t sequences;
        std::int64_t tokens;
        std::int64_t past;
    };
    constexpr std::array cpuSteps{Step{true, 1, 1, 128}, Step{true, 4, 1, 384}, Step{true, 16, 1, 200},
                                  Step{false, 1, 32, 0}, Step{false, 2, 24, 64}};
    constexpr std::array cudaSteps{
        Step{true, 1, 1, 1024}, Step{true, 8, 1, 2048},  Step{true, 32, 1, 1536}, Step{true, 128, 1, 700},
        Step{false, 1, 512, 0}, Step{false, 1, 2048, 0}, Step{false, 4, 768, 0},  Step{false, 1, 1024, 8192}};
    struct Subject {
        std::string id;
        int tp;
        std::vector<DType> weights;
    };
    const bool cpu = deviceKind == "cpu";
    const std::vector<DType> stored{DType::Bf16, DType::Int8, DType::Int4};
    const std::vector<Subject> subjects = cpu
        ? std::vector<Subject>{{"smollm2-135m", 1, {DType::Bf16, DType::Int8, DType::Fp32}},
                               {"smollm2-360m", 1, {DType::Bf16, DType::Int4}},
                               {"qwen2.5-0.5b", 1, stored}}
        : std::vector<Subject>{{"llama-3.1-8b", 1, {DType::Bf16, DType::Fp8}},
                               {"llama-3.1-70b", 8, {DType::Bf16, DType::Fp8}},
                               {"qwen3-30b-a3b", 1, {DType::Bf16}}};
    std::vector<LayerCase> out;
    for (const Subject& subject : subjects) {
        const Result<const Llm*> llm = catalogue.model(subject.id);
        if (!llm)
            continue;
        for (const DType weights : subject.weights)
            for (const Step& step : cpu ? std::vector<Step>(cpuSteps.begin(), cpuSteps.end())
                                        : std::vector<Step>(cudaSteps.begin(), cudaSteps.end()))
                out.push_back({.llm = *llm,
                               .tp = subject.tp,
                               .weights = weights,
                               .activations = cpu          ? DType::Fp32
                                   : weights == DType::Fp8 ? DType::Fp8
                                                           : DType::Bf16,
                               .kv = DType::Bf16,
                               .decode = step.decode,
                               .sequences = step.sequences,
                               .queryTokens = step.tokens,
                               .past = step.past});
    }
    return out;
}

} // namespace headroom
