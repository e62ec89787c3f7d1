#pragma once

// A stand-in for the CUDA runtime: the device's own sources compile against it and run on the processor,
// block after block, every thread a fiber that yields at barriers and warp-wide instructions. It shows wrong
// indices, missing barriers, divergent barriers and reads before an asynchronous copy has landed; it says
// nothing about speed.

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>

#define HEADROOM_EMULATED 1
#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __align__(n) alignas(n)
#define __launch_bounds__(...)

struct dim3 {
    unsigned x = 1, y = 1, z = 1;
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct uint4 {
    std::uint32_t x, y, z, w;
} __attribute__((aligned(16)));
inline uint4 make_uint4(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t w)
{
    return {x, y, z, w};
}
struct uint2 {
    std::uint32_t x, y;
} __attribute__((aligned(8)));
inline uint2 make_uint2(std::uint32_t x, std::uint32_t y) { return {x, y}; }
struct float4 {
    float x, y, z, w;
} __attribute__((aligned(16)));
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
struct float2 {
    float x, y;
} __attribute__((aligned(8)));
inline float2 make_float2(float x, float y) { return {x, y}; }

extern dim3 threadIdx, blockIdx, blockDim, gridDim;

enum cudaError_t {
    cudaSuccess,
    cudaErrorMemoryAllocation,
    cudaErrorNoDevice,
    cudaErrorLaunchFailure,
    cudaErrorStreamCaptureUnsupported
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum cudaDeviceAttr { cudaDevAttrMaxSharedMemoryPerBlockOptin };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
constexpr unsigned cudaStreamNonBlocking = 1;
struct EmulatedGraph;
struct EmulatedEvent;
using cudaStream_t = void*;
using cudaEvent_t = EmulatedEvent*;
using cudaGraph_t = EmulatedGraph*;
using cudaGraphExec_t = EmulatedGraph*;
struct cudaUUID_t {
    char bytes[16];
};
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    int major, minor, multiProcessorCount, l2CacheSize;
};

cudaError_t cudaMalloc(void** to, std::size_t bytes);
template <typename T>
cudaError_t cudaMalloc(T** to, std::size_t bytes)
{
    return cudaMalloc(reinterpret_cast<void**>(to), bytes);
}
cudaError_t cudaFree(void* memory);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* to, cudaGraph_t from, unsigned long long flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph);
cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaGetLastError();
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value);
const char* cudaGetErrorString(cudaError_t status);

void emulateLaunch(dim3 grid, dim3 block, std::size_t sharedBytes, std::function<void()> thread);

// What the emulated card is like, and in which order threads and blocks take turns.
struct EmulatedCard {
    int sharedBytes = 227 * 1024;
    int multiprocessors = 6;
    int capability = 80;
    bool backwards = false;
    int launches = 0; // that ran, so far
    int count = 1;    // such cards in the machine
    int cacheBytes = 1 << 16;
    std::size_t memoryBytes = std::size_t(1) << 30;

    // What events read: this processor's clock, or one that only launches move, each by so much.
    std::optional<double> secondsOfLaunch;
    double moved = 0;
    [[nodiscard]] double seconds() const;

    std::atomic<int> calls = 0; // of the runtime's functions that can fail, so far
    int failingCall = 0;        // which of them fails; 0: none
    bool failsFromThen = false; // and all after it
    cudaError_t lastError = cudaSuccess;
};
EmulatedCard& emulatedCard();

// Barriers and warp-wide exchanges.
void __syncthreads();
inline void __threadfence() {}
namespace emulated {
// Does it at once, or when the graph that is being recorded is replayed.
void now(std::function<void()> work);
// Every lane of the warp gives `size` bytes and, when all have, gets those of lane `of(i)` at [i * 64].
const unsigned char* exchange(const void* mine, std::size_t size);
int lane();
} // namespace emulated
inline void __syncwarp() { emulated::exchange(nullptr, 0); }
template <typename T>
T __shfl_sync(unsigned, T value, int from)
{
    return *reinterpret_cast<const T*>(emulated::exchange(&value, sizeof value) + 64 * (from % 32));
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned reach)
{
    const int from = emulated::lane() - int(reach);
    return __shfl_sync(mask, value, from < 0 ? emulated::lane() : from);
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int offset)
{
    return __shfl_sync(mask, value, emulated::lane() ^ offset);
}
inline unsigned __ballot_sync(unsigned, bool mine)
{
    const unsigned char* const all = emulated::exchange(&mine, 1);
    unsigned bits = 0;
    for (int i = 0; i < 32; ++i)
        bits |= all[64 * i] != 0 ? 1U << i : 0;
    return bits;
}
inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline bool __any_sync(unsigned, bool mine)
{
    const unsigned char* const all = emulated::exchange(&mine, 1);
    bool any = false;
    for (int i = 0; i < 32; ++i)
        any = any || all[64 * i] != 0;
    return any;
}

template <typename T>
T atomicAdd(T* to, T value)
{
    const T before = *to;
    *to += value;
    return before;
}
template <typename T>
T __ldcg(const T* from)
{
    return *from;
}
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline float __expf(float x) { return std::exp(x); }
inline int __float2int_rn(float x) { return int(std::lrintf(x)); }
inline std::uint32_t __byte_perm(std::uint32_t low, std::uint32_t high, std::uint32_t selector)
{
    const std::uint64_t both = std::uint64_t(high) << 32 | low;
    std::uint32_t out = 0;
    for (int i = 0; i < 4; ++i)
        out |= std::uint32_t(both >> (8 * (selector >> (4 * i) & 7)) & 0xFF) << (8 * i);
    return out;
}
