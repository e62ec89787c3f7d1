#pragma once

#include "model/words/vocabulary.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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
    // Words that stand in names, as they are spelt.
    [[nodiscard]] const std::vector<std::string_view>& spelled() const { return m_spelled; }
    // Whether a row of this kind has the word: the table says what the kinds are.
    [[nodiscard]] bool is(std::string_view kind, std::string_view word) const
    {
        return m_words.contains({kind, word});
    }
    // Of several models that a family or a size alone can mean ("llama", "70b") the usual one, the others
    // told.
    [[nodiscard]] NameMatch usual(NameMatch match, std::string name) const;
    // How many bytes from the beginning are an accelerator that the catalogue lacks and that looks like
    // something else (AbsentCard: "P40" is no percentile, "M2 Max" no MiniMax M2), or figures that count
    // nothing (Figures: "#48213", "0.10.1", "2026-11-26"), or a family's name (Family: "百川").
    [[nodiscard]] std::size_t shape(std::string_view kind, std::string_view text) const;

private:
    struct Row {
        std::string_view word;
        std::string_view field; // the second
    };
    [[nodiscard]] const std::vector<Row>& rows(std::string_view kind) const
    {
        const auto found = m_rows.find(kind);
        return found == m_rows.end() ? m_none : found->second;
    }

    std::vector<Row> m_none;
    std::map<std::string_view, std::vector<Row>> m_rows; // by kind
    std::set<std::pair<std::string_view, std::string_view>> m_words;
    std::vector<std::string_view> m_spelled;
};

} // namespace headroom::ask
