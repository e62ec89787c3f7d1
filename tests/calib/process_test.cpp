#include "calib/calibrate_device.h"
#include "calib/measure/samples_file.h"
#include "fake_device.h"
#include "model/json/text_file.h"
#include "model/report/calibration_text.h"
#include "model/yaml/efficiency_yaml.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace headroom;
using namespace headroom::test;

namespace {

pid_t start(const std::vector<std::string>& words)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nothing, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    std::vector<std::string> all{HEADROOM_PROGRAM};
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(HEADROOM_PROGRAM, arguments.data());
    _exit(127);
}

std::string textOf(const std::filesystem::path& file)
{
    const auto text = readTextFile(file, 1U << 26);
    return text ? *text : std::string();
}

std::size_t pointsIn(const std::filesystem::path& file)
{
    const std::string text = textOf(file);
    std::size_t count = 0;
    for (std::size_t at = text.find("\npoint,"); at != std::string::npos; at = text.find("\npoint,", at + 1))
        ++count;
    return count;
}

bool hasEnded(pid_t child)
{
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0
        || info.si_pid == child;
}

// Returns when the file holds that many points or its writer has ended: woken by each write, and now and then
// by itself, as an end is no write.
void awaitPoints(const std::filesystem::path& file, std::size_t points, pid_t writer)
{
    constexpr int patience = 200; // ms
    const int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    inotify_add_watch(watch, file.parent_path().c_str(), IN_MODIFY | IN_CREATE | IN_CLOSE_WRITE);
    alignas(inotify_event) char events[4096];
    while (pointsIn(file) < points && !hasEnded(writer)) {
        pollfd change{.fd = watch, .events = POLLIN, .revents = 0};
        if (poll(&change, 1, patience) > 0)
            (void)!read(watch, events, sizeof events);
    }
    close(watch);
}

} // namespace

TEST_CASE("kill -9 loses nothing that was finished")
{
    const Folder folder;
    const std::string file = folder.file("k.yaml").string();
    const std::filesystem::path samples = folder.file("k.samples.csv");
    // A machine busy with other work may be refused before it has measured anything: then it is asked again.
    constexpr int patience = 8;
    int status = 0;
    for (int attempt = 0; attempt < patience && !WIFSIGNALED(status); ++attempt) {
        const pid_t child
            = start({"calibrate", "--device", "cpu", "--quick", "--seconds", "300", "-o", file});
        REQUIRE(child > 0);
        awaitPoints(samples, 10, child); // the machine's own figures are among them
        CHECK(kill(child, SIGKILL) == 0);
        waitpid(child, &status, 0);
    }
    REQUIRE(WIFSIGNALED(status));
    CHECK_FALSE(std::filesystem::exists(file));
    const std::string text = textOf(samples);
    const std::string before = text.substr(0, text.rfind('\n') + 1);
    CHECK(pointsIn(samples) >= 10);

    for (int attempt = 0; attempt < patience && !(WIFEXITED(status) && WEXITSTATUS(status) == 0); ++attempt) {
        const pid_t again
            = start({"calibrate", "--device", "cpu", "--quick", "--seconds", "0.5", "--resume", "-o", file});
        waitpid(again, &status, 0);
    }
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
    CHECK(textOf(samples).starts_with(before));
    CHECK(readEfficiencySet(textOf(file), file).has_value());
}

// Under a sanitizer the processor is ten times slower, and the budget of the measurement would end it.
#ifdef __SANITIZE_ADDRESS__
constexpr bool slowed = true;
#else
constexpr bool slowed = false;
#endif

TEST_CASE("this processor is measured, fitted and predicted: a report, not a verdict" * doctest::skip(slowed))
{
    const Folder folder;
    const auto device = kernels::makeCpuDevice(1);
    Llm llm = plainModel();
    llm.hidden = 256;
    llm.kinds[0].mixer = {.queryHeads = 4, .kvHeads = 2, .headDim = 64};
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
    // Small points only: a few seconds in all.
    std::erase_if(subject.sweep.points, [](const SweepPoint& point) {
        double work = 0;
        for (const kernels::Task& task : point.tasks)
            work += kernels::workOf(task).flops.base() + 10 * kernels::workOf(task).bytes().base();
        return point.kind == PointKind::Operator && work > 4e7;
    });
    const RunPolicy policy{
        .timing = {.stretch = Seconds(1e-3), .sustained = Seconds(2e-3), .replays = 3, .mostRounds = 1},
        .budget = Seconds(30),
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
