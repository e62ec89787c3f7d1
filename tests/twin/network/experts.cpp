#include "experts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace headroom::twin {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

double uniform(std::mt19937_64& random)
{
    return (static_cast<double>(random() >> 11U) + 0.5) / 9007199254740992.0; // 2^53
}
} // namespace

Placement inOrder(int experts, int ranks)
{
    Placement out{experts, std::vector<std::vector<int>>(at(ranks))};
    for (int expert = 0; expert < experts; ++expert)
        out.places[at(expert * ranks / experts)].push_back(expert);
    return out;
}

Placement balanced(const std::vector<double>& popularity, int redundant, int ranks)
{
    const int experts = static_cast<int>(popularity.size());
    std::vector<int> copies(popularity.size(), 1);
    for (int i = 0; i < redundant; ++i) {
        const auto load = [&](int expert) { return popularity[at(expert)] / copies[at(expert)]; };
        int busiest = 0;
        for (int expert = 1; expert < experts; ++expert)
            if (load(expert) > load(busiest))
                busiest = expert;
        ++copies[at(busiest)];
    }
    std::vector<std::pair<double, int>> heaviest;
    for (int expert = 0; expert < experts; ++expert)
        for (int i = 0; i < copies[at(expert)]; ++i)
            heaviest.emplace_back(popularity[at(expert)] / copies[at(expert)], expert);
    std::sort(heaviest.begin(), heaviest.end(), std::greater<>());
    Placement out{experts, std::vector<std::vector<int>>(at(ranks))};
    std::vector<double> load(at(ranks), 0);
    const std::size_t room = (heaviest.size() + at(ranks) - 1) / at(ranks);
    for (const auto& [weight, expert] : heaviest) {
        int least = -1;
        for (int rank = 0; rank < ranks; ++rank)
            if (out.places[at(rank)].size() < room && (least < 0 || load[at(rank)] < load[at(least)]))
                least = rank;
        out.places[at(least)].push_back(expert);
        load[at(least)] += weight;
    }
    return out;
}

std::vector<double> evenPopularity(int experts) { return std::vector<double>(at(experts), 1.0 / experts); }

std::vector<double> skewedPopularity(int experts, std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    std::vector<double> shares(at(experts));
    for (double& share : shares)
        share = -std::log(uniform(random));
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
        share /= all;
    return shares;
}

// Without putting back: the k largest of log(share) plus Gumbel noise.
Routing routed(const std::vector<double>& popularity, int chosen, int tokensPerRank, int ranks,
               std::uint64_t seed)
{
    std::mt19937_64 random(seed);
    Routing out(at(ranks), std::vector<std::vector<int>>(at(tokensPerRank)));
    std::vector<std::pair<double, int>> drawn(popularity.size());
    for (auto& tokens : out)
        for (std::vector<int>& token : tokens) {
            for (std::size_t expert = 0; expert < popularity.size(); ++expert)
                drawn[expert] = {std::log(popularity[expert]) - std::log(-std::log(uniform(random))),
                                 static_cast<int>(expert)};
            std::partial_sort(drawn.begin(), drawn.begin() + chosen, drawn.end(), std::greater<>());
            for (int i = 0; i < chosen; ++i)
                token.push_back(drawn[at(i)].second);
        }
    return out;
}

Routing ranksOf(const Routing& routing, const Placement& placement)
{
    std::vector<std::vector<int>> holders(at(placement.experts));
    for (int rank = 0; rank < placement.ranks(); ++rank)
        for (const int expert : placement.places[at(rank)])
            holders[at(expert)].push_back(rank);
    std::vector<std::size_t> turn(at(placement.experts), 0);
    Routing out = routing;
    for (auto& tokens : out)
        for (std::vector<int>& token : tokens)
            for (int& choice : token) {
                const std::vector<int>& held = holders[at(choice)];
                choice = held[turn[at(choice)]++ % held.size()];
            }
    return out;
}

std::vector<double> rowsOf(const Routing& targets, int ranks)
{
    std::vector<double> rows(at(ranks), 0);
    for (const auto& tokens : targets)
        for (const std::vector<int>& token : tokens)
            for (const int rank : token)
                ++rows[at(rank)];
    return rows;
}

double imbalance(const std::vector<double>& rows)
{
    const double mean = std::accumulate(rows.begin(), rows.end(), 0.0) / static_cast<double>(rows.size());
    return *std::max_element(rows.begin(), rows.end()) / mean;
}

namespace {

using Amounts = std::map<std::pair<int, int>, double>; // from, to: bytes

void throughBoxes(Transfers& out, const Fabric& fabric, const Routing& targets, double bytes)
{
    Amounts network; // to the GPU of the same place in each box
    Amounts links;   // from there, or from home
    for (int home = 0; home < static_cast<int>(targets.size()); ++home)
        for (const std::vector<int>& token : targets[at(home)]) {
            std::set<int> boxes;
            for (const int rank : std::set<int>(token.begin(), token.end())) {
                const int box = fabric.boxOf(rank);
                const int door = fabric.rankAt(box, fabric.localOf(home));
                if (box != fabric.boxOf(home) && boxes.insert(box).second)
                    network[{home, door}] += bytes;
                if (door != rank)
                    links[{door, rank}] += bytes;
            }
        }
    // Tokens are handed on as they come: the way in and the way on flow at the same time.
    for (const auto& [way, amount] : network)
        out.send(way.first, way.second, amount);
    for (const auto& [way, amount] : links)
        out.send(way.first, way.second, amount);
}

} // namespace

void dispatch(Transfers& out, const Fabric& fabric, const Routing& targets, double bytes, Dispatch kind)
{
    const int ranks = static_cast<int>(targets.size());
    if (kind == Dispatch::DeepEpNormal)
        return throughBoxes(out, fabric, targets, bytes);
    Amounts amounts;
    for (int home = 0; home < ranks; ++home)
        for (const std::vector<int>& token : targets[at(home)]) {
            if (kind == Dispatch::DeepEpLowLatency)
                for (const int rank : token)
                    amounts[{home, rank}] += bytes;
            else if (kind == Dispatch::Domain)
                for (const int rank : std::set<int>(token.begin(), token.end()))
                    amounts[{home, rank}] += bytes;
            else
                for (int rank = 0; rank < ranks; ++rank)
                    amounts[{home, rank}] += bytes;
        }
    for (const auto& [way, amount] : amounts) {
        if (way.first == way.second)
            continue;
        const bool overNetwork = kind == Dispatch::DeepEpLowLatency && fabric.spec().nics > 0
            && fabric.boxOf(way.first) == fabric.boxOf(way.second);
        if (overNetwork)
            out.pass({fabric.nicOut(fabric.nicOf(way.first)), fabric.nicIn(fabric.nicOf(way.second))},
                     fabric.spec().nicLatency, amount);
        else
            out.send(way.first, way.second, amount);
    }
}

} // namespace headroom::twin
