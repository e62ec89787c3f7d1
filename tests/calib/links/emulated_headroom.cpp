// The program on a machine with four emulated cards, and a stand-in for NCCL where LD_LIBRARY_PATH has it
// first. From its first exchange on a thread has a clock of its own, which only the planted wire moves: what
// is measured depends on no clock and on nothing else that runs here.

#include "app/cli/run.h"
#include "cuda_runtime.h"

#include <cmath>
#include <ctime>
#include <iostream>
#include <optional>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

thread_local std::optional<double> wireClock; // seconds

} // namespace

extern "C" {

// Called by the stand-in when an exchange is done.
void wireTook(double seconds)
{
    if (!wireClock) { // goes on from the machine's
        timespec now{};
        (void)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
        wireClock = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    }
    *wireClock += seconds;
}

// In place of the C library's: std::chrono asks it.
int clock_gettime(clockid_t which, timespec* out) noexcept
{
    if (which != CLOCK_MONOTONIC || !wireClock)
        return static_cast<int>(syscall(SYS_clock_gettime, which, out));
    const double whole = std::floor(*wireClock);
    out->tv_sec = static_cast<time_t>(whole);
    out->tv_nsec = static_cast<long>((*wireClock - whole) * 1e9);
    return 0;
}
}

// Little memory keeps messages short: a processor's copies stand for the wire.
int main(int argc, char** argv)
{
    emulatedCard().count = 4;
    emulatedCard().memoryBytes = std::size_t(8) << 20;
    return headroom::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
