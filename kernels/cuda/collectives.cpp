#include "kernels/cuda/collectives.h"

#include "kernels/cuda/cuda_handles.h"
#include "kernels/cuda/shared_library.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <nccl.h>
#include <vector>

namespace headroom::kernels {

namespace {

// Functions by name, with the signatures of the header this was compiled with.
struct Functions {
    decltype(ncclCommInitAll)* init = nullptr;
    decltype(ncclCommDestroy)* destroy = nullptr;
    decltype(ncclGetVersion)* version = nullptr;
    decltype(ncclGetErrorString)* text = nullptr;
    decltype(ncclGroupStart)* groupStart = nullptr;
    decltype(ncclGroupEnd)* groupEnd = nullptr;
    decltype(ncclAllReduce)* allReduce = nullptr;
    decltype(ncclAllGather)* allGather = nullptr;
    decltype(ncclSend)* send = nullptr;
    decltype(ncclRecv)* receive = nullptr;

    explicit Functions(const SharedLibrary& library)
        : init(library.function<decltype(ncclCommInitAll)>("ncclCommInitAll")),
          destroy(library.function<decltype(ncclCommDestroy)>("ncclCommDestroy")),
          version(library.function<decltype(ncclGetVersion)>("ncclGetVersion")),
          text(library.function<decltype(ncclGetErrorString)>("ncclGetErrorString")),
          groupStart(library.function<decltype(ncclGroupStart)>("ncclGroupStart")),
          groupEnd(library.function<decltype(ncclGroupEnd)>("ncclGroupEnd")),
          allReduce(library.function<decltype(ncclAllReduce)>("ncclAllReduce")),
          allGather(library.function<decltype(ncclAllGather)>("ncclAllGather")),
          send(library.function<decltype(ncclSend)>("ncclSend")),
          receive(library.function<decltype(ncclRecv)>("ncclRecv"))
    {}
    [[nodiscard]] bool complete() const
    {
        return init && destroy && version && text && groupStart && groupEnd && allReduce && allGather && send
            && receive;
    }
};

// Leaves the device that was current as it was.
class OnDevice {
public:
    explicit OnDevice(int index)
    {
        cudaCheck(cudaGetDevice(&m_before));
        cudaCheck(cudaSetDevice(index));
    }
    ~OnDevice() { cudaSetDevice(m_before); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

private:
    int m_before = 0;
};

int ranksOf(const Task& task) { return task.kernel == Kernel::SendRecv ? 2 : task.ranks; }

// Elements of 4 bytes that a rank gives and gets.
struct Counts {
    std::size_t give = 0;
    std::size_t take = 0;
};
Counts countsOf(const Task& task)
{
    const auto elements = std::size_t(task.bytes) / sizeof(float);
    if (task.kernel == Kernel::AllGather)
        return {elements, elements * std::size_t(task.ranks)};
    return {elements, elements};
}

// Small whole numbers: sums over any number of ranks are exact.
float valueOf(int rank, std::size_t index) { return float((index * 7 + std::size_t(rank) * 13) % 101) - 50; }

float expectedOf(const Task& task, int rank, std::size_t index)
{
    const auto elements = std::size_t(task.bytes) / sizeof(float);
    switch (task.kernel) {
    case Kernel::AllReduce: {
        float sum = 0;
        for (int r = 0; r < task.ranks; ++r)
            sum += valueOf(r, index);
        return sum;
    }
    case Kernel::AllGather:
        return valueOf(int(index / elements), index % elements);
    case Kernel::AllToAll: { // slice r of what rank r cut out for this one
        const std::size_t slice = elements / std::size_t(task.ranks);
        return valueOf(int(index / slice), std::size_t(rank) * slice + index % slice);
    }
    default: // the two ranks exchange
        return valueOf(1 - rank, index);
    }
}

struct Rank {
    DeviceBuffer give;
    DeviceBuffer take;
};

class CollectivePrepared final : public Prepared {
public:
    Task task;
    std::vector<Rank> ranks;
    [[nodiscard]] int copies() const override { return 1; }
};

} // namespace

struct Collectives::State {
    explicit State(int visibleDevices)
        : library(visibleDevices < 2 ? std::vector<std::string>()
                                     : std::vector<std::string>{"libnccl.so.2", "libnccl.so"})
    {}
    SharedLibrary library;
    Functions f{library};
    struct Group { // GPUs 0 to ranks - 1
        std::vector<ncclComm_t> communicators;
        std::vector<std::unique_ptr<Stream>> streams;
    };
    std::map<int, Group> groups;

