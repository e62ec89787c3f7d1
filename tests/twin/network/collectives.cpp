#include "collectives.h"

#include <numeric>

namespace headroom::twin {

Ranks firstRanks(int count)
{
    Ranks ranks(static_cast<std::size_t>(count));
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

namespace {

// `rounds` rounds in which everyone passes a piece to the next of the ring: a piece can be passed on when it
// has come.
std::vector<int> aroundTheRing(Transfers& out, const Ranks& ranks, double piece, std::size_t rounds,
                               const std::vector<int>& after)
{
    const std::size_t n = ranks.size();
    std::vector<int> last = after;
    std::vector<int> own(n, -1);
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<int> came(n);
        for (std::size_t i = 0; i < n; ++i) {
            std::vector<int> waits;
            if (i < last.size())
                waits.push_back(last[i]);
            if (own[i] >= 0 && own[i] != (i < last.size() ? last[i] : -1))
                waits.push_back(own[i]); // its last piece has left
            const int sent = out.send(ranks[i], ranks[(i + 1) % n], piece, waits);
            own[i] = sent;
            came[(i + 1) % n] = sent;
        }
        last = came;
    }
    return last;
}

} // namespace

std::vector<int> ringReduceScatter(Transfers& out, const Ranks& ranks, double bytes,
                                   const std::vector<int>& after)
{
    return aroundTheRing(out, ranks, bytes / static_cast<double>(ranks.size()), ranks.size() - 1, after);
}

std::vector<int> ringAllGather(Transfers& out, const Ranks& ranks, double each, const std::vector<int>& after)
{
    return aroundTheRing(out, ranks, each, ranks.size() - 1, after);
}

std::vector<int> ringAllReduce(Transfers& out, const Ranks& ranks, double bytes)
{
    return aroundTheRing(out, ranks, bytes / static_cast<double>(ranks.size()), 2 * (ranks.size() - 1), {});
}

std::vector<int> oneShotAllReduce(Transfers& out, const Ranks& ranks, double bytes)
{
    std::vector<std::vector<int>> came(ranks.size());
    for (std::size_t i = 0; i < ranks.size(); ++i)
        for (std::size_t j = 0; j < ranks.size(); ++j)
            if (i != j)
                came[j].push_back(out.send(ranks[i], ranks[j], bytes));
    std::vector<int> ends;
    for (const std::vector<int>& all : came)
        ends.push_back(out.pause(0, all));
    return ends;
}

namespace {

// What each place sent last, to its parent and to itself from above.
struct TreeSends {
    std::vector<int> up, down;
};

// One piece through one tree over places 0 … n - 1 (place i stands for ranks[(i + turn) % n]); its shape is a
// heap's. It follows the piece before it.
TreeSends throughTree(Transfers& out, const Ranks& ranks, std::size_t turn, double piece,
                      const TreeSends& before)
{
    const std::size_t n = ranks.size();
    const auto rank = [&](std::size_t place) { return ranks[(place + turn) % n]; };
    const auto behind = [](const std::vector<int>& sent, std::size_t place) {
        return sent.empty() || sent[place] < 0 ? std::vector<int>{} : std::vector<int>{sent[place]};
    };
    TreeSends now{std::vector<int>(n, -1), std::vector<int>(n, -1)};
    const auto withChildren = [&](std::vector<int> waits, std::size_t place) {
        for (const std::size_t child : {2 * place + 1, 2 * place + 2})
            if (child < n)
                waits.push_back(now.up[child]);
        return waits;
    };
    for (std::size_t place = n; place-- > 1;)
        now.up[place] = out.send(rank(place), rank((place - 1) / 2), piece,
                                 withChildren(behind(before.up, place), place));
    now.down[0] = out.pause(0, withChildren({}, 0));
    for (std::size_t place = 1; place < n; ++place) {
        std::vector<int> waits = behind(before.down, place);
        waits.push_back(now.down[(place - 1) / 2]);
        now.down[place] = out.send(rank((place - 1) / 2), rank(place), piece, waits);
    }
    return now;
}

} // namespace

std::vector<int> treeAllReduce(Transfers& out, const Ranks& ranks, double bytes, int pieces)
{
    const std::size_t n = ranks.size();
    std::vector<std::vector<int>> ends(n);
    for (const std::size_t turn : {std::size_t{0}, n / 2}) {
        TreeSends last;
        for (int piece = 0; piece < pieces; ++piece)
            last = throughTree(out, ranks, turn, bytes / 2 / pieces, last);
        for (std::size_t place = 0; place < n; ++place)
            ends[(place + turn) % n].push_back(last.down[place]);
    }
    std::vector<int> all;
    for (const std::vector<int>& ofRank : ends)
        all.push_back(out.pause(0, ofRank));
    return all;
}

std::vector<int> switchAllReduce(Transfers& out, const Fabric& fabric, const Ranks& ranks, double bytes,
                                 int pieces)
{
    const double latency = fabric.spec().linkLatency;
    std::vector<int> up(ranks.size(), -1);
    std::vector<int> down(ranks.size(), -1);
    for (int piece = 0; piece < pieces; ++piece) {
        for (std::size_t i = 0; i < ranks.size(); ++i)
            up[i] = out.pass({fabric.linkOut(ranks[i])}, latency, bytes / pieces,
                             up[i] < 0 ? std::vector<int>{} : std::vector<int>{up[i]});
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            std::vector<int> waits = up; // of all: the sum is complete
            if (down[i] >= 0)
                waits.push_back(down[i]);
            down[i] = out.pass({fabric.linkIn(ranks[i])}, latency, bytes / pieces, waits);
        }
    }
    return down;
}

