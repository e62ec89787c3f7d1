#pragma once

#include <random>
#include <string>
#include <vector>

namespace headroom::twin {

// The same cards once as one wide stage, once as two and once as four that are narrower: what they serve
// differs by what their exchanges differ, and by what passes of unequal length wait for one another.
struct Widths {
    std::string words;
    struct Layout {
        int tp = 1, pp = 1;
        double seconds = 0;   // of a request, as the program has it
        double exchanged = 0; // of these, counted by hand on the links
        double uneven = 0;    // and, by hand, waiting for a pass that is longer
    };
    std::vector<Layout> layouts{};

    // The most that two of them differ by besides, over the time of the slower.
    [[nodiscard]] double unexplained() const;
};
struct WidthsQuestion {
    const char* model = "llama-3.1-70b";
    const char* gpu = "h200-sxm-141gb";
    bool narrow = true; // weights in 8 bits
    int cards = 8;
    int users = 128;
    int prompt = 8000, output = 200;
    int budget = 1024; // tokens of a pass, all of which prompts fill
};
[[nodiscard]] Widths widthsOf(const WidthsQuestion& question);
// One of many: models x accelerators x lengths x users.
[[nodiscard]] WidthsQuestion anyWidths(std::mt19937_64& random);

} // namespace headroom::twin
