#pragma once

#include "kernels/cuda/shared_library.h"

#include <cuda_runtime.h>

#include <cstddef>

namespace headroom::kernels::nccl {

// NCCL as its public header has it (nccl.h of 2.7 to 2.28, unchanged over these versions): declared here so
// that a build needs the library as little as a machine with one card does.
using Communicator = struct OpaqueCommunicator*;
struct UniqueId {
    char bytes[128]; // NCCL_UNIQUE_ID_BYTES
};
using Status = int;
constexpr Status success = 0;
constexpr int float32 = 7; // ncclFloat32
constexpr int sum = 0;     // ncclSum

// The functions that are used, by name; null where the library lacks one.
struct Functions {
    Status (*version)(int*) = nullptr;
    const char* (*text)(Status) = nullptr;
    Status (*uniqueId)(UniqueId*) = nullptr;
    Status (*initRank)(Communicator*, int ranks, UniqueId, int rank) = nullptr;
    Status (*initAll)(Communicator*, int devices, const int*) = nullptr;
    Status (*destroy)(Communicator) = nullptr;
    Status (*groupStart)() = nullptr;
    Status (*groupEnd)() = nullptr;
    Status (*allReduce)(const void*, void*, std::size_t, int type, int operation, Communicator, cudaStream_t)
        = nullptr;
    Status (*allGather)(const void*, void*, std::size_t, int type, Communicator, cudaStream_t) = nullptr;
    Status (*send)(const void*, std::size_t, int type, int peer, Communicator, cudaStream_t) = nullptr;
    Status (*receive)(void*, std::size_t, int type, int peer, Communicator, cudaStream_t) = nullptr;

    explicit Functions(const SharedLibrary& library)
    {
        find(library, version, "ncclGetVersion");
        find(library, text, "ncclGetErrorString");
        find(library, uniqueId, "ncclGetUniqueId");
        find(library, initRank, "ncclCommInitRank");
        find(library, initAll, "ncclCommInitAll");
        find(library, destroy, "ncclCommDestroy");
        find(library, groupStart, "ncclGroupStart");
        find(library, groupEnd, "ncclGroupEnd");
        find(library, allReduce, "ncclAllReduce");
        find(library, allGather, "ncclAllGather");
        find(library, send, "ncclSend");
        find(library, receive, "ncclRecv");
    }
    [[nodiscard]] bool complete() const { return m_missing == nullptr; }

private:
    template <typename F>
    void find(const SharedLibrary& library, F*& to, const char* name)
    {
        to = library.function<F>(name);
        if (to == nullptr)
            m_missing = name;
    }
    const char* m_missing = nullptr;
};

} // namespace headroom::kernels::nccl
