#pragma once

#include "kernels/cuda/cuda_check.h"

#include <cstddef>
#include <utility>

namespace headroom::kernels {

// Memory on the device, freed with its owner, or a piece of such memory. Plain allocations: managed memory
// would be timed with its page faults.
class DeviceBuffer {
public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t bytes) : m_bytes(bytes)
    {
        if (bytes > 0)
            cudaCheck(cudaMalloc(&m_data, bytes));
    }
    ~DeviceBuffer()
    {
        if (m_owned)
            cudaFree(m_data);
    }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)),
          m_bytes(std::exchange(other.m_bytes, 0)),
          m_owned(std::exchange(other.m_owned, true))
    {}
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        std::swap(m_owned, other.m_owned);
        return *this;
    }
    // `bytes` from `offset` of this memory, which must outlive them.
    [[nodiscard]] DeviceBuffer piece(std::size_t offset, std::size_t bytes) const
    {
        DeviceBuffer out;
        out.m_data = bytes > 0 ? static_cast<unsigned char*>(m_data) + offset : nullptr;
        out.m_bytes = bytes;
        out.m_owned = false;
        return out;
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
    bool m_owned = true;
};

// The block that the last point's operands stood in, kept for the next one's: asking the driver for memory
// and giving it back would take longer than measuring.
class SpareMemory {
public:
    [[nodiscard]] DeviceBuffer take(std::size_t bytes)
    {
        if (m_block.bytes() < bytes)
            m_block = DeviceBuffer(); // first, so that the new one has its room
        return m_block.bytes() >= bytes ? std::move(m_block) : DeviceBuffer(bytes);
    }
    void give(DeviceBuffer block)
    {
        if (block.bytes() > m_block.bytes())
            m_block = std::move(block);
    }
    void clear() { m_block = DeviceBuffer(); }
    [[nodiscard]] std::size_t bytes() const { return m_block.bytes(); }

private:
    DeviceBuffer m_block;
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

// Launches on a stream are recorded, not run, while it lives.
class Capture {
public:
    explicit Capture(cudaStream_t stream) : m_stream(stream)
    {
        cudaCheck(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    }
    ~Capture() // what threw in between must not leave the stream recording for good
    {
        cudaGraph_t recorded = nullptr;
        if (m_open && cudaStreamEndCapture(m_stream, &recorded) == cudaSuccess && recorded != nullptr)
            cudaGraphDestroy(recorded);
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    [[nodiscard]] cudaGraph_t end()
    {
        cudaGraph_t recorded = nullptr;
        m_open = false;
        cudaCheck(cudaStreamEndCapture(m_stream, &recorded));
        return recorded;
    }

private:
    cudaStream_t m_stream;
    bool m_open = true;
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

    // Sends it to the device, so that the first replay is one like the others.
    void upload(cudaStream_t stream) const { cudaCheck(cudaGraphUpload(m_graph, stream)); }
    void replay(cudaStream_t stream) const { cudaCheck(cudaGraphLaunch(m_graph, stream)); }
    [[nodiscard]] bool recorded() const { return m_graph != nullptr; }

private:
    cudaGraphExec_t m_graph = nullptr;
};

} // namespace headroom::kernels
