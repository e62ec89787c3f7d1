#pragma once

#include <chrono>
#include <iosfwd>
#include <string_view>

namespace headroom::cli {

class Console;

// One line on a terminal that fills up. Appears only when the work takes long enough to wonder, and only when
// somebody watches: nothing is written into a file or a pipe.
class ProgressBar {
public:
    explicit ProgressBar(Console& console);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void show(double fraction, std::string_view stage);

private:
    using Clock = std::chrono::steady_clock;

    Console& m_console;
    std::ostream& m_err;
    bool m_watched;
    bool m_shown = false;
    Clock::time_point m_begun = Clock::now();
    Clock::time_point m_drawn = m_begun;
};

} // namespace headroom::cli
