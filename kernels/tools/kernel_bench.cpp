// Checks and times every kernel of a device by itself.
//
// kernel_bench families
//     names of the families of kernels
// kernel_bench check [small] [family NAME] [on DEVICE]
//     every kernel against the reference at awkward sizes; small: for sanitizers
// kernel_bench once [only N,N…] [on DEVICE]
//     each row of the table started three times by the host, for a profiler
// kernel_bench table [only N,N…] [peaks GB/s,TFLOPS[,fp8 TFLOPS]] [on DEVICE]
//     achieved share of the physical limit, as Markdown; only: the rows of these numbers
//
// DEVICE: cpu or cuda (the default). Exit 0: all passed or printed; 1: a check failed; 2: wrong words;
// 3: no device.
#include "kernels/tools/bench_tasks.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>
#include <thread>
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

int runChecks(Device& device, bool small, std::string_view family)
{
    int failed = 0;
    int passed = 0;
    int refused = 0;
    for (const Task& task : checkTasks(small)) {
        if (!family.empty() && kernelName(task.kernel) != family)
            continue;
        if (const Message why = device.obstacle(task); !why.empty()) {
            fmt::print("refused  {}: {}\n", describe(task), why.english());
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
    (void)device.time(*prepared, 1); // a kernel's first launch brings it onto the card
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

// After heavy work a power limit keeps the clocks of a card down for half a second.
void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(700)); }

std::string percent(double fraction) { return fmt::format("{:.2f}", fraction); }

void printRow(Device& device, const BenchRow& row, const Peaks& peaks, Card card)
{
    if (const Message why = device.obstacle(row.task); !why.empty()) {
        fmt::print("| {} | {} | – | – | – | – | {} |\n", row.number, row.name, why.english());
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

// Numbers between commas; empty when one of them is none.
std::vector<double> numbersOf(std::string_view text)
{
    std::vector<double> out;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        double value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + comma, value);
        if (error != std::errc() || end != text.data() + comma || !(value > 0))
            return {};
        out.push_back(value);
        if (comma == text.size())
            return out;
        text.remove_prefix(comma + 1);
    }
}

bool isFamily(std::string_view name)
{
    const std::vector<Task> tasks = checkTasks(false);
    return std::any_of(tasks.begin(), tasks.end(),
                       [&](const Task& task) { return kernelName(task.kernel) == name; });
}

int printFamilies()
{
    std::vector<std::string_view> named;
    for (const Task& task : checkTasks(false))
        if (std::find(named.begin(), named.end(), kernelName(task.kernel)) == named.end()) {
            named.push_back(kernelName(task.kernel));
            fmt::print("{}\n", named.back());
        }
    return 0;
}

struct Wanted {
    bool check = false;
    bool once = false;
    bool small = false;
    std::string_view family; // empty: all
    bool cpu = false;
    Peaks peaks;
    std::vector<double> only; // empty: all
};

// What the words ask for, or nothing when one is not understood.
std::optional<Wanted> wantedOf(const std::vector<std::string_view>& words)
{
    if (words.empty() || (words[0] != "check" && words[0] != "table" && words[0] != "once"))
        return std::nullopt;
    Wanted wanted{.check = words[0] == "check", .once = words[0] == "once"};
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view();
        if (wanted.check && words[i] == "small") {
            wanted.small = true;
            continue;
        }
        ++i;
        if (words[i - 1] == "on" && (next == "cpu" || next == "cuda")) {
            wanted.cpu = next == "cpu";
            continue;
        }
        if (wanted.check && words[i - 1] == "family" && isFamily(next)) {
            wanted.family = next;
            continue;
        }
        const std::vector<double> numbers = numbersOf(next);
        if (wanted.check || numbers.empty())
            return std::nullopt;
        if (words[i - 1] == "only")
            wanted.only = numbers;
        else if (words[i - 1] == "peaks" && (numbers.size() == 2 || numbers.size() == 3))
            wanted.peaks
                = {numbers[0] * 1e9, numbers[1] * 1e12, numbers.back() * (numbers.size() == 3 ? 1e12 : 2e12)};
        else
            return std::nullopt;
    }
    return wanted;
}

