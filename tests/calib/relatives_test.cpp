#include "calib/validate/relatives.h"
#include "tests/calib/planted_rows.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>

using namespace headroom;
using tests::measure;
using tests::row;
using tests::shipped;
using tests::stepsOf;

TEST_CASE("of an engine without kin, one other says no more than what is likely of any")
{
    std::vector<MeasuredRow> rows;
    for (const auto& [source, engine, version] :
         {std::tuple{"one", "TensorRT-LLM", "1.2.0"}, std::tuple{"two", "FasterTransformer", "5.x"}})
        for (const int users : {1, 4}) {
            rows.push_back(row(source, "Llama-3.1-8B", users, Metric::Ttft));
            rows.back().engine = engine;
            rows.back().engineVersion = version;
        }
    PreparedRuns prepared = prepareRuns(rows, shipped());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EngineTimes times = stepsOf(1.2);
        times.eagerLaunch = Seconds(rows[i].source == "one" ? 30e-6 : 9e-6);
        measure(prepared, i, times);
    }
    Fits engines;
    engines.emplace("tensorrt-llm", EngineRefit(prepared, {0, 1}));
    engines.emplace("fastertransformer", EngineRefit(prepared, {2, 3}));
    const auto launchIn = [](const EngineTimes& times) { return times.eagerLaunch.base() * 1e6; };
    EngineRefit& other = engines.at("tensorrt-llm");
    const EngineTimes known = other.fit(other.rows(), nearestChoices(other.engine()));
    REQUIRE(launchIn(known) > 20);
    const EngineRefit& left = engines.at("fastertransformer");
    const EngineTimes usual = timesOfOthers({.name = "fastertransformer",
                                             .engine = &left.engine(),
                                             .platform = left.platform(),
                                             .serves = left.serves()},
                                            {{"tensorrt-llm", known}}, engines)
                                  .numbers;
    // It is launched as fast as the middle of the choices, 12 us, and the other together say.
    CHECK(std::abs(std::log(launchIn(usual) / std::sqrt(launchIn(known) * 12))) < 0.15);
}

TEST_CASE("what passes between kernels is lent by year, engine and generation of accelerators")
{
    std::vector<MeasuredRow> rows;
    for (const auto& [engine, version, gpu] :
         {std::tuple{"vLLM", "0.6.3", "MI300X"}, std::tuple{"vLLM", "0.19.0", "MI300X"},
          std::tuple{"SGLang", "0.5.12", "MI300X"}, std::tuple{"SGLang", "0.5.12", "MI355X"}}) {
        rows.push_back(row("one", "Llama-3.1-8B", 1, Metric::Tpot));
        rows.back().engine = engine;
        rows.back().engineVersion = version;
        rows.back().gpu = gpu;
    }
    const PreparedRuns prepared = prepareRuns(rows, shipped());
    Fits engines;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        REQUIRE(prepared.cases[i].has_value());
        engines.emplace(prepared.rows[i].engine, EngineRefit(prepared, {i}));
    }
    const auto gapOf = [](double microseconds) {
        EngineTimes times = stepsOf(1.2);
        times.kernelGap = Seconds(microseconds * 1e-6);
        return times;
    };
    const auto lent = [&](const std::string& id, const std::string& on, const std::string& generation,
                          const Numbers& known) {
        const Result<const Engine*> engine = shipped().engine(id);
        REQUIRE(engine.has_value());
        Engine build = **engine;
        static_cast<EngineTimes&>(build) = gapOf(8);
        const EngineBuild wanted{
            .name = id + " on " + on, .engine = &build, .platform = Platform::Rocm, .generation = generation};
        return timesOfOthers(wanted, known, engines).numbers.kernelGap.base() * 1e6;
    };
    const Numbers line{{"vllm-v0 on cdna3", gapOf(11)}, {"vllm on rocm", gapOf(1)}};
    CHECK(lent("vllm-2025", "rocm", "", line)
          == doctest::Approx(3)); // the root of 11, by the choices there are
    CHECK(lent("vllm-2026-08", "rocm", "", line) == doctest::Approx(1)); // of the same year as the last
    const Numbers other{
        {"vllm-v0 on cdna3", gapOf(11)}, {"sglang on cdna3", gapOf(6)}, {"sglang on cdna4", gapOf(1)}};
    // An engine's own class of two years ago says less than another engine's of this year.
    CHECK(lent("vllm", "rocm", "cdna3", other) == doctest::Approx(6));
    CHECK(lent("vllm", "cdna4", "cdna4", other) == doctest::Approx(1));
    // Without kin there, the middle of the choices, 4 us, counts as one engine more.
    CHECK(lent("vllm", "rocm", "cdna3", {{"sglang on cdna3", gapOf(1)}}) == doctest::Approx(2));
}

