#include "calib/calibrate_device.h"
#include "calib/measure/samples_file.h"
#include "fake_device.h"
#include "headroom_version.h"
#include "model/cost/forms.h"
#include "model/resolve/calibrated.h"
#include "model/yaml/efficiency_yaml.h"
#include "tests/thorough.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <set>
#include <sys/resource.h>

using namespace headroom;
using namespace headroom::test;

namespace {

constexpr std::size_t everyPoint = std::numeric_limits<std::size_t>::max();

struct Bench {
    Folder folder;
    FakeDevice device;
    Llm llm = plainModel();
    RunPolicy policy{.timing = {.sustained = Seconds(2e-3)}, .budget = Seconds(1e6), .warmUp = Seconds(0.01)};

    [[nodiscard]] CalibrationOptions options(bool resume = false) const
    {
        return {.resume = resume,
                .file = folder.file("c.yaml"),
                .toolVersion = HEADROOM_VERSION,
                .created = "2026-01-02"};
    }
    // How many points are measured: all where it matters how well they are fitted, else the first ones, which
    // hold every family of operators and ten whole layers.
    std::size_t points = 80;

    [[nodiscard]] CalibrationSubject subject(std::uint64_t seed = 7) const
    {
        CalibrationSubject all = fakeSubject(device, llm, seed);
        all.sweep.points.resize(std::min(points, all.sweep.points.size()));
        return all;
    }
    [[nodiscard]] Result<CalibrationReport> run(bool resume = false, const RunControl& control = {},
                                                const CalibrationListener& listener = {})
    {
        return calibrateDevice(device, subject(), options(resume), policy, device.clock(), control, listener);
    }
    [[nodiscard]] std::vector<Sample> samples() const
    {
        const Result<SamplesFile> file = readSamples(samplesBeside(folder.file("c.yaml")));
        REQUIRE(file.has_value());
        return file->samples;
    }
};

// Median error of the fitted forms on shapes that were in no sweep.
double freshError(const Bench& bench, const EfficiencySet& set)
{
    const Gpu gpu = measuredGpu(bench.device.gpu, set.calibration->machine);
    static const Node alone;
    std::vector<double> errors;
    for (const DType weights : {DType::Bf16, DType::Int8, DType::Int4})
        for (const std::int64_t m : {1, 3, 12, 40})
            for (const auto& [n, k] :
                 {std::pair<std::int64_t, std::int64_t>{1536, 896}, {896, 2432}, {5120, 640}}) {
                kernels::Task task{.weights = weights, .activations = DType::Fp32, .m = m, .n = n, .k = k};
                const double predicted = timeOp(kernels::workOf(task), gpu, alone, set).total.base();
                errors.push_back(std::abs(predicted / bench.device.exact(task).base() - 1));
            }
    return medianOf(errors);
}

} // namespace

TEST_CASE("samples have one writer: the second of two calibrations is told, and the first loses nothing")
{
    const Folder folder;
    const std::filesystem::path file = folder.file("k.samples.csv");
    const auto busy = [&](auto open) -> std::string {
        try {
            (void)open();
        } catch (const CalibrationBroken& broken) {
            return broken.what();
        }
        return "opened";
    };
    {
        const SamplesWriter first = SamplesWriter::create(file, {{"device", "first"}});
        CHECK(busy([&] {
                  return SamplesWriter::create(file, {{"device", "second"}});
              }).find("another calibration is writing this file")
              != std::string::npos);
        CHECK(
            busy([&] { return SamplesWriter::resume(file); }).find("another calibration is writing this file")
            != std::string::npos);
        CHECK(readSamples(file)->facts.at("device") == "first");
    }
    CHECK(busy([&] { return SamplesWriter::resume(file); }) == "opened");
    // A new run keeps the older samples under another name.
    CHECK(busy([&] { return SamplesWriter::create(file, {{"device", "third"}}); }) == "opened");
    CHECK(readSamples(file)->facts.at("device") == "third");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(file.parent_path()))
        files += entry.is_regular_file() ? 1U : 0U;
    CHECK(files == 2);
}

