// What a library's kernels take where nobody tuned them for a card, beside where somebody did.
#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "model/count/usual_weight_bytes.h"
#include "model/yaml/catalogue.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <string>

namespace headroom::tests {
namespace {

// DeepSeek-R1's first product of attention on eight cards, for so many rows.
double microseconds(const std::string& engineId, const std::string& gpuId, double rows)
{
    const auto gpu = shipped().gpu(gpuId);
    const auto engine = shipped().engine(engineId);
    REQUIRE(gpu);
    REQUIRE(engine);
    const auto set = shipped().efficiency(**gpu, **engine);
    const auto node = shipped().node((*gpu)->defaultNode);
    REQUIRE(set);
    REQUIRE(node);
    const Op op = gemmOp(
        OpName::Qkv,
        {.m = rows, .n = 2112, .k = 7168, .weightBytesPerElement = usualWeightBytes(GemmClass::Fp8Block)},
        GemmClass::Fp8Block, MathUnit::Fp8);
    return timeOp(op, **gpu, **node, **set).total.base() * 1e6;
}

} // namespace

TEST_CASE("block-scaled products that nobody tuned take as long for 64 rows as for 256")
{
    // ROCm/aiter pull request 1232, before its change.
    CHECK(microseconds("sglang-2026-q1", "instinct-mi300x", 64) == doctest::Approx(128.8).epsilon(0.1));
    CHECK(microseconds("sglang-2026-q1", "instinct-mi300x", 128) == doctest::Approx(127.3).epsilon(0.1));
    CHECK(microseconds("sglang-2026-q1", "instinct-mi300x", 256) == doctest::Approx(117.5).epsilon(0.1));
}

TEST_CASE("the next version's tuned ones take a sixth of that, as its tables say")
{
    // ROCm/aiter@e4048607 aiter/configs/model_configs/a8w8_blockscale_tuned_gemm_ds_v3.csv, gfx942, 304 units
    CHECK(microseconds("sglang", "instinct-mi300x", 64) == doctest::Approx(16.5).epsilon(0.25));
    CHECK(microseconds("sglang", "instinct-mi300x", 128) == doctest::Approx(19.8).epsilon(0.25));
    CHECK(microseconds("sglang", "instinct-mi300x", 4096) == doctest::Approx(146.9).epsilon(0.25));
}

} // namespace headroom::tests
