#include "app/cli/interrupt.h"

#include <doctest/doctest.h>

#include <csignal>

using headroom::cli::InterruptStops;

TEST_CASE("the first Ctrl-C asks the work to stop, and does not end the process")
{
    InterruptStops interrupt;
    interrupt.poll();
    CHECK_FALSE(interrupt.token().stop_requested());
    std::raise(SIGINT);
    CHECK_FALSE(interrupt.token().stop_requested()); // the work hears of it when it asks
    interrupt.poll();
    CHECK(interrupt.token().stop_requested());
}
