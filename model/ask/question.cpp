#include "model/ask/question.h"

#include "model/ask/settle.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <utility>

namespace headroom::ask {

namespace {

Language languageOf(std::string_view text)
{
    return scriptsOf(text).chinese ? Language::Chinese : Language::English;
}

// Words of other languages, or signs of theirs: two of them are no accident.
bool isForeign(const Draft& draft)
{
    std::size_t words = 0;
    for (std::size_t i = 0; i < draft.size(); ++i)
        words += draft.at(i).is(Meaning::Foreign) ? 1U : 0U;
    return words >= 2 || scriptsOf(draft.question.text).foreign >= 2;
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

constexpr std::size_t longest = 4000; // bytes; nobody types more, and a pasted document is no question

// Whether it is no question that is read at all, and why.
bool isNone(Draft& draft)
{
    const auto says = [&](std::size_t i) { return !draft.at(i).is(Meaning::Filler, Meaning::Comma); };
    const bool blank = draft.question.text.find_first_not_of(" \t\r\n") == std::string::npos;
    if (draft.question.text.size() > longest)
        draft.lacks(draft.tell("is too long: at most {} bytes are read", longest),
                    draft.tell("say it in a few sentences"));
    else if (!draft.any({0, draft.size()}, says))
        draft.lacks(draft.tell(blank ? "is empty" : "names no model and asks for nothing"),
                    draft.tell("e.g. 'how many A100s for Llama-70B at 20 TPS'"));
    else if (isForeign(draft))
        draft.lacks(draft.tell("questions are read in English and in Chinese"),
                    draft.tell("e.g. 'how many H100 for Llama 70B with 100 users at 20 tokens/s'"));
    else
        return applyRules("outside", draft);
    return true;
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
    refuseSeveralPrices(draft);
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
    const Language language = speak.value_or(languageOf(text.substr(0, longest)));
    const std::string_view whole = text.size() > longest ? std::string_view{} : text;
    Draft draft(text.substr(0, longest + 1), itemsOf(whole, vocabulary), vocabulary, language);
    readNames(draft);
    readAsOne(draft);
    putAside(draft);
    if (isNone(draft))
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
