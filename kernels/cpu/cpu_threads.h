#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace headroom::kernels {

// Threads that wait between launches: starting one would cost more than a small operator.
class CpuThreads {
public:
    explicit CpuThreads(int count); // 0: all cores
    ~CpuThreads();
    CpuThreads(const CpuThreads&) = delete;
    CpuThreads& operator=(const CpuThreads&) = delete;

    [[nodiscard]] int count() const { return int(m_workers.size()) + 1; }

    // Calls `work(begin, end)` on shares of [0, size), the caller taking one; returns when all are done.
    void run(std::size_t size, const std::function<void(std::size_t begin, std::size_t end)>& work);

private:
    void serve(std::size_t worker);
    [[nodiscard]] std::size_t bound(std::size_t share) const
    {
        return m_size * share / (m_workers.size() + 1);
    }

    std::mutex m_mutex;
    std::condition_variable m_start;
    std::condition_variable m_done;
    const std::function<void(std::size_t, std::size_t)>* m_work = nullptr;
    std::size_t m_size = 0;
    std::size_t m_round = 0;
    std::size_t m_running = 0;
    bool m_stop = false;
    std::vector<std::thread> m_workers;
};

} // namespace headroom::kernels
