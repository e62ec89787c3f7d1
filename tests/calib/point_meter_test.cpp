#include "calib/measure/point_meter.h"
#include "fake_device.h"

#include <doctest/doctest.h>

using namespace headroom;
using namespace headroom::test;
using kernels::Task;
using kernels::Variant;

namespace {

// Large tasks run by another kernel than small ones, and that one computes something else.
class TwoKernels final : public kernels::Device {
public:
    explicit TwoKernels(FakeDevice& inner) : m_inner(inner) {}
    std::vector<Task> checked;

    [[nodiscard]] Variant variantOf(const Task& task) const override
    {
        return task.variant.value_or(
            task.m > 100 ? Variant{.staged = true, .rows = 128, .columns = 128}
                         : Variant{.rows = 16, .columns = 32, .parts = task.past > 100 ? 9 : 1});
    }
    [[nodiscard]] double check(kernels::Prepared& prepared) override
    {
        (void)prepared;
        return variantOf(checked.back()).staged ? 0.5 : 0;
    }
    [[nodiscard]] std::unique_ptr<kernels::Prepared> prepare(const Task& task, std::uint64_t seed,
                                                             int copies) override
    {
        if (copies == 1)
            checked.push_back(task);
        return m_inner.prepare(task, seed, copies);
    }
    [[nodiscard]] const kernels::DeviceFacts& facts() const override { return m_inner.facts(); }
    [[nodiscard]] kernels::DeviceState state() override { return m_inner.state(); }
    [[nodiscard]] Message obstacle(const Task& task) const override { return m_inner.obstacle(task); }
    void enqueue(kernels::Prepared&, int) override {}
    [[nodiscard]] kernels::Stretch time(kernels::Prepared& prepared, int launches) override
    {
        return m_inner.time(prepared, launches);
    }
    void synchronise() override {}

private:
    FakeDevice& m_inner;
};

SweepPoint product(std::int64_t m)
{
    Task task{.kernel = kernels::Kernel::Gemm, .weights = DType::Int8, .activations = DType::Fp32};
    task.m = m;
    task.n = task.k = 1024;
    return {.kind = PointKind::Operator, .tasks = {task}, .what = kernels::describe(task)};
}

const TimeLeft plenty = [] { return Seconds(1e9); };

} // namespace

TEST_CASE("the kernel that is timed is the one that was checked, though the shapes of checks are small")
{
    FakeDevice inner;
    TwoKernels device(inner);
    PointMeter meter(device, {}, 1);
    CHECK(meter.measure(product(8), 0, plenty).sample->refused.empty());
    const Measured large = meter.measure(product(512), 1, plenty);
    CHECK(large.sample->refused.find("differs from the reference by 0.5") != std::string::npos);
    CHECK(large.sample->refused.find("staged tile of 128 x 128") != std::string::npos);
    for (std::size_t i = 3; i < device.checked.size(); ++i) {
        CHECK(device.checked[i].m <= 24);
        CHECK(device.variantOf(device.checked[i]).staged);
    }
    CHECK(meter.measure(product(16), 2, plenty).sample->refused.empty()); // known to be right by now
    CHECK(device.checked.size() == 4);
}

TEST_CASE("a kernel that shares a sequence out is checked so, in no more parts than a small shape can have")
{
    FakeDevice inner;
    TwoKernels device(inner);
    Task task{
        .kernel = kernels::Kernel::DecodeAttention, .activations = DType::Fp32, .batch = 4, .past = 5000};
    task.queryHeads = task.kvHeads = 4;
    task.headDim = 64;
    for (const Task& shape : checkShapes(task, device.variantOf(task))) {
        CHECK(device.variantOf(shape).parts == 3);
        CHECK(shape.past <= 96);
    }
}

TEST_CASE(
    "a point that would take longer than there is time is left out before it is timed, with what it needs")
{
    FakeDevice device;
    PointMeter meter(device, {.stretch = Seconds(2e-3), .replays = 7}, 1);
    const Measured measured = meter.measure(product(8), 0, [] { return Seconds(10e-3); });
    CHECK_FALSE(measured.sample.has_value());
    CHECK(measured.needed.base() == doctest::Approx(7 * 2e-3).epsilon(0.1));
}

TEST_CASE("long points have as many stretches as fit into a round, three at least")
{
    const TimingPolicy policy{.longestRound = Seconds(0.06)};
    CHECK(replaysFor(policy, Seconds(0.002)) == 7);
    CHECK(replaysFor(policy, Seconds(0.012)) == 5);
    CHECK(replaysFor(policy, Seconds(0.04)) == 3);
    CHECK(replaysFor({}, Seconds(0.04)) == 7); // no limit was set
    int stretches = 0;
    const TimedPoint timed = timedPoint(
        policy, [] { return Seconds(10); },
        [&](int) {
            ++stretches;
            return Seconds(0.04);
        });
    REQUIRE(timed.timing.has_value());
    CHECK(stretches == 2 + 3); // two to know how long one takes
}

TEST_CASE("time that runs out within a point leaves a figure of three stretches or none")
{
    for (const int last : {1, 2, 3, 5}) {
        int stretches = -2; // the first two only tell how long one takes
        const TimedPoint timed = timedPoint(
            {.stretch = Seconds(2e-3)}, [&] { return Seconds(stretches >= last ? 0 : 1); },
            [&](int) {
                ++stretches;
                return Seconds(1e-4);
            });
        CHECK(timed.timing.has_value() == (last >= 3));
        CHECK(stretches == last);
    }
}
