#include "overlap.h"

#include <doctest/doctest.h>

using namespace headroom::twin;
using doctest::Approx;

TEST_CASE("one micro-batch waits for every exchange")
{
    const std::vector<SpreadLayer> layers(58, {3, 1, 2, 1.5});
    CHECK(passTime(layers, 1) == Approx(58 * 7.5));
}

TEST_CASE("two micro-batches hide exchanges behind computing: by hand, two layers")
{
    // A computes 0-2, exchanges 2-4; B computes 2-4, exchanges 4-6; A's experts 4-6 while B exchanges, and so
    // on: computing never stops, 2 layers x 2 parts x 2 batches x 2, and B's last exchange follows.
    const std::vector<SpreadLayer> layers(2, {2, 2, 2, 2});
    CHECK(passTime(layers, 2) == Approx(2 * 2 * 2 * 2 + 2));
}

TEST_CASE("two micro-batches take as long as the busier of GPU and network, and no less")
{
    const auto both = [](SpreadLayer layer) { return passTime(std::vector<SpreadLayer>(58, layer), 2); };
    CHECK(both({3, 1, 2, 1}) == Approx(2 * 58 * 5.0).epsilon(0.01)); // the GPU never waits
    CHECK(both({1, 3, 1, 3}) == Approx(2 * 58 * 6.0).epsilon(0.01)); // the network never does
    CHECK(both({3, 0, 2, 0}) == Approx(2 * 58 * 5.0));               // nothing to hide, nothing gained
}
