#include "calib/calibrate_device.h"
#include "calib/measure/samples_file.h"
#include "failing_device.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>

using namespace headroom;
using namespace headroom::test;

namespace {

constexpr std::size_t points = 60; // every family, and some layers

struct Ended {
    std::string sentence;       // empty: it went through
    std::set<std::size_t> told; // points that the run said were finished
    std::vector<Sample> kept;   // as the file has them
    int calls = 0;
};

Sweep shortened(Sweep sweep)
{
    sweep.points.resize(std::min(points, sweep.points.size()));
    return sweep;
}

// Every sample is flushed to the disk; where there is a disk in memory, a thousand runs do not wait for
// another.
std::filesystem::path fastFolder()
{
    std::error_code missing;
    if (std::filesystem::is_directory("/dev/shm", missing))
        ::setenv("TMPDIR", "/dev/shm", 1);
    return std::filesystem::temp_directory_path();
}

class Bench {
public:
    Bench() : m_root(fastFolder()), m_sweep(shortened(fakeSubject(m_plain, m_llm).sweep)) {}

    [[nodiscard]] Ended run(const std::function<void(FailingDevice&)>& plan, bool resume = false)
    {
        FakeDevice inner;
        FailingDevice device(inner);
        plan(device);
        Ended out;
        RunPolicy policy{.timing = {.replays = 3, .mostRounds = 1, .accepted = 1},
                         .budget = Seconds(1e6),
                         .warmUp = Seconds(0.001),
                         .blockPoints = 20,
                         .looksAgain = 2};
        const std::filesystem::path file = m_folder.file("c.samples.csv");
        std::vector<Sample> known;
        if (resume)
            known = readSamples(file).value().samples;
        try {
            SamplesWriter writer = resume ? SamplesWriter::resume(file) : SamplesWriter::create(file, {});
            (void)runSweep(device, m_sweep, anchorTasks("cpu"), policy, known, writer, inner.clock(), {},
                           [&](const RunEvent& event) {
                               if (event.sample != nullptr)
                                   out.told.insert(event.sample->index);
                           });
        } catch (const CalibrationBroken& broken) {
            out.sentence = broken.what();
        }
        out.calls = device.calls;
        out.kept = readSamples(file).value().samples;
        return out;
    }
    [[nodiscard]] std::size_t planned() const { return m_sweep.points.size(); }

private:
    std::filesystem::path m_root; // before the folder in it
    Folder m_folder;
    FakeDevice m_plain;
    Llm m_llm = plainModel();
    Sweep m_sweep;
};

std::set<std::size_t> pointsOf(const std::vector<Sample>& samples)
{
    std::set<std::size_t> out;
    for (const Sample& sample : samples)
        if (sample.kind == SampleKind::Point)
            out.insert(sample.index);
    return out;
}

} // namespace

TEST_CASE("any call may fail once: the point is refused with its reason, and the sweep goes on to its end")
{
    Bench bench;
    const int calls = bench.run([](FailingDevice&) {}).calls;
    REQUIRE(calls > 500);
    for (int call = 1; call <= calls; ++call) {
        CAPTURE(call);
        const Ended ended = bench.run([&](FailingDevice& device) { device.failing = call; });
        CHECK(ended.sentence == "");
        CHECK(pointsOf(ended.kept).size() == bench.planned());
        const auto refused = std::count_if(ended.kept.begin(), ended.kept.end(), [](const Sample& sample) {
            return sample.refused.find(" failed") != std::string::npos;
        });
        CHECK(refused <= 1);
    }
}

TEST_CASE("from some call on every one may fail: what was finished is kept, and the run ends in a sentence")
{
    Bench bench;
    const int calls = bench.run([](FailingDevice&) {}).calls;
    for (int call = 1; call <= calls; ++call) {
        CAPTURE(call);
        const Ended ended = bench.run([&](FailingDevice& device) {
            device.failing = call;
            device.fromThenOn = true;
        });
        CHECK(ended.sentence.find("failed") != std::string::npos);
        CHECK(ended.sentence.find("--resume") != std::string::npos);
        for (const std::size_t point : ended.told)
            CHECK(pointsOf(ended.kept).contains(point));
    }
}

TEST_CASE("a point that ends the device is written as refused, and --resume goes on behind it")
{
    Bench bench;
    const int calls = bench.run([](FailingDevice&) {}).calls;
    for (int call = calls / 3; call < calls; call += calls / 9) {
        CAPTURE(call);
        const Ended first = bench.run([&](FailingDevice& device) {
            device.failing = call;
            device.forGood = true;
        });
        CHECK(first.sentence.find("the card fell off the bus") != std::string::npos);
        const Ended second = bench.run([](FailingDevice&) {}, true);
        CHECK(second.sentence == "");
        CHECK(pointsOf(second.kept).size() == bench.planned());
    }
}

TEST_CASE("an anchor that a device cannot run is left out and said so; without any the points are measured "
          "all the same")
{
    FakeDevice device;
    const Llm llm = plainModel();
    const Sweep sweep = shortened(fakeSubject(device, llm).sweep);
    std::vector<kernels::Task> anchors = anchorTasks("cpu");
    kernels::Task impossible{.kernel = kernels::Kernel::AllReduce};
    for (const bool none : {false, true}) {
        Folder folder;
        SamplesWriter writer = SamplesWriter::create(folder.file("c.samples.csv"), {});
        const HostClock clock = device.clock();
        const std::vector<kernels::Task> tasks
            = none ? std::vector{impossible} : std::vector{impossible, anchors.back()};
        const RunOutcome outcome
            = runSweep(device, sweep, tasks, {.budget = Seconds(1e6), .warmUp = Seconds(0.01)}, {}, writer,
                       clock, {}, {});
        CHECK(pointsOf(outcome.samples).size() == sweep.points.size());
        CHECK(outcome.notes.front().english().find("is no anchor here: has no peers") != std::string::npos);
        CHECK((outcome.notes.size() > 1 && outcome.notes[1].english().find("no anchor runs here") == 0)
              == none);
    }
}
