#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <future>
#include <thread>
#include <vector>

namespace headroom {

// Threads that this machine runs at once.
[[nodiscard]] inline std::size_t threadsOfMachine()
{
    return std::max(1U, std::thread::hardware_concurrency());
}

// Calls `work(i)` for every i below `count`, on so many threads, the lower ones begun first. What comes of it
// must not hang on who is done when. Where no thread can be had one does it all.
template <typename Work>
void forEachAtOnce(std::size_t count, std::size_t threads, const Work& work)
{
    std::atomic<std::size_t> next{0};
    const auto takeTurns = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
    };
    std::vector<std::future<void>> others;
    for (std::size_t thread = 1; thread < std::min(threads, count); ++thread)
        others.push_back(std::async(std::launch::async | std::launch::deferred, takeTurns));
    takeTurns();
    for (std::future<void>& other : others)
        other.get();
}

} // namespace headroom
