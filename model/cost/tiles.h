#pragma once

#include "model/count/op.h"

namespace headroom {

// How many times longer tiles and waves make an m x n result take than its work on all tensor units, 1 at
// best; 1 when `sms` is unknown. The share that they keep busy is its inverse.
[[nodiscard]] double tileLoss(double m, double n, int sms);
[[nodiscard]] double tileOccupancy(double m, double n, int sms);

// Less of a sum is not worth a launch of its own.
inline constexpr double leastSplit = 512; // columns

// Tiles for a sum in pieces, and what they lose as `tileLoss` counts it; one piece where there are tiles
// enough.
struct SplitTiles {
    double loss = 1;
    double pieces = 1;
};
[[nodiscard]] SplitTiles splitTiles(const Op& op, int sms);

} // namespace headroom
