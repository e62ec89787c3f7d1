#include "model/advise/narrower_types.h"

#include <algorithm>
#include <array>

namespace headroom {

namespace {

constexpr std::array checkpoints{DType::Fp8, DType::Int8, DType::Int4};
constexpr std::array ggufFiles{DType::Q8_0,   DType::Q6_K,   DType::Q5_K_M,
                               DType::Q4_K_M, DType::Q3_K_M, DType::Q2_K};
constexpr double fourBits = 0.5; // bytes

template <std::size_t N>
std::vector<DType> ofThese(const std::array<DType, N>& types, const Engine& engine, DType than)
{
    std::vector<DType> out;
    std::copy_if(types.begin(), types.end(), std::back_inserter(out), [&](DType type) {
        const auto& runs = engine.weightTypes;
        return bytesPerElement(type) < bytesPerElement(than)
            && std::find(runs.begin(), runs.end(), type) != runs.end();
    });
    return out;
}

} // namespace

std::vector<DType> narrowerWeights(const Engine& engine, DType than)
{
    std::vector<DType> out = ofThese(checkpoints, engine, than);
    return out.empty() ? ofThese(ggufFiles, engine, than) : out;
}

bool isGgufFile(DType type) { return std::find(ggufFiles.begin(), ggufFiles.end(), type) != ggufFiles.end(); }

std::optional<DType> usualNarrowest(const Engine& engine, DType than)
{
    const std::vector<DType> all = narrowerWeights(engine, than);
    const auto found = std::find_if(all.rbegin(), all.rend(),
                                    [](DType type) { return bytesPerElement(type) >= fourBits; });
    return found == all.rend() ? std::nullopt : std::optional(*found);
}

std::vector<DType> usualNarrower(const Engine& engine, DType than)
{
    std::vector<DType> out = narrowerWeights(engine, than);
    if (out.size() > 1)
        out = {out.front(), usualNarrowest(engine, than).value_or(out.front())};
    if (out.size() > 1 && out.front() == out.back())
        out.pop_back();
    return out;
}

} // namespace headroom