bool among(const std::vector<double>& numbers, std::string_view row)
{
    return numbers.empty() || std::any_of(numbers.begin(), numbers.end(), [&](double number) {
               return row == fmt::format("{}", number);
           });
}

int runOnce(Device& device, const Wanted& wanted)
{
    for (const BenchRow& row : benchRows()) {
        if (!among(wanted.only, row.number) || !device.obstacle(row.task).empty())
            continue;
        const auto prepared = device.prepare(row.task, 7, 1);
        for (int i = 0; i < 3; ++i)
            device.enqueue(*prepared, 0);
        device.synchronise();
        fmt::print("{} {}: {}\n", row.number, row.name, describe(device.variantOf(row.task)));
    }
    return 0;
}

int runTable(Device& device, const Wanted& wanted)
{
    const Card card = cardOf(device.facts().name);
    const Peaks peaks = wanted.peaks.bytesPerSecond > 0 ? wanted.peaks : peaksOf(device.facts().name);
    if (peaks.bytesPerSecond <= 0) {
        fmt::print(stderr, "no peaks are known for {}: give its GB/s and TFLOPS\n", device.facts().name);
        return 2;
    }
    const Task warm{.kernel = Kernel::Gemm, .m = 4096, .n = 8192, .k = 8192};
    if (!wanted.cpu && device.obstacle(warm).empty()) { // an idle card needs some seconds to reach its clocks
        const auto prepared = device.prepare(warm, 1, 1);
        (void)device.time(*prepared, 500);
        rest();
    }
    const DeviceState state = device.state();
    fmt::print("{}, driver {}, {}; {:.0f} MHz, {:.0f} W, {:.0f} °C {}\n\n", device.facts().name,
               device.facts().driver, device.facts().libraries, state.coreClockHz / 1e6, state.power.base(),
               state.temperatureCelsius, state.throttle);
    fmt::print("Limits: {:.0f} GB/s, {:.0f} TFLOPS in 16 bit, {:.0f} in 8.\n\n", peaks.bytesPerSecond / 1e9,
               peaks.flops / 1e12, peaks.flopsNarrow / 1e12);
    fmt::print("| # | Kernel | us | spread | achieved | must / stretch | |\n|---|---|---|---|---|---|---|\n");
    for (const BenchRow& row : benchRows())
        if (among(wanted.only, row.number)) {
            printRow(device, row, peaks, card);
            if (!wanted.cpu && row.limit == Limit::Arithmetic)
                rest();
        }
    return 0;
}

int runOn(Device& device, const Wanted& wanted)
{
    if (wanted.check)
        return runChecks(device, wanted.small, wanted.family);
    return wanted.once ? runOnce(device, wanted) : runTable(device, wanted);
}

int run(const std::vector<std::string_view>& words)
{
    if (words.size() == 1 && words[0] == "families")
        return printFamilies();
    const std::optional<Wanted> wanted = wantedOf(words);
    if (!wanted) {
        fmt::print(stderr,
                   "kernel_bench families | check [small] [family NAME] | once [only N,N…] | table [only "
                   "N,N…] [peaks GB/s,TFLOPS[,fp8 TFLOPS]]; "
                   "[on cpu|cuda]\n");
        return 2;
    }
    if (wanted->cpu) {
        const auto device = makeCpuDevice();
        return runOn(*device, *wanted);
    }
    const auto device = makeCudaDevice(0);
    if (!device) {
        for (const auto& problem : device.error())
            fmt::print(stderr, "{}\n", problem.what.english());
        return 3;
    }
    return runOn(**device, *wanted);
}

} // namespace

int main(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IOLBF, 0); // what was found stands in the log, whatever ends the process
    try {
        return run({argv + std::min(argc, 1), argv + argc});
    } catch (const std::exception& failure) {
        fmt::print(stderr, "{}\n", failure.what());
        return 3;
    }
}
