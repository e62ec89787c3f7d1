#include "model/base/dtype.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace headroom {

namespace {

// Block formats: llama.cpp's ggml-common.h block structs, bytes per block over elements per block. The K_M
// file types mix two of them (llama.cpp quantize: half of attn_v and ffn_down in the better type); the
// mixture is counted per tensor in model/count, and `bits` here is that of the type most tensors have.
constexpr std::array allFacts{
    DTypeFacts{DType::Fp32, "fp32", 32, 0, ""},
    DTypeFacts{DType::Bf16, "bf16", 16, 0, ""},
    DTypeFacts{DType::Fp16, "fp16", 16, 0, ""},
    DTypeFacts{DType::Fp8, "fp8", 8, 0, "a scale per tensor or 128 x 128 block: below 0.002 bits"},
    DTypeFacts{DType::Int8, "int8", 8, 0, "a scale per channel: below 0.01 bits"},
    DTypeFacts{DType::Fp6, "fp6", 6, 0, "a scale per channel"},
    DTypeFacts{DType::Int4, "int4", 4, 0.15625, "groups of 128: a 16-bit scale and a 4-bit zero point"},
    DTypeFacts{DType::Mxfp4, "mxfp4", 4, 0.25, "an 8-bit scale per 32 (OCP microscaling)"},
    DTypeFacts{DType::Nvfp4, "nvfp4", 4, 0.5, "an fp8 scale per 16"},
    DTypeFacts{DType::Q8_0, "q8_0", 8.5, 0, "34 bytes per 32"},
    DTypeFacts{DType::Q6_K, "q6_k", 6.5625, 0, "210 bytes per 256"},
    DTypeFacts{DType::Q5_K_M, "q5_k_m", 5.5, 0, "q5_k: 176 bytes per 256, some tensors q6_k"},
    DTypeFacts{DType::Q4_K_M, "q4_k_m", 4.5, 0, "q4_k: 144 bytes per 256, some tensors q6_k"},
    DTypeFacts{DType::Q4_0, "q4_0", 4.5, 0, "18 bytes per 32"},
    DTypeFacts{DType::Q3_K_M, "q3_k_m", 3.4375, 0, "q3_k: 110 bytes per 256, some tensors q4_k and q5_k"},
    DTypeFacts{DType::Q2_K, "q2_k", 2.625, 0, "84 bytes per 256"},
};

struct Spelling {
    std::string_view text;
    DType type;
};
constexpr std::array spellings{
    Spelling{"float32", DType::Fp32},  Spelling{"f32", DType::Fp32},        Spelling{"float", DType::Fp32},
    Spelling{"bfloat16", DType::Bf16}, Spelling{"float16", DType::Fp16},    Spelling{"half", DType::Fp16},
    Spelling{"f16", DType::Fp16},      Spelling{"e4m3", DType::Fp8},        Spelling{"fp8_e4m3", DType::Fp8},
    Spelling{"float8", DType::Fp8},    Spelling{"w8a8_fp8", DType::Fp8},    Spelling{"fp8_e5m2", DType::Fp8},
    Spelling{"w8a8", DType::Int8},     Spelling{"w8a16", DType::Int8},      Spelling{"i8", DType::Int8},
    Spelling{"w4a16", DType::Int4},    Spelling{"awq", DType::Int4},        Spelling{"gptq", DType::Int4},
    Spelling{"i4", DType::Int4},       Spelling{"mxfp4_moe", DType::Mxfp4}, Spelling{"fp4", DType::Nvfp4},
    Spelling{"q8", DType::Q8_0},       Spelling{"q6", DType::Q6_K},         Spelling{"q4", DType::Q4_K_M},
    Spelling{"q4_k", DType::Q4_K_M},   Spelling{"q5_k", DType::Q5_K_M},     Spelling{"q3_k", DType::Q3_K_M},
};

constexpr std::array<std::string_view, mathUnitCount> unitNames{"fp32", "tf32", "fp16", "bf16",
                                                                "fp8",  "int8", "fp4",  "int4"};

std::string normalised(std::string_view text)
{
    std::string out;
    for (const char c : text)
        out += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
}

} // namespace

std::span<const DTypeFacts> allDTypes() { return allFacts; }

const DTypeFacts& facts(DType type) { return allFacts[static_cast<std::size_t>(type)]; }

std::string_view name(DType type) { return facts(type).name; }

std::optional<DType> dtypeFromName(std::string_view text)
{
    const std::string key = normalised(text);
    for (const DTypeFacts& known : allFacts)
        if (known.name == key)
            return known.type;
    for (const Spelling& known : spellings)
        if (known.text == key)
            return known.type;
    return std::nullopt;
}

std::string_view name(MathUnit unit) { return unitNames[static_cast<std::size_t>(unit)]; }

std::optional<MathUnit> mathUnitFromName(std::string_view text)
{
    const std::string key = normalised(text);
    const auto* const found = std::find(unitNames.begin(), unitNames.end(), key);
    if (found == unitNames.end())
        return std::nullopt;
    return static_cast<MathUnit>(found - unitNames.begin());
}

double bytesPerElement(DType type) { return facts(type).bits / 8; }

} // namespace headroom
