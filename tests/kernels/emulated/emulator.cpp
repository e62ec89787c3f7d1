#include "cuda_bf16.h"
#include "cuda_emulation.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <stdexcept>
#include <ucontext.h>
#include <utility>
#include <vector>

dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace {

constexpr std::size_t stackBytes = 128 * 1024;

enum class State : unsigned char { Ready, AtBlockBarrier, AtWarpExchange, Done };

struct PendingCopy {
    void* to;
    std::array<unsigned char, 16> data;
    std::size_t size;
};

// Where a fiber goes on: the compiler's own jumps keep three words, and what else a function needs it saves
// itself.
using Place = void* [5];

// A fiber starts by a context of its own and is left and entered again by jumps, which need no system call.
// It lives as long as the program and runs one thread after another.
struct Fiber {
    ucontext_t context{};
    Place jump{};
    bool alive = false;
    std::unique_ptr<unsigned char[]> stack;
    dim3 thread;
    int index = 0;
    unsigned exchanges = 0;
    std::vector<PendingCopy> open;
    std::deque<std::vector<PendingCopy>> groups;
};

constexpr std::size_t warpSize = 32;

struct Warp {
    alignas(16) std::array<std::array<unsigned char, 64 * warpSize>, 2> slots{};
    std::array<State, warpSize> states{};
    std::array<int, 4> count{}; // of each state
};

struct Block {
    std::vector<std::unique_ptr<Fiber>> fibers; // kept between blocks for their stacks
    std::vector<Warp> warps;
    std::vector<unsigned char> shared;
    std::function<void()> body;
    Place scheduler{};
    Fiber* running = nullptr;
    std::size_t threads = 0;
    bool backwards = false;
};

Block theBlock;

Block& block() { return theBlock; }

void put(int index, State state)
{
    Warp& warp = block().warps[std::size_t(index) / warpSize];
    State& now = warp.states[std::size_t(index) % warpSize];
    --warp.count[std::size_t(now)];
    ++warp.count[std::size_t(state)];
    now = state;
}

void yieldAs(State state);

void fiberMain()
{
    for (;;) {
        block().body();
        yieldAs(State::Done);
    }
}

// The next thread of the warp that can go on, in the order in which this block runs them; null: none.
Fiber* readyAfter(const Fiber& me)
{
    Block& b = block();
    const int lane = me.index % int(warpSize);
    const std::array<State, warpSize>& states = b.warps[std::size_t(me.index) / warpSize].states;
    if (b.backwards) {
        for (int other = lane - 1; other >= 0; --other)
            if (states[std::size_t(other)] == State::Ready)
                return b.fibers[std::size_t(me.index - lane + other)].get();
    } else {
        const int lanes = int(std::min(warpSize, b.threads - std::size_t(me.index - lane)));
        for (int other = lane + 1; other < lanes; ++other)
            if (states[std::size_t(other)] == State::Ready)
                return b.fibers[std::size_t(me.index - lane + other)].get();
    }
    return nullptr;
}

// Never returns: who calls it has said where it goes on, or never will.
[[noreturn]] void enter(Fiber& fiber)
{
    Block& b = block();
    b.running = &fiber;
    threadIdx = fiber.thread;
    if (fiber.alive)
        __builtin_longjmp(fiber.jump, 1);
    fiber.alive = true;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, fiberMain, 0);
    setcontext(&fiber.context);
    std::abort(); // it failed
}

// The threads of a warp go on one after another without a way back in between. Neither function changes a
// variable of its own between setjmp and the return through it.
__attribute__((noinline)) void yieldAs(State state)
{
    Fiber& me = *block().running;
    put(me.index, state);
    if (__builtin_setjmp(me.jump) != 0)
        return;
    if (Fiber* const next = readyAfter(me))
        enter(*next);
    __builtin_longjmp(block().scheduler, 1);
}

__attribute__((noinline)) void runUntilNoneIsReady(Fiber& first)
{
    if (__builtin_setjmp(block().scheduler) == 0)
        enter(first);
}

void startFibers(dim3 size)
{
    Block& b = block();
    b.threads = std::size_t(size.x) * size.y * size.z;
    while (b.fibers.size() < b.threads) {
        b.fibers.push_back(std::make_unique<Fiber>());
        b.fibers.back()->stack = std::make_unique<unsigned char[]>(stackBytes);
    }
    b.warps.resize((b.threads + warpSize - 1) / warpSize);
    for (std::size_t warp = 0; warp < b.warps.size(); ++warp) {
        const std::size_t lanes = std::min(warpSize, b.threads - warp * warpSize);
        b.warps[warp].states.fill(State::Ready);
        b.warps[warp].count = {int(lanes), 0, 0, 0};
    }
    for (std::size_t i = 0; i < b.threads; ++i) {
        Fiber& fiber = *b.fibers[i];
        const auto at = unsigned(i);
        fiber.thread = dim3(at % size.x, at / size.x % size.y, at / size.x / size.y);
        fiber.index = int(i);
        fiber.exchanges = 0;
        fiber.open.clear();
        fiber.groups.clear();
    }
}

