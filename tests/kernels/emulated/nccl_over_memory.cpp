// A stand-in for libnccl.so.2: the functions that are used, between processes of one machine (and between the
// ranks of one process) over a shared piece of memory. Every exchange takes as long as a planted wire would,
// on the clock of the program that loads this: slower between ranks whose GROUP_RANK differs, as if these
// were machines.

#include "kernels/cuda/nccl_api.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

using headroom::kernels::nccl::Status;
using headroom::kernels::nccl::UniqueId;

extern "C" void wireTook(double seconds); // of the program: its clock moves by so much

namespace {

constexpr int mostRanks = 8;
constexpr std::size_t slotBytes = std::size_t(16) << 20; // of one rank; memory is taken when it is touched
constexpr Status systemError = 2;
constexpr Status invalidArgument = 4;

// The planted wire: seconds of an exchange that moves so many bytes. A slow one: few exchanges fill a
// stretch.
double wireSeconds(std::size_t bytes, bool between)
{
    return between ? 8e-3 + double(bytes) / 5e7 : 2e-3 + double(bytes) / 2e8;
}

struct Meeting {
    std::atomic<std::uint64_t> joined;
    std::atomic<std::uint64_t> written; // ranks that gave, over all exchanges
    std::atomic<std::uint64_t> taken;
    std::atomic<std::uint64_t> left;
    std::atomic<int> machines[mostRanks];
};

bool await(const std::atomic<std::uint64_t>& counter, std::uint64_t value)
{
    // By count, not by a clock: a minute at least.
    constexpr int patience = 3'000'000;
    constexpr int looks = 50; // before it lets others run for longer than they ask
    for (int look = 0; counter.load() < value; ++look) {
        if (look > patience)
            return false;
        if (look < looks)
            std::this_thread::yield();
        else
            ::usleep(20);
    }
    return true;
}

struct Communicator {
    Meeting* meeting = nullptr;
    unsigned char* slots = nullptr;
    std::string name;
    int rank = 0;
    int ranks = 0;
    std::uint64_t exchanges = 0;
    bool between = false;

