#include "app/cli/today.h"

#include <chrono>
#include <fmt/chrono.h>

namespace headroom::cli {

std::string today()
{
    return fmt::format("{:%Y-%m-%d}",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

} // namespace headroom::cli
