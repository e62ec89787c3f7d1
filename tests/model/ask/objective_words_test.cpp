#include "model/scenario/objective.h"
#include "model/words/lexicon.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace headroom::tests {

namespace {

bool saysGoal(const ask::Word& word) { return word.meaning == ask::Meaning::Goal; }

} // namespace

TEST_CASE("Every row of goals names an objective")
{
    for (const ask::Word& word : ask::Lexicon::shipped().words()) {
        CAPTURE(word.phrase);
        if (saysGoal(word))
            CHECK(objectiveFromKey(word.note));
    }
}

TEST_CASE("Every objective can be said in words")
{
    const auto& words = ask::Lexicon::shipped().words();
    for (const Objective objective : allObjectives) {
        const std::string key(objectiveKey(objective));
        CAPTURE(key);
        // Two have a meaning of their own, for their words carry a number as well.
        const ask::Meaning ofItsOwn = ask::Lexicon::shipped().meaningOf(
            objective == Objective::MostUsers ? "MostUsers" : "CheapestTokens");
        const bool own = objective == Objective::MostUsers || objective == Objective::CheapestTokens;
        CHECK(std::any_of(words.begin(), words.end(), [&](const ask::Word& word) {
            return own ? word.meaning == ofItsOwn : saysGoal(word) && word.note == key;
        }));
    }
}

} // namespace headroom::tests