// Lets everyone in [begin, end) go on if all that still run wait at `state`.
bool release(std::size_t begin, std::size_t end, State state)
{
    Block& b = block();
    int waiting = 0;
    for (std::size_t warp = begin; warp < end; ++warp) {
        const std::array<int, 4>& count = b.warps[warp].count;
        const int lanes = count[0] + count[1] + count[2] + count[3];
        if (count[std::size_t(state)] + count[std::size_t(State::Done)] != lanes)
            return false;
        waiting += count[std::size_t(state)];
    }
    for (std::size_t warp = begin; waiting > 0 && warp < end; ++warp) {
        std::replace(b.warps[warp].states.begin(), b.warps[warp].states.end(), state, State::Ready);
        b.warps[warp].count[std::size_t(State::Ready)]
            = std::exchange(b.warps[warp].count[std::size_t(state)], 0);
    }
    return waiting > 0;
}

// Every thread of the warp that can, once.
bool runWarp(std::size_t at)
{
    Block& b = block();
    const Warp& warp = b.warps[at];
    if (warp.count[std::size_t(State::Ready)] == 0)
        return false;
    const std::size_t lanes = std::min(warpSize, b.threads - at * warpSize);
    for (std::size_t i = 0; i < lanes; ++i) {
        const std::size_t lane = b.backwards ? lanes - 1 - i : i;
        if (warp.states[lane] == State::Ready) {
            runUntilNoneIsReady(*b.fibers[at * warpSize + lane]);
            break;
        }
    }
    return true;
}

void runBlock()
{
    Block& b = block();
    startFibers(blockDim);
    b.backwards = emulatedCard().backwards;
    const std::size_t warps = b.warps.size();
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t i = 0; i < warps; ++i)
            moved = runWarp(b.backwards ? warps - 1 - i : i) || moved;
        for (std::size_t warp = 0; warp < warps; ++warp)
            moved = release(warp, warp + 1, State::AtWarpExchange) || moved;
        moved = release(0, warps, State::AtBlockBarrier) || moved;
    }
    bool stuck = false;
    for (std::size_t i = 0; i < b.threads; ++i)
        if (b.warps[i / warpSize].states[i % warpSize] != State::Done) {
            b.fibers[i]->alive = false; // its thread is given up
            stuck = true;
        }
    if (stuck)
        throw std::logic_error("threads of a block wait at different barriers");
}

} // namespace

void emulateLaunch(dim3 grid, dim3 size, std::size_t sharedBytes, std::function<void()> thread)
{
    EmulatedCard& card = emulatedCard();
    const int call = ++card.calls;
    if (card.failingCall > 0
        && (call == card.failingCall || (card.failsFromThen && call > card.failingCall))) {
        card.lastError = cudaErrorLaunchFailure;
        return;
    }
    if (sharedBytes > std::size_t(emulatedCard().sharedBytes) || size.x * size.y * size.z > 1024)
        throw std::logic_error("a launch asks for more than the card has");
    emulated::now([=] {
        ++emulatedCard().launches;
        emulatedCard().moved += emulatedCard().secondsOfLaunch.value_or(0);
        Block& b = block();
        b.body = thread;
        gridDim = grid;
        blockDim = size;
        const unsigned blocks = grid.x * grid.y * grid.z;
        for (unsigned i = 0; i < blocks; ++i) {
            const unsigned at = emulatedCard().backwards ? blocks - 1 - i : i;
            blockIdx = dim3(at % grid.x, at / grid.x % grid.y, at / grid.x / grid.y);
            b.shared.assign(sharedBytes + 128, 0xFF); // NaN in every type: nothing may count on old contents
            runBlock();
        }
    });
}

void __syncthreads() { yieldAs(State::AtBlockBarrier); }

namespace emulated {

int lane() { return block().running->index % 32; }

const unsigned char* exchange(const void* mine, std::size_t size)
{
    Block& b = block();
    Fiber& me = *b.running;
    // Two sets of slots in turn: nobody reaches the exchange after next before all have read this one.
    auto& slots = b.warps[std::size_t(me.index) / 32].slots[me.exchanges++ % 2];
    if (size > 0)
        std::memcpy(slots.data() + 64 * (me.index % 32), mine, size);
    yieldAs(State::AtWarpExchange);
    return slots.data();
}

float* warpSlot()
{
    const Fiber& me = *block().running;
    return reinterpret_cast<float*>(block().warps[std::size_t(me.index) / 32].slots[me.exchanges % 2].data());
}

void copyLater(void* to, const void* from, bool valid, std::size_t size)
{
    PendingCopy copy{to, {}, size};
    if (reinterpret_cast<std::uintptr_t>(to) % size != 0
        || reinterpret_cast<std::uintptr_t>(from) % size != 0)
        std::abort();
    if (valid)
        std::memcpy(copy.data.data(), from, size);
    block().running->open.push_back(copy);
}
void commit()
{
    Fiber& me = *block().running;
    me.groups.push_back(std::move(me.open));
    me.open.clear();
}
void wait(int pending)
{
    Fiber& me = *block().running;
    while (me.groups.size() > std::size_t(pending)) {
        for (const PendingCopy& copy : me.groups.front())
            std::memcpy(copy.to, copy.data.data(), copy.size);
        me.groups.pop_front();
    }
}
unsigned char* dynamicShared()
{
    auto at = reinterpret_cast<std::uintptr_t>(block().shared.data());
    return reinterpret_cast<unsigned char*>((at + 127) / 128 * 128);
}

} // namespace emulated