TEST_CASE(
    "how requests are taken in is lent by versions, and by those on the platform beside the class elsewhere")
{
    std::vector<MeasuredRow> rows;
    for (const auto& [engine, version, gpu] :
         {std::tuple{"SGLang", "0.5.8", "H100-SXM"}, std::tuple{"SGLang", "0.5.12", "H100-SXM"},
          std::tuple{"vLLM", "0.19.0", "MI300X"}}) {
        rows.push_back(row("one", "Llama-3.1-8B", 4, Metric::Ttft));
        rows.back().engine = engine;
        rows.back().engineVersion = version;
        rows.back().gpu = gpu;
    }
    const PreparedRuns prepared = prepareRuns(rows, shipped());
    Fits engines;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        REQUIRE(prepared.cases[i].has_value());
        engines.emplace(prepared.rows[i].engine, EngineRefit(prepared, {i}));
    }
    REQUIRE(engines.count("sglang-2026-q1") == 1);
    REQUIRE(engines.count("vllm on rocm") == 1);
    const auto stepsTo = [](double steps) {
        EngineTimes times = stepsOf(1.2);
        times.admissionSteps = steps;
        return times;
    };
    const auto lent
        = [&](const std::string& id, const std::string& name, Platform platform, const Numbers& known) {
              const Result<const Engine*> engine = shipped().engine(id);
              REQUIRE(engine.has_value());
              Engine build = **engine;
              static_cast<EngineTimes&>(build) = stepsTo(1);
              return timesOfOthers({.name = name, .engine = &build, .platform = platform}, known, engines)
                  .numbers.admissionSteps;
          };
    // By the choices there are: 30 to the power of 0.3 in 0.39, for the class behind says less than the next;
    // and the root of 30, where both are next.
    const Numbers line{{"sglang-2026-q1", stepsTo(30)}, {"sglang", stepsTo(1)}};
    CHECK(lent("sglang-2025", "sglang-2025", Platform::Cuda, line) == doctest::Approx(15));
    CHECK(lent("sglang-2026-04", "sglang-2026-04", Platform::Cuda, line) == doctest::Approx(5));
    // The same class elsewhere and another engine there weigh alike: the root of 15 and 2.
    const Numbers two{{"sglang-2026-q1", stepsTo(15)}, {"vllm on rocm", stepsTo(2)}};
    CHECK(lent("sglang-2026-q1", "sglang-2026-q1 on rocm", Platform::Rocm, two) == doctest::Approx(5));
}

TEST_CASE("a host of compiled code tells less of one in Python than another of that kind")
{
    std::vector<MeasuredRow> rows;
    for (const auto& [engine, version] :
         {std::tuple{"vLLM", "0.19.0"}, std::tuple{"LMDeploy TurboMind", "0.9"}}) {
        rows.push_back(row("one", "Llama-3.1-8B", 1, Metric::Tpot));
        rows.back().engine = engine;
        rows.back().engineVersion = version;
    }
    const PreparedRuns prepared = prepareRuns(rows, shipped());
    Fits engines;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        REQUIRE(prepared.cases[i].has_value());
        engines.emplace(prepared.rows[i].engine, EngineRefit(prepared, {i}));
    }
    const Numbers known{{"vllm", stepsOf(8)}, {"lmdeploy", stepsOf(0.1)}};
    const auto lent = [&](bool native) {
        Engine build = *shipped().engine("tgi").value();
        build.nativeHost = native;
        return timesOfOthers({.name = build.id, .engine = &build, .platform = Platform::Cuda}, known, engines)
                   .numbers.stepHostTime.base()
            * 1e3;
    };
    // 8 ms of this year's Python and 2 ms that are likely of any, as much each.
    CHECK(lent(false) == doctest::Approx(4));
    CHECK(lent(true) <= 2);
}
