// What a measurement may change: rates planted in a calibration, and what comes of every form.
#include "headroom_version.h"
#include "model/closed_form/prediction.h"
#include "model/efficiency/form_slot.h"
#include "model/resolve/calibrated.h"
#include "model/resolve/failed_gates.h"
#include "model/resolve/kernel_owner.h"
#include "model/resolve/machine_rates.h"
#include "model/resolve/resolve.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace headroom;
using tests::shipped;

namespace {

template <typename T>
const T& valueOf(const Result<const T*>& found)
{
    REQUIRE(found);
    return **found;
}

constexpr double readAt = 0.9;       // of the published rate
constexpr double multipliesAt = 0.8; // likewise

// A card like the catalogue's H100 whose rates are these parts of what is published, measured by kernels that
// are twice as slow as anybody's.
struct Planted {
    const Gpu& gpu = valueOf(shipped().gpu("h100-sxm-80gb"));
    const Node& node = valueOf(shipped().node("dgx-h100"));
    const Engine& engine = valueOf(shipped().engine("vllm"));
    const EfficiencySet& known = valueOf(shipped().efficiency(gpu, engine));
    EfficiencySet measured = known;

    Planted()
    {
        measured.id = "mine";
        measured.gpu = gpu.id;
        measured.family = gpu.family;
        measured.implementation = executorKernels;
        measured.eagerLaunch = Seconds(7e-6);
        measured.exactShapes.clear();
        CalibrationRecord record;
        record.machine = {.kind = "cuda", .name = "NVIDIA H100", .driver = "580.1", .units = gpu.smCount};
        record.machine.memory = gpu.memorySold;
        record.machine.read = gpu.memoryBandwidth * (known.readShare * readAt);
        record.run = {.created = "2026-11-23", .tool = "headroom " HEADROOM_VERSION};
        measured.calibration = record;
        // Of a card that multiplies at the published rate, to find that rate.
        for (const MathUnit unit : {MathUnit::Bf16, MathUnit::Fp8})
            measured.calibration->machine.sustained[static_cast<std::size_t>(unit)] = gpu.peak(unit);
        const RateRatios ofPeak = rateRatios(measured, known, gpu);
        for (const MathUnit unit : {MathUnit::Bf16, MathUnit::Fp8})
            measured.calibration->machine.sustained[static_cast<std::size_t>(unit)]
                = gpu.peak(unit) * (multipliesAt / ofPeak.of(unit));
        for (const FormSlot& slot : allFormSlots())
            visitForm(measured, slot, [&](auto& form) {
                form.uncertainty = {.lnSpread = 0.05, .source = Source::MeasuredHere};
                if constexpr (requires { form.memoryEfficiency; })
                    form.memoryEfficiency *= 0.5;
                if constexpr (requires { form.computeEfficiency; })
                    form.computeEfficiency *= 0.5;
            });
    }
    [[nodiscard]] Calibrated applied() const { return applyCalibration(measured, known, gpu, node, engine); }
};

double ttftOf(const Scenario& scenario)
{
    const auto resolved = resolve(scenario, shipped());
    for (const Problem& problem : resolved ? Problems{} : resolved.error())
        MESSAGE(problem.where << ": " << problem.what.english());
    REQUIRE(resolved.has_value());
    return predict(resolved->deployment, resolved->load).ttft.value.base();
}

} // namespace

TEST_CASE("every form that should scale with the machine does, and no other")
{
    const Planted card;
    const Calibrated used = card.applied();
    for (const FormSlot& slot : allFormSlots()) {
        CAPTURE(slotName(slot));
        const bool library = ownerOf(slot, card.measured, card.known.implementation) == KernelOwner::Library;
        visitForm(used.efficiency, slot, [&](const auto& now) {
            visitForm(card.known, slot, [&](const auto& before) {
                visitForm(card.measured, slot, [&](const auto& ours) {
                    using Form = std::remove_cvref_t<decltype(now)>;
                    if constexpr (
                        std::is_same_v<
                            Form,
                            std::remove_cvref_t<
                                decltype(before)>> && std::is_same_v<Form, std::remove_cvref_t<decltype(ours)>>) {
                        if (library) {
                            CHECK(now == ours);
                            return;
                        }
                        if constexpr (requires { now.memoryEfficiency; })
                            CHECK(now.memoryEfficiency
                                  == doctest::Approx(before.memoryEfficiency * readAt).epsilon(1e-9));
                        if constexpr (requires { now.computeEfficiency; }) // of every unit: they share power
                            CHECK(now.computeEfficiency
                                  == doctest::Approx(before.computeEfficiency * multipliesAt).epsilon(1e-9));
                        CHECK(now.uncertainty == before.uncertainty); // still what was published
                    }
                });
            });
        });
    }
    CHECK(used.efficiency.eagerLaunch == Seconds(7e-6)); // of the host, whoever's kernels
    CHECK_FALSE(used.gpu.has_value());                   // an accelerator keeps its datasheet
}

