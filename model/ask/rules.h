#pragma once

#include "model/ask/draft.h"
#include "model/words/tables.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace headroom::ask {

struct Test;
using Tests = std::vector<std::vector<Test>>; // one of which fits as a whole
struct Match;
struct At;

// What a rule asks of one word, of a number, or of the question: "Gpu", "'text*'", "has:Job", "users>5".
struct Test {
    bool (*holds)(const At& at) = nullptr;
    std::string_view name;
    bool negated = false;
    bool before = false;        // of the quantity before the one that is tried
    std::string_view text = {}; // what stands behind its colon
    ItemKind kind = ItemKind::Unknown;
    Meaning word = Meaning::Filler;
    Dimension dimension = Dimension::Plain;
    std::string_view stage = {};                        // whose rules it tries
    Sorts sorts = Sorts().set();                        // of words for which it may hold
    std::string_view role = {};                         // of the quantity that it is asked of
    std::shared_ptr<const std::vector<Tests>> set = {}; // all of which hold
};

// Where something is asked: at a word, around a number, or of the question as a whole.
struct At {
    const Draft& draft;
    std::size_t word = none;
    const Span* tried = nullptr;        // the number
    const Span* before = nullptr;       // the one in front of it
    const Match* match = nullptr;       // of the rule whose words are named
    mutable const Test* test = nullptr; // that is tried
    const Assigned* quantity = nullptr; // with the role that the test names

    // Of a word or a number, where it is asked at one.
    [[nodiscard]] const Item& item() const
    {
        return word != none ? draft.at(word) : throw std::logic_error("asked of a word, where none is tried");
    }
    [[nodiscard]] bool isNoted() const // as the test says, if it says so
    {
        return test->text.empty() || item().note == test->text;
    }
    [[nodiscard]] const Span& number() const
    {
        return tried != nullptr ? *tried : throw std::logic_error("asked of a number, where none is tried");
    }
    // Of the quantity, or the number.
    [[nodiscard]] const Span& span() const { return quantity != nullptr ? quantity->span : number(); }
    [[nodiscard]] const Scenario& scenario() const { return draft.question.scenario; }
};

// What may be asked, what stands behind its colon ("word", "role", "stage", …), and whether it is so.
struct Fact {
    std::string_view name;
    std::string_view takes;
    bool (*holds)(const At& at);
};
[[nodiscard]] const Fact* factCalled(std::string_view name); // null where none is

// A rule of the table: words beside each other, when it holds, and what it does.
struct Rule {
    struct Piece {
        Tests any = {};
        bool optional = false;
        bool many = false;    // any number of them
        bool context = false; // it has to stand there, and is left for others to read
        bool negated = false; // it must not stand there
        bool ends = false;    // it is the end of a clause, too
        Sorts sorts = {};     // of words that may fit
        char gap = 0;  // ~ nothing but "of" or a hyphen between, ^ nothing but fillers, = nothing, @ nor read
        char name = 0; // of a number: how the effects call it

        [[nodiscard]] bool touches() const { return gap == '=' || gap == '@'; }
    };
    std::size_t line = 0;      // of the table
    std::vector<Tests> when;   // all of which hold
    std::vector<Piece> before; // the nearest first
    Piece word;
    std::vector<Piece> behind;
    std::vector<Setting> effects;

    // What it does first; empty where it does nothing.
    [[nodiscard]] std::string_view does() const
    {
        return effects.empty() ? std::string_view{} : effects.front().what;
    }
};

// A rule that fits, and the words that its pattern fits.
struct Match {
    const Rule* rule = nullptr; // none fits
    std::vector<std::size_t> seen;
    std::vector<std::size_t> taken;
    std::vector<std::pair<char, std::size_t>> named; // by the pattern

    explicit operator bool() const { return rule != nullptr; }
    [[nodiscard]] Place takenWith(Place place) const // from the first word of both to the last
    {
        for (const std::size_t i : taken)
            place = {std::min(place.first, i), std::max(place.last, i)};
        return place;
    }
    [[nodiscard]] std::size_t at(char name) const // `none` where the pattern names none so
    {
        const auto* const last
            = firstWith(named | std::views::reverse, name, [](const auto& one) { return one.first; });
        return last == nullptr ? none : last->second;
    }
};

// The rules of a stage, in the order in which they are tried.
struct Stage : std::vector<Rule> {
    Sorts sorts; // of words that any of them may fit
};
// Few stages are as long, and begin and end alike.
struct StageHash {
    std::size_t operator()(std::string_view stage) const
    {
        const int ends = stage.empty() ? 0 : stage.front() * 32 + stage.back();
        return stage.size() * 1024 + static_cast<std::size_t>(ends);
    }
};
using Rules = std::unordered_map<std::string_view, Stage, StageHash>;
using Sets = std::map<std::string_view, std::shared_ptr<const std::vector<Tests>>>; // "%People"

// resources/ask/rules.tsv says how they are written.
[[nodiscard]] Rules rulesOf(std::string_view table);
// "User|Request", "Unknown&identifier", "any&!%Way", "!has:KvCache"; and several of them, parted by spaces.
[[nodiscard]] Tests testsOf(std::string_view text, const Sets& sets = {});
[[nodiscard]] std::vector<Tests> allTestsOf(std::string_view text, const Sets& sets);
[[nodiscard]] Sorts sortsOf(const Tests& any);
[[nodiscard]] bool holds(const At& at, const Tests& any);
// How many values an effect needs; nothing where no such effect is done here.
[[nodiscard]] std::optional<std::size_t> valuesOf(std::string_view effect);

// The ones the program was built with.
[[nodiscard]] const Rules& shippedRules();

// What the rules of a stage say of a word, or around a place that begins with it: the first that fits; none,
// too, where that says `no`.
[[nodiscard]] Match ruleAt(std::string_view stage, const Draft& draft, Place place);
// The same around a quantity, or another place, with its number as the word.
[[nodiscard]] Match ruleAround(std::string_view stage, const Draft& draft, const Span& span,
                               std::optional<Place> place = {});
// Whether a rule fits around a quantity that stands behind another one.
[[nodiscard]] Match fitsBehind(const Rule& rule, const Draft& draft, const Span& before, const Span& span);
// Whether one of the stage fits there, and at any word of the question or of a part of it.
[[nodiscard]] inline bool says(std::string_view stage, const Draft& draft, Place place)
{
    return static_cast<bool>(ruleAt(stage, draft, place));
}
[[nodiscard]] bool saysIn(std::string_view stage, const Draft& draft, Place part);
[[nodiscard]] bool could(std::string_view stage, const Draft& draft);

// "users*share/2", "ceil:…": of numbers that were said, that the pattern or earlier rules named, or of the
// scenario. "it" is the number that is tried.
[[nodiscard]] double reckoned(std::string_view expression, const At& at);

// What the rule says of a word, and of those that its pattern took beside the place. False where it says to
// stop.
bool obey(const Match& match, Draft& draft, std::size_t word, Place place);

// What the first rule of the stage that fits says of every word of the sentence in its order, or of rules
// without a word what all say that hold. True where one said to stop.
bool applyRules(std::string_view stage, Draft& draft);
// What of each stage the first rule that fits around it says of each quantity; or, without what leads it,
// around its number.
void applyAround(const std::vector<std::string_view>& stages, Draft& draft, bool number);

} // namespace headroom::ask
