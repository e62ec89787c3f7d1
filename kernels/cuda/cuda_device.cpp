#include "kernels/cpu/reference.h"
#include "kernels/cuda/collectives.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/nvml.h"
#include "kernels/cuda/stream_kernels.h"
#include "kernels/device.h"
#include "kernels/launch_plan.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace headroom::kernels {

namespace {

// FNV-1a: tells two cards apart without keeping their serial number.
std::string hashOf(const cudaUUID_t& uuid)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char byte : uuid.bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
    return fmt::format("{:016x}", hash);
}

// Where the driver's management library finds the card: its own order of cards need not be the runtime's.
std::string busIdOf(int device)
{
    std::array<char, 32> text{};
    cudaCheck(cudaDeviceGetPCIBusId(text.data(), int(text.size()), device));
    return text.data();
}

class CudaPrepared final : public Prepared {
public:
    CudaPrepared(std::uint64_t number, const Task& what, SpareMemory& spare)
        : serial(number), task(what), m_spare(spare)
    {}
    ~CudaPrepared() override { m_spare.give(std::move(memory.block)); }
    CudaPrepared(const CudaPrepared&) = delete;
    CudaPrepared& operator=(const CudaPrepared&) = delete;

    const std::uint64_t serial; // unlike any other's, also of those that are gone
    const Task task;
    DeviceSets memory;
    Graph graph;
    int graphLaunches = 0;
    std::size_t next = 0; // set of the next launch that the host makes by itself
    [[nodiscard]] int copies() const override { return int(memory.sets.size()); }

private:
    SpareMemory& m_spare;
};

class CudaDevice final : public Device {
public:
    explicit CudaDevice(int index) : CudaDevice(index, propertiesOf(index)) {}

    [[nodiscard]] const DeviceFacts& facts() const override { return m_facts; }
    [[nodiscard]] DeviceState state() override
    {
        return m_midway ? *std::exchange(m_midway, std::nullopt) : m_nvml.state(m_bus);
    }

    [[nodiscard]] Message obstacle(const Task& task) const override
    {
        return isCollective(task.kernel) ? m_collectives->obstacleHere(task, m_facts.memory)
                                         : m_families.obstacle(task);
    }
    [[nodiscard]] Variant variantOf(const Task& task) const override { return m_families.variantOf(task); }

    [[nodiscard]] std::string lost() override
    {
        m_sequence.clear();
        m_spare.clear();
        (void)cudaGetLastError(); // what was reported need not be reported again
        const cudaError_t status = cudaDeviceSynchronize();
        if (status == cudaSuccess)
            return {};
        (void)cudaGetLastError();
        return fmt::format("{} answers no more: {}", m_facts.name, cudaGetErrorString(status));
    }

    [[nodiscard]] std::unique_ptr<Prepared> prepare(const Task& task, std::uint64_t seed, int copies) override
    {
        if (isCollective(task.kernel))
            return m_collectives->prepareHere(task);
        m_midway.reset();
        m_asksMidway = true;
        SetCounts counts{.copies = copies};
        if (copies <= 0) { // at most half of what is free
            constexpr int draws = 8;
            counts = {.copies = copiesFor(setBytes(task), cold(task), Bytes(double(freeBytes()) / 2)),
                      .draws = task.kernel == Kernel::Experts ? draws : 1};
        }
        auto out = std::make_unique<CudaPrepared>(++m_prepared, task, m_spare);
        const auto make = [&] {
            return makeDeviceSets(task, seed, counts, m_families.workspaceBytes(task), m_spare, m_stream);
        };
        try {
            out->memory = make();
        } catch (const CudaFailure&) {
            if (m_spare.bytes() == 0)
                throw;
            (void)cudaGetLastError();
            m_spare.clear(); // what is kept for the next point may be what this one lacks
            out->memory = make();
        }
        m_families.choose(task, out->memory.sets, emptier(task), m_stream);
        synchronise();
        return out;
    }

    void enqueue(Prepared& prepared, int copy) override
    {
        if (isExchange(prepared))
            return m_collectives->enqueue(prepared);
        auto& mine = static_cast<CudaPrepared&>(prepared);
        m_families.launch(mine.task, mine.memory.sets[std::size_t(copy)], m_stream);
    }

    [[nodiscard]] double check(Prepared& prepared) override
    {
        if (isExchange(prepared))
            return m_collectives->check(prepared);
        auto& mine = static_cast<CudaPrepared&>(prepared);
        DeviceOperands& set = mine.memory.sets.front();
        fillNan(set.output.type, set.output.bytes, m_stream);
        fillNan(set.secondOutput.type, set.secondOutput.bytes, m_stream);
        m_families.launch(mine.task, set, m_stream);
        synchronise();
        return errorAgainstReference(mine.task, download(mine.task, set));
    }

