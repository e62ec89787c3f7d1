#include "kernels/cpu/reference.h"
#include "kernels/cuda/attention.h"
#include "kernels/cuda/collectives.h"
#include "kernels/cuda/experts.h"
#include "kernels/cuda/library_gemm.h"
#include "kernels/cuda/nvml.h"
#include "kernels/cuda/stream_kernels.h"
#include "kernels/cuda/weight_only.h"
#include "kernels/device.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace headroom::kernels {

namespace {

// Algorithms of the library that are timed for each shape: its first choice is right nine times in ten.
constexpr int libraryCandidates = 8;
// A replay has at least this many launches, so that starting it does not count.
constexpr int launchesPerGraph = 64;

// FNV-1a: tells two cards apart without keeping their serial number.
std::string hashOf(const cudaUUID_t& uuid)
{
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (const char byte : uuid.bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
    return fmt::format("{:016x}", hash);
}

class CudaPrepared final : public Prepared {
public:
    explicit CudaPrepared(std::uint64_t number) : serial(number) {}
    const std::uint64_t serial; // unlike any other's, also of those that are gone
    Task task;
    std::vector<DeviceOperands> sets;
    Graph graph;
    int graphLaunches = 0;
    [[nodiscard]] int copies() const override { return int(sets.size()); }
};

class CudaDevice final : public Device {
public:
    explicit CudaDevice(int index)
    {
        cudaCheck(cudaSetDevice(index));
        cudaDeviceProp properties{};
        cudaCheck(cudaGetDeviceProperties(&properties, index));
        int runtime = 0;
        cudaCheck(cudaRuntimeGetVersion(&runtime));
        std::size_t freeBytes = 0;
        std::size_t totalBytes = 0;
        cudaCheck(cudaMemGetInfo(&freeBytes, &totalBytes));
        m_index = index;
        m_collectives = std::make_unique<Collectives>(index, cudaDeviceCount());
        m_capability = properties.major * 10 + properties.minor;
        m_facts = {.kind = "cuda",
                   .index = index,
                   .name = properties.name,
                   .driver = m_nvml.driverVersion(),
                   .libraries = libraries(runtime),
                   .uuidHash = hashOf(properties.uuid),
                   .computeCapability = properties.major + properties.minor / 10.0,
                   .units = properties.multiProcessorCount,
                   .cache = Bytes(double(properties.l2CacheSize)),
                   .memory = Bytes(double(totalBytes)),
                   .visibleDevices = cudaDeviceCount()};
    }

    [[nodiscard]] const DeviceFacts& facts() const override { return m_facts; }
    [[nodiscard]] DeviceState state() override { return m_nvml.state(m_index); }

    [[nodiscard]] std::string obstacle(const Task& task) const override
    {
        if (task.kernel == Kernel::Empty)
            return {};
        if (isCollective(task.kernel))
            return m_collectives->obstacleHere(task, m_facts.memory);
        const bool brain16
            = task.activations == DType::Bf16 || task.weights == DType::Bf16 || task.kv == DType::Bf16;
        if (brain16 && m_capability < 80)
            return "bf16 needs compute capability 8.0";
        switch (task.kernel) {
        case Kernel::Gemm:
            return gemmObstacle(task);
        case Kernel::DecodeAttention:
            return decodeObstacle(task, m_capability);
        case Kernel::PrefillAttention:
            return prefillObstacle(task, m_capability);
        case Kernel::DecodeLatent:
            return latentObstacle(task, m_capability);
        case Kernel::Experts:
            return expertsObstacle(task, m_capability);
        case Kernel::Read:
        case Kernel::Copy:
            return task.bytes % 16 == 0 ? "" : "a multiple of 16 bytes is read at a time";
        default:
            return {};
        }
    }

    [[nodiscard]] std::unique_ptr<Prepared> prepare(const Task& task, std::uint64_t seed, int copies) override
    {
        if (isCollective(task.kernel))
            return m_collectives->prepareHere(task);
        auto out = std::make_unique<CudaPrepared>(++m_prepared);
        out->task = task;
        if (copies <= 0) {
            // At most half of what is free.
            std::size_t freeBytes = 0;
            std::size_t totalBytes = 0;
            cudaCheck(cudaMemGetInfo(&freeBytes, &totalBytes));
            const double one = std::max(1.0, double(operandBytes(task)));
            const double wanted = task.hot ? 1 : m_facts.coldTimes * m_facts.cache.base() / one + 1;
            copies = int(
                std::clamp(std::min(wanted, double(freeBytes) / 2 / one), 1.0, double(launchesPerGraph)));
        }
        for (int i = 0; i < copies; ++i) {
            out->sets.push_back(makeDeviceOperands(task, seed + std::uint64_t(i) * 1000003, m_stream));
            out->sets.back().workspace = DeviceBuffer(workspaceBytes(task));
            if (out->sets.back().workspace.bytes() > 0)
                cudaCheck(cudaMemsetAsync(out->sets.back().workspace.data(), 0,
                                          out->sets.back().workspace.bytes(), m_stream));
        }
        if (usesLibrary(task) && !m_library.choose(task, out->sets.front(), libraryCandidates, m_stream))
            throw CudaFailure(fmt::format("cublasLt has no algorithm for {}", describe(task)));
        synchronise();
        return out;
    }

    void enqueue(Prepared& prepared, int copy) override
    {
        if (isExchange(prepared))
            return m_collectives->enqueue(prepared);
        auto& mine = static_cast<CudaPrepared&>(prepared);
        launch(mine.task, mine.sets[std::size_t(copy)]);
    }

    [[nodiscard]] double check(Prepared& prepared) override
    {
        if (isExchange(prepared))
            return m_collectives->check(prepared);
        auto& mine = static_cast<CudaPrepared&>(prepared);
        DeviceOperands& set = mine.sets.front();
        fillNan(set.output, m_stream);
        fillNan(set.secondOutput, m_stream);
        launch(mine.task, set);
        synchronise();
        return errorAgainstReference(mine.task, download(mine.task, set));
    }

    // One graph of many launches over all copies, replayed until `launches` have run.
    [[nodiscard]] Stretch time(Prepared& prepared, int launches) override
    {
        if (isExchange(prepared))
            return m_collectives->time(prepared, launches);
        if (static_cast<CudaPrepared&>(prepared).task.eager)
            return Device::timeSequence({&prepared}, launches);
        auto& mine = static_cast<CudaPrepared&>(prepared);
        if (!mine.graph.recorded()) {
            const int copies = mine.copies();
            mine.graphLaunches = mine.task.graphNodes > 0 ? mine.task.graphNodes
                                                          : (launchesPerGraph + copies - 1) / copies * copies;
            mine.graph = record([&] {
                for (int i = 0; i < mine.graphLaunches; ++i)
                    launch(mine.task, mine.sets[std::size_t(i % copies)]);
            });
        }
        return mine.task.graphNodes > 0 ? startedAndAwaited(mine.graph, launches)
                                        : replayed(mine.graph, mine.graphLaunches, launches);
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
                        launch(operands->task, operands->sets[std::size_t(round % operands->copies())]);
            });
            m_sequence = std::move(serials);
        }
        return replayed(m_sequenceGraph, copies, rounds);
    }

    [[nodiscard]] Links* links() override { return m_collectives.get(); }

    void synchronise() override
    {
        cudaCheck(cudaStreamSynchronize(m_stream));
        m_collectives->synchronise();
    }

