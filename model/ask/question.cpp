#include "model/ask/question.h"

#include "model/ask/draft.h"
#include "model/ask/rules.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/words/asides.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <utility>

namespace headroom::ask {

namespace {

// Words of other languages: two of them are no accident.
bool isForeign(const Draft& draft)
{
    std::size_t words = 0;
    for (std::size_t i = 0; i < draft.size(); ++i)
        words += draft.at(i).is(Meaning::Foreign) ? 1U : 0U;
    return words >= 2 || foreignIn(draft.question.text) >= 2;
}

Problem nothing(const Draft& draft)
{
    const bool blank = draft.question.text.find_first_not_of(" \t\r\n") == std::string::npos;
    return {draft.tell("the question"),
            std::string(blank ? draft.say("is empty") : draft.say("names no model and asks for nothing")),
            draft.tell("e.g. 'how many A100s for Llama-70B at 20 TPS'")};
}

// Two roles that explain the sentence about as well are asked about, both as ready questions.
void askWhich(Draft& draft, const Settled& settled)
{
    for (const Assigned& quantity : settled.quantities) {
        if (quantity.role == nullptr || quantity.nearly == nullptr || quantity.role->say.english.empty()
            || quantity.nearly->say.english.empty())
            continue;
        askBetween(draft, quantity.span, *quantity.role, *quantity.nearly);
    }
}

// Of a range the plan is made for the upper end; lengths alone are drawn from all of it.
void tellRanges(Draft& draft, const Settled& settled)
{
    for (const Assigned& quantity : settled.quantities)
        if (quantity.span.from && quantity.role != nullptr && !quantity.is("prompt") && !quantity.is("output")
            && !quantity.is("gpus") && !quantity.is("boxes"))
            draft.assume(draft.tell("{}: of {} to {} the most", draft.say(quantity.role->name),
                                    countText(*quantity.span.from), countText(quantity.span.value)));
}

void sortByPlace(Question& question)
{
    const auto before = [](const auto& a, const auto& b) { return a.position < b.position; };
    std::stable_sort(question.interpretation.begin(), question.interpretation.end(), before);
    std::stable_sort(question.unused.begin(), question.unused.end(), before);
}

// What of a range is planned for is its harder end: the easier one stands beside it. Of a range at hand whose
// harder end was changed the other says nothing any more.
void addEasier(Question& question, const Settled& settled, const Scenario* atHand)
{
    Scenario& s = question.scenario;
    const auto drop = [](auto& easier, bool changed) {
        if (changed)
            easier.reset();
    };
    if (atHand != nullptr) {
        drop(s.easier.concurrency, s.concurrency != atHand->concurrency);
        drop(s.easier.requestsPerSecond, s.requestsPerSecond != atHand->requestsPerSecond);
        drop(s.easier.tokensPerSecond, s.targets.tokensPerSecond != atHand->targets.tokensPerSecond);
        drop(s.easier.ttft, s.targets.ttft != atHand->targets.ttft);
        drop(s.easier.tpot, s.targets.tpot != atHand->targets.tpot);
        drop(s.easier.latency, s.targets.latency != atHand->targets.latency);
    }
    for (const auto& [key, value] : settled.easier) {
        const std::string harder = scenarioValue(question.scenario, key);
        const Result<double> planned = numberFromText(harder);
        if (planned && value != *planned) {
            const std::string easier = numberText(value);
            (void)findScenarioKey(key)->set(question.scenario,
                                            value < *planned ? easier + '-' + harder : harder + '-' + easier);
        }
    }
}

constexpr std::size_t longest = 4000; // bytes; nobody types more, and a pasted document is no question

// What each part of the sentence makes of the scenario, and what is told of the rest.
void settleAll(Draft& draft, Settled& settled)
{
    settleApart(draft, settled);
    settlePeople(draft, settled);
    askWhich(draft, settled);
    tellRanges(draft, settled);
    settleMachines(draft, settled);
    const auto apply = [&](std::initializer_list<std::string_view> stages) {
        for (const std::string_view stage : stages)
            applyRules(stage, draft, settled);
    };
    apply({"vendors", "means", "targets", "load", "rate", "beside-rate", "prefix", "ratio", "window-of-both",
           "objective", "night"});
    refuseSeveralPrices(draft, settled);
    apply({"job", "keys"});
    settleKeys(draft, settled);
    apply({"choices", "money", "offers"});
    settleTypes(draft, settled);
    if (!applyRules("cache", draft, settled) && !applyRules("context", draft, settled))
        applyRules("memory", draft, settled);
    apply({"how-many", "asks"});
    if (!applyRules("measure", draft, settled))
        applyRules("machine", draft, settled);
    apply({"kind", "uses", "usual-lengths", "throughput"});
    settleLeftovers(draft, settled);
    apply({"assumed"});
}

} // namespace

Result<Question> read(std::string_view text, const Vocabulary& vocabulary, std::optional<Language> speak,
                      const Scenario* atHand)
{
    const Language language = speak.value_or(languageOf(text.substr(0, longest)));
    if (text.size() > longest) {
        const Draft draft({}, {}, vocabulary, language);
        return refuse(
            {{draft.tell("the question"), draft.tell("is too long: at most {} bytes are read", longest),
              draft.tell("say it in a few sentences")}});
    }
    std::vector<Item> items
        = asOne(text, itemsOf(text, Lexicon::shipped(), vocabulary), vocabulary, language);
    const std::vector<Aside> asides = putAside(text, items);
    Draft draft(text, std::move(items), vocabulary, language);
    for (const Aside& aside : asides)
        draft.question.unused.push_back(
            {.said = std::string(text.substr(aside.begin, aside.end - aside.begin)),
             .why = std::string(draft.say(aside.why)),
             .position = aside.begin});
    bool empty = true;
    for (std::size_t i = 0; i < draft.size(); ++i)
        empty = empty && (draft.at(i).is(Meaning::Filler) || draft.at(i).is(Meaning::Comma));
    if (empty)
        return refuse({nothing(draft)});
    if (isForeign(draft))
        return refuse(
            {{draft.tell("the question"), draft.tell("questions are read in English and in Chinese"),
              draft.tell("e.g. 'how many H100 for Llama 70B with 100 users at 20 tokens/s'")}});
    Settled outside;
    if (applyRules("outside", draft, outside))
        return refuse(std::move(draft.problems));
    if (atHand != nullptr)
        beginFrom(draft, *atHand);
    Settled settled{.quantities = assigned(draft)};
    applyRules("names", draft, settled);
    for (Assigned& quantity : settled.quantities) // what a rule read is nothing else
        if (draft.isRead(quantity.span.number))
            quantity.role = nullptr;
    settleAll(draft, settled);
    if (!draft.problems.empty())
        return refuse(std::move(draft.problems));
    sortByPlace(draft.question);
    addEasier(draft.question, settled, atHand);
    return std::move(draft.question);
}

} // namespace headroom::ask
