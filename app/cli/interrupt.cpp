#include "app/cli/interrupt.h"

#include <csignal>

namespace headroom::cli {

namespace {

// A signal handler can reach nothing but a global, and may do no more than set it.
volatile std::sig_atomic_t interrupted = 0;

extern "C" void noteInterrupt(int signal)
{
    interrupted = 1;
    std::signal(signal, SIG_DFL);
}

} // namespace

InterruptStops::InterruptStops()
{
    interrupted = 0;
    std::signal(SIGINT, noteInterrupt);
}

InterruptStops::~InterruptStops() { std::signal(SIGINT, SIG_DFL); }

void InterruptStops::poll()
{
    if (interrupted != 0)
        m_source.request_stop();
}

} // namespace headroom::cli