namespace {

Ranks ofBox(const Fabric& fabric, int box)
{
    Ranks ranks;
    for (int local = 0; local < fabric.spec().gpus; ++local)
        ranks.push_back(fabric.rankAt(box, local));
    return ranks;
}
Ranks equals(const Fabric& fabric, int local)
{
    Ranks ranks;
    for (int box = 0; box < fabric.spec().boxes; ++box)
        ranks.push_back(fabric.rankAt(box, local));
    return ranks;
}
std::vector<int> at(const std::vector<int>& ends, const Ranks& ranks)
{
    std::vector<int> some;
    for (const int rank : ranks)
        some.push_back(ends[static_cast<std::size_t>(rank)]);
    return some;
}
void put(std::vector<int>& ends, const Ranks& ranks, const std::vector<int>& some)
{
    for (std::size_t i = 0; i < ranks.size(); ++i)
        ends[static_cast<std::size_t>(ranks[i])] = some[i];
}

} // namespace

namespace {

// Both have come.
std::vector<int> joined(Transfers& out, const std::vector<int>& a, const std::vector<int>& b)
{
    if (b.empty())
        return a;
    std::vector<int> ends;
    for (std::size_t i = 0; i < a.size(); ++i)
        ends.push_back(out.pause(0, {a[i], b[i]}));
    return ends;
}

// What each rank did last in the three parts of a hierarchical exchange.
struct LastOfParts {
    std::vector<int> reduced, exchanged, gathered;
};

// `bytes` of it, behind the piece before.
LastOfParts onePiece(Transfers& out, const Fabric& fabric, double bytes, const LastOfParts& before)
{
    const double share = bytes / fabric.spec().gpus;
    const auto all = static_cast<std::size_t>(fabric.ranks());
    LastOfParts now{std::vector<int>(all), std::vector<int>(all), std::vector<int>(all)};
    const auto behind = [](const std::vector<int>& last, const Ranks& ranks) {
        return last.empty() ? std::vector<int>{} : at(last, ranks);
    };
    for (int box = 0; box < fabric.spec().boxes; ++box) {
        const Ranks ranks = ofBox(fabric, box);
        put(now.reduced, ranks,
            ranks.size() > 1 ? ringReduceScatter(out, ranks, bytes, behind(before.reduced, ranks))
                             : std::vector<int>{out.pause(0, behind(before.reduced, ranks))});
    }
    now.exchanged = now.reduced;
    for (int local = 0; local < fabric.spec().gpus && fabric.spec().boxes > 1; ++local) {
        const Ranks ranks = equals(fabric, local);
        const std::vector<int> ready = joined(out, at(now.reduced, ranks), behind(before.exchanged, ranks));
        const std::vector<int> sums = ringReduceScatter(out, ranks, share, ready);
        put(now.exchanged, ranks, ringAllGather(out, ranks, share / fabric.spec().boxes, sums));
    }
    now.gathered = now.exchanged;
    for (int box = 0; box < fabric.spec().boxes; ++box)
        if (const Ranks ranks = ofBox(fabric, box); ranks.size() > 1)
            put(now.gathered, ranks,
                ringAllGather(out, ranks, share,
                              joined(out, at(now.exchanged, ranks), behind(before.gathered, ranks))));
    return now;
}

} // namespace

