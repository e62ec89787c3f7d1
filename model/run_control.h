#pragma once

#include <functional>
#include <stop_token>
#include <string_view>

namespace headroom {

// How a long computation listens and speaks: it polls `stop`, it calls `progress`.
struct RunControl {
    std::stop_token stop;
    std::function<void(double fraction, std::string_view stage)> progress = [](double, std::string_view) { };
};

} // namespace headroom
