#pragma once

#include "model/ask/lexicon.h"
#include "model/ask/vocabulary.h"
#include "model/dtype.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

enum class ItemKind : std::uint8_t { Word, Number, Model, Gpu, Engine, Type, Unknown };

// A phrase of the question with what it is by itself; the grammar relates items to each other.
struct Item {
    ItemKind kind = ItemKind::Unknown;
    Meaning meaning = Meaning::Filler; // Word
    double value = 0;                  // Number with its factor put in; Word: the unit's factor
    bool kilo = false;                 // Number written with k or m: 1,024-based when it counts tokens
    double written = 0;                // Number before the factor
    DType type = DType::Bf16;
    NameMatch match;       // Model, Gpu, Engine
    std::string text;      // normalised
    std::size_t begin = 0; // bytes of the question
    std::size_t end = 0;
    bool spaceBefore = false;

    [[nodiscard]] bool is(Meaning m) const { return kind == ItemKind::Word && meaning == m; }
};

// Longest phrase first: names of the catalogue, number types, then phrases of the lexicon. What nothing
// matches becomes Unknown, neighbouring unknowns as one.
[[nodiscard]] std::vector<Item> itemsOf(std::string_view question, const Lexicon& lexicon,
                                        const Vocabulary& vocabulary);

} // namespace headroom::ask