TEST_CASE("a planted machine is recovered: fresh shapes, held-out layers, its own figures")
{
    Bench bench;
    bench.points = everyPoint;
    const auto report = bench.run();
    REQUIRE(report.has_value());
    CHECK(report->measured == report->planned);
    CHECK(freshError(bench, report->set) < 0.03);
    const CalibrationRecord& record = *report->set.calibration;
    CHECK(record.machine.read.base() == doctest::Approx(100e9).epsilon(0.02));
    CHECK(record.machine.emptyLaunch.base() == doctest::Approx(5e-6).epsilon(0.02));
    CHECK(record.holdOut.layers == 12);
    CHECK(record.holdOut.median < 0.05);
    CHECK(record.run.refused == 0);
    CHECK(report->set.form(GemmClass::Half).uncertainty.source == Source::MeasuredHere);
    CHECK(report->set.form(GemmClass::Fp8).uncertainty.source == Source::Prior);
}

TEST_CASE("outliers in a tenth of the stretches change little" * doctest::skip(!thorough()))
{
    Bench bench;
    bench.points = everyPoint;
    bench.device.outliers = 0.1;
    const auto report = bench.run();
    REQUIRE(report.has_value());
    CHECK(freshError(bench, report->set) < 0.04);
}

TEST_CASE("the file that was written says what was reported")
{
    Bench bench;
    const auto report = bench.run();
    REQUIRE(report.has_value());
    const auto read = readEfficiencySet(textOf(report->file), "c.yaml");
    REQUIRE(read.has_value());
    CHECK(read->calibration == report->set.calibration);
    CHECK(read->gemm[1] == report->set.gemm[1]);
    CHECK(read->trusted == report->set.trusted);
    CHECK(efficiencyYaml(*read) == textOf(report->file));
}

TEST_CASE("a block over which the machine drifts is measured again")
{
    Bench bench;
    bench.points = everyPoint;
    double slowness = 1;
    bench.device.slowness = [&](double) { return slowness; };
    // Slower by a tenth from the middle of the first block to its end.
    const auto report = bench.run(false, {}, [&](const CalibrationProgress& progress) {
        if (progress.finished == 30 && progress.note.empty())
            slowness = 1.1;
        if (!progress.note.empty())
            slowness = 1;
    });
    REQUIRE(report.has_value());
    const auto again = std::find_if(report->notes.begin(), report->notes.end(), [](const Message& note) {
        return note.english().find("measured again") != std::string::npos;
    });
    CHECK(again != report->notes.end());
    const std::vector<Sample> samples = bench.samples();
    CHECK(std::any_of(samples.begin(), samples.end(), [](const Sample& s) { return s.attempt == 1; }));
    CHECK(freshError(bench, report->set) < 0.04);
}

TEST_CASE("one disturbed look at an anchor is no drift")
{
    Bench bench;
    // Slower by a tenth while the first look at the end of a block lasts: the second finds it gone.
    bool blockEnded = false;
    int disturbed = 0;
    bench.device.slowness = [&](double) {
        const bool now = blockEnded && disturbed < 10;
        disturbed += now ? 1 : 0;
        return now ? 1.1 : 1.0;
    };
    const auto report = bench.run(false, {}, [&](const CalibrationProgress& progress) {
        if (progress.finished == 60)
            blockEnded = true;
    });
    REQUIRE(report.has_value());
    CHECK(disturbed == 10);
    for (const Message& note : report->notes)
        CHECK(note.english().find("drifted") == std::string::npos);
}

