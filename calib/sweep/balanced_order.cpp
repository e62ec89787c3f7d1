#include "calib/sweep/balanced_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom {

namespace {

// 0 … count - 1 in the order in which the additive recurrence of `step` visits them: any run of it is spread
// over the whole range.
std::vector<std::size_t> spread(std::size_t count, double start, double step)
{
    std::vector<double> place(count);
    for (std::size_t i = 0; i < count; ++i)
        place[i] = std::fmod(start + double(i) * step, 1.0);
    std::vector<std::size_t> bySize(count);
    std::iota(bySize.begin(), bySize.end(), 0);
    std::sort(bySize.begin(), bySize.end(),
              [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
    std::vector<std::size_t> out(count);
    for (std::size_t rank = 0; rank < count; ++rank)
        out[bySize[rank]] = rank;
    return out;
}

} // namespace

std::vector<std::size_t> balancedOrder(std::size_t rows, std::size_t columns, std::uint64_t seed)
{
    // Steps of the plastic number keep pairs of places apart as well as each of the two (Roberts, "The
    // unreasonable effectiveness of quasirandom sequences", 2018).
    constexpr double plastic = 1.32471795724474602596; // real root of x^3 = x + 1
    constexpr double golden = 0.61803398874989484820;
    const double start = std::fmod(double(seed % 1000003) * golden, 1.0);
    const std::vector<std::size_t> row = spread(rows, start, 1 / plastic);
    const std::vector<std::size_t> column = spread(columns, start, 1 / (plastic * plastic));
    // Rows and columns go round side by side. They meet in lcm(rows, columns) different cells before they are
    // where they were; one column further, the next round finds new ones, until all are found.
    const std::size_t round = std::lcm(rows, columns);
    std::vector<std::size_t> order;
    order.reserve(rows * columns);
    for (std::size_t i = 0; i < rows * columns; ++i)
        order.push_back(row[i % rows] * columns + column[(i + i / round) % columns]);
    return order;
}

} // namespace headroom
