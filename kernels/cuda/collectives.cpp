#include "kernels/cuda/collectives.h"

#include "kernels/cuda/cuda_handles.h"
#include "kernels/cuda/exchanged.h"
#include "kernels/cuda/library_places.h"
#include "kernels/cuda/nccl_api.h"

#include <algorithm>
#include <barrier>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <future>
#include <map>
#include <vector>

namespace headroom::kernels {

namespace {

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

// A rank of a group that this process runs.
struct Member {
    int rank = 0;
    int device = 0;
    nccl::Communicator communicator = nullptr;
    std::unique_ptr<Stream> stream;
};
using Group = std::vector<Member>;

struct Buffers {
    DeviceBuffer give;
    DeviceBuffer take;
};

class CollectivePrepared final : public Prepared {
public:
    Task task;
    const Group* group = nullptr;
    std::vector<Buffers> buffers; // of the group's members here
    [[nodiscard]] int copies() const override { return 1; }
};

CollectivePrepared& mineOf(Prepared& prepared) { return static_cast<CollectivePrepared&>(prepared); }

} // namespace

struct Collectives::State {
    SharedLibrary library{{"libnccl.so.2", "libnccl.so"}, libraryPlaces(Environment())};
    nccl::Functions f{library};
    std::map<std::string, Group> groups;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State()
    {
        for (auto& [key, group] : groups)
            for (const Member& member : group)
                if (member.communicator != nullptr)
                    f.destroy(member.communicator);
    }
    void check(nccl::Status status, const char* call) const
    {
        if (status != nccl::success)
            throw CudaFailure(fmt::format("NCCL: {} failed: {}", call, f.text(status)));
    }
    [[nodiscard]] Message problem() const
    {
        if (!library.loaded())
            return library.problem();
        if (!f.complete())
            return "libnccl lacks functions this program needs (send and receive came with 2.7)";
        return {};
    }
    [[nodiscard]] const Group& groupHere(int ranks)
    {
        const std::string key = fmt::format("here {}", ranks);
        if (const auto found = groups.find(key); found != groups.end())
            return found->second;
        std::vector<nccl::Communicator> communicators(static_cast<std::size_t>(ranks));
        check(f.initAll(communicators.data(), ranks, nullptr), "ncclCommInitAll");
        Group group;
        for (int i = 0; i < ranks; ++i) {
            const OnDevice here(i);
            group.push_back({.rank = i,
                             .device = i,
                             .communicator = communicators[std::size_t(i)],
                             .stream = std::make_unique<Stream>()});
        }
        return groups.emplace(key, std::move(group)).first->second;
    }
    void start(const Task& task, const Member& member, const Buffers& buffers) const
    {
        const cudaStream_t stream = *member.stream;
        const Counts counts = countsOf(task);
        auto* const give = buffers.give.as<float>();
        auto* const take = buffers.take.as<float>();
        switch (task.kernel) {
        case Kernel::AllReduce:
            return check(
                f.allReduce(give, take, counts.give, nccl::float32, nccl::sum, member.communicator, stream),
                "ncclAllReduce");
        case Kernel::AllGather:
            return check(f.allGather(give, take, counts.give, nccl::float32, member.communicator, stream),
                         "ncclAllGather");
        case Kernel::AllToAll: {
            const std::size_t slice = counts.give / std::size_t(task.ranks);
            for (int peer = 0; peer < task.ranks; ++peer)
                swap(give + std::size_t(peer) * slice, take + std::size_t(peer) * slice, slice, peer, member);
            return;
        }
        default:
            swap(give, take, counts.give, 1 - member.rank, member);
        }
    }

private:
    void swap(const float* give, float* take, std::size_t count, int peer, const Member& member) const
    {
        const cudaStream_t stream = *member.stream;
        check(f.send(give, count, nccl::float32, peer, member.communicator, stream), "ncclSend");
        check(f.receive(take, count, nccl::float32, peer, member.communicator, stream), "ncclRecv");
    }
};

Collectives::Collectives(int device, int visibleDevices) : m_device(device), m_visibleDevices(visibleDevices)
{}
Collectives::~Collectives() = default;

Collectives::State& Collectives::loaded()
{
    if (!m_state)
        m_state = std::make_unique<State>();
    return *m_state;
}

std::string Collectives::version()
{
    State& state = loaded();
    int number = 0;
    if (!state.f.complete() || state.f.version(&number) != nccl::success)
        return {};
    return fmt::format("NCCL {}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

std::string Collectives::versionHere() { return m_visibleDevices < 2 ? std::string() : version(); }

Message Collectives::problem() { return loaded().problem(); }

Message Collectives::obstacleHere(const Task& task, Bytes memory)
{
    const int ranks = ranksOf(task);
    if (m_visibleDevices < 2)
        return "exchanges are measured between two or more GPUs, and one is visible";
    if (task.nodes > 1)
        return "exchanges between nodes are measured by several processes";
    if (ranks < 2 || ranks > m_visibleDevices)
        return say("{} ranks need as many visible GPUs: there are {}", ranks, m_visibleDevices);
    Message why = exchangeObstacle(task, memory);
    return why.empty() ? problem() : why;
}

std::string Collectives::ticket()
{
    nccl::UniqueId id{};
    loaded().check(loaded().f.uniqueId(&id), "ncclGetUniqueId");
    return {id.bytes, sizeof id.bytes};
}

void Collectives::join(const std::string& key, const std::string& ticket, int rank, int ranks)
{
    State& state = loaded();
    nccl::UniqueId id{};
    if (ticket.size() != sizeof id.bytes)
        throw CudaFailure("NCCL: the ticket of a group is broken");
    std::memcpy(id.bytes, ticket.data(), sizeof id.bytes);
    const OnDevice here(m_device);
    Member member{.rank = rank, .device = m_device, .stream = std::make_unique<Stream>()};
    state.check(state.f.initRank(&member.communicator, ranks, id, rank), "ncclCommInitRank");
    state.groups[key].push_back(std::move(member));
}

namespace {

std::unique_ptr<Prepared> filled(const Task& task, const Group& group)
{
    auto out = std::make_unique<CollectivePrepared>();
    out->task = task;
    out->group = &group;
    const Counts counts = countsOf(task);
    std::vector<float> values(counts.give);
    for (const Member& member : group) {
        const OnDevice here(member.device);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = valueOf(member.rank, i);
        out->buffers.push_back(
            {DeviceBuffer(counts.give * sizeof(float)), DeviceBuffer(counts.take * sizeof(float))});
        cudaCheck(cudaMemcpy(out->buffers.back().give.data(), values.data(), out->buffers.back().give.bytes(),
                             cudaMemcpyHostToDevice));
    }
    return out;
}

} // namespace

std::unique_ptr<Prepared> Collectives::prepareHere(const Task& task)
{
    return filled(task, loaded().groupHere(ranksOf(task)));
}

std::unique_ptr<Prepared> Collectives::prepareIn(const std::string& key, const Task& task)
{
    return filled(task, loaded().groups.at(key));
}

void Collectives::enqueue(Prepared& prepared)
{
    const CollectivePrepared& mine = mineOf(prepared);
    m_state->check(m_state->f.groupStart(), "ncclGroupStart");
    for (std::size_t i = 0; i < mine.buffers.size(); ++i)
        m_state->start(mine.task, (*mine.group)[i], mine.buffers[i]);
    m_state->check(m_state->f.groupEnd(), "ncclGroupEnd");
}

void Collectives::synchronise()
{
    if (!m_state)
        return;
    for (auto& [key, group] : m_state->groups)
        for (const Member& member : group) {
            const OnDevice here(member.device);
            cudaCheck(cudaStreamSynchronize(*member.stream));
        }
}

double Collectives::check(Prepared& prepared)
{
    const CollectivePrepared& mine = mineOf(prepared);
    for (std::size_t i = 0; i < mine.buffers.size(); ++i) {
        const OnDevice here((*mine.group)[i].device);
        cudaCheck(cudaMemset(mine.buffers[i].take.data(), 0xFF, mine.buffers[i].take.bytes())); // NaN
        cudaCheck(cudaDeviceSynchronize()); // its stream waits for no other
    }
    enqueue(prepared);
    synchronise();
    double difference = 0;
    double reference = 0;
    std::vector<float> got(countsOf(mine.task).take);
    for (std::size_t i = 0; i < mine.buffers.size(); ++i) {
        const Member& member = (*mine.group)[i];
        const OnDevice here(member.device);
        cudaCheck(cudaMemcpy(got.data(), mine.buffers[i].take.data(), mine.buffers[i].take.bytes(),
                             cudaMemcpyDeviceToHost));
        for (std::size_t at = 0; at < got.size(); ++at) {
            const double expected = double(expectedOf(mine.task, member.rank, at));
            const double gap = double(got[at]) - expected;
            difference += std::isfinite(gap) ? gap * gap : INFINITY;
            reference += expected * expected;
        }
    }
    return std::sqrt(difference / std::max(reference, 1e-300));
}

namespace {

// So many exchanges of one rank, one after another on its stream; milliseconds between the first and the
// last.
template <typename Start>
float timedRank(const Member& member, int launches, std::barrier<>& ready, const Start& start)
{
    const OnDevice here(member.device);
    const cudaStream_t stream = *member.stream;
    const Event begun;
    const Event ended;
    start(); // the first sets up its channels
    cudaCheck(cudaStreamSynchronize(stream));
    ready.arrive_and_wait();
    cudaCheck(cudaEventRecord(begun, stream));
    for (int i = 0; i < launches; ++i)
        start();
    cudaCheck(cudaEventRecord(ended, stream));
    cudaCheck(cudaEventSynchronize(ended));
    float milliseconds = 0;
    cudaCheck(cudaEventElapsedTime(&milliseconds, begun, ended));
    return milliseconds;
}

} // namespace

// Back to back on every rank's stream, timed on the first one here: the ranks wait for each other in every
// exchange. Each rank is driven by a thread of its own, as servers drive theirs by processes: one thread that
// starts eight ranks in turn would be what is timed.
Stretch Collectives::time(Prepared& prepared, int launches)
{
    const CollectivePrepared& mine = mineOf(prepared);
    const Group& group = *mine.group;
    std::barrier ready(std::ptrdiff_t(group.size()));
    const auto rank = [&](std::size_t i) {
        try {
            return timedRank(group[i], launches, ready, [&] {
                m_state->check(m_state->f.groupStart(), "ncclGroupStart");
                m_state->start(mine.task, group[i], mine.buffers[i]);
                m_state->check(m_state->f.groupEnd(), "ncclGroupEnd");
            });
        } catch (...) {
            ready.arrive_and_drop(); // the others do not wait for it
            throw;
        }
    };
    std::vector<std::future<float>> others;
    for (std::size_t i = 1; i < group.size(); ++i)
        others.push_back(std::async(std::launch::async, rank, i));
    const float milliseconds = rank(0);
    for (std::future<float>& other : others)
        (void)other.get();
    return {.perLaunch = Seconds(double(milliseconds) * 1e-3 / std::max(launches, 1)), .launches = launches};
}

} // namespace headroom::kernels
