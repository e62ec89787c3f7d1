#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headroom {

// Which formula turns an operator's work into time.
enum class OpClass : std::uint8_t {
    Gemm,
    GroupedGemm,
    PrefillAttention,
    DecodeAttention,
    PrefillMla,
    DecodeMla,
    Stream,
    Scan,
    Collective
};

// Which arithmetic a GEMM's form was fitted for. Weight-only types multiply in 16 bit but stream fewer bytes.
// MXFP4 weights have kernels of their own, which multiply with 16-bit or 8-bit activations.
enum class GemmClass : std::uint8_t { Fp32, Half, Fp8, Fp8Block, Int8, WeightOnly8, WeightOnly4, Fp4, Mxfp4 };
constexpr std::size_t gemmClassCount = 9;
constexpr std::string_view gemmClassName(GemmClass c)
{
    constexpr std::array<std::string_view, gemmClassCount> names{
        "fp32", "16-bit", "fp8", "fp8-block", "int8", "8-bit-weights", "4-bit-weights", "fp4", "mxfp4"};
    return names[static_cast<std::size_t>(c)];
}

// `ExpertExchange`: tokens to the ranks that hold their experts and back, by kernels made for it (DeepEP and
// its kin).
enum class CollectiveClass : std::uint8_t {
    CustomAllReduce,
    NcclAllReduce,
    AllGather,
    AllToAll,
    SendRecv,
    ExpertExchange
};
constexpr std::size_t collectiveClassCount = 6;
constexpr std::string_view collectiveClassName(CollectiveClass c)
{
    constexpr std::array<std::string_view, collectiveClassCount> names{
        "custom-all-reduce", "nccl-all-reduce", "all-gather", "all-to-all", "send-recv", "expert-exchange"};
    return names[static_cast<std::size_t>(c)];
}

} // namespace headroom