TEST_CASE("which of the card's and which of the engine's figures are used is told, line by line")
{
    const Calibrated used = Planted().applied();
    CHECK(used.warnings.empty());
    REQUIRE(used.assumptions.size() == 3);
    CHECK(used.assumptions[0].english()
          == "rates of the machine measured on NVIDIA H100 on 2026-11-23, driver 580.1");
    CHECK(used.assumptions[1].english().starts_with(
        "of the maker's libraries, measured here: gemm fp32, gemm 16-bit"));
    CHECK(used.assumptions[2].english()
          == "all other operators by vLLM's published forms, scaled to this machine: bandwidth 0.90, 16-bit "
             "arithmetic 0.80, 8-bit 0.80 of the published rate");
    const auto originOf = [&](std::string_view form) {
        for (const FormOrigin& origin : used.efficiency.origins)
            if (origin.form == form)
                return origin.text;
        return std::string();
    };
    CHECK(originOf("gemm 16-bit") == "the maker's library, measured on this machine");
    CHECK(
        originOf("decode attention")
        == "vllm's, scaled by the machine's measured over published rates: bandwidth 0.90, arithmetic 0.80");
    CHECK(used.efficiency.origins.size() == allFormSlots().size());
}

TEST_CASE(
    "kernels of the calibration serve no other engine, however fast they are and little is known of its own")
{
    Planted card;
    EfficiencySet guessed = card.known;
    guessed.scan.uncertainty.source = Source::Prior;
    card.measured.scan.memoryEfficiency = 4 * guessed.scan.memoryEfficiency;
    const Calibrated used = applyCalibration(card.measured, guessed, card.gpu, card.node, card.engine);
    CHECK(used.efficiency.scan.memoryEfficiency
          == doctest::Approx(guessed.scan.memoryEfficiency * readAt).epsilon(1e-9));
    CHECK(used.efficiency.scan.uncertainty == guessed.scan.uncertainty);
}

TEST_CASE("an engine with the calibration's own kernels takes them as they were measured")
{
    Planted card;
    EfficiencySet own = card.known;
    own.implementation = executorKernels;
    const Calibrated used = applyCalibration(card.measured, own, card.gpu, card.node, card.engine);
    for (const FormSlot& slot : allFormSlots())
        CHECK(uncertaintyOf(used.efficiency, slot) == uncertaintyOf(card.measured, slot));
    CHECK(used.assumptions.front().english().starts_with("operator times measured on NVIDIA H100"));
}

TEST_CASE(
    "whose products in 8 bits are the library's is the engine's matter, and clocks are those of all units")
{
    Planted card;
    const FormSlot fp8{.cls = OpClass::Gemm, .gemm = GemmClass::Fp8};
    CHECK(ownerOf(fp8, card.measured, "vllm") == KernelOwner::Own);
    CHECK(ownerOf(fp8, card.measured, "trtllm") == KernelOwner::Library);
    // Our 8-bit products are half as fast as vLLM's: its own are scaled as 16 bits are, by the machine.
    card.measured.calibration->machine.sustained[static_cast<std::size_t>(MathUnit::Fp8)]
        = card.gpu.peak(MathUnit::Fp8) * 0.1;
    const RateRatios ratios = rateRatios(card.measured, card.known, card.gpu);
    CHECK(ratios.of(MathUnit::Fp8) == doctest::Approx(multipliesAt));
    EfficiencySet another = card.known;
    another.implementation = "trtllm";
    CHECK(rateRatios(card.measured, another, card.gpu).of(MathUnit::Fp8)
          < 0.5); // there it is the library that is slow
    // A burst was timed as published figures were.
    card.measured.calibration->machine.burst = card.measured.calibration->machine.sustained;
    card.measured.calibration->machine.burst[static_cast<std::size_t>(MathUnit::Bf16)]
        = 1.1 * card.measured.calibration->machine.sustained[static_cast<std::size_t>(MathUnit::Bf16)];
    CHECK(rateRatios(card.measured, card.known, card.gpu).of(MathUnit::Bf16)
          == doctest::Approx(multipliesAt * 1.1));
}

