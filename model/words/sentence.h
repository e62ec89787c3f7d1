#pragma once

#include "model/words/items.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::ask {

// The atoms of a question, mistyped words put right, and what begins at each: found once, however often it is
// asked for. The vocabulary must outlive it.
class Sentence {
public:
    Sentence(std::string_view question, const Vocabulary& vocabulary);

    [[nodiscard]] const std::vector<Atom>& atoms() const { return m_atoms; }
    [[nodiscard]] const Lexicon::Match& phrase(std::size_t at) const;
    // The name or number type that is longer than so many atoms, and how many it has.
    [[nodiscard]] std::pair<Item, std::size_t> named(std::size_t at, std::size_t longerThan) const;
    // Whether it is an accelerator's name: "8h100".
    [[nodiscard]] bool isGpu(std::size_t at) const;

private:
    void correct(std::size_t at);
    void spell(std::size_t at, std::string_view word);
    [[nodiscard]] bool standsInPhrase(std::size_t at) const;
    [[nodiscard]] bool standsInName(std::size_t at, std::size_t least) const;
    [[nodiscard]] std::vector<NameKinds> namesFrom(std::size_t at) const;
    [[nodiscard]] NameKinds namesWith(std::size_t at) const;
    [[nodiscard]] std::optional<Item> called(const std::string& text, NameKinds kinds, bool plural) const;
    [[nodiscard]] std::size_t typeEnd(std::size_t at) const;
    [[nodiscard]] bool endsInCount(const Item& item, std::size_t last) const;

    struct Known {
        std::optional<Lexicon::Match> phrase; // that begins there
        std::optional<NameKinds> names;       // that have it
    };
    const Vocabulary& m_vocabulary;
    std::vector<Atom> m_atoms;
    mutable std::vector<Known> m_known; // of each atom
};

} // namespace headroom::ask