TEST_CASE("what was timed at clocks that other work had pulled down is timed again after a rest")
{
    Bench bench;
    bool low = false; // from two points on, until a rest
    bench.policy.rest = [&](Seconds) { low = false; };
    bench.device.clockHz = [&](double) { return low ? 1.2e9 : 1.5e9; };
    bench.device.slowness = [&](double) { return low ? 1.25 : 1.0; };
    const auto report = bench.run(false, {}, [&](const CalibrationProgress& progress) {
        low = progress.point && (progress.finished == 40 || progress.finished == 50);
    });
    REQUIRE(report.has_value());
    CHECK(report->notes.front().english().starts_with("2 points were timed again after a rest"));
    for (const Sample& sample : bench.samples())
        CHECK(sample.state.coreClockHz == doctest::Approx(1.5e9));
}

TEST_CASE("a clock that lies is not believed")
{
    for (const FakeDevice::Lie lie : {FakeDevice::Lie::StandsStill, FakeDevice::Lie::RunsSlow}) {
        Bench bench;
        bench.device.lie = lie;
        CHECK_THROWS_AS((void)bench.run(), CalibrationBroken);
        CHECK_FALSE(std::filesystem::exists(bench.folder.file("c.yaml")));
    }
}

TEST_CASE("a kernel that computes something else is refused with its error, and nothing is fitted to it")
{
    Bench bench;
    bench.device.wrong = [](const kernels::Task& task) {
        return task.kernel == kernels::Kernel::Gemm && task.weights == DType::Int8;
    };
    const auto report = bench.run();
    REQUIRE(report.has_value());
    const std::vector<SweepPoint> points = bench.subject().sweep.points;
    const auto wrong = std::count_if(points.begin(), points.end(), [&](const SweepPoint& point) {
        return std::any_of(point.tasks.begin(), point.tasks.end(), bench.device.wrong);
    });
    CHECK(wrong > 10);
    CHECK(report->refused.size() == std::size_t(wrong)); // products, and the layers made of them
    CHECK(report->refused.front().find("differs from the reference by 0.3") != std::string::npos);
    CHECK(report->set.form(GemmClass::WeightOnly8).uncertainty.source == Source::Prior);
    CHECK(report->set.form(GemmClass::Half).uncertainty.source == Source::MeasuredHere);
}

TEST_CASE("a run that is stopped is fitted with what it has, and resumes where it was")
{
    Bench bench;
    std::stop_source source;
    std::size_t finished = 0;
    const auto first
        = bench.run(false, {.stop = source.get_token()}, [&](const CalibrationProgress& progress) {
              finished = progress.finished;
              if (progress.finished >= 60)
                  source.request_stop();
          });
    REQUIRE(first.has_value());
    CHECK(first->cancelled);
    CHECK(first->measured == 60);
    CHECK(std::filesystem::exists(bench.folder.file("c.yaml")));
    const std::string before = textOf(first->samples);

    const auto second = bench.run(true);
    REQUIRE(second.has_value());
    CHECK_FALSE(second->cancelled);
    CHECK(second->measured == second->planned);
    CHECK(textOf(second->samples).starts_with(before)); // nothing that was finished is touched
    std::multiset<std::size_t> indices;
    for (const Sample& sample : bench.samples())
        if (sample.kind == SampleKind::Point && sample.attempt == 0)
            indices.insert(sample.index);
    for (std::size_t i = 0; i < second->planned; ++i)
        CHECK(indices.count(i) == 1);
}

TEST_CASE(
    "half a line at the end of the samples is passed over, any other broken line is refused at its place")
{
    Bench bench;
    std::stop_source source;
    REQUIRE(bench
                .run(false, {.stop = source.get_token()},
                     [&](const CalibrationProgress& progress) {
                         if (progress.finished >= 60)
                             source.request_stop();
                     })
                .has_value());
    const std::filesystem::path file = samplesBeside(bench.folder.file("c.yaml"));
    const std::size_t whole = bench.samples().size();
    std::ofstream(file, std::ios::app) << "point,99,1,0,gemm bf1";
    CHECK(bench.samples().size() == whole);
    const auto resumed = bench.run(true);
    REQUIRE(resumed.has_value());
    CHECK(resumed->measured == resumed->planned);

    std::ofstream(file, std::ios::app) << "point,many,1,0,x,f,g,1,1,1,1,5,0,1,1,0,,0,0,0,0,\n";
    const auto refused = bench.run(true);
    REQUIRE_FALSE(refused.has_value());
    const std::string text = textOf(file);
    const auto lines = std::count(text.begin(), text.end(), '\n');
    CHECK(refused.error().front().where.find(fmt::format("c.samples.csv:{}:", lines)) != std::string::npos);
    CHECK(refused.error().front().what.english().find("'many'") != std::string::npos);
}

