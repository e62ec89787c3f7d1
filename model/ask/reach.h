#pragma once

#include "model/words/items.h"

#include <bitset>
#include <cstddef>
#include <string_view>

namespace headroom::ask {

// Words that a test may fit, told by what they are and how they begin: most rules are passed over without
// being tried. Every word that fits is among them, and some that do not.
struct Reach {
    // Meanings, those that only tables know too (some 200 in all), and behind them what is no word.
    static constexpr std::size_t meanings = 384;
    static constexpr std::size_t kindsOfItem = 8;
    static constexpr std::size_t beginnings = 64;

    std::bitset<meanings + kindsOfItem> kinds;
    std::bitset<beginnings> texts;

    // What a word is, and how it begins: by the bytes of one Chinese sign, or as many letters.
    struct Key {
        explicit Key(const Item& item)
            : kind(item.kind == ItemKind::Word ? static_cast<std::size_t>(item.meaning) : of(item.kind)),
              text(of(item.text)),
              anyText(item.is(Meaning::Comma)) // "、" is a comma
        {}
        std::size_t kind;
        std::size_t text;
        bool anyText;
    };
    [[nodiscard]] static std::size_t of(ItemKind kind) { return meanings + static_cast<std::size_t>(kind); }
    [[nodiscard]] static std::size_t of(std::string_view text)
    {
        std::size_t key = 0;
        for (const char c : text.substr(0, 3))
            key = key * 7 + static_cast<unsigned char>(c);
        return key % beginnings;
    }
    [[nodiscard]] static Reach all();
    void add(const Reach& other)
    {
        kinds |= other.kinds;
        texts |= other.texts;
    }
    [[nodiscard]] bool has(const Key& key) const
    {
        return kinds[key.kind] && (texts[key.text] || key.anyText);
    }
};

} // namespace headroom::ask
