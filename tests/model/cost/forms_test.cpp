#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headroom;

TEST_CASE("keys seen by a causal chunk equal the sum over its queries")
{
    for (const double past : {0.0, 100.0, 5000.0})
        for (const double query : {1.0, 7.0, 600.0})
            for (const double limit : {0.0, 64.0, 4096.0}) {
                double sum = 0;
                for (int i = 1; i <= int(query); ++i)
                    sum += limit > 0 ? std::min(past + i, limit) : past + i;
                CHECK(meanKeysSeen(past, query, limit) == doctest::Approx(sum / query));
            }
}

TEST_CASE("tile occupancy: a full wave of the best tile is 1, one row is a sixteenth of its smallest tile")
{
    CHECK(tileOccupancy(128 * 2, 256 * 54, 108) == doctest::Approx(1));
    CHECK(tileOccupancy(4096, 4096, 0) == 1);
    CHECK(tileOccupancy(1, 64 * 108, 108) <= 1.0 / 16);
    CHECK(tileOccupancy(16, 64 * 108, 108) > tileOccupancy(1, 64 * 108, 108));
}

TEST_CASE("a large all-reduce moves 2 (w-1) / w of its message over the link")
{
    const Node node = planted::box();
    const EfficiencySet set = planted::limit();
    const Op op{.cls = OpClass::Collective,
                .collective = CollectiveClass::NcclAllReduce,
                .ranks = 8,
                .message = Bytes(1e9)};
    CHECK(timeOp(op, planted::rtx4090(), node, set).total.base()
          == doctest::Approx(2 * 7 / 8.0 * 1e9 / 450e9));
}

TEST_CASE("an exact shape's residual is interpolated in the logarithm of the rows and held at the ends")
{
    EfficiencySet set = planted::limit();
    Op op{.cls = OpClass::Gemm, .flops = Flops(1e12), .unit = MathUnit::Fp16, .m = 16, .n = 4096, .k = 4096};
    const double plain = timeOp(op, planted::rtx4090(), planted::box(), set).total.base();
    set.exactShapes
        = {{.n = 4096, .k = 4096, .lnRows = {std::log(8.0), std::log(32.0)}, .lnResidual = {0.1, 0.3}}};
    CHECK(timeOp(op, planted::rtx4090(), planted::box(), set).total.base()
          == doctest::Approx(plain * std::exp(0.2)));
    op.m = 1;
    CHECK(timeOp(op, planted::rtx4090(), planted::box(), set).total.base()
          == doctest::Approx(plain * std::exp(0.1)));
    op.n = 8192;
    CHECK(timeOp(op, planted::rtx4090(), planted::box(), set).total.base() == doctest::Approx(plain));
}