TEST_CASE("samples of another run are refused, and a new run keeps them under another name")
{
    Bench bench;
    bench.policy.budget = Seconds(2);
    REQUIRE(bench.run().has_value());
    CalibrationOptions other = bench.options(true);
    other.seed = 8;
    const auto refused
        = calibrateDevice(bench.device, bench.subject(8), other, bench.policy, bench.device.clock(), {}, {});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().size() == 2); // the seed, and the order that comes of it
    const std::string before = textOf(samplesBeside(bench.folder.file("c.yaml")));
    REQUIRE(bench.run().has_value());
    CHECK(textOf(bench.folder.file("c.samples.1.csv")) == before);
}

TEST_CASE("a full disk is told in a sentence and keeps every finished point")
{
    Bench bench;
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit old{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old) == 0);
    rlimit small = old;
    small.rlim_cur = 9000;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    std::string told;
    try {
        (void)bench.run();
    } catch (const CalibrationBroken& broken) {
        told = broken.what();
    }
    REQUIRE(setrlimit(RLIMIT_FSIZE, &old) == 0);
    CHECK(told.find("cannot be written") != std::string::npos);
    CHECK(told.find("--resume") != std::string::npos);
    const std::string kept = textOf(samplesBeside(bench.folder.file("c.yaml")));
    CHECK(kept.back() == '\n');
    const std::size_t finished = bench.samples().size();
    CHECK(finished > 20);
    const auto resumed = bench.run(true);
    REQUIRE(resumed.has_value());
    CHECK(resumed->measured == resumed->planned);
    CHECK(textOf(resumed->samples).starts_with(kept));
}

TEST_CASE("the time that is left is told, and a deadline ends the run with a file")
{
    Bench bench;
    bench.points = everyPoint;
    bench.policy.budget = Seconds(3);
    double last = 0;
    const auto report = bench.run(false, {}, [&](const CalibrationProgress& progress) {
        CHECK(progress.fraction >= last - 1e-9);
        CHECK(progress.left.base() <= 3);
        last = progress.fraction;
        if (progress.point && progress.point->form.starts_with("gemm")) {
            CHECK(progress.point->ofPeak > 0);
            CHECK(progress.point->ofPeak < 1.2);
        }
    });
    REQUIRE(report.has_value());
    CHECK(report->deadline);
    CHECK(report->measured < report->planned);
    CHECK(last == 1);
}

TEST_CASE("however short the time, the machine's own bandwidth and rates are measured")
{
    Bench bench;
    bench.points = everyPoint;
    bench.policy.budget = Seconds(1e-9);
    const auto report = bench.run();
    REQUIRE(report.has_value());
    CHECK(report->deadline);
    REQUIRE(report->set.calibration);
    CHECK(report->set.calibration->machine.read.base() > 0);
    const Sweep sweep = bench.subject().sweep;
    for (const Sample& sample : bench.samples())
        if (sample.kind == SampleKind::Point)
            CHECK(sweep.points[sample.index].kind == PointKind::Machine);
}

TEST_CASE("a calibration with a broken machine is refused at its place")
{
    Bench bench;
    bench.policy.budget = Seconds(3);
    const auto report = bench.run();
    REQUIRE(report.has_value());
    std::string text = textOf(report->file);
    const std::size_t at = text.find("  read: ");
    REQUIRE(at != std::string::npos);
    text.replace(at, text.find('\n', at) - at, "  read: 100 Gb/s");
    const auto refused = readEfficiencySet(text, "c.yaml");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().front().where.find("machine.read") != std::string::npos);
}