    ~State()
    {
        for (auto& [ranks, group] : groups)
            for (const ncclComm_t communicator : group.communicators)
                f.destroy(communicator);
    }
    void check(ncclResult_t status, const char* call) const
    {
        if (status != ncclSuccess)
            throw CudaFailure(fmt::format("NCCL: {} failed: {}", call, f.text(status)));
    }
    Group& groupOf(int ranks)
    {
        if (const auto found = groups.find(ranks); found != groups.end())
            return found->second;
        Group group;
        group.communicators.resize(std::size_t(ranks));
        check(f.init(group.communicators.data(), ranks, nullptr), "ncclCommInitAll");
        for (int i = 0; i < ranks; ++i) {
            const OnDevice here(i);
            group.streams.push_back(std::make_unique<Stream>());
        }
        return groups.emplace(ranks, std::move(group)).first->second;
    }
    void startOn(const Task& task, const Group& group, int rank, Rank& buffers) const
    {
        const auto at = std::size_t(rank);
        const ncclComm_t communicator = group.communicators[at];
        const cudaStream_t stream = *group.streams[at];
        const Counts counts = countsOf(task);
        auto* const give = buffers.give.as<float>();
        auto* const take = buffers.take.as<float>();
        switch (task.kernel) {
        case Kernel::AllReduce:
            return check(f.allReduce(give, take, counts.give, ncclFloat, ncclSum, communicator, stream),
                         "ncclAllReduce");
        case Kernel::AllGather:
            return check(f.allGather(give, take, counts.give, ncclFloat, communicator, stream),
                         "ncclAllGather");
        case Kernel::AllToAll: {
            const std::size_t slice = counts.give / std::size_t(task.ranks);
            for (int peer = 0; peer < task.ranks; ++peer) {
                const std::size_t offset = std::size_t(peer) * slice;
                check(f.send(give + offset, slice, ncclFloat, peer, communicator, stream), "ncclSend");
                check(f.receive(take + offset, slice, ncclFloat, peer, communicator, stream), "ncclRecv");
            }
            return;
        }
        default:
            check(f.send(give, counts.give, ncclFloat, 1 - rank, communicator, stream), "ncclSend");
            check(f.receive(take, counts.take, ncclFloat, 1 - rank, communicator, stream), "ncclRecv");
        }
    }
};

Collectives::Collectives(int visibleDevices) : m_state(std::make_unique<State>(visibleDevices)) {}
Collectives::~Collectives() = default;

std::string Collectives::version() const
{
    int number = 0;
    if (!m_state->f.complete() || m_state->f.version(&number) != ncclSuccess)
        return {};
    return fmt::format("NCCL {}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

std::string Collectives::obstacle(const Task& task, int visibleDevices) const
{
    const int ranks = ranksOf(task);
    if (visibleDevices < 2)
        return "exchanges are measured between two or more GPUs, and one is visible";
    if (ranks < 2 || ranks > visibleDevices)
        return fmt::format("{} ranks need as many visible GPUs: there are {}", ranks, visibleDevices);
    if (task.bytes < 4 * ranks || task.bytes % (4 * ranks) != 0)
        return "messages are whole 4-byte numbers for every rank";
    if (!m_state->library.loaded())
        return m_state->library.problem();
    return m_state->f.complete()
        ? ""
        : "libnccl lacks functions this program needs (send and receive came with 2.7)";
}

std::unique_ptr<Prepared> Collectives::prepare(const Task& task)
{
    auto out = std::make_unique<CollectivePrepared>();
    out->task = task;
    const Counts counts = countsOf(task);
    std::vector<float> values(counts.give);
    for (int rank = 0; rank < ranksOf(task); ++rank) {
        const OnDevice here(rank);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = valueOf(rank, i);
        out->ranks.push_back(
            {DeviceBuffer(counts.give * sizeof(float)), DeviceBuffer(counts.take * sizeof(float))});
        cudaCheck(cudaMemcpy(out->ranks.back().give.data(), values.data(), out->ranks.back().give.bytes(),
                             cudaMemcpyHostToDevice));
    }
    (void)m_state->groupOf(ranksOf(task));
    return out;
}

void Collectives::enqueue(Prepared& prepared)
{
    auto& mine = static_cast<CollectivePrepared&>(prepared);
    const State::Group& group = m_state->groupOf(ranksOf(mine.task));
    m_state->check(m_state->f.groupStart(), "ncclGroupStart");
    for (std::size_t rank = 0; rank < mine.ranks.size(); ++rank)
        m_state->startOn(mine.task, group, int(rank), mine.ranks[rank]);
    m_state->check(m_state->f.groupEnd(), "ncclGroupEnd");
}

void Collectives::synchronise()
{
    for (auto& [ranks, group] : m_state->groups)
        for (int i = 0; i < ranks; ++i) {
            const OnDevice here(i);
            cudaCheck(cudaStreamSynchronize(*group.streams[std::size_t(i)]));
        }
}

double Collectives::check(Prepared& prepared)
{
    auto& mine = static_cast<CollectivePrepared&>(prepared);
    for (std::size_t rank = 0; rank < mine.ranks.size(); ++rank) {
        const OnDevice here(static_cast<int>(rank));
        cudaCheck(cudaMemset(mine.ranks[rank].take.data(), 0xFF, mine.ranks[rank].take.bytes())); // NaN
        cudaCheck(cudaDeviceSynchronize()); // its stream waits for no other
    }
    enqueue(prepared);
    synchronise();
    double difference = 0;
    double reference = 0;
    std::vector<float> got(countsOf(mine.task).take);
    for (std::size_t rank = 0; rank < mine.ranks.size(); ++rank) {
        const OnDevice here(static_cast<int>(rank));
        cudaCheck(cudaMemcpy(got.data(), mine.ranks[rank].take.data(), mine.ranks[rank].take.bytes(),
                             cudaMemcpyDeviceToHost));
        for (std::size_t i = 0; i < got.size(); ++i) {
            const double expected = double(expectedOf(mine.task, int(rank), i));
            const double gap = double(got[i]) - expected;
            difference += std::isfinite(gap) ? gap * gap : INFINITY;
            reference += expected * expected;
        }
    }
    return std::sqrt(difference / std::max(reference, 1e-300));
}

// Back to back on every rank's stream, timed on the first: the ranks wait for each other in every exchange.
Stretch Collectives::time(Prepared& prepared, int launches)
{
    auto& mine = static_cast<CollectivePrepared&>(prepared);
    const State::Group& group = m_state->groupOf(ranksOf(mine.task));
    const OnDevice here(0);
    const cudaStream_t stream = *group.streams.front();
    const Event start;
    const Event stop;
    enqueue(prepared); // the first sets up its channels
    synchronise();
    cudaCheck(cudaEventRecord(start, stream));
    for (int i = 0; i < launches; ++i)
        enqueue(prepared);
    cudaCheck(cudaEventRecord(stop, stream));
    cudaCheck(cudaEventSynchronize(stop));
    synchronise();
    float milliseconds = 0;
    cudaCheck(cudaEventElapsedTime(&milliseconds, start, stop));
    return {.perLaunch = Seconds(double(milliseconds) * 1e-3 / std::max(launches, 1)), .launches = launches};
}

} // namespace headroom::kernels
