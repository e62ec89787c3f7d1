#include "calib/judge/form_record.h"
#include "model/efficiency/form_gates.h"
#include "model/yaml/efficiency_yaml.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headroom;

namespace {

const FormSlot gemmSlot{.cls = OpClass::Gemm, .gemm = GemmClass::Half};

// A fit whose held-out errors are `lnErrors`, with the spread a normal of that core has.
struct Judged {
    EfficiencySet set;
    FormRecord record;
};
Judged judgedForm(std::vector<double> lnErrors, double lnSpread, JudgedBy by = JudgedBy::Shapes)
{
    Judged out;
    out.set.gemm[1].uncertainty = {.lnSpread = lnSpread, .source = Source::MeasuredPublished};
    FormFit fit{.slot = gemmSlot,
                .outcome = {},
                .parameters = {},
                .crossValidated = summarise(lnErrors),
                .samples = lnErrors.size(),
                .groups = 4};
    const std::vector<OpSample> samples{
        {.op = {.cls = OpClass::Gemm, .m = 8, .n = 64, .k = 32}, .time = Seconds(1e-5)}};
    out.record = recordForm(out.set, fit, samples, "a table", by);
    return out;
}

// 100 errors of which `outliers` are large.
std::vector<double> errorsWith(int outliers, double large)
{
    std::vector<double> errors;
    for (int i = 0; i < 100; ++i)
        errors.push_back(i < outliers ? large : (i % 2 == 0 ? 0.03 : -0.03));
    return errors;
}

} // namespace

TEST_CASE("a form within its limits keeps the interval that its errors give")
{
    const Judged good = judgedForm(errorsWith(8, 0.12), 0.04);
    CHECK(good.set.gemm[1].uncertainty.trusted);
    CHECK(good.set.gemm[1].uncertainty.lnSpread == 0.04);
    CHECK(good.record.coverage == doctest::Approx(0.92)); // 0.12 > 1.645 x 0.04 > 0.03
    CHECK(good.record.groups == 4);
    CHECK(good.record.medianError == doctest::Approx(std::expm1(0.03)).epsilon(0.05));
    CHECK(failedGates(formGates(gemmSlot, good.record)).empty());
}

TEST_CASE("a form that misses a limit says which, and its interval holds what was held out")
{
    const Judged bad = judgedForm(errorsWith(30, -0.7), 0.05);
    CHECK(!bad.set.gemm[1].uncertainty.trusted);
    const std::vector<std::string> failed = failedGates(formGates(gemmSlot, bad.record));
    REQUIRE(failed.size() == 3); // mean, 90th percentile, coverage
    CHECK(failed[0].find("gemm 16-bit, mean error: 0.32") == 0);
    CHECK(failed[2].find("share inside the 90 % interval: 0.7, at least 0.85") != std::string::npos);
    // 80 of 100 errors must be inside the 10-90 % interval, 90 of them inside the 5-95 % one.
    CHECK(bad.set.gemm[1].uncertainty.lnSpread == doctest::Approx(0.7 / 1.28155).epsilon(1e-4));
}

TEST_CASE("a processor's forms are not judged by their shapes")
{
    const Judged cpu = judgedForm(errorsWith(30, -0.7), 0.05, JudgedBy::Layers);
    CHECK(cpu.set.gemm[1].uncertainty.trusted);
    CHECK(cpu.set.gemm[1].uncertainty.lnSpread == 0.05);
}

TEST_CASE(
    "every measured form of a file says whether it is trusted, and cannot say so against its own errors")
{
    Judged bad = judgedForm(errorsWith(30, -0.7), 0.05);
    bad.set.id = "planted";
    bad.set.family = "hopper";
    bad.set.implementation = "vllm";
    bad.set.citations = {{.key = "fit", .text = "a public table", .confidence = Confidence::High}};
    bad.record.contradicting = 7;
    bad.set.records = {bad.record};
    const std::string honest = efficiencyYaml(bad.set);
    const Result<EfficiencySet> back = readEfficiencySet(honest, "x.yaml");
    REQUIRE(back.has_value());
    CHECK(*back == bad.set);

    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = honest;
        return text.replace(text.find(from), from.size(), to);
    };
    const Result<EfficiencySet> boasting
        = readEfficiencySet(replaced("trusted: false", "trusted: true"), "x.yaml");
    REQUIRE(!boasting.has_value());
    CHECK(boasting.error().front().what.english().find("mean error") != std::string::npos);
    const Result<EfficiencySet> silent = readEfficiencySet(replaced("trusted: false\n", "\n"), "x.yaml");
    REQUIRE(!silent.has_value());
    CHECK(silent.error().front().where.find("trusted") != std::string::npos);
    const Result<EfficiencySet> negative
        = readEfficiencySet(replaced("contradicting: 7", "contradicting: -7"), "x.yaml");
    REQUIRE(!negative.has_value());
    CHECK(negative.error().front().where.find("contradicting") != std::string::npos);
}
