#include "calib/fit/contradictions.h"
#include "model/count/op_work.h"

#include <doctest/doctest.h>

#include <utility>

using namespace headroom;

namespace {

// Matrix products of one shape: rows and microseconds of each.
std::vector<OpSample> sweepOf(const std::vector<std::pair<double, double>>& points,
                              const std::string& sweep = "a kernel 4096x4096")
{
    std::vector<OpSample> out;
    for (const auto& [rows, us] : points)
        out.push_back({.op = {.cls = OpClass::Gemm, .m = rows, .n = 4096, .k = 4096},
                       .time = Seconds(us * 1e-6),
                       .sweep = sweep});
    return out;
}

// Of a card that the samples were timed on.
const Gpu card = [] {
    Gpu gpu;
    gpu.peaks[static_cast<std::size_t>(MathUnit::Bf16)] = FlopsPerSecond(1e15);
    gpu.memoryBandwidth = BytesPerSecond(4e12);
    return gpu;
}();

std::vector<double> rowsLeft(std::vector<OpSample> samples)
{
    std::vector<double> out;
    for (const OpSample& sample : withoutContradictions(std::move(samples), card).samples)
        out.push_back(sample.op.m);
    return out;
}

OpSample experts(double rows, double used, double slice, double us)
{
    return {.op = expertOp({.rows = rows, .experts = used, .inner = 4096, .slice = slice}, GemmClass::Half,
                           MathUnit::Bf16),
            .time = Seconds(us * 1e-6),
            .sweep = "4096x1024x512 top 10"};
}

} // namespace

TEST_CASE("timings that larger problems contradict are taken out, alone or two in a row")
{
    CHECK(rowsLeft(sweepOf({{1, 10}, {2, 10}, {4, 50}, {8, 11}, {16, 12}}))
          == std::vector<double>{1, 2, 8, 16});
    CHECK(rowsLeft(sweepOf({{1, 10}, {2, 48}, {4, 50}, {8, 11}, {16, 12}, {32, 14}}))
          == std::vector<double>{1, 8, 16, 32});
}

TEST_CASE("a timing far shorter than those of smaller problems is taken out, not they")
{
    const Consistent left
        = withoutContradictions(sweepOf({{1, 10}, {2, 11}, {4, 12}, {8, 1}, {16, 20}}), card);
    CHECK(left.left == 1);
    CHECK(left.samples.back().op.m == 16);
    CHECK(left.samples.size() == 4);
}

TEST_CASE("what may be another kernel, or cannot be decided, stays")
{
    CHECK(rowsLeft(sweepOf({{64, 10}, {128, 19}, {256, 10}})).size() == 3); // less than twice
    CHECK(rowsLeft(sweepOf({{1, 30}, {2, 10}})).size() == 2);               // which of them?
    CHECK(rowsLeft(sweepOf({{1, 10}, {2, 30}, {4, 70}, {8, 150}})).size() == 4);
}

TEST_CASE("different kernels, and samples of no sweep, contradict nothing")
{
    std::vector<OpSample> mixed = sweepOf({{1, 10}, {2, 10}, {8, 11}});
    const std::vector<OpSample> other = sweepOf({{4, 50}}, "another kernel");
    mixed.insert(mixed.end(), other.begin(), other.end());
    CHECK(rowsLeft(mixed).size() == 4);
    CHECK(rowsLeft(sweepOf({{1, 10}, {2, 10}, {4, 50}, {8, 11}}, "")).size() == 4);
}

TEST_CASE("of attention only more sequences and more keys at once are a larger problem")
{
    const auto decode = [](double sequences, double keys, double us) {
        return OpSample{
            .op = {.cls = OpClass::DecodeAttention, .batch = sequences, .queryTokens = 1, .context = keys},
            .time = Seconds(us * 1e-6),
            .sweep = "8/1x128"};
    };
    // One long sequence may take longer than many short ones.
    CHECK(withoutContradictions({decode(1, 65536, 90), decode(8, 1024, 10), decode(16, 1024, 12)}, card).left
          == 0);
    CHECK(withoutContradictions({decode(1, 1024, 90), decode(8, 1024, 10), decode(8, 2048, 12)}, card).left
          == 1);
}

TEST_CASE(
    "of experts every slice, rank and routing of a layer bears witness, where it has more of everything")
{
    // Half the slice took four times as long, however many rows.
    const Consistent left = withoutContradictions({experts(640, 64, 512, 400), experts(1280, 96, 512, 420),
                                                   experts(640, 64, 1024, 100), experts(1280, 96, 1024, 130),
                                                   experts(2560, 128, 1024, 170)},
                                                  card);
    CHECK(left.left == 2);
    // More rows to fewer experts read fewer weights.
    CHECK(withoutContradictions({experts(640, 64, 512, 100), experts(1280, 8, 512, 40)}, card).left == 0);
}

TEST_CASE("of experts a larger layer takes little longer than its additional work")
{
    // Twice the slice reads 805 MB more: 0.2 ms at the memory's rate, 0.4 ms at half of it.
    const auto withWide = [](double us) {
        return withoutContradictions(
            {experts(640, 64, 512, 250), experts(640, 64, 512, 240), experts(640, 64, 1024, us)}, card);
    };
    CHECK(withWide(1200).left == 0);
    CHECK(withWide(1600).left == 1);
    CHECK(withWide(1600).samples.back().op.n == 512);
}