    [[nodiscard]] unsigned char* slot(int of) const { return slots + slotBytes * std::size_t(of); }
    [[nodiscard]] std::size_t share() const { return slotBytes / std::size_t(ranks); }
};

enum class Kind { AllReduce, AllGather, Send, Receive };
struct Operation {
    Kind kind;
    Communicator* on;
    const float* give;
    float* take;
    std::size_t count;
    int peer;
};

// Groups are a thread's own.
thread_local int depth = 0;
std::vector<Operation>& pending()
{
    static thread_local std::vector<Operation> all;
    return all;
}

std::size_t mappedBytes(int ranks) { return sizeof(Meeting) + 4096 + slotBytes * std::size_t(ranks); }

Status open(Communicator& out, const UniqueId& id, int ranks, int rank)
{
    if (ranks > mostRanks || rank >= ranks)
        return invalidArgument;
    out.name = id.bytes;
    out.rank = rank;
    out.ranks = ranks;
    const int file = ::shm_open(out.name.c_str(), O_RDWR | O_CREAT, 0600);
    if (file < 0 || ::ftruncate(file, off_t(mappedBytes(ranks))) != 0)
        return systemError;
    void* const at = ::mmap(nullptr, mappedBytes(ranks), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (at == MAP_FAILED)
        return systemError;
    out.meeting = static_cast<Meeting*>(at); // zeros are a meeting that nobody has joined
    out.slots = static_cast<unsigned char*>(at) + (sizeof(Meeting) + 4095) / 4096 * 4096;
    const char* const machine = std::getenv("GROUP_RANK");
    out.meeting->machines[rank] = machine != nullptr ? std::atoi(machine) : 0;
    ++out.meeting->joined;
    return 0;
}

Status complete(Communicator& out)
{
    if (!await(out.meeting->joined, std::uint64_t(out.ranks)))
        return systemError;
    for (int rank = 0; rank < out.ranks; ++rank)
        out.between = out.between || out.meeting->machines[rank] != out.meeting->machines[0];
    return 0;
}

bool fits(const Operation& o)
{
    return o.count * sizeof(float) <= (o.kind == Kind::Send ? o.on->share() : slotBytes);
}

void give(const Operation& o)
{
    const std::size_t bytes = o.count * sizeof(float);
    if (o.kind == Kind::Send)
        std::memcpy(o.on->slot(o.on->rank) + o.on->share() * std::size_t(o.peer), o.give, bytes);
    else if (o.kind != Kind::Receive)
        std::memcpy(o.on->slot(o.on->rank), o.give, bytes);
}

void take(const Operation& o)
{
    const std::size_t bytes = o.count * sizeof(float);
    switch (o.kind) {
    case Kind::AllReduce:
        std::fill(o.take, o.take + o.count, 0.0F);
        for (int rank = 0; rank < o.on->ranks; ++rank) {
            const auto* const theirs = reinterpret_cast<const float*>(o.on->slot(rank));
            for (std::size_t i = 0; i < o.count; ++i)
                o.take[i] += theirs[i];
        }
        break;
    case Kind::AllGather:
        for (int rank = 0; rank < o.on->ranks; ++rank)
            std::memcpy(o.take + o.count * std::size_t(rank), o.on->slot(rank), bytes);
        break;
    case Kind::Receive:
        std::memcpy(o.take, o.on->slot(o.peer) + o.on->share() * std::size_t(o.on->rank), bytes);
        break;
    case Kind::Send:
        break;
    }
}

// All ranks of a communicator take part in every exchange on it: so they do here.
Status exchangeAll()
{
    std::vector<Operation> all = std::move(pending());
    pending().clear();
    std::vector<Communicator*> on;
    double seconds = 0;
    for (const Operation& o : all) {
        if (!fits(o))
            return invalidArgument;
        if (std::find(on.begin(), on.end(), o.on) == on.end())
            on.push_back(o.on);
        const std::size_t parts = o.kind == Kind::AllGather ? std::size_t(o.on->ranks - 1) : 1;
        seconds = std::max(seconds, wireSeconds(o.count * sizeof(float) * parts, o.on->between));
        give(o);
    }
    for (Communicator* const one : on) {
        ++one->exchanges;
        ++one->meeting->written;
    }
    for (Communicator* const one : on)
        if (!await(one->meeting->written, one->exchanges * std::uint64_t(one->ranks)))
            return systemError;
    for (const Operation& o : all)
        take(o);
    for (Communicator* const one : on)
        ++one->meeting->taken;
    for (Communicator* const one : on)
        if (!await(one->meeting->taken, one->exchanges * std::uint64_t(one->ranks)))
            return systemError;
    wireTook(seconds);
    return 0;
}

Status enqueue(Operation operation)
{
    pending().push_back(operation);
    return depth > 0 ? 0 : exchangeAll();
}

Communicator* of(void* communicator) { return static_cast<Communicator*>(communicator); }

} // namespace

extern "C" {

Status ncclGetVersion(int* version)
{
    *version = 22809;
    return 0;
}
const char* ncclGetErrorString(Status status)
{
    return status == invalidArgument ? "invalid argument (stand-in)" : "system error (stand-in)";
}
Status ncclGetUniqueId(UniqueId* id)
{
    std::random_device random;
    const std::string name = "/headroom-nccl-" + std::to_string(random()) + std::to_string(random());
    *id = {};
    std::copy(name.begin(), name.end(), id->bytes);
    return 0;
}
Status ncclCommInitRank(void** communicator, int ranks, UniqueId id, int rank)
{
    auto* const out = new Communicator;
    *communicator = out;
    const Status opened = open(*out, id, ranks, rank);
    return opened != 0 ? opened : complete(*out);
}
Status ncclCommInitAll(void** communicators, int devices, const int*)
{
    UniqueId id{};
    ncclGetUniqueId(&id);
    for (int rank = 0; rank < devices; ++rank) {
        auto* const out = new Communicator;
        communicators[rank] = out;
        if (const Status status = open(*out, id, devices, rank); status != 0)
            return status;
    }
    return 0;
}
Status ncclCommDestroy(void* communicator)
{
    Communicator* const mine = of(communicator);
    if (++mine->meeting->left == std::uint64_t(mine->ranks))
        ::shm_unlink(mine->name.c_str());
    ::munmap(mine->meeting, mappedBytes(mine->ranks));
    delete mine;
    return 0;
}
Status ncclGroupStart()
{
    ++depth;
    return 0;
}
Status ncclGroupEnd() { return --depth > 0 ? 0 : exchangeAll(); }
Status ncclAllReduce(const void* give, void* take, std::size_t count, int, int, void* communicator, void*)
{
    return enqueue({Kind::AllReduce, of(communicator), static_cast<const float*>(give),
                    static_cast<float*>(take), count, 0});
}
Status ncclAllGather(const void* give, void* take, std::size_t count, int, void* communicator, void*)
{
    return enqueue({Kind::AllGather, of(communicator), static_cast<const float*>(give),
                    static_cast<float*>(take), count, 0});
}
Status ncclSend(const void* give, std::size_t count, int, int peer, void* communicator, void*)
{
    return enqueue({Kind::Send, of(communicator), static_cast<const float*>(give), nullptr, count, peer});
}
Status ncclRecv(void* take, std::size_t count, int, int peer, void* communicator, void*)
{
    return enqueue({Kind::Receive, of(communicator), nullptr, static_cast<float*>(take), count, peer});
}

} // extern "C"
