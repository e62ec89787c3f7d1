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
    double written = 0;                // Number before the factor
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

// Longest phrase first: names of the catalogue, number types, then phrases of the lexicon. What nothing
// matches becomes Unknown, neighbouring unknowns as one.
[[nodiscard]] std::vector<Item> itemsOf(std::string_view question, const Vocabulary& vocabulary);

// "70B": the size of a model whose family is not said.
[[nodiscard]] bool isSizeAlone(const Item& item);

// "70B 的 Llama", "Llama, the 70B version", "Llama on H100, 70B": a size and a family are one name, in
// whatever order they stand.
void joinSizeAndFamily(std::vector<Item>& items, const Vocabulary& vocabulary);

// "80GB A100", "80G 的 A100": which of those that share the name.
void joinMemoryAndGpu(std::vector<Item>& items, const Vocabulary& vocabulary);

// "H100 SXM vs PCIe": the other form of the one that was named; "A100 80": its memory.
void readForms(std::vector<Item>& items, const Vocabulary& vocabulary);

// "两", "二十五", "一百零五", "三千五百", "two hundred fifty thousand": a number in words.
struct Numeral {
    double value = 0;
    std::size_t atoms = 0;
};
[[nodiscard]] Numeral numeralAt(const std::vector<Atom>& atoms, std::size_t first);

// "1B tokens", and not the size of a model.
[[nodiscard]] bool countsBillions(const std::vector<Atom>& atoms, std::size_t at);

// "h1000" is no time, though "h" is an hour: a unit stands behind its number, never before one.
[[nodiscard]] bool unitOfNothing(const std::vector<Atom>& atoms, std::size_t at, const Lexicon::Match& word);

// "-5" that begins a word; the hyphen of "8-GPU" and of a range is none.
[[nodiscard]] bool isNegative(const std::vector<Atom>& atoms, std::size_t at);

// "1) Qwen3-32B 2) 50 users", "(a) … (b) …", "1、模型…2、并发…": whether it is the number of a list.
[[nodiscard]] bool isListed(const std::vector<Atom>& atoms, std::size_t at, int number);

// "Mistral Large 2 H100s", "2x H100": the figure that a name ends with counts what stands behind it.
[[nodiscard]] bool endsInCount(const Item& item, const std::vector<Atom>& atoms, std::size_t last,
                               const Vocabulary& vocabulary);

// "2块5一小时", "两块五美金": 2.5 of them; "2块5090" and "两块五卡" are cards.
void readSpokenMoney(std::vector<Atom>& atoms);

// How many atoms from `first` are letters and figures written in one, as names are: "MI450", "gpt-5", "3n";
// one where they are not, or are a number and what it counts.
[[nodiscard]] std::size_t identifierAtoms(const std::vector<Atom>& atoms, std::size_t first,
                                          const Vocabulary& vocabulary);

} // namespace headroom::ask
