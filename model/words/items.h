#pragma once

#include "model/base/dtype.h"
#include "model/words/lexicon.h"
#include "model/words/vocabulary.h"

#include <concepts>
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
    double written = 0;                // Number before the factor; unit: of it what a figure behind it says
    bool share = false;                // Number that is a share: "a third"
    DType type = DType::Bf16;
    double bits = 0;       // Type: only their number was said
    NameMatch match;       // Model, Gpu, Engine
    std::string text;      // normalised
    std::size_t begin = 0; // bytes of the question
    std::size_t end = 0;
    bool spaceBefore = false;
    bool identifier = false; // Unknown: letters and figures in one, as names are written
    std::string typed;       // a mistyped word, and what it was read as
    std::string meant;
    std::string note; // Word: what else its row says

    // A word of one of these.
    [[nodiscard]] bool is(std::same_as<Meaning> auto... of) const
    {
        return kind == ItemKind::Word && ((meaning == of) || ...);
    }
    [[nodiscard]] bool isNumber() const { return kind == ItemKind::Number; }
    [[nodiscard]] bool endsSentence() const { return is(Meaning::Comma) && text != "," && text != ":"; }
};

// A length: tokens written with k are powers of two, as context windows and serving benchmarks count them.
[[nodiscard]] double tokensOf(const Item& number);

// "70B": the size of a model whose family is not said.
[[nodiscard]] bool isSizeAlone(const Item& item);

// Longest phrase first: names of the catalogue, number types, then phrases of the lexicon. What nothing
// matches becomes Unknown, neighbouring unknowns as one.
[[nodiscard]] std::vector<Item> itemsOf(std::string_view question, const Vocabulary& vocabulary);

// "两", "二十五", "一百零五", "三千五百", "two hundred fifty thousand": a number in words.
struct Numeral {
    double value = 0;
    std::size_t atoms = 0;
};
[[nodiscard]] Numeral numeralAt(const Atoms& atoms, std::size_t first);

// Whether what stands there is counted in millions and billions: "1B of output", "3B a month".
[[nodiscard]] bool isCounted(const Atoms& atoms, std::size_t at);

} // namespace headroom::ask
