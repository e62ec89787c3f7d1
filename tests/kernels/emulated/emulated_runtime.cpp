// The runtime's functions for a processor: memory, streams that run at once, graphs that are lists, events on
// a clock that launches move. Any of them can be told to fail.
#include "cuda_runtime.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

struct EmulatedGraph {
    std::vector<std::function<void()>> work;
};
struct EmulatedEvent {
    double at = 0;
};

namespace {

thread_local bool capturing = false;
thread_local EmulatedGraph captured;
thread_local int currentDevice = 0;

// What the call returns: an error when it is the one that shall fail.
cudaError_t called()
{
    EmulatedCard& card = emulatedCard();
    const int call = ++card.calls;
    if (card.failingCall > 0 && (call == card.failingCall || (card.failsFromThen && call > card.failingCall)))
        return cudaErrorLaunchFailure;
    return cudaSuccess;
}

template <typename Work>
cudaError_t calling(const Work& work)
{
    const cudaError_t status = called();
    return status == cudaSuccess ? work() : status;
}

} // namespace

EmulatedCard& emulatedCard()
{
    static EmulatedCard card;
    return card;
}

double EmulatedCard::seconds() const
{
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return secondsOfLaunch ? moved : now.count();
}

void emulated::now(std::function<void()> work)
{
    if (capturing)
        captured.work.push_back(std::move(work));
    else
        work();
}

cudaError_t cudaMalloc(void** to, std::size_t bytes)
{
    return calling([&] {
        *to = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
        return *to != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
    });
}
cudaError_t cudaFree(void* memory)
{
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
    return calling([&] {
        std::memcpy(to, from, bytes);
        return cudaSuccess;
    });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t)
{
    return calling([&] {
        emulated::now([=] { std::memset(to, value, bytes); });
        return cudaSuccess;
    });
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes)
{
    return calling([&] {
        std::memset(to, value, bytes);
        return cudaSuccess;
    });
}
cudaError_t cudaDeviceSynchronize() { return called(); }
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    return calling([&] {
        *free = *total = emulatedCard().memoryBytes;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned)
{
    *stream = nullptr;
    return called();
}
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t)
{
    if (capturing)
        return cudaErrorStreamCaptureUnsupported;
    return called();
}
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode)
{
    return calling([&] {
        if (capturing)
            return cudaErrorStreamCaptureUnsupported;
        capturing = true;
        return cudaSuccess;
    });
}
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph)
{
    if (!capturing)
        return cudaErrorStreamCaptureUnsupported;
    capturing = false;
    *graph = new EmulatedGraph(std::exchange(captured, EmulatedGraph{}));
    if (const cudaError_t status = called();
        status != cudaSuccess) { // a capture that went wrong is ended, too
        delete std::exchange(*graph, nullptr);
        return status;
    }
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* to, cudaGraph_t from, unsigned long long)
{
    return calling([&] {
        *to = new EmulatedGraph(*from);
        return cudaSuccess;
    });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return cudaGraphDestroy(graph); }
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return called(); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t)
{
    return calling([&] {
        for (const auto& work : graph->work)
            work();
        return cudaSuccess;
    });
}
cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    return calling([&] {
        *event = new EmulatedEvent;
        return cudaSuccess;
    });
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t)
{
    return calling([&] {
        event->at = emulatedCard().seconds();
        return cudaSuccess;
    });
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return called(); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop)
{
    *milliseconds = float((stop->at - start->at) * 1e3);
    return called();
}
cudaError_t cudaSetDevice(int device)
{
    currentDevice = device;
    return called();
}
cudaError_t cudaGetDevice(int* device)
{
    *device = currentDevice;
    return called();
}
cudaError_t cudaGetDeviceCount(int* count)
{
    *count = emulatedCard().count;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    *properties = {};
    properties->uuid.bytes[0] = char(device + 1);
    std::strcpy(properties->name, "emulated");
    properties->major = emulatedCard().capability / 10;
    properties->minor = emulatedCard().capability % 10;
    properties->multiProcessorCount = emulatedCard().multiprocessors;
    properties->l2CacheSize = emulatedCard().cacheBytes;
    return called();
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int size, int device)
{
    std::snprintf(text, std::size_t(size), "0000:%02X:00.0", unsigned(device + 16));
    return called();
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int)
{
    *value = emulatedCard().sharedBytes;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = 13000;
    return called();
}
cudaError_t cudaDriverGetVersion(int* version)
{
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaGetLastError() { return std::exchange(emulatedCard().lastError, cudaSuccess); }
cudaError_t cudaFuncSetAttribute(const void*, cudaFuncAttribute, int) { return called(); }
const char* cudaGetErrorString(cudaError_t) { return "emulated failure"; }
