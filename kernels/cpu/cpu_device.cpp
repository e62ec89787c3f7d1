#include "kernels/cpu/cpu_operators.h"
#include "kernels/cpu/reference.h"
#include "kernels/device.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <limits>
#include <string>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace headroom::kernels {

namespace {

std::string firstValueOf(const std::string& file, const std::string& key)
{
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(key)) {
            const auto colon = line.find(':');
            const auto start = colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
            return start == std::string::npos ? std::string() : line.substr(start);
        }
    return {};
}

// Last-level cache of the first core; 32 MiB where the system does not say.
Bytes lastLevelCache()
{
    constexpr double fallback = 32.0 * 1024 * 1024;
    double largest = 0;
    for (int index = 0; index < 5; ++index) {
        std::ifstream in(fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/size", index));
        double size = 0;
        char unit = 'K';
        if (in >> size >> unit)
            largest = std::max(largest, size * (unit == 'M' ? 1024.0 * 1024 : 1024.0));
    }
    return Bytes(largest > 0 ? largest : fallback);
}

// How much lies between two uses of the same operands: what was used longest ago is evicted first, or nearly
// so, and more than the cache is enough.
constexpr double timesTheCache = 3;

// Operands of one point take the place of the last one's: given back to the system in between, their pages
// would have to be made anew, which takes longer than filling them.
class KeptMemory {
public:
    KeptMemory()
    {
#ifdef __GLIBC__
        mallopt(M_MMAP_MAX, 0);
        mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
    }
    ~KeptMemory()
    {
#ifdef __GLIBC__
        constexpr int usualMaps = 65536; // both as mallopt(3) says
        constexpr int usualThreshold = 128 * 1024;
        mallopt(M_MMAP_MAX, usualMaps);
        mallopt(M_TRIM_THRESHOLD, usualThreshold);
        malloc_trim(0);
#endif
    }
    KeptMemory(const KeptMemory&) = delete;
    KeptMemory& operator=(const KeptMemory&) = delete;
};

class CpuPrepared final : public Prepared {
public:
    Task task;
    std::vector<Operands> sets;
    [[nodiscard]] int copies() const override { return int(sets.size()); }
};

class CpuDevice final : public Device {
public:
    explicit CpuDevice(int threads) : m_threads(threads)
    {
        m_facts.kind = "cpu";
        m_facts.timedByHost = true;
        m_facts.name = firstValueOf("/proc/cpuinfo", "model name");
        if (m_facts.name.empty())
            m_facts.name = "CPU";
        m_facts.libraries = fmt::format("Eigen, {}", cpuLevelName());
        m_facts.units = m_threads.count();
        m_facts.cache = lastLevelCache();
        m_facts.coldTimes = timesTheCache;
        const std::string kib = firstValueOf("/proc/meminfo", "MemTotal");
        m_facts.memory = Bytes(kib.empty() ? 0 : std::stod(kib) * 1024);
    }

    [[nodiscard]] const DeviceFacts& facts() const override { return m_facts; }

    [[nodiscard]] DeviceState state() override
    {
        const std::string mhz = firstValueOf("/proc/cpuinfo", "cpu MHz");
        return {.coreClockHz = mhz.empty() ? 0 : std::stod(mhz) * 1e6};
    }

    [[nodiscard]] Message obstacle(const Task& task) const override
    {
        if (task.kernel >= Kernel::AllReduce)
            return "a processor has no peers to reduce with";
        for (const DType type : {task.weights, task.activations, task.kv})
            if (!canStore(type))
                return say("{} is not stored by the CPU device", asIs(name(type)));
        if (task.activations == DType::Int8 || task.activations == DType::Fp8
            || task.activations == DType::Int4)
            return "the CPU device multiplies in 32 bit: activations are fp32, bf16 or fp16";
        if (task.kv == DType::Int4)
            return "the cache is 8 bit or wider";
        return {};
    }

    [[nodiscard]] std::unique_ptr<Prepared> prepare(const Task& task, std::uint64_t seed, int copies) override
    {
        auto out = std::make_unique<CpuPrepared>();
        out->task = task;
        out->sets.push_back(makeOperands(task, seed));
        if (copies <= 0) {
            // A quarter of memory at most; small operands are in many places, as a model's are.
            constexpr double mostCopies = 4096;
            const double one = std::max(1.0, double(out->sets.front().bytes()));
            const double wanted = task.hot ? 1 : m_facts.coldTimes * m_facts.cache.base() / one + 1;
            copies = int(std::clamp(std::min(wanted, m_facts.memory.base() / 4 / one), 1.0, mostCopies));
        }
        // Copying is much quicker than drawing again, and the time does not depend on the values.
        for (int i = 1; i < copies; ++i)
            out->sets.push_back(out->sets.front());
        return out;
    }

    void enqueue(Prepared& prepared, int copy) override
    {
        auto& mine = static_cast<CpuPrepared&>(prepared);
        runOnCpu(mine.task, mine.sets[std::size_t(copy)], m_threads);
    }

    [[nodiscard]] double check(Prepared& prepared) override
    {
        auto& mine = static_cast<CpuPrepared&>(prepared);
        poison(mine.sets.front().output);
        poison(mine.sets.front().secondOutput);
        enqueue(prepared, 0);
        return errorAgainstReference(mine.task, mine.sets.front());
    }

    [[nodiscard]] Stretch time(Prepared& prepared, int launches) override
    {
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        for (int i = 0; i < launches; ++i)
            enqueue(prepared, i % prepared.copies());
        const std::chrono::duration<double> spent = Clock::now() - start;
        return {.perLaunch = Seconds(spent.count() / std::max(launches, 1)), .launches = launches};
    }

    void synchronise() override {} // launches return when they are done

private:
    KeptMemory m_memory;
    CpuThreads m_threads;
    DeviceFacts m_facts;
};

} // namespace

std::unique_ptr<Device> makeCpuDevice(int threads) { return std::make_unique<CpuDevice>(threads); }

} // namespace headroom::kernels