    [[nodiscard]] Stretch time(Prepared& prepared, int launches) override
    {
        if (isExchange(prepared))
            return m_collectives->time(prepared, launches);
        auto& mine = static_cast<CudaPrepared&>(prepared);
        if (mine.task.eager)
            return Device::timeSequence({&prepared}, launches);
        if (mine.task.graphNodes > 0) {
            if (!mine.graph.recorded())
                recordLaunches(mine, mine.task.graphNodes);
            return startedAndAwaited(mine.graph, launches);
        }
        const LaunchPlan plan = planLaunches({.launches = launches,
                                              .copies = mine.copies(),
                                              .set = setBytes(mine.task),
                                              .cold = cold(mine.task),
                                              .recorded = mine.graphLaunches});
        if (plan.each == 1)
            return timed(plan.replays, false, 1, [&] {
                enqueue(prepared, int(mine.next));
                mine.next = (mine.next + 1) % mine.memory.sets.size();
            });
        if (plan.each != mine.graphLaunches)
            recordLaunches(mine, plan.each);
        return timed(plan.replays, plan.emptied, plan.each, [&] { mine.graph.replay(m_stream); });
    }

    // As engines run a layer: one graph, in which each round takes the next copy of every operand.
    [[nodiscard]] Stretch timeSequence(const std::vector<Prepared*>& sequence, int rounds) override
    {
        std::vector<CudaPrepared*> mine;
        std::vector<std::uint64_t> serials;
        int copies = 1;
        for (Prepared* const operands : sequence) {
            if (isExchange(*operands)) // runs on streams of its own, which no graph of this one holds
                return Device::timeSequence(sequence, rounds);
            mine.push_back(static_cast<CudaPrepared*>(operands));
            serials.push_back(mine.back()->serial);
            copies = std::max(copies, operands->copies());
        }
        if (serials != m_sequence) {
            m_sequence.clear();
            m_sequenceGraph = record([&] {
                for (int round = 0; round < copies; ++round)
                    for (CudaPrepared* const operands : mine)
                        enqueue(*operands, round % operands->copies());
            });
            m_sequence = std::move(serials);
        }
        const int replays = std::max(1, (rounds + copies - 1) / copies);
        return timed(replays, false, copies, [&] { m_sequenceGraph.replay(m_stream); });
    }

    [[nodiscard]] Links* links() override { return m_collectives.get(); }