TEST_CASE("slow kernels of ours do not make a vLLM plan slow: it moves by the ratio of rates")
{
    const Planted card;
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "headroom-planted.yaml";
    EfficiencySet written = card.measured;
    written.citations = {{.key = "overheads", .text = "planted", .confidence = Confidence::High},
                         {.key = "machine", .text = "planted", .confidence = Confidence::High},
                         {.key = "run", .text = "planted", .confidence = Confidence::High}};
    written.records.clear();
    std::ofstream(file) << efficiencyYaml(written);
    Scenario scenario;
    scenario.model = "qwen3-30b-a3b";
    scenario.gpus = {card.gpu.id};
    scenario.engine = "vllm";
    scenario.prompt = LengthDistribution::of(8192);
    const double published = ttftOf(scenario);
    scenario.calibration = file.string();
    const double calibrated = ttftOf(scenario);
    std::filesystem::remove(file);
    // Products are half as fast, by the library's own timings; attention and experts a fifth slower.
    CHECK(calibrated / published > 1.05);
    CHECK(calibrated / published < 1.6); // twice, and more, when our experts and attention were taken
}

TEST_CASE("a calibration is wider by as much as its conditions were missed, and never by nothing")
{
    EfficiencySet set;
    CHECK(widthOfFailures(set) == 1);
    set.trusted = false;
    CHECK(widthOfFailures(set) > 1);
    set.calibration.emplace();
    set.calibration->gates = {{.name = "whole layer, mean error", .value = 0.09, .most = 0.06}};
    CHECK(widthOfFailures(set) == doctest::Approx(1.5));
    set.calibration->gates = {{.name = "second look, median change", .value = 0.05, .most = 0.05},
                              {.name = "gemm fp8, mean error", .value = 0.18, .most = 0.09}};
    CHECK(widthOfFailures(set) == 1); // that form alone
    CHECK(widthOfFailures(set, {.cls = OpClass::Gemm, .gemm = GemmClass::Fp8}) == doctest::Approx(2));
    CHECK(widthOfFailures(set, {.cls = OpClass::Gemm, .gemm = GemmClass::Half}) == 1);
}

TEST_CASE("runs of an engine serve it with its own host times, and others with the machine alone")
{
    Planted card;
    card.measured.engineRuns = EngineRecord{.engine = "vllm",
                                            .created = "2026-11-23",
                                            .tool = "headroom",
                                            .runs = {},
                                            .points = 12,
                                            .perStep = Seconds(3e-3),
                                            .perStepAndSequence = Seconds(2e-5),
                                            .lnSpreadPrefill = 0.1,
                                            .lnSpreadDecode = 0.07};
    const Calibrated own = card.applied();
    REQUIRE(own.engine.has_value());
    CHECK(own.engine->stepHostTime == Seconds(3e-3));
    CHECK(own.engine->lnSpreadDecode == 0.07);
    CHECK(own.efficiency.decodeAttention == card.measured.decodeAttention);
    CHECK(own.assumptions.back().english() == "fitted to 12 runs of vLLM on 2026-11-23");
    const Engine& other = valueOf(shipped().engine("sglang"));
    const Calibrated stranger = applyCalibration(
        card.measured, valueOf(shipped().efficiency(card.gpu, other)), card.gpu, card.node, other);
    CHECK_FALSE(stranger.engine.has_value());
    CHECK(stranger.warnings.size() == 1);
    CHECK(stranger.efficiency.decodeAttention.memoryEfficiency
          != card.measured.decodeAttention.memoryEfficiency);
}
