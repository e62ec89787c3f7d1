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

TEST_CASE(
    "streamed rows fill their place once; who copies rows and who reads columns of them meets no bank twice")
{
    const auto apart = [](std::initializer_list<int> units) {
        std::set<int> banks; // groups of four banks, 16 bytes
        for (const int unit : units)
            banks.insert(unit % 8);
        return banks.size() == units.size();
    };
    const auto four = [&](const auto& unit, int row, int chunk) { // of two rows, as a quarter of a warp
        return apart({unit(row, chunk), unit(row, chunk + 1), unit(row, chunk + 2), unit(row, chunk + 3),
                      unit(row + 1, chunk), unit(row + 1, chunk + 1), unit(row + 1, chunk + 2),
                      unit(row + 1, chunk + 3)});
    };
    std::set<int> places;
    for (int row = 0; row < 8; ++row)
        for (int chunk = 0; chunk < 4; ++chunk)
            places.insert(streamedUnit(row, chunk));
    CHECK(places.size() == 32);
    CHECK(*places.rbegin() == 31);
    for (int row = 0; row < 8; row += 2)
        CHECK(four(streamedUnit, row, 0));
    for (int chunk = 0; chunk < 4; ++chunk)
        CHECK(apart({streamedUnit(0, chunk), streamedUnit(1, chunk), streamedUnit(2, chunk),
                     streamedUnit(3, chunk), streamedUnit(4, chunk), streamedUnit(5, chunk),
                     streamedUnit(6, chunk), streamedUnit(7, chunk)}));
    for (const int chunks : {4, 8, 16}) {
        std::set<int> of;
        for (int row = 0; row < 16; ++row)
            for (int chunk = 0; chunk < chunks; ++chunk)
                of.insert(streamedChunk(row, chunk, chunks));
        CHECK(of.size() == std::size_t(16 * chunks));
        CHECK(*of.rbegin() == 16 * chunks - 1);
        for (int row = 0; row < 16; row += 2)
            for (int chunk = 0; chunk < chunks; chunk += 4)
                CHECK(four([&](int r, int c) { return streamedChunk(r, c, chunks); }, row, chunk));
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
                const int expert = expertOf(starts.data(), int(tiles.size()), work / columnTiles);
                const GroupedTile tile = groupedTile(starts.data(), expert, columnTiles, work);
                REQUIRE(tile.expert >= 0);
                REQUIRE(tile.expert < int(tiles.size()));
                CHECK(tile.rowTile < tiles[std::size_t(tile.expert)]);
                CHECK(tile.columnTile < columnTiles);
                // The row tiles of a column tile follow each other.
                if (tile.rowTile > 0)
                    CHECK(seen.contains({tile.expert, tile.rowTile - 1, tile.columnTile}));
                seen.insert({tile.expert, tile.rowTile, tile.columnTile});
            }
            CHECK(seen.size() == std::size_t(starts.back() * columnTiles));
        }
}
