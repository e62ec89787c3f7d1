#include "kernels/cpu/numbers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace headroom;
using namespace headroom::kernels;

TEST_CASE("every fp16, bf16 and fp8 number survives the way to float and back")
{
    for (unsigned bits = 0; bits < 65536; ++bits) {
        const auto half = std::uint16_t(bits);
        if (!std::isnan(fp16ToFloat(half)))
            CHECK_EQ(floatToFp16(fp16ToFloat(half)), half);
        if (!std::isnan(bf16ToFloat(half)))
            CHECK_EQ(floatToBf16(bf16ToFloat(half)), half);
    }
    for (unsigned bits = 0; bits < 256; ++bits)
        if (!std::isnan(fp8ToFloat(std::uint8_t(bits))))
            CHECK_EQ(floatToFp8(fp8ToFloat(std::uint8_t(bits))), bits);
}

TEST_CASE("known encodings: IEEE 754 half and OCP e4m3")
{
    CHECK(fp16ToFloat(0x3C00) == 1.0F);
    CHECK(fp16ToFloat(0x7BFF) == 65504.0F);
    CHECK(fp16ToFloat(0x0001) == std::ldexp(1.0F, -24));
    CHECK(fp8ToFloat(0x7E) == 448.0F);
    CHECK(fp8ToFloat(0x38) == 1.0F);
    CHECK(fp8ToFloat(0x01) == std::ldexp(1.0F, -9));
    CHECK(bf16ToFloat(0x3F80) == 1.0F);
}

TEST_CASE("rounding is to nearest, ties to even")
{
    CHECK(floatToBf16(1.0F + 1.0F / 256) == 0x3F80); // halfway, even below
    CHECK(floatToBf16(1.0F + 3.0F / 256) == 0x3F82); // halfway, even above
    CHECK(floatToFp16(2049.0F) == floatToFp16(2048.0F));
    CHECK(floatToFp8(1000.0F) == 0x7E); // saturates
}

TEST_CASE("a scaled type is off by at most half a step of its group")
{
    std::vector<float> values(3 * 200);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::sin(float(i) * 0.7F) * float(1 + i % 13);
    for (const auto& [type, steps] : {std::pair{DType::Int8, 127.0F}, std::pair{DType::Int4, 7.0F}}) {
        const Tensor stored = store(values, 3, 200, type, 64);
        CHECK(stored.scales.size() == 3 * 4);
        const std::vector<float> back = loadAll(stored);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::size_t group = i / 200 * 200 + i % 200 / 64 * 64;
            float largest = 0;
            for (std::size_t j = group; j < std::min(group + 64, (i / 200 + 1) * 200); ++j)
                largest = std::max(largest, std::abs(values[j]));
            CHECK(std::abs(back[i] - values[i]) <= largest / steps * 0.5001F);
        }
    }
}

TEST_CASE("parts of a row load like the whole")
{
    std::vector<float> values(2 * 37);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = float(i) / 8;
    for (const DType type : {DType::Fp32, DType::Bf16, DType::Fp16, DType::Fp8, DType::Int8, DType::Int4}) {
        for (const int group :
             {0, 8}) { // of a whole row; of eight, so that a part begins and ends within one
            const Tensor stored = store(values, 2, 37, type, group);
            const std::vector<float> whole = loadAll(stored);
            for (const std::size_t size : {1U, 4U, 5U, 21U}) {
                std::vector<float> part(size);
                load(stored, 1, 11, part);
                for (std::size_t i = 0; i < part.size(); ++i)
                    CHECK(part[i] == whole[37 + 11 + i]);
            }
            for (std::size_t i = 0; i < whole.size();
                 ++i) // steps of fp8: 2^-4; of int4 in a row: largest / 7 / 2
                CHECK(std::abs(whole[i] - values[i])
                      <= (type == DType::Int4 ? 9.0F / 13.9F : values[i] / 15.9F + 0.04F));
        }
    }
}
