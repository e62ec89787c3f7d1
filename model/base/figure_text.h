#pragma once

#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <string>

namespace headroom {

// Whole thousands in groups: "70,553,706,496".
[[nodiscard]] inline std::string groupedDigits(double whole)
{
    std::string digits = fmt::format("{:.0f}", std::abs(whole));
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, ",");
    return (whole < 0 ? "-" : "") + digits;
}

// With at most so many digits that matter and never a power of ten: "0.0000123", "12.3", "50000".
[[nodiscard]] inline std::string fewDigits(double value, int digits)
{
    const double size = std::abs(value);
    if (!std::isfinite(value) || size == 0)
        return fmt::format("{:g}", value);
    if (size >= std::pow(10, digits) - 0.5)
        return fmt::format("{:.0f}", value);
    if (size >= 1e-4) // what is smaller would be written with a power of ten
        return fmt::format("{:.{}g}", value, digits);
    std::string out
        = fmt::format("{:.{}f}", value, digits - 1 - static_cast<int>(std::floor(std::log10(size))));
    out.erase(out.find_last_not_of('0') + 1);
    return out;
}

} // namespace headroom
