#pragma once

#include "model/words/text.h"
#include "model/words/vocabulary.h"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

// What the table says of names beside the catalogue: families, other spellings.
class Names {
public:
    explicit Names(std::string_view table);
    [[nodiscard]] static const Names& shipped();

    // "通义千问3" as "qwen3": how the catalogue spells what the text begins with.
    [[nodiscard]] std::string respelled(std::string text) const;
    // Whether a respelling has the character: "通".
    [[nodiscard]] bool isRespelt(std::string_view character) const;
    // The words of a kind, as the table says what the kinds are, each with what its row says behind it; those
    // of "Spelled" are those of families, variants and engines, too: what a mistyped word of a name may be.
    using Words = std::map<std::string_view, std::string_view>;
    [[nodiscard]] const Words& words(std::string_view kind) const { return m_kinds.at(kind).words; }
    [[nodiscard]] bool is(std::string_view kind, std::string_view word) const
    {
        return words(kind).contains(word);
    }
    // Of several models that a family or a size alone can mean ("llama", "70b") the usual one, the others
    // told.
    [[nodiscard]] NameMatch usual(NameMatch match, std::string name) const;
    // A machine that is called otherwise than its accelerators: "dgx-2" is a box of 16 V100.
    struct Machine {
        std::string_view gpu; // as the catalogue spells it; empty where none begins there
        double cards = 0;
        std::size_t atoms = 0;
    };
    [[nodiscard]] Machine machine(std::string_view whole, const Atoms& atoms, std::size_t at) const;
    // How many atoms from this one on are an accelerator that the catalogue lacks and that looks like
    // something else (AbsentCard: "P40" is no percentile, "M2 Max" no MiniMax M2), or figures that count
    // nothing (Figures: "#48213", "0.10.1", "2026-11-26"), or a family's name (Family: "百川");
    // none where that ends within one.
    [[nodiscard]] std::size_t shape(std::string_view kind, std::string_view whole, const Atoms& atoms,
                                    std::size_t at) const;

private:
    // The same, with what its row says behind it.
    struct Shape {
        std::size_t atoms = 0;
        std::string_view says;
    };
    [[nodiscard]] Shape shapeOf(std::string_view kind, std::string_view whole, const Atoms& atoms,
                                std::size_t at) const;
    struct Kind {
        Words words;
        std::array<std::vector<Words::value_type>, 256> beginning = {}; // by the first byte of a text
    };
    std::map<std::string_view, Kind> m_kinds;
};

// What a mistyped word was meant to be; empty where nothing is near, or several are as near: a word of names
// (two letters may be wrong), or one of phrases where it `ends`. Asked is whether what is there makes a name
// or a phrase with the word in its place; one that stands `alone` needs no more.
using Fits = std::function<bool(std::string_view word, bool ofNames, bool alone)>;
[[nodiscard]] std::string_view meantBy(std::string_view typed, bool ends, const Fits& fits);

} // namespace headroom::ask
