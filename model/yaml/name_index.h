#pragma once

#include "model/catalogue/name_match.h"
#include "model/result.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// What the alias index keeps of one file, so that a name can be looked up without opening it.
struct IndexRow {
    std::string id;
    std::string name;
    std::string released; // "2024-07" or "2024": decides which of several is the newest
    std::vector<std::string> aliases;

    friend bool operator==(const IndexRow&, const IndexRow&) = default;
};

// Tolerant lookup over the rows of one kind. Case, blanks, hyphens, an organisation before a slash and a
// vendor's name do not matter; "80 GB" is "80gb". A spelling that belongs to one row is that row; else every
// row that has all the words of the text in one of its names is meant, and the newest is taken.
class NameIndex {
public:
    explicit NameIndex(std::string kind) : m_kind(std::move(kind)) {}
    void add(IndexRow row);

    [[nodiscard]] const std::vector<std::string>& ids() const { return m_ids; }
    [[nodiscard]] Result<NameMatch> find(std::string_view text) const;

private:
    struct Entry {
        IndexRow row;
        std::vector<std::vector<std::string>> names; // words of the id, the name and each alias
    };
    [[nodiscard]] std::vector<const Entry*>
    withWords(const std::vector<std::string>& words) const; // newest first
    [[nodiscard]] NameMatch matched(const std::vector<const Entry*>& found, std::string_view text,
                                    const std::vector<std::string>& words, bool bySpelling) const;

    std::string m_kind; // "accelerator", "model", "engine", "node"
    std::vector<std::string> m_ids;
    std::vector<Entry> m_entries;
    std::multimap<std::string, std::size_t> m_spellings; // letters and digits of every name
};

} // namespace headroom
