#include "headroom_version.h"
#include "model/resolve/calibrated.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace headroom;

TEST_CASE("a calibration of another card serves with wider intervals, and says so")
{
    EfficiencySet measured;
    measured.id = "mine";
    measured.gpu = "h200-sxm-141gb";
    measured.family = "hopper";
    measured.gemm[1]
        = {.computeEfficiency = 0.7, .uncertainty = {.lnSpread = 0.1, .source = Source::MeasuredHere}};
    EfficiencySet known;
    known.gemm[2].computeEfficiency = 0.66;
    Gpu gpu;
    gpu.vendor = "NVIDIA";

    gpu.id = "h200-sxm-141gb";
    gpu.family = "hopper";
    Calibrated same = applyCalibration(measured, known, gpu, Node{}, Engine{});
    CHECK(same.warnings.empty());
    CHECK(same.efficiency.gemm[1].uncertainty == measured.gemm[1].uncertainty);
    CHECK(same.efficiency.gemm[2].computeEfficiency == 0.66); // what it did not measure

    gpu.id = "h100-sxm-80gb";
    const Calibrated family = applyCalibration(measured, known, gpu, Node{}, Engine{});
    CHECK(family.warnings.size() == 1);
    CHECK(family.efficiency.gemm[1].uncertainty.lnSpread == doctest::Approx(std::hypot(0.115, 0.04)));
    CHECK(family.efficiency.gemm[1].uncertainty.source == Source::SameFamily);

    gpu.id = "geforce-rtx-4090";
    gpu.family = "geforce-ada";
    const Calibrated workstation = applyCalibration(measured, known, gpu, Node{}, Engine{});
    CHECK(workstation.efficiency.gemm[1].uncertainty.lnSpread == doctest::Approx(std::hypot(0.2, 0.2)));
    CHECK(workstation.efficiency.gemm[1].uncertainty.source == Source::Prior);

    gpu.id = "h200-sxm-141gb";
    gpu.family = "hopper";
    measured.trusted = false;
    measured.failedGates = {"whole layer, mean error: 0.09, at most 0.06"};
    measured.calibration.emplace();
    measured.calibration->machine = {.kind = "cuda", .name = "NVIDIA H200"};
    measured.calibration->run.tool = "headroom " HEADROOM_VERSION;
    measured.calibration->holdOut.intervalRatio = 1.5;
    const Calibrated untrusted = applyCalibration(measured, known, gpu, Node{}, Engine{});
    CHECK(untrusted.efficiency.gemm[1].uncertainty.lnSpread == doctest::Approx(0.15));
    CHECK(untrusted.warnings.front().english().find("0.09, at most 0.06") != std::string::npos);
}

TEST_CASE("a run into an older file of the same device keeps the forms it did not measure itself")
{
    EfficiencySet older;
    older.gpu = "cpu";
    older.gemm[0]
        = {.computeEfficiency = 0.5, .uncertainty = {.lnSpread = 0.1, .source = Source::MeasuredHere}};
    older.gemm[1]
        = {.computeEfficiency = 0.6, .uncertainty = {.lnSpread = 0.1, .source = Source::MeasuredHere}};
    EfficiencySet newer;
    newer.gpu = "cpu";
    newer.gemm[1]
        = {.computeEfficiency = 0.7, .uncertainty = {.lnSpread = 0.05, .source = Source::MeasuredHere}};
    const EfficiencySet merged = mergeCalibrations(older, newer);
    CHECK(merged.gemm[0] == older.gemm[0]);
    CHECK(merged.gemm[1] == newer.gemm[1]);
}