private:
    [[nodiscard]] static bool isExchange(const Prepared& prepared)
    {
        return dynamic_cast<const CudaPrepared*>(&prepared) == nullptr;
    }
    [[nodiscard]] std::string libraries(int runtime) const
    {
        std::string out = fmt::format("CUDA {}.{}", runtime / 1000, runtime / 10 % 100);
        for (const std::string& version : {m_library.version(), m_collectives->versionHere()})
            out += version.empty() ? "" : ", " + version;
        return out;
    }
    [[nodiscard]] static bool usesLibrary(const Task& task)
    {
        return task.kernel == Kernel::Gemm && facts8or16(task) && !gemvTakes(task);
    }
    // Both operands in a type that the library multiplies directly.
    [[nodiscard]] static bool facts8or16(const Task& task)
    {
        return task.weights == task.activations && task.weights != DType::Int4;
    }
    [[nodiscard]] std::string gemmObstacle(const Task& task) const
    {
        if (!facts8or16(task))
            return weightOnlyObstacle(task, m_capability);
        if (task.weights == DType::Fp8 && m_capability < 89)
            return "fp8 products need compute capability 8.9";
        if ((task.weights == DType::Fp8 || task.weights == DType::Int8)
            && (task.n % 16 != 0 || task.k % 16 != 0))
            return "8-bit products need n and k to be multiples of 16";
        return gemvTakes(task) || m_library.loaded() ? "" : m_library.problem();
    }
    [[nodiscard]] std::size_t workspaceBytes(const Task& task) const
    {
        switch (task.kernel) {
        case Kernel::Gemm: // the library's int32 sums
            return usesLibrary(task) && task.activations == DType::Int8 ? std::size_t(task.m * task.n) * 4
                                                                        : 0;
        case Kernel::DecodeAttention:
            return decodeWorkspace(task, m_facts.units);
        case Kernel::PrefillAttention:
            return prefillWorkspace(task, m_facts.units);
        case Kernel::DecodeLatent:
            return latentWorkspace(task, m_facts.units);
        case Kernel::Experts:
            return expertsWorkspace(task);
        default:
            return 0;
        }
    }
    void launch(const Task& task, DeviceOperands& o)
    {
        switch (task.kernel) {
        case Kernel::Gemm:
            if (usesLibrary(task)) {
                m_library.launch(task, o, m_stream);
                if (task.activations == DType::Int8)
                    launchScale(task, o,
                                m_stream); // engines do it in the epilogue; it is small beside the product
                return;
            }
            return gemvTakes(task) ? launchGemv(task, o, m_facts.units, m_stream)
                                   : launchWeightOnly(task, o, m_facts.units, m_stream);
        case Kernel::DecodeAttention:
            return launchDecode(task, o, m_facts.units, m_stream);
        case Kernel::PrefillAttention:
            return launchPrefill(task, o, m_facts.units, m_stream);
        case Kernel::DecodeLatent:
            return launchLatent(task, o, m_facts.units, m_stream);
        case Kernel::NormResidual:
            return launchNorm(task, o, m_stream);
        case Kernel::RopeAppend:
            return launchRope(task, o, m_stream);
        case Kernel::GatedActivation:
            return launchActivation(task, o, m_stream);
        case Kernel::Experts:
            return launchExperts(task, o, m_facts.units, m_stream);
        case Kernel::Sampling:
            return launchSampling(task, o, m_stream);
        case Kernel::Read:
            return launchRead(task, o, m_stream);
        case Kernel::Copy:
            return launchCopy(task, o, m_stream);
        case Kernel::Empty:
            return launchEmpty(m_stream);
        default:
            return; // refused by obstacle()
        }
    }
    template <typename Launches>
    [[nodiscard]] Graph record(const Launches& launches)
    {
        cudaGraph_t recorded = nullptr;
        cudaCheck(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal));
        launches();
        cudaCheck(cudaStreamEndCapture(m_stream, &recorded));
        Graph graph(recorded);
        graph.replay(m_stream); // the first replay uploads the graph
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
    // Replays a graph of `each` launches until at least `launches` have run.
    [[nodiscard]] Stretch replayed(const Graph& graph, int each, int launches)
    {
        const int replays = std::max(1, (launches + each - 1) / each);
        cudaCheck(cudaEventRecord(m_start, m_stream));
        for (int i = 0; i < replays; ++i)
            graph.replay(m_stream);
        cudaCheck(cudaEventRecord(m_stop, m_stream));
        cudaCheck(cudaEventSynchronize(m_stop));
        float milliseconds = 0;
        cudaCheck(cudaEventElapsedTime(&milliseconds, m_start, m_stop));
        const int ran = replays * each;
        return {.perLaunch = Seconds(double(milliseconds) * 1e-3 / ran), .launches = ran};
    }

    int m_index = 0;
    int m_capability = 0;
    DeviceFacts m_facts;
    Nvml m_nvml;
    LibraryGemm m_library;
    std::unique_ptr<Collectives> m_collectives;
    Stream m_stream;
    Event m_start;
    Event m_stop;
    std::uint64_t m_prepared = 0;          // how many were, so far
    std::vector<std::uint64_t> m_sequence; // what m_sequenceGraph runs
    Graph m_sequenceGraph;
};

// The runtime says "driver version is insufficient" where there is no driver at all.
std::string whyNone(cudaError_t status)
{
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return "no CUDA device: no NVIDIA driver found (libcuda.so.1 did not load)";
    if (status == cudaErrorNoDevice)
        return "no CUDA device: the driver shows none";
    return fmt::format("no CUDA device: {}", cudaGetErrorString(status));
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
        return refuse("--device", fmt::format("there is no cuda:{}", index),
                      fmt::format("{} CUDA device{} here: cuda:0{}", count, count > 1 ? "s are" : " is",
                                  count > 1 ? fmt::format(" to cuda:{}", count - 1) : ""));
    return std::make_unique<CudaDevice>(index);
}

} // namespace headroom::kernels
