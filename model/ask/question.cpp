#include "model/ask/question.h"

#include "model/ask/settle.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace headroom::ask {

namespace {

Language languageOf(std::string_view text)
{
    return scriptsOf(text).chinese ? Language::Chinese : Language::English;
}

// Where the sentence names no model, or asks "what about" one, it is of the scenario at hand: what it does
// not say stays as it was, "double it" and "half the users" change the load, and an accelerator that is named
// takes the place of those there were.
void beginFrom(Draft& draft, const Scenario& atHand)
{
    // A model is named: a question of its own, unless it says "what about", "same with", or nothing but that:
    // "and Qwen3 32B?"
    if (could("model-there", draft) && !could("follow-again", draft) && could("follow-more", draft))
        return;
    draft.question.scenario = atHand;
    draft.question.changesAtHand = true;
    applyRules("at-hand", draft);
    applyRules("again", draft);
}

// Two roles that explain the sentence about as well are asked about, both as ready questions.
void askWhich(Draft& draft)
{
    for (const Assigned& quantity : draft.quantities)
        if (quantity.role != nullptr && quantity.nearly != nullptr && !quantity.role->say.english.empty()
            && !quantity.nearly->say.english.empty())
            askBetween(draft, quantity.span, *quantity.role, *quantity.nearly);
}

void sortByPlace(Question& question)
{
    const auto before = [](const auto& a, const auto& b) { return a.position < b.position; };
    std::ranges::stable_sort(question.interpretation, before);
    std::ranges::stable_sort(question.unused, before);
}

// What of a range is planned for is its harder end: the easier one stands beside it.
void addEasier(Draft& draft)
{
    Scenario& s = draft.question.scenario;
    for (const auto& [key, value] : draft.easier) {
        const std::string harder = scenarioValue(s, key);
        const Result<double> planned = numberFromText(harder);
        const std::string easier = numberText(value);
        if (planned && value != *planned)
            (void)findScenarioKey(key)->set(s,
                                            value < *planned ? easier + '-' + harder : harder + '-' + easier);
    }
}

// What each part of the sentence makes of the scenario, and what is told of the rest.
void settleAll(Draft& draft)
{
    settleApart(draft);
    applyAround("crowd-there", draft);
    applyAround("crowd", draft);
    askWhich(draft);
    applyAround("ranges", draft);
    settleMachines(draft);
    const auto apply = [&](std::initializer_list<std::string_view> stages) {
        for (const std::string_view stage : stages)
            applyRules(stage, draft);
    };
    apply({"vendors", "means", "targets", "load", "rate", "beside-rate", "prefix", "ratio", "window-of-both",
           "objective", "night"});
    applyAround("prices-there", draft);
    applyAround("several-prices", draft);
    apply({"job", "keys"});
    settleKeys(draft);
    apply({"choices", "money", "offers", "allowed", "types", "types", "bits"});
    if (!applyRules("cache", draft) && !applyRules("context", draft))
        applyRules("memory", draft);
    apply({"how-many", "asks"});
    if (!applyRules("measure", draft))
        applyRules("machine", draft);
    apply({"kind", "uses", "usual-lengths", "throughput"});
    settleLeftovers(draft);
    apply({"assumed"});
}

Result<Question> readOnce(std::string_view text, const Vocabulary& vocabulary, std::optional<Language> speak,
                          const Scenario* atHand)
{
    constexpr std::size_t longest = 4000; // bytes; nobody types more, and a pasted document is no question
    const bool whole = text.size() <= longest;
    text = text.substr(0, longest);
    Draft draft(text, itemsOf(whole ? text : std::string_view{}, vocabulary), vocabulary,
                speak.value_or(languageOf(text)));
    draft.known.emplace("whole-text", whole ? 1 : 0);
    readNames(draft);
    readAsOne(draft);
    putAside(draft);
    if (applyRules("none", draft) || applyRules("outside", draft))
        return refuse(std::move(draft.problems));
    if (atHand != nullptr)
        beginFrom(draft, *atHand);
    draft.quantities = assigned(draft);
    applyRules("names", draft);
    for (Assigned& quantity : draft.quantities) // what a rule read is nothing else
        if (draft.isRead(quantity.span.number))
            quantity.role = nullptr;
    settleAll(draft);
    if (!draft.problems.empty())
        return refuse(std::move(draft.problems));
    sortByPlace(draft.question);
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
