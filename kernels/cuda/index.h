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
// independent ones there are (sequences, KV heads, tiles of their query heads); `blocks`: how many of them
// draw what the memory gives (`blocksThatDraw`). Those that share a multiprocessor share its part of the
// bandwidth, so the time is that of the keys which the busiest one reads, and of putting pieces together.
struct Pieces {
    int count = 1;
    int tokens = 0;
};
HEADROOM_BOTH inline Pieces piecesFor(int longest, int items, int blocks)
{
    constexpr int granularity = 64; // a tile of 16 for each of four warps
    constexpr int mostPieces = 128; // up to 32 the last block merges, more a launch of its own
    // Timed on an H200, in keys that a block reads meanwhile: a merge as such, and each of its parts.
    constexpr int merge = 300;
    constexpr int part = 8;
    const auto tokensOf
        = [&](int count) { return ceilDiv(ceilDiv(longest, count), granularity) * granularity; };
    int best = 1;
    std::int64_t least = 0;
    const int mostUseful = ceilDiv(2 * blocks, most(items, 1));
    for (int count = 1; count <= mostPieces && count <= mostUseful; ++count) {
        const std::int64_t rounds = (std::int64_t(items) * count + blocks - 1) / blocks;
        const std::int64_t time = rounds * tokensOf(count) + (count > 1 ? merge + part * count : 0);
        if (count == 1 || time < least) {
            best = count;
            least = time;
        }
    }
    const int tokens = tokensOf(best);
    return {ceilDiv(longest, tokens), tokens};
}
// A block of an H200 reads half a kilobyte, keys and values of one token in 128 columns of 16 bits, in the
// time that its multiprocessor's part of the memory's bandwidth takes; narrower rows leave room for more
// blocks.
HEADROOM_BOTH inline int blocksThatDraw(int multiprocessors, double bytesPerToken)
{
    constexpr double drawn = 512;
    constexpr int mostAtOnce = 4;
    const int each = int(drawn / (bytesPerToken > 1 ? bytesPerToken : 1) + 0.5);
    return multiprocessors * (each < 1 ? 1 : each > mostAtOnce ? mostAtOnce : each);
}

// Place of 8 elements (one 16-byte chunk) in a tile whose rows have `chunks` of them. Reading one column of
// eight rows then touches eight different groups of banks. `chunks` is a multiple of 8.
HEADROOM_BOTH constexpr int swizzled(int row, int chunk, int chunks)
{
    return row * chunks + (chunk ^ (row & 7));
}

// Unit of 16 bytes in the 512 of eight rows of weights of which four chunks lie in shared memory
// (streamed.cuh), and in rows of 4, 8 or 16 chunks of activations: neither a quarter of a warp that copies
// rows nor one that reads a column of eight meets a bank twice, and of two rows of activations four
// neighbouring chunks are apart.
HEADROOM_BOTH constexpr int streamedUnit(int row, int chunk) { return 4 * row + (chunk ^ (row >> 1)); }
HEADROOM_BOTH constexpr int streamedChunk(int row, int chunk, int chunks)
{
    return chunks * row + (chunks == 4 ? chunk ^ (row >> 1 & 3) : chunk ^ (row & 1) * 4);
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
// `expert`: that of `work / columnTiles`. Pieces of one column tile follow each other by rows, so that its
// weights are read from memory once.
HEADROOM_BOTH inline GroupedTile groupedTile(const int* starts, int expert, int columnTiles, int work)
{
    const int rowTiles = starts[expert + 1] - starts[expert];
    const int within = work - starts[expert] * columnTiles;
    return {expert, within % rowTiles, within / rowTiles};
}

} // namespace headroom::kernels
