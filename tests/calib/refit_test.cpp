#include "calib/calibrate_device.h"
#include "calib/calibration_subject.h"
#include "calib/refit.h"
#include "fake_card.h"
#include "fake_device.h"
#include "headroom_source_dir.h"
#include "model/efficiency/form_slot.h"
#include "model/text/text_file.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"
#include "tests/thorough.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

using namespace headroom;
using namespace headroom::test;

namespace {

// A short calibration of a card that never was, whose samples stay.
struct ShortRun {
    Folder folder;
    std::shared_ptr<const Catalogue> catalogue;
    CalibrationReport report;
};

void measure(ShortRun& out)
{
    const auto opened = Catalogue::open(Catalogue::defaultRoot());
    REQUIRE(opened.has_value());
    out.catalogue = *opened;
    const auto gpu = out.catalogue->gpu("h100-sxm-80gb");
    REQUIRE(gpu.has_value());
    const auto prior = readPrior(Catalogue::defaultRoot(), (*gpu)->family);
    REQUIRE(prior.has_value());
    FakeCard card(**gpu, *prior);
    const CalibrationOptions options{
        .file = out.folder.file("first.yaml"), .toolVersion = "1", .created = "2026-01-02"};
    const auto subject = subjectOf(card, options, *out.catalogue);
    REQUIRE(subject.has_value());
    RunPolicy policy = runPolicyFor(options, "cuda");
    policy.budget = Seconds(12);
    policy.rest = {};
    auto report = calibrateDevice(card, *subject, options, policy, card.clock(), {}, {});
    REQUIRE(report.has_value());
    out.report = std::move(*report);
}

} // namespace

TEST_CASE("samples are fitted again without their device, to the same calibration")
{
    ShortRun first;
    measure(first);
    const auto again = refitSamples({.refit = first.report.samples,
                                     .file = first.folder.file("again.yaml"),
                                     .toolVersion = "1",
                                     .created = "2026-11-26"},
                                    *first.catalogue);
    REQUIRE(again.has_value());
    CHECK(again->measured == first.report.measured);
    CHECK(again->planned == first.report.planned);
    CHECK(again->set.records.size() == first.report.set.records.size());
    CHECK(again->set.records.size() >= 8);
    // Times stand in the file to fifteen digits.
    for (const FormSlot& slot : allFormSlots())
        CHECK(std::abs(uncertaintyOf(again->set, slot).lnSpread
                       - uncertaintyOf(first.report.set, slot).lnSpread)
              < 1e-6);
    REQUIRE(again->set.calibration.has_value());
    CHECK(again->set.calibration->run.created == "2026-01-02"); // of the measurement
    CHECK(again->layers.size() == first.report.layers.size());
    for (std::size_t i = 0; i < again->layers.size(); ++i)
        CHECK(again->layers[i].predicted / first.report.layers[i].predicted
              == doctest::Approx(1).epsilon(1e-6));
    const auto written = readTextFile(first.folder.file("again.yaml"), 1U << 22);
    REQUIRE(written.has_value());
    CHECK(readEfficiencySet(*written, "again.yaml").has_value());
}

TEST_CASE("samples that do not say what they are of are refused")
{
    ShortRun first;
    measure(first);
    const auto text = readTextFile(first.report.samples, 1U << 24);
    REQUIRE(text.has_value());
    const std::filesystem::path file = first.folder.file("nameless.samples.csv");
    std::ofstream(file) << text->substr(text->find("kind,index"));
    const auto again = refitSamples(
        {.refit = file, .file = first.folder.file("again.yaml"), .toolVersion = "1"}, *first.catalogue);
    REQUIRE_FALSE(again.has_value());
    CHECK(again.error().front().what.english().find("does not say 'kind'") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(first.folder.file("again.yaml")));
}

TEST_CASE("a card's own calibration of the catalogue is what its samples give" * doctest::skip(!thorough()))
{
    std::string card; // folder and file are named after it
    std::string id;
    SUBCASE("H200") { card = "h200", id = "h200-sxm-141gb-headroom"; }
    SUBCASE("H100") { card = "h100", id = "h100-sxm-80gb-headroom"; }
    const auto catalogue = Catalogue::open(Catalogue::defaultRoot());
    REQUIRE(catalogue.has_value());
    const std::filesystem::path root = HEADROOM_SOURCE_DIR;
    const std::filesystem::path shipped = root / "hw_profiles/calibrations/hopper" / (id + ".yaml");
    const Folder folder;
    const auto again = refitSamples({.refit = root / "tests/data" / card / (id + ".samples.csv"),
                                     .file = folder.file(id + ".yaml"),
                                     .toolVersion = "0.1.0"},
                                    **catalogue);
    REQUIRE(again.has_value());
    const auto text = readTextFile(shipped, 1U << 22);
    REQUIRE(text.has_value());
    const auto known = readEfficiencySet(*text, shipped.string());
    REQUIRE(known.has_value());
    CHECK(again->measured == 2195);
    CHECK(again->layers.size() == 40);
    CHECK(again->set.failedGates == known->failedGates);
    int fitted = 0;
    for (const FormSlot& slot : allFormSlots()) {
        const Uncertainty& now = uncertaintyOf(again->set, slot);
        if (now.source != Source::MeasuredHere)
            continue; // no part of the file
        CHECK(std::abs(now.lnSpread - uncertaintyOf(*known, slot).lnSpread) < 1e-3);
        ++fitted;
    }
    CHECK(fitted == 12);
    CHECK(again->set.calibration->holdOut.mean
          == doctest::Approx(known->calibration->holdOut.mean).epsilon(0.01));
}
