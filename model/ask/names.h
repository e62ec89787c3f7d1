#pragma once

#include "model/ask/vocabulary.h"

#include <optional>
#include <set>
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
    // Words that stand in names, as they are spelt; and words of the language that are none of the reader's,
    // however near they are.
    [[nodiscard]] const std::vector<std::string_view>& spelled() const { return m_spelled; }
    [[nodiscard]] bool isOther(std::string_view word) const { return m_others.contains(word); }
    // Whether models or accelerators are called so: what stands behind it is a part of a name.
    [[nodiscard]] bool isFamily(std::string_view word) const;
    // The member that people mean by a family or a size alone ("llama", "70b"); empty when the table names
    // none.
    [[nodiscard]] std::string_view usualOf(std::string_view name) const;
    // Of several models that a name can mean the usual one, the others told.
    [[nodiscard]] NameMatch usual(NameMatch match, std::string_view text) const;
    // Whether makers put it behind a name for another member of the family: "large", "coder", "ultra".
    [[nodiscard]] bool isVariant(std::string_view word) const;
    // How many bytes from the beginning are an accelerator that the catalogue lacks and that looks like
    // something else: "P40" is no percentile, "M2 Max" no MiniMax M2.
    [[nodiscard]] std::size_t absentCard(std::string_view text) const;
    // How many bytes from the beginning are figures that count nothing: "#48213", "0.10.1", "2026-11-26".
    [[nodiscard]] std::size_t figures(std::string_view text) const;

private:
    struct Respelling {
        std::string_view written;
        std::string_view latin;
    };
    std::vector<Respelling> m_respellings;
    std::vector<Respelling> m_usual;
    std::vector<std::string_view> m_families;
    std::vector<std::string_view> m_spelled;
    std::set<std::string_view> m_others;
    std::vector<std::string_view> m_variants;
    std::vector<std::string_view> m_absentCards;
    std::vector<Respelling> m_figures; // a shape, and what it does not stand before
};

} // namespace headroom::ask
