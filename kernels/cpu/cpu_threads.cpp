#include "kernels/cpu/cpu_threads.h"

#include <algorithm>

namespace headroom::kernels {

CpuThreads::CpuThreads(int count)
{
    const auto wanted
        = count > 0 ? std::size_t(count) : std::max<std::size_t>(1, std::thread::hardware_concurrency());
    m_workers.reserve(wanted - 1);
    for (std::size_t i = 1; i < wanted; ++i)
        m_workers.emplace_back([this, i] { serve(i); });
}

CpuThreads::~CpuThreads()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stop = true;
    }
    m_start.notify_all();
    for (std::thread& worker : m_workers)
        worker.join();
}

void CpuThreads::run(std::size_t size, const std::function<void(std::size_t, std::size_t)>& work)
{
    if (size == 0)
        return;
    if (m_workers.empty() || size == 1)
        return work(0, size);
    {
        const std::lock_guard lock(m_mutex);
        m_work = &work;
        m_size = size;
        m_running = m_workers.size();
        ++m_round;
    }
    m_start.notify_all();
    work(0, bound(1));
    std::unique_lock lock(m_mutex);
    m_done.wait(lock, [this] { return m_running == 0; });
}

void CpuThreads::serve(std::size_t worker)
{
    std::size_t seen = 0;
    while (true) {
        const std::function<void(std::size_t, std::size_t)>* work = nullptr;
        std::size_t begin = 0;
        std::size_t end = 0;
        {
            std::unique_lock lock(m_mutex);
            m_start.wait(lock, [&] { return m_stop || m_round != seen; });
            if (m_stop)
                return;
            seen = m_round;
            work = m_work;
            begin = bound(worker);
            end = bound(worker + 1);
        }
        if (begin < end)
            (*work)(begin, end);
        {
            const std::lock_guard lock(m_mutex);
            --m_running;
        }
        m_done.notify_one();
    }
}

} // namespace headroom::kernels
