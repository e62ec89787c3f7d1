#include "model/ask/question.h"

#include "model/ask/settle.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

#include <algorithm>
#include <utility>

namespace headroom::ask {

namespace {

// What of a range is planned for is its harder end: the easier one stands beside it.
void addEasier(Draft& draft)
{
    Scenario& s = draft.question.scenario;
    for (const auto& [key, easier] : draft.easier)
        if (const Result<double> harder = numberFromText(scenarioValue(s, key));
            harder && easier != *harder) {
            const auto [from, to] = std::minmax(easier, *harder);
            (void)findScenarioKey(key)->set(s, numberText(from) + '-' + numberText(to));
        }
}

// Of a question in both scripts the one of most of its words: "50 万美元" in an English one is an amount, and
// names and units are spelled alike in both.
Language languageOf(const Draft& draft)
{
    std::size_t english = 0;
    std::size_t chinese = 0;
    for (std::size_t i = 0; i < draft.size(); ++i) {
        english += says("english-word", draft, i) ? 1U : 0U;
        chinese += says("chinese-word", draft, i) ? 1U : 0U;
    }
    return english > chinese ? Language::English : Language::Chinese;
}

Result<Question> readOnce(std::string_view text, const Vocabulary& vocabulary, std::optional<Language> speak,
                          const Scenario* atHand)
{
    constexpr std::size_t longest = 4000; // bytes; nobody types more, and a pasted document is no question
    const bool whole = text.size() <= longest;
    text = text.substr(0, longest);
    const Scripts scripts = scriptsOf(text);
    Draft draft(text, itemsOf(whole ? text : std::string_view{}, vocabulary), vocabulary,
                speak.value_or(scripts.chinese ? Language::Chinese : Language::English));
    draft.known = {{"whole-text", whole ? 1 : 0},
                   {"foreign-signs", static_cast<double>(scripts.foreign)},
                   {"lists-models", vocabulary.listsModels ? 1 : 0},
                   {"drafting", vocabulary.draftingStated ? 1 : 0}};
    if (scripts.chinese && !speak)
        draft.question.language = languageOf(draft);
    readNames(draft);
    readAsOne(draft);
    putAside(draft);
    if (applyRules("none", draft) || applyRules("outside", draft))
        return refuse(std::move(draft.problems));
    if (atHand != nullptr && applyRules("follows", draft)) {
        draft.question.scenario = *atHand;
        draft.question.changesAtHand = true;
        applyRules("at-hand", draft);
    }
    applyRules("layouts", draft);
    draft.quantities = assigned(draft);
    applyRules("names", draft);
    for (Assigned& quantity : draft.quantities) // what a rule read is nothing else
        if (draft.isRead(quantity.span.number))
            quantity.role = nullptr;
    settleApart(draft);
    applyRules("reading", draft);
    if (!draft.problems.empty())
        return refuse(std::move(draft.problems));
    std::ranges::stable_sort(draft.question.interpretation, {}, &Interpretation::position);
    std::ranges::stable_sort(draft.question.unused, {}, &Unused::position);
    addEasier(draft);
    return std::move(draft.question);
}

} // namespace

Result<Question> read(std::string_view text, const Vocabulary& vocabulary, std::optional<Language> speak,
                      const Scenario* atHand)
{
    // What runs on a machine is asked of any model, and not of the one at hand.
    if (atHand != nullptr && vocabulary.listsModels) {
        Result<Question> alone = readOnce(text, vocabulary, speak, nullptr);
        if (alone && alone->kind == QuestionKind::Models)
            return alone;
    }
    return readOnce(text, vocabulary, speak, atHand);
}

} // namespace headroom::ask
