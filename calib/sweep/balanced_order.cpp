#include "calib/sweep/balanced_order.h"

#include <cmath>

namespace headroom {

std::vector<std::size_t> balancedOrder(std::size_t rows, std::size_t columns, std::uint64_t seed)
{
    constexpr double plastic = 1.32471795724474602596; // real root of x^3 = x + 1
    constexpr double golden = 0.61803398874989484820;
    const double start = std::fmod(double(seed % 1000003) * golden, 1.0);
    const std::size_t cells = rows * columns;
    std::vector<bool> taken(cells);
    std::vector<std::size_t> order;
    order.reserve(cells);
    for (std::size_t step = 0; order.size() < cells; ++step) {
        const double x = std::fmod(start + double(step + 1) / plastic, 1.0);
        const double y = std::fmod(start + double(step + 1) / (plastic * plastic), 1.0);
        const auto row = static_cast<std::size_t>(x * double(rows));
        const auto column = static_cast<std::size_t>(y * double(columns));
        // A cell that is taken gives its turn to the next free one, so that the sequence ends.
        std::size_t cell = row * columns + column;
        while (taken[cell])
            cell = (cell + 1) % cells;
        taken[cell] = true;
        order.push_back(cell);
    }
    return order;
}

} // namespace headroom
