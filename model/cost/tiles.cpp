#include "model/cost/tiles.h"

#include "model/cost/form_parts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace headroom {

namespace {

struct Tile {
    double rows;
    double columns;
};
// Tiles that matrix libraries choose from, and the loss of small ones (reuse of operands falls with their
// perimeter); fitted in docs/executor.md, normalised to the largest.
constexpr std::array tiles{Tile{256, 128}, Tile{128, 256}, Tile{128, 128}, Tile{64, 256}, Tile{128, 64},
                           Tile{64, 128},  Tile{64, 64},   Tile{64, 32},   Tile{32, 64},  Tile{16, 64}};
constexpr double perimeterLoss = 18;
constexpr double reuse(Tile tile)
{
    const double harmonic = tile.rows * tile.columns / (tile.rows + tile.columns);
    return harmonic / (harmonic + perimeterLoss);
}
// What one wave of a tile costs: its area over its reuse. Sides are powers of two, kept as such: this is
// asked for every product of every step.
struct TileCost {
    std::size_t rowBits = 0;
    std::size_t columnBits = 0;
    double perWave = 0;
};
constexpr std::size_t bitsOf(double side) { return std::bit_width(static_cast<unsigned>(side)) - 1U; }
constexpr auto tileCosts = [] {
    std::array<TileCost, tiles.size()> out{};
    for (std::size_t i = 0; i < tiles.size(); ++i)
        out[i] = {bitsOf(tiles[i].rows), bitsOf(tiles[i].columns),
                  tiles[i].rows * tiles[i].columns * reuse(Tile{128, 256}) / reuse(tiles[i])};
    return out;
}();

// Pieces that a length is cut into, by the bits of the side of a tile.
constexpr std::size_t leastSideBits = 4;
constexpr std::size_t mostSideBits = 8;
using Pieces = std::array<double, mostSideBits + 1>;
// Calls `each` with 0 to n - 1 as constants: what a table has at that place is in the code then.
template <std::size_t n, typename Each>
void unrolled(const Each& each)
{
    [&]<std::size_t... i>(std::index_sequence<i...>)
    {
        (each(std::integral_constant<std::size_t, i>{}), ...);
    }
    (std::make_index_sequence<n>{});
}

Pieces piecesOf(double length)
{
    // Sizes are expectations and need not be whole: a part of a row takes a whole tile.
    const double whole = roundedUp(length);
    Pieces out{};
    unrolled<mostSideBits - leastSideBits + 1>([&](auto i) {
        constexpr std::size_t bits = leastSideBits + i;
        out[bits] = dividedUp(whole, 1.0 / double(1U << bits));
    });
    return out;
}

} // namespace

SplitTiles splitTiles(const Op& op, int sms)
{
    const double most = op.k / leastSplit;
    constexpr double largestTile = 256 * 128;
    if (sms <= 0 || op.m <= 0 || op.n <= 0 || most < 2 || 2 * op.m * op.n > largestTile * sms)
        return {};
    const Pieces rows = piecesOf(op.m);
    const Pieces columns = piecesOf(op.n);
    SplitTiles best;
    double least = std::numeric_limits<double>::max();
    for (const TileCost& tile : tileCosts) {
        const double blocks = rows[tile.rowBits] * columns[tile.columnBits];
        const auto each = static_cast<double>(static_cast<std::int64_t>(sms / blocks)); // rounded down
        const double pieces = std::max(1.0, std::min(each, most));
        const double waves = pieces > 1 ? 1 / pieces : roundedUp(blocks / sms);
        if (waves * tile.perWave >= least)
            continue;
        least = waves * tile.perWave;
        best.pieces = pieces;
    }
    best.loss = least * (sms / (op.m * op.n));
    return best;
}

double tileLoss(double m, double n, int sms)
{
    constexpr double widest = 4e9; // beyond any matrix; keeps tiles countable
    if (sms <= 0 || m <= 0 || n <= 0 || m > widest || n > widest)
        return 1;
    const Pieces rows = piecesOf(m);
    const Pieces columns = piecesOf(n);
    const double perSm = 1.0 / sms;
    // The cheapest of every other tile: the two rows of comparisons do not wait for each other.
    std::array cheapest{std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
    unrolled<tileCosts.size()>([&](auto i) {
        constexpr TileCost tile = tileCosts[i];
        const double waves = dividedUp(rows[tile.rowBits] * columns[tile.columnBits], perSm);
        cheapest[i % 2] = std::min(cheapest[i % 2], waves * tile.perWave);
    });
    return std::min(cheapest[0], cheapest[1]) * (sms / (m * n));
}

double tileOccupancy(double m, double n, int sms) { return 1 / tileLoss(m, n, sms); }

} // namespace headroom
