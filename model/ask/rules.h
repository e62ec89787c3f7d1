#pragma once

#include "model/ask/settle.h"
#include "model/words/tables.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headroom::ask {

struct At;
struct Known;

[[nodiscard]] constexpr unsigned kindBit(ItemKind kind) { return 1U << static_cast<unsigned>(kind); }

// A rule of the table: words beside each other, when it holds, and what it does.
struct Rule {
    // What one word of the pattern may be.
    struct Test {
        bool (*fits)(const At& at) = nullptr;
        Meaning word = Meaning::Filler;
        std::string_view text = {}; // as typed, or what the row of the word notes
        bool ends = false;          // the end of a clause
        bool labels = false;        // it asks for the rules of labels
        bool negated = false;
        unsigned kinds = ~0U; // of items that it may fit, a bit each
    };
    struct Piece {
        std::vector<std::vector<Test>> any; // one of which fits as a whole
        bool optional = false;
        bool many = false;     // any number of them
        bool context = false;  // it has to stand there, and is left for others to read
        bool negated = false;  // it must not stand there
        bool near = false;     // with nothing but "of" or a hyphen between
        bool beside = false;   // with nothing but fillers between
        bool touching = false; // with nothing between
        bool read = false;     // whether or not it was read
        char name = 0;         // of a number: how the effects call it
    };
    struct Effect : Setting {
        Piece words; // of "also"
    };
    // What has to be so of the question.
    struct Condition {
        bool negated = false;
        bool before = false; // of the quantity before the one that is tried
        bool (*holds)(const Known& k) = nullptr;
        std::string_view which = {}; // of which it is asked: a role, a name
        Meaning word = Meaning::Filler;
        Dimension dimension = Dimension::Plain;
        std::string_view stage = {}; // whose rules it tries
    };
    std::size_t line = 0;                     // of the table
    std::vector<std::vector<Condition>> when; // all of them, one of each
    std::vector<Piece> before;                // the nearest first
    Piece word;
    std::vector<Piece> behind;
    std::vector<Effect> effects;
    std::vector<Meaning> words; // the only ones that the word can be, if it can be nothing else
    unsigned kinds = 0;         // of items that it can be

    [[nodiscard]] bool isOf(const Item& item) const
    {
        if ((kinds & kindBit(item.kind)) == 0)
            return false;
        return words.empty()
            || (item.kind == ItemKind::Word
                && std::find(words.begin(), words.end(), item.meaning) != words.end());
    }
};

// The words that a pattern fits, and those of them that it takes.
struct Matched {
    std::vector<std::size_t> seen;
    std::vector<std::size_t> taken;
    std::map<char, std::size_t> numbers; // by the name that the pattern gives them
};

// Whether a piece fits an item, and a pattern all that stand to one side of it.
[[nodiscard]] bool fits(const Draft& draft, std::size_t i, const Rule::Piece& piece);
[[nodiscard]] bool walk(const Draft& draft, std::size_t from, const std::vector<Rule::Piece>& pieces,
                        bool forward, Matched& matched);

// Of a number that the pattern names, or of a figure: "n", "2".
[[nodiscard]] double numberCalled(std::string_view name, const Draft& draft, const Matched& matched);

// Around a quantity, with its number as the word: null, too, where the first that fits says `no`.
[[nodiscard]] const Rule* ruleAround(std::string_view stage, const Draft& draft, const Span& span,
                                     Place place, Matched& matched, const Settled& settled = {});
// Whether a rule fits around a quantity that stands behind another one.
[[nodiscard]] bool fitsBehind(const Rule& rule, const Draft& draft, const Span& before, const Span& span,
                              Matched& matched);
// Whether one of the stage fits around a place, and at any word of the question.
[[nodiscard]] bool says(std::string_view stage, const Draft& draft, Place place);
[[nodiscard]] bool could(std::string_view stage, const Draft& draft, const Settled& settled = {});

// Refuses an effect that nothing knows, that lacks a value, or that tells of a place when none is known yet.
void checkEffects(const Rule& rule);
// Refuses a condition that asks for a word or a role that there is not; notes the stage that it tries.
void checkCondition(std::string_view name, Rule::Condition& condition, const Lexicon& lexicon);
// Refuses one that lacks what the code that tries its stage wants to know.
void checkStage(std::string_view stage, const Rule& rule);
// How many values an effect needs; nothing where no such effect is done here.
[[nodiscard]] std::optional<std::size_t> valuesOf(std::string_view effect);
[[nodiscard]] Rule::Condition conditionOf(std::string_view text, const Lexicon& lexicon);
// Whether all that a rule asks of the question is so.
[[nodiscard]] bool holdsAll(const Rule& rule, const Draft& draft, const Settled& settled, std::size_t word,
                            const Span* span = nullptr, const Span* before = nullptr);
// "users*share/2", "ceil:…": of numbers that were said, that earlier rules named, or of the scenario.
// "it" is the number that is tried.
[[nodiscard]] double reckoned(std::string_view expression, const Draft& draft, const Settled& settled,
                              const Span* it = nullptr);
// The accelerators of the maker that a word names, as its note spells it.
[[nodiscard]] std::vector<std::string> gpusOf(const Draft& draft, std::size_t vendor);
// All of the maker that a word names, where no accelerator is named; `too`: beside those that are.
void addMaker(Draft& draft, std::size_t vendor, Place place, bool too);
// What a word names, an accelerator or a maker, is none of those that are named, or else of these makers.
void leaveOut(Draft& draft, std::size_t word, Place place, const std::vector<std::string_view>& makers);
// What is asked by a name of the table: "first-token"; and by a word.
[[nodiscard]] std::optional<QuestionKind> kindCalled(std::string_view name);
[[nodiscard]] std::optional<Asked> measureCalled(std::string_view name);
[[nodiscard]] std::optional<Asked> measureOf(const Item& word);

// What the rules of a stage say of one word: the first that fits; null where none does.
[[nodiscard]] const Rule* ruleAt(std::string_view stage, const Draft& draft, const Settled& settled,
                                 std::size_t word, Matched& matched);

using Rules = std::unordered_map<std::string_view, std::vector<Rule>>; // by the stage at which they are tried

// The ones the program was built with.
[[nodiscard]] const Rules& shippedRules();

// Refuses a rule that asks for a stage that there is not, or by others for its own.
void checkAsked(const Rules& rules, std::string_view stage, const Rule& rule,
                std::vector<std::string_view> asking);

// resources/ask/rules.tsv says how they are written.
[[nodiscard]] Rules rulesOf(std::string_view table, const Lexicon& lexicon);

// What a rule says of a word, and of those that its pattern took beside the place. False where it says to
// stop.
bool obey(const Rule& rule, Draft& draft, Settled& settled, std::size_t word, Place place,
          const Matched& matched);

// What the first rule of the stage that fits one word says is done; and of every word of the sentence in its
// order, or of rules without a word what all say that hold. True where one said to stop.
bool applyRule(std::string_view stage, Draft& draft, Settled& settled, std::size_t word);
bool applyRules(std::string_view stage, Draft& draft, Settled& settled);

} // namespace headroom::ask
