// kernel_bench check [small]   every kernel against the reference at awkward sizes; "small" for sanitizers
// kernel_bench table [GB/s TFLOPS [fp8 TFLOPS]]   achieved fraction of the physical limit, as Markdown
//
// Exit 0: all passed or printed; 1: a check failed; 3: no device.
#include "kernels/tools/bench_tasks.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <vector>

namespace {

using namespace headroom;
using namespace headroom::kernels;

// Twice: counters and workspaces must be as a replayed graph finds them. Infinite when it does not run at
// all.
double errorOf(Device& device, const Task& task)
{
    try {
        const auto prepared = device.prepare(task, 7, 1);
        const double first = device.check(*prepared);
        const double second = device.check(*prepared);
        return std::isnan(first) || first > second ? first : second; // NaN fails, wherever it comes
    } catch (const std::exception& failure) {
        fmt::print("{}\n", failure.what());
        return std::numeric_limits<double>::infinity();
    }
}

int runChecks(Device& device, bool small)
{
    int failed = 0;
    int passed = 0;
    int refused = 0;
    for (const Task& task : checkTasks(small)) {
        if (const std::string why = device.obstacle(task); !why.empty()) {
            fmt::print("refused  {}: {}\n", describe(task), why);
            ++refused;
            continue;
        }
        const double error = errorOf(device, task);
        const bool good = error <= toleranceOf(task); // NaN is not
        fmt::print("{}  {} act={}: error {:.2e}, allowed {:.0e}\n", good ? "passed " : "FAILED ",
                   describe(task), name(task.activations), error, toleranceOf(task));
        ++(good ? passed : failed);
    }
    fmt::print("{} passed, {} failed, {} refused\n", passed, failed, refused);
    return failed == 0 ? 0 : 1;
}

struct Timed {
    double seconds = 0;
    double spread = 0; // 1.4826 x median absolute deviation, relative
};

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
    return values[values.size() / 2];
}

// Median of seven stretches of at least two milliseconds (the event clock resolves half a microsecond).
Timed timed(Device& device, const Task& task)
{
    const auto prepared = device.prepare(task, 11, 0);
    const double one = device.time(*prepared, 1).perLaunch.base();
    const int launches = std::clamp(int(2e-3 / std::max(one, 1e-7)) + 1, 1, 20000);
    std::vector<double> samples;
    for (int i = 0; i < 7; ++i)
        samples.push_back(device.time(*prepared, launches).perLaunch.base());
    const double middle = median(samples);
    for (double& sample : samples)
        sample = std::abs(sample - middle);
    return {middle, 1.4826 * median(samples) / middle};
}

std::string percent(double fraction) { return fmt::format("{:.2f}", fraction); }

void printRow(Device& device, const BenchRow& row, const Peaks& peaks, Card card)
{
    if (const std::string why = device.obstacle(row.task); !why.empty()) {
        fmt::print("| {} | {} | – | – | – | – | {} |\n", row.number, row.name, why);
        return;
    }
    const Timed time = timed(device, row.task);
    const Op work = workOf(row.task);
    const double microseconds = time.seconds * 1e6;
    std::string achieved;
    bool enough = true;
    const Target target = row.targets[std::size_t(card)];
    switch (row.limit) {
    case Limit::Bandwidth: {
        const double fraction = work.bytes().base() / time.seconds / peaks.bytesPerSecond;
        achieved = percent(fraction) + " of bandwidth";
        enough = fraction >= target.must;
        break;
    }
    case Limit::Arithmetic: {
        const double peak = row.task.activations == DType::Fp8 ? peaks.flopsNarrow : peaks.flops;
        const double fraction = work.flops.base() / time.seconds / peak;
        achieved = percent(fraction) + " of peak";
        enough = fraction >= target.must;
        break;
    }
    case Limit::Latency:
        achieved = fmt::format("{:.1f} us", microseconds);
        enough = microseconds <= target.must;
        break;
    }
    const auto wanted = [&](double value) {
        if (value <= 0)
            return std::string("–");
        return row.limit == Limit::Latency ? fmt::format("{:.1f} us", value) : percent(value);
    };
    const bool judged = target.must > 0;
    fmt::print("| {} | {} | {:.2f} | {:.1f} % | {} | {} / {} | {} |\n", row.number, row.name, microseconds,
               100 * time.spread, achieved, wanted(target.must), wanted(target.stretch),
               !judged      ? ""
                   : enough ? "reached"
                            : "**below must**");
}

int runTable(Device& device, const Peaks& given)
{
    const Card card = cardOf(device.facts().name);
    const Peaks peaks = given.bytesPerSecond > 0 ? given : peaksOf(device.facts().name);
    if (peaks.bytesPerSecond <= 0) {
        fmt::print(stderr, "no peaks are known for {}: give its GB/s and TFLOPS\n", device.facts().name);
        return 2;
    }
    const Task warm{.kernel = Kernel::Gemm, .m = 4096, .n = 8192, .k = 8192};
    if (device.obstacle(warm).empty()) { // an idle card needs some seconds to reach its clocks
        const auto prepared = device.prepare(warm, 1, 1);
        (void)device.time(*prepared, 2000);
    }
    const DeviceState state = device.state();
    fmt::print("{}, driver {}, {}; {:.0f} MHz, {:.0f} W, {:.0f} °C {}\n\n", device.facts().name,
               device.facts().driver, device.facts().libraries, state.coreClockHz / 1e6, state.power.base(),
               state.temperatureCelsius, state.throttle);
    fmt::print("Limits: {:.0f} GB/s, {:.0f} TFLOPS in 16 bit, {:.0f} in 8.\n\n", peaks.bytesPerSecond / 1e9,
               peaks.flops / 1e12, peaks.flopsNarrow / 1e12);
    fmt::print("| # | Kernel | us | spread | achieved | must / stretch | |\n|---|---|---|---|---|---|---|\n");
    for (const BenchRow& row : benchRows())
        printRow(device, row, peaks, card);
    return 0;
}

double numberOf(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

int run(const std::vector<std::string_view>& words)
{
    const bool check = !words.empty() && words[0] == "check";
    if (!check && (words.empty() || words[0] != "table")) {
        fmt::print(stderr, "kernel_bench check [small] | table [GB/s TFLOPS [fp8 TFLOPS]]\n");
        return 2;
    }
    auto device = makeCudaDevice(0);
    if (!device) {
        for (const auto& problem : device.error())
            fmt::print(stderr, "{}\n", problem.what);
        return 3;
    }
    if (check)
        return runChecks(**device, words.size() > 1 && words[1] == "small");
    Peaks peaks;
    if (words.size() > 2)
        peaks = {numberOf(words[1]) * 1e9, numberOf(words[2]) * 1e12,
                 (words.size() > 3 ? numberOf(words[3]) : 2 * numberOf(words[2])) * 1e12};
    return runTable(**device, peaks);
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return run({argv + std::min(argc, 1), argv + argc});
    } catch (const std::exception& failure) {
        fmt::print(stderr, "{}\n", failure.what());
        return 3;
    }
}
