#pragma once

#include "kernels/cuda/cuda_check.h"

#include <cstddef>
#include <utility>

namespace headroom::kernels {

// Memory on the device, freed with its owner. Plain allocations: managed memory would be timed with its page
// faults.
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t bytes) : m_bytes(bytes)
    {
        if (bytes > 0)
            cudaCheck(cudaMalloc(&m_data, bytes));
    }
    ~DeviceBuffer() { cudaFree(m_data); }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0))
    {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    [[nodiscard]] void* data() const { return m_data; }
    template <typename T>
    [[nodiscard]] T* as() const
    {
        return static_cast<T*>(m_data);
    }
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }

private:
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
};

class Stream {
public:
    Stream() { cudaCheck(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking)); }
    ~Stream() { cudaStreamDestroy(m_stream); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    operator cudaStream_t() const { return m_stream; }

private:
    cudaStream_t m_stream = nullptr;
};

class Event {
public:
    Event() { cudaCheck(cudaEventCreate(&m_event)); }
    ~Event() { cudaEventDestroy(m_event); }
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;
    operator cudaEvent_t() const { return m_event; }

private:
    cudaEvent_t m_event = nullptr;
};

// A recorded sequence of launches, replayed without the processor's help.
class Graph {
public:
    Graph() = default;
    explicit Graph(cudaGraph_t recorded)
    {
        const cudaError_t status = cudaGraphInstantiate(&m_graph, recorded, 0);
        cudaGraphDestroy(recorded);
        cudaCheck(status);
    }
    ~Graph()
    {
        if (m_graph != nullptr)
            cudaGraphExecDestroy(m_graph);
    }
    Graph(Graph&& other) noexcept : m_graph(std::exchange(other.m_graph, nullptr)) {}
    Graph& operator=(Graph&& other) noexcept
    {
        std::swap(m_graph, other.m_graph);
        return *this;
    }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    void replay(cudaStream_t stream) const { cudaCheck(cudaGraphLaunch(m_graph, stream)); }
    [[nodiscard]] bool recorded() const { return m_graph != nullptr; }

private:
    cudaGraphExec_t m_graph = nullptr;
};

} // namespace headroom::kernels
