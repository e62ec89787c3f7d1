#include "kernels/cpu/operands.h"
#include "kernels/cuda/index.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace headroom;
using namespace headroom::kernels;

TEST_CASE("the parts of a sequence cover every token once, in whole tiles")
{
    for (const int length : {1, 15, 16, 17, 64, 1000})
        for (const int tile : {16, 32})
            for (const int splits : {1, 2, 3, 7, 64}) {
                CAPTURE(length);
                CAPTURE(splits);
                std::vector<int> seen(std::size_t(length), 0);
                for (int split = 0; split < splits; ++split) {
                    const TokenRange range = splitRange(length, tile, splits, split);
                    CHECK(range.begin <= range.end);
                    if (range.begin < range.end)
                        CHECK(range.begin % tile == 0);
                    for (int token = range.begin; token < range.end; ++token)
                        ++seen[std::size_t(token)];
                }
                CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
            }
}

TEST_CASE("keys are read in pieces that keep every multiprocessor busy and are worth their merge")
{
    const auto pieces = [](int longest, int items, int blocks = 132) {
        const Pieces p = piecesFor(longest, items, blocks);
        CAPTURE(longest);
        CAPTURE(items);
        CHECK(p.tokens % 64 == 0);
        CHECK(std::int64_t(p.count) * p.tokens >= longest);
        CHECK((p.count - 1) * p.tokens < longest); // none is empty
        return p.count;
    };
    CHECK(pieces(1, 8) == 1);
    CHECK(pieces(128, 8) == 1);      // merging would take longer
    CHECK(pieces(100000, 264) == 1); // every multiprocessor has two
    CHECK(pieces(100000, 128) == 1); // and nearly each has one
    CHECK(pieces(32768, 32) == 4);
    CHECK(pieces(131072, 8) == 16);
    CHECK(pieces(2048, 4) == 16);
    CHECK(pieces(10000000, 1) == 128); // no more is merged by one block
    CHECK(pieces(131072, 8, 264) == 33);
    int before = 1;
    for (const int longest : {64, 256, 1024, 4096, 16384, 65536}) { // never fewer for more
        const int now = pieces(longest, 2);
        CHECK(now >= before);
        before = now;
    }
    for (int longest = 1; longest < 5000; longest += 37)
        for (const int items : {1, 8, 40, 132, 600})
            pieces(longest, items);
    CHECK(blocksThatDraw(132, 512) == 132);
    CHECK(blocksThatDraw(132, 256) == 264);
    CHECK(blocksThatDraw(132, 1024) == 132);
    CHECK(blocksThatDraw(132, 64) == 528);
}

TEST_CASE("parts take the least time that any number of them does")
{
    CHECK(partsFor(1, 1, 132, 2) == 1);
    CHECK(partsFor(64, 132, 132, 2) == 1); // the card is full
    CHECK(partsFor(64, 66, 132, 2) == 2);
    CHECK(partsFor(64, 133, 132, 2) > 1);   // one more block than there is room for
    CHECK(partsFor(1000, 1, 132, 2) == 63); // as long as 64, with one part less
    for (const int tiles : {1, 5, 64, 300})
        for (int groups = 1; groups < 300; groups += 13) {
            const auto time = [&](int parts) {
                return (groups * parts + 131) / 132 * (ceilDiv(tiles, parts) + 2) + (parts > 1 ? 2 : 0);
            };
            const int chosen = partsFor(tiles, groups, 132, 2);
            for (int parts = 1; parts <= std::min(tiles, 64); ++parts)
                CHECK(time(chosen) <= time(parts));
        }
}

TEST_CASE("a cached token is where the reference looks for it")
{
    Task task{.kernel = Kernel::DecodeAttention};
    task.batch = 3;
    task.past = 50;
    task.queryHeads = 4;
    task.kvHeads = 2;
    task.headDim = 8;
    for (const int pageTokens : {1, 5, 16}) {
        task.pageTokens = pageTokens;
        const Operands o = makeOperands(task, 5);
        const PageMap map{o.cache.table.data(), int(o.cache.pagesPerSequence), task.kvHeads, pageTokens};
        for (int sequence = 0; sequence < 3; ++sequence)
            for (int head = 0; head < 2; ++head)
                for (int token = 0; token <= 50; ++token)
                    CHECK(std::size_t(cacheRow(map, sequence, head, token))
                          == o.cache.row(std::size_t(sequence), head, token));
    }
}

TEST_CASE("swizzled chunks fill a tile once, and a column of eight rows meets eight groups of banks")
{
    for (const int chunks : {8, 16, 32, 72}) {
        std::set<int> places;
        for (int row = 0; row < 32; ++row)
            for (int chunk = 0; chunk < chunks; ++chunk)
                places.insert(swizzled(row, chunk, chunks));
        CHECK(places.size() == std::size_t(32 * chunks));
        CHECK(*places.begin() == 0);
        CHECK(*places.rbegin() == 32 * chunks - 1);
        for (int first = 0; first < 32; first += 8)
            for (int chunk = 0; chunk < chunks; ++chunk) {
                std::set<int> banks; // groups of four banks, 16 bytes
                for (int row = first; row < first + 8; ++row)
                    banks.insert(swizzled(row, chunk, chunks) % 8);
                CHECK(banks.size() == 8);
            }
    }
}

TEST_CASE("grouped work visits every tile of every expert once, empty experts never")
{
    const std::vector<std::vector<int>> rowTiles{{1}, {0, 0, 3, 0, 1, 0}, {2, 1, 4}, {0, 5}};
    for (const std::vector<int>& tiles : rowTiles)
        for (const int columnTiles : {1, 3}) {
            std::vector<int> starts{0};
            for (const int count : tiles)
                starts.push_back(starts.back() + count);
            std::set<std::vector<int>> seen;
            for (int work = 0; work < starts.back() * columnTiles; ++work) {
                const GroupedTile tile = groupedTile(starts.data(), int(tiles.size()), columnTiles, work);
                REQUIRE(tile.expert >= 0);
                REQUIRE(tile.expert < int(tiles.size()));
                CHECK(tile.rowTile < tiles[std::size_t(tile.expert)]);
                CHECK(tile.columnTile < columnTiles);
                seen.insert({tile.expert, tile.rowTile, tile.columnTile});
            }
            CHECK(seen.size() == std::size_t(starts.back() * columnTiles));
            std::set<std::vector<int>> byColumns;
            for (int work = 0; work < starts.back() * columnTiles; ++work) {
                const GroupedTile tile
                    = groupedTileByColumns(starts.data(), int(tiles.size()), columnTiles, work);
                // The row tiles of a column tile follow each other.
                if (work > 0 && tile.rowTile > 0)
                    CHECK(byColumns.contains({tile.expert, tile.rowTile - 1, tile.columnTile}));
                byColumns.insert({tile.expert, tile.rowTile, tile.columnTile});
            }
            CHECK(byColumns == seen);
        }
}
