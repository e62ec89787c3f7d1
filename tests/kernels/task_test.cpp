#include "kernels/task.h"

#include <doctest/doctest.h>

using namespace headroom;
using namespace headroom::kernels;

TEST_CASE("a task's work is what its shape says")
{
    const Task gemm{.kernel = Kernel::Gemm, .weights = DType::Bf16, .m = 16, .n = 4096, .k = 2048};
    CHECK(workOf(gemm).flops.base() == 2.0 * 16 * 4096 * 2048);
    CHECK(workOf(gemm).weightBytes.base() == 4096.0 * 2048 * 2);
    Task narrow = gemm;
    narrow.weights = DType::Int4;
    // Half a byte each, and 16 + 4 bits for each group of 128.
    CHECK(workOf(narrow).weightBytes.base() == doctest::Approx(4096.0 * 2048 * (4 + 20.0 / 128) / 8));
    CHECK(workOf(narrow).gemm == GemmClass::WeightOnly4);

    const Task decode{.kernel = Kernel::DecodeAttention,
                      .batch = 4,
                      .past = 99,
                      .queryHeads = 32,
                      .kvHeads = 8,
                      .headDim = 128};
    CHECK(workOf(decode).kvBytes.base() == 4.0 * 100 * 2 * 8 * 128 * 2);
    CHECK(workOf(decode).flops.base() == 4.0 * 4 * 100 * 32 * 128);

    const Task prefill{.kernel = Kernel::PrefillAttention,
                       .batch = 1,
                       .queryTokens = 64,
                       .queryHeads = 32,
                       .kvHeads = 8,
                       .headDim = 128};
    CHECK(workOf(prefill).flops.base() == 4.0 * 32 * 128 * (64 * 65 / 2));
}

TEST_CASE("tasks of one shape of weights are one group, whatever their rows")
{
    Task a{.kernel = Kernel::Gemm, .m = 1, .n = 4096, .k = 2048};
    Task b = a;
    b.m = 512;
    CHECK(groupOf(a) == groupOf(b));
    b.k = 4096;
    CHECK(groupOf(a) != groupOf(b));
}
