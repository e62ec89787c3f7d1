#include "app/cli/progress_bar.h"

#include "app/cli/console.h"

#include <algorithm>
#include <fmt/format.h>
#include <iostream>
#include <ostream>
#include <string>
#include <unistd.h>

namespace headroom::cli {

namespace {

constexpr auto patience = std::chrono::milliseconds(500);
constexpr auto redraw = std::chrono::milliseconds(100);
constexpr int width = 40;

} // namespace

ProgressBar::ProgressBar(Console& console)
    : m_console(console),
      m_err(console.terminal()),
      m_watched(&m_err == &std::cerr && isatty(STDERR_FILENO) == 1)
{}

ProgressBar::~ProgressBar()
{
    if (m_shown)
        m_err << "\r\033[K" << std::flush;
}

void ProgressBar::show(double fraction, std::string_view stage)
{
    const auto now = Clock::now();
    if (!m_watched || now - m_begun < patience || now - m_drawn < redraw)
        return;
    m_drawn = now;
    m_shown = true;
    const double part = std::clamp(fraction, 0.0, 1.0);
    const auto filled = static_cast<std::size_t>(part * width);
    const double left
        = part > 0 ? std::chrono::duration<double>(now - m_begun).count() * (1 - part) / part : 0;
    m_err << fmt::format("\r[{}{}] {:3.0f} % {}\033[K", std::string(filled, '#'),
                         std::string(width - filled, ' '), part * 100,
                         m_console.told(say("{}, {:.0f} s left", asIs(stage), left)))
          << std::flush;
}

} // namespace headroom::cli
