#include "calib/calibrate_device.h"
#include "fake_device.h"
#include "model/yaml/efficiency_yaml.h"
#include "tests/sanitized.h"
#include "tests/thorough.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

using namespace headroom;
using namespace headroom::test;

// Under a sanitizer the processor is ten times slower, and the budget of the measurement would end it.
TEST_CASE("this processor is measured, fitted and predicted: a report, not a verdict"
          * doctest::skip(sanitized))
{
    const Folder folder;
    const auto device = kernels::makeCpuDevice(1);
    Llm llm = plainModel();
    llm.hidden = 256;
    llm.kinds[0].mixer = Attention{.queryHeads = 4, .kvHeads = 2, .headDim = 64};
    llm.kinds[0].mlp.intermediate = 640;
    SweepRequest request{.deviceKind = "cpu", .holdOut = {}, .model = nullptr, .seed = 7};
    for (const std::int64_t batch : {1, 4, 16})
        request.holdOut.push_back({.llm = &llm,
                                   .activations = DType::Fp32,
                                   .decode = true,
                                   .sequences = batch,
                                   .queryTokens = 1,
                                   .past = 64});
    CalibrationSubject subject{
        .gpu = {}, .prior = {}, .sweep = sweepFor(*device, request), .anchors = anchorTasks("cpu")};
    subject.gpu.id = subject.gpu.family = "cpu";
    // Small points only: a few seconds in all, and every day the smallest.
    const double most = thorough() ? 4e7 : 2e7;
    std::erase_if(subject.sweep.points, [most](const SweepPoint& point) {
        double work = 0;
        for (const kernels::Task& task : point.tasks)
            work += kernels::workOf(task).flops.base() + 10 * kernels::workOf(task).bytes().base();
        return point.kind == PointKind::Operator && work > most;
    });
    const RunPolicy policy{
        .timing = {.stretch = Seconds(1e-3), .sustained = Seconds(2e-3), .replays = 3, .mostRounds = 1},
        .budget = Seconds(1e6), // by count: all points, however busy the machine is
        .warmUp = Seconds(0.01),
        .looksAgain = 2,
        .allowedDrift = 10};
    const CalibrationOptions options{
        .file = folder.file("here.yaml"), .toolVersion = "test", .created = "today"};
    const auto report = calibrateDevice(*device, subject, options, policy, steadyClock(), {}, {});
    REQUIRE(report.has_value());
    for (const auto& refused : report->refused)
        MESSAGE(refused);
    CHECK(report->refused.empty());
    CHECK(report->set.form(GemmClass::Half).uncertainty.source == Source::MeasuredHere);
    CHECK(report->set.calibration->machine.read.base() > 0);
    CHECK(readEfficiencySet(textOf(options.file), "here.yaml").has_value());
    CHECK(report->layers.size() == 3);
    for (const LayerError& layer : report->layers)
        MESSAGE(fmt::format("{}: predicted {:.3g} ms, measured {:.3g} ms", layer.what,
                            layer.predicted.base() * 1e3, layer.measured.base() * 1e3));
}
