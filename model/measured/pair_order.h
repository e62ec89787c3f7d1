#pragma once

#include <cstddef>
#include <vector>

namespace headroom {

struct JudgedRow;

// Of pairs of published runs of the same work whose figures differ by more than a fifth, how many are
// predicted in the same order.
struct PairOrder {
    std::size_t pairs = 0;
    std::size_t right = 0;

    [[nodiscard]] double share() const
    {
        return pairs > 0 ? static_cast<double>(right) / static_cast<double>(pairs) : 0;
    }
};

// One set-up measured twice is no choice between two: any answer is alike for both. How far such figures are
// apart is what no prediction can tell, whatever it knows.
struct RepeatSpread {
    std::size_t pairs = 0;
    std::size_t byOnePublisher = 0; // the others are of two
    std::size_t overFifth = 0;      // apart by more than a fifth
    double median = 1;              // the larger over the smaller
    double p90 = 1;
};

struct OrderSummary {
    PairOrder within; // one vendor
    PairOrder across; // accelerators of two
    RepeatSpread repeats;
};
[[nodiscard]] OrderSummary orderOf(const std::vector<JudgedRow>& rows);

// Whether nothing that the rows state tells their set-ups apart: they are read as one run, and their engine's
// version is the same, or stated by one of them at most (a date is none).
[[nodiscard]] bool sameSetUp(const JudgedRow& a, const JudgedRow& b);

} // namespace headroom
