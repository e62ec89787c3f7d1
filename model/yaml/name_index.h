#pragma once

#include "model/base/result.h"
#include "model/catalogue/name_match.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// What the alias index keeps of one file, so that a name can be looked up without opening it.
struct IndexRow {
    std::string id;
    std::string name;
    std::string released; // "2024-07" or "2024": decides which of several is the newest
    std::string maker; // of an accelerator that is a card, so that a vendor's are found without opening them
    std::vector<std::string> aliases;

    friend bool operator==(const IndexRow&, const IndexRow&) = default;
};

// Tolerant lookup over the rows of one kind. Case, blanks, hyphens, an organisation before a slash and a
// vendor's name do not matter; "80 GB" is "80gb". A row whose id, name or alias is spelled so is meant, in
// this order; else every row that has all the words of the text in one of its names, and of several the
// newest is taken. Reading is safe from several threads.
class NameIndex {
public:
    explicit NameIndex(std::string kind);
    NameIndex(NameIndex&&) noexcept;
    NameIndex& operator=(NameIndex&&) noexcept;
    ~NameIndex();
    void add(IndexRow row); // before the first look-up

    [[nodiscard]] const std::vector<std::string>& ids() const { return m_ids; }
    [[nodiscard]] Result<NameMatch> find(std::string_view text) const;
    // The same without the search for what was meant instead: cheap enough to try every phrase of a sentence.
    [[nodiscard]] std::optional<NameMatch> match(std::string_view text) const;
    // What is sold under this id; the id where none is.
    [[nodiscard]] std::string nameOf(std::string_view id) const;
    // The cards that a vendor makes, the newest first.
    [[nodiscard]] std::vector<std::string> madeBy(std::string_view maker) const;
    // Whether a run of letters or figures stands in any name: what does not names nothing.
    [[nodiscard]] bool hasPiece(std::string_view piece) const;

private:
    struct Words;
    [[nodiscard]] const Words& words() const;
    [[nodiscard]] std::optional<std::size_t> published(std::string_view text) const;

    std::string m_kind; // "accelerator", "model", "engine", "machine"
    std::vector<std::string> m_ids;
    std::vector<IndexRow> m_rows;
    std::unique_ptr<Words> m_words; // made at the first name that is no id
};

} // namespace headroom