std::vector<int> hierarchicalAllReduce(Transfers& out, const Fabric& fabric, double bytes, int pieces)
{
    LastOfParts last;
    for (int piece = 0; piece < pieces; ++piece)
        last = onePiece(out, fabric, bytes / pieces, last);
    return last.gathered;
}

std::vector<int> railRingsAllReduce(Transfers& out, const Fabric& fabric, double bytes)
{
    const int gpus = fabric.spec().gpus;
    const int rings = fabric.spec().nics;
    const int all = fabric.ranks();
    std::vector<int> ends;
    for (int ring = 0; ring < rings; ++ring) {
        const double piece = bytes / rings / all;
        std::vector<int> last(static_cast<std::size_t>(all), -1); // what came to each place of the ring
        for (int round = 0; round < 2 * (all - 1); ++round) {
            std::vector<int> came(last.size());
            for (int place = 0; place < all; ++place) {
                const int next = (place + 1) % all;
                const int from = fabric.rankAt(place / gpus, (place + ring) % gpus);
                const int to = fabric.rankAt(next / gpus, (next + ring) % gpus);
                const int waits = last[static_cast<std::size_t>(place)];
                const std::vector<int> after = waits < 0 ? std::vector<int>{} : std::vector<int>{waits};
                const bool crosses = place / gpus != next / gpus;
                came[static_cast<std::size_t>(next)] = crosses
                    ? out.pass({fabric.nicOut(place / gpus * rings + ring),
                                fabric.nicIn(next / gpus * rings + ring)},
                               fabric.spec().nicLatency, piece, after)
                    : out.send(from, to, piece, after);
            }
            last = came;
        }
        ends.insert(ends.end(), last.begin(), last.end());
    }
    return ends;
}

std::vector<int> hierarchicalAllGather(Transfers& out, const Fabric& fabric, double each)
{
    std::vector<int> ends(static_cast<std::size_t>(fabric.ranks()));
    for (int local = 0; local < fabric.spec().gpus; ++local) {
        const Ranks ranks = equals(fabric, local);
        put(ends, ranks,
            ranks.size() > 1 ? ringAllGather(out, ranks, each, {}) : std::vector<int>{out.pause(0)});
    }
    for (int box = 0; box < fabric.spec().boxes; ++box)
        if (const Ranks ranks = ofBox(fabric, box); ranks.size() > 1)
            put(ends, ranks, ringAllGather(out, ranks, each * fabric.spec().boxes, at(ends, ranks)));
    return ends;
}

void directAllToAll(Transfers& out, const std::vector<std::vector<double>>& bytes)
{
    for (std::size_t from = 0; from < bytes.size(); ++from)
        for (std::size_t to = 0; to < bytes.size(); ++to)
            if (from != to && bytes[from][to] > 0)
                out.send(static_cast<int>(from), static_cast<int>(to), bytes[from][to]);
}

} // namespace headroom::twin
