#pragma once

#include <cstdint>

// Index arithmetic that kernels and the host share: plain functions, checked against brute force where there
// is no GPU.
#ifdef __CUDACC__
#define HEADROOM_BOTH __host__ __device__
#else
#define HEADROOM_BOTH
#endif

namespace headroom::kernels {

HEADROOM_BOTH constexpr int ceilDiv(int a, int b) { return (a + b - 1) / b; }
HEADROOM_BOTH constexpr int least(int a, int b) { return a < b ? a : b; }
HEADROOM_BOTH constexpr int most(int a, int b) { return a > b ? a : b; }

// Where a cached token's row is: pages are scattered, heads lie side by side in a page.
struct PageMap {
    const int* table = nullptr; // sequence x pages -> page
    int pagesPerSequence = 0;
    int kvHeads = 0;
    int pageTokens = 0;
};
HEADROOM_BOTH inline int cacheRow(const PageMap& map, int sequence, int head, int token)
{
    const int page = map.table[std::int64_t(sequence) * map.pagesPerSequence + token / map.pageTokens];
    return (page * map.kvHeads + head) * map.pageTokens + token % map.pageTokens;
}

// Tokens [begin, end) that one of `splits` parts of a sequence reads: whole tiles, as even as they can be;
// late parts of short sequences are empty.
struct TokenRange {
    int begin = 0;
    int end = 0;
};
HEADROOM_BOTH inline TokenRange splitRange(int length, int tileTokens, int splits, int split)
{
    const int tiles = ceilDiv(length, tileTokens);
    const int each = ceilDiv(tiles, splits);
    return {least(length, split * each * tileTokens), least(length, (split + 1) * each * tileTokens)};
}

// In how many parts `groups` pieces of work of so many tiles are done soonest, when `slots` blocks run at
// once, to begin and end one takes as long as `overhead` tiles, and as long again the launch that merges
// parts.
HEADROOM_BOTH inline int partsFor(int tiles, int groups, int slots, int overhead)
{
    constexpr int mostParts = 64;
    int best = 1;
    std::int64_t least = 0;
    for (int parts = 1; parts <= mostParts && parts <= most(tiles, 1); ++parts) {
        const std::int64_t waves = (std::int64_t(groups) * parts + slots - 1) / slots;
        const std::int64_t time = waves * (ceilDiv(tiles, parts) + overhead) + (parts > 1 ? overhead : 0);
        if (parts == 1 || time < least) {
            best = parts;
            least = time;
        }
    }
    return best;
}

// In how many pieces, of how many tokens each, the keys of a decode attention are read. `items`: how many
// independent ones there are (sequences, KV heads, tiles of their query heads). Where a multiprocessor has
// two of them, they are not split. Else there shall be so many pieces that the last of them, which others
// wait for, are a small part; where keys are too few for that, enough to bring all of them at once.
struct Pieces {
    int count = 1;
    int tokens = 0;
};
HEADROOM_BOTH inline Pieces piecesFor(int longest, int items, int multiprocessors)
{
    constexpr int granularity = 64; // a tile of 16 for each of four warps
    constexpr int mostPieces = 128;
    constexpr int blocksInTurn = 12; // on a multiprocessor: three times what runs there at once
    constexpr int keysInTurn = 512;  // of a piece, at least: to begin and end one shall be little beside it
    constexpr int blocksAtOnce = 4;
    constexpr int keysAtOnce = 128;
    constexpr int piecesAtOnce = 16;
    int count = 1;
    if (items < 2 * multiprocessors) {
        const int inTurn
            = least(ceilDiv(blocksInTurn * multiprocessors, items), least(longest / keysInTurn, mostPieces));
        const int atOnce = least(ceilDiv(blocksAtOnce * multiprocessors, items),
                                 least(longest / keysAtOnce, piecesAtOnce));
        count = most(1, most(inTurn, atOnce));
    }
    const int tokens = ceilDiv(ceilDiv(longest, count), granularity) * granularity;
    return {ceilDiv(longest, tokens), tokens};
}

// Place of 8 elements (one 16-byte chunk) in a tile whose rows have `chunks` of them. Reading one column of
// eight rows then touches eight different groups of banks. `chunks` is a multiple of 8.
HEADROOM_BOTH constexpr int swizzled(int row, int chunk, int chunks)
{
    return row * chunks + (chunk ^ (row & 7));
}

// Which product tile a piece of grouped work is: `starts[e]` is the number of row tiles before expert e, its
// last entry their sum.
struct GroupedTile {
    int expert = 0;
    int rowTile = 0; // within the expert
    int columnTile = 0;
};
// The expert whose row tiles hold this one.
HEADROOM_BOTH inline int expertOf(const int* starts, int experts, int tile)
{
    int low = 0;
    int high = experts; // starts[low] <= tile < starts[high]
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (starts[middle] <= tile)
            low = middle;
        else
            high = middle;
    }
    return low;
}
HEADROOM_BOTH inline GroupedTile groupedTile(const int* starts, int experts, int columnTiles, int work)
{
    // Pieces of one row tile follow each other by columns, so that its rows stay in cache.
    const int tile = work / columnTiles;
    const int expert = expertOf(starts, experts, tile);
    return {expert, tile - starts[expert], work % columnTiles};
}
HEADROOM_BOTH inline GroupedTile groupedTileByColumns(const int* starts, int experts, int columnTiles,
                                                      int work)
{
    // Pieces of one column tile follow each other by rows, so that its weights are read from memory once.
    const int expert = expertOf(starts, experts, work / columnTiles);
    const int rowTiles = starts[expert + 1] - starts[expert];
    const int within = work - starts[expert] * columnTiles;
    return {expert, within % rowTiles, within / rowTiles};
}

} // namespace headroom::kernels