    void synchronise() override
    {
        cudaCheck(cudaStreamSynchronize(m_stream));
        m_collectives->synchronise();
    }

private:
    [[nodiscard]] static cudaDeviceProp propertiesOf(int index)
    {
        cudaCheck(cudaSetDevice(index));
        cudaDeviceProp properties{};
        cudaCheck(cudaGetDeviceProperties(&properties, index));
        return properties;
    }
    CudaDevice(int index, const cudaDeviceProp& properties)
        : m_bus(busIdOf(index)),
          m_families(properties.major * 10 + properties.minor, properties.multiProcessorCount),
          m_collectives(std::make_unique<Collectives>(index, cudaDeviceCount()))
    {
        int runtime = 0;
        cudaCheck(cudaRuntimeGetVersion(&runtime));
        std::size_t free = 0;
        std::size_t total = 0;
        cudaCheck(cudaMemGetInfo(&free, &total));
        m_facts = {.kind = "cuda",
                   .index = index,
                   .name = properties.name,
                   .driver = m_nvml.driverVersion(),
                   .libraries = libraries(runtime),
                   .uuidHash = hashOf(properties.uuid),
                   .computeCapability = properties.major + properties.minor / 10.0,
                   .units = properties.multiProcessorCount,
                   .cache = Bytes(double(properties.l2CacheSize)),
                   .memory = Bytes(double(total)),
                   .visibleDevices = cudaDeviceCount()};
    }
    [[nodiscard]] static bool isExchange(const Prepared& prepared)
    {
        return dynamic_cast<const CudaPrepared*>(&prepared) == nullptr;
    }
    [[nodiscard]] std::string libraries(int runtime) const
    {
        std::string out = fmt::format("CUDA {}.{}", runtime / 1000, runtime / 10 % 100);
        for (const std::string& version : {m_families.library().version(), m_collectives->versionHere()})
            out += version.empty() ? "" : ", " + version;
        return out;
    }
    [[nodiscard]] Bytes setBytes(const Task& task) const
    {
        return Bytes(double(operandBytes(task, m_families.workspaceBytes(task))));
    }
    // What lies between two uses of a set that shall come from memory.
    [[nodiscard]] Bytes cold(const Task& task) const
    {
        return task.hot || task.kernel == Kernel::Empty ? Bytes() : m_facts.coldTimes * m_facts.cache;
    }
    [[nodiscard]] std::size_t freeBytes() const
    {
        std::size_t free = 0;
        std::size_t total = 0;
        cudaCheck(cudaMemGetInfo(&free, &total));
        return free + m_spare.bytes();
    }
    // Reads twice what the last cache holds; nothing for tasks that may be in cache.
    [[nodiscard]] CacheEmptier emptier(const Task& task)
    {
        if (cold(task).base() <= 0)
            return [] {};
        if (m_other.sets.empty()) {
            m_otherTask.bytes = std::int64_t(2 * m_facts.cache.base()) / 16 * 16;
            m_other = makeDeviceSets(m_otherTask, 1, {}, readWorkspace(m_otherTask), m_spare, m_stream);
        }
        return [this] { launchRead(m_otherTask, m_other.sets.front(), m_stream); };
    }
    void recordLaunches(CudaPrepared& mine, int launches)
    {
        mine.graphLaunches = 0;
        mine.graph = record([&] {
            for (int i = 0; i < launches; ++i)
                enqueue(mine, i % mine.copies());
        });
        mine.graphLaunches = launches;
    }
    template <typename Launches>
    [[nodiscard]] Graph record(const Launches& launches)
    {
        Capture capture(m_stream);
        launches();
        Graph graph(capture.end());
        graph.upload(m_stream);
        synchronise();
        return graph;
    }
    // One replay after another, each known to have ended before the next begins: what an engine waits for a
    // step.
    [[nodiscard]] Stretch startedAndAwaited(const Graph& graph, int replays) const
    {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < replays; ++i) {
            graph.replay(m_stream);
            cudaCheck(cudaStreamSynchronize(m_stream));
        }
        const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        return {.perLaunch = Seconds(spent.count() / std::max(replays, 1)), .launches = replays};
    }
    // `replay` so many times, between two events; each between two of its own where caches are emptied before
    // it.
    template <typename Replay>
    [[nodiscard]] Stretch timed(int replays, bool emptied, int each, const Replay& replay)
    {
        const CacheEmptier empty = emptied ? emptier({.kernel = Kernel::Read}) : CacheEmptier([] {});
        const int spans = emptied ? replays : 1;
        while (m_events.size() < 2 * std::size_t(spans))
            m_events.emplace_back();
        for (int span = 0; span < spans; ++span) {
            empty();
            cudaCheck(cudaEventRecord(m_events[2 * std::size_t(span)], m_stream));
            for (int i = 0; i < replays / spans; ++i)
                replay();
            cudaCheck(cudaEventRecord(m_events[2 * std::size_t(span) + 1], m_stream));
        }
        if (m_asksMidway
            && replays * each > 1) { // while the card works, and once a point: asking takes the host long
            m_midway = m_nvml.state(m_bus);
            m_asksMidway = false;
        }
        double seconds = 0;
        for (int span = 0; span < spans; ++span) {
            float milliseconds = 0;
            cudaCheck(cudaEventSynchronize(m_events[2 * std::size_t(span) + 1]));
            cudaCheck(cudaEventElapsedTime(&milliseconds, m_events[2 * std::size_t(span)],
                                           m_events[2 * std::size_t(span) + 1]));
            seconds += double(milliseconds) * 1e-3;
        }
        const int ran = replays * each;
        return {.perLaunch = Seconds(seconds / ran), .launches = ran};
    }

    std::string m_bus;
    DeviceFacts m_facts;
    Nvml m_nvml;
    SpareMemory m_spare;
    Families m_families;
    std::unique_ptr<Collectives> m_collectives;
    Stream m_stream;
    std::deque<Event> m_events;
    Task m_otherTask{.kernel = Kernel::Read};
    DeviceSets m_other; // what empties the caches
    bool m_asksMidway = false;
    std::optional<DeviceState> m_midway;
    std::uint64_t m_prepared = 0;          // how many were, so far
    std::vector<std::uint64_t> m_sequence; // what m_sequenceGraph runs
    Graph m_sequenceGraph;
};

// The runtime says "driver version is insufficient" where there is no driver at all.
Message whyNone(cudaError_t status)
{
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return "no CUDA device: no NVIDIA driver found (libcuda.so.1 did not load)";
    if (status == cudaErrorNoDevice)
        return "no CUDA device: the driver shows none";
    return say("no CUDA device: {}", asIs(cudaGetErrorString(status)));
}

} // namespace

int cudaDeviceCount()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

Result<std::unique_ptr<Device>> makeCudaDevice(int index)
{
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0)
        return refuse("--device", whyNone(status), "use --device cpu to calibrate this machine's processor");
    if (index < 0 || index >= count)
        return refuse("--device", say("there is no cuda:{}", index),
                      count == 1 ? Message("one CUDA device is here: cuda:0")
                                 : say("{} CUDA devices are here: cuda:0 to cuda:{}", count, count - 1));
    try {
        return std::make_unique<CudaDevice>(index);
    } catch (const CudaFailure& failure) {
        (void)cudaGetLastError();
        return refuse("--device", say("cuda:{} cannot be used: {}", index, asIs(failure.what())),
                      "nvidia-smi shows whether the card is free and well");
    }
}

} // namespace headroom::kernels
