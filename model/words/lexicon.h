#pragma once

#include "model/words/meaning.h"
#include "model/words/text.h"

#include <concepts>
#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom::ask {

struct Word {
    Meaning meaning = Meaning::Filler;
    std::string phrase; // as listed: what a refusal offers
    double value = 0;
    std::string note; // what else the row says
};

// Whether it is more than a filler, a sign or a part of a number.
[[nodiscard]] bool carriesMeaning(const Word& word);

// The phrases of both languages, one row of the table for each meaning and value.
class Lexicon {
public:
    Lexicon(std::string_view name, std::string_view table);
    // The one the program was built with.
    [[nodiscard]] static const Lexicon& shipped();
    [[nodiscard]] static const Lexicon& asides(); // the phrases of asides.tsv

    struct Match {
        const Word* word = nullptr;
        const Word* otherwise = nullptr; // the same phrase as something else: "min" is a unit and a bound
        std::size_t atoms = 0;

        explicit operator bool() const { return word != nullptr; }
        [[nodiscard]] bool is(std::same_as<Meaning> auto... of) const
        {
            return word != nullptr && ((word->meaning == of) || ...);
        }
    };
    // The longest phrase that begins at `first`, none behind the last atom; latin words match whole, CJK
    // anywhere.
    [[nodiscard]] Match longest(const Atoms& atoms, std::size_t first) const
    {
        return follow(m_steps.front(), atoms, first, first);
    }
    // The words that phrases have, each with the phrase that has no other.
    using Spelled = std::map<std::string, const Word*, std::less<>>;
    [[nodiscard]] const Spelled& spelled() const { return m_spelled; }
    // Phrases that carry meaning and look most like `text`, best first; empty when nothing is near.
    [[nodiscard]] std::vector<std::string> nearest(std::string_view text) const;
    // The meaning that tables call so; `Filler` when none does.
    [[nodiscard]] Meaning meaningOf(std::string_view name) const;
    // The same, of a name that has to be there.
    [[nodiscard]] Meaning demanded(std::string_view name) const;
    [[nodiscard]] const std::deque<Word>& words() const { return m_words; }

private:
    // Where a phrase stands after some of its atoms: which may come next, and what it means where it ends
    // there.
    struct Step {
        std::unordered_map<std::string, std::size_t> next;
        Match end;
    };
    [[nodiscard]] Match follow(const Step& step, const Atoms& atoms, std::size_t first, std::size_t at) const;

    std::deque<Word> m_words;
    std::vector<std::string> m_meaningful;             // phrases a refusal may offer
    std::map<std::string, Meaning, std::less<>> m_own; // meanings that only the table knows
    std::vector<Step> m_steps{1};                      // the first is that of no atom
    Spelled m_spelled;
};

} // namespace headroom::ask
