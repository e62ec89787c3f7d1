#include "model/ask/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace headroom::ask {

std::string hintFor(const Draft& draft, const std::string& text)
{
    constexpr std::size_t shortest = 4; // bytes: of a single Chinese character everything is near
    const std::vector<std::string> near
        = text.size() < shortest ? std::vector<std::string>{} : Lexicon::shipped().nearest(text);
    return near.empty() ? std::string() : draft.tell("nearest: {}", fmt::join(near, ", "));
}

std::vector<const Role*> openRoles(const Draft& draft, const Span& span)
{
    std::vector<const Role*> open;
    for (const Candidate& candidate : possibleOf(draft, span))
        if (!candidate.role->say.english.empty() && candidate.role->usual.has(span.value)
            && draft.find(candidate.role->id) == nullptr)
            open.push_back(candidate.role);
    return open;
}

void tellAbsent(Draft& draft, Place place)
{
    std::vector<std::string> near;
    constexpr std::size_t longest = 40; // a name, not a sentence
    constexpr std::size_t few = 3;      // of many that are wrong the rest needs none
    if (const std::string name = draft.said(place); name.size() <= longest && draft.problems.size() < few)
        near = draft.vocabulary.nearest(name);
    for (std::size_t i = place.first; i <= place.last; ++i)
        if (near.empty() && draft.isName(i, ItemKind::Model))
            near.push_back(draft.at(i).match.id);
    draft.problem(place, draft.tell("is not in the catalogue"),
                  near.empty() ? std::string() : draft.tell("nearest: {}", fmt::join(near, ", ")));
}

namespace {

// A number whose role was given to another one: the same once more, or one too many.
void tellAgain(Draft& draft, Assigned own)
{
    own.become(own.likely(), own.candidates.front().cue);
    const Place place = takeQuantity(draft, own);
    const Assigned* const other = draft.find(own.role->id);
    if (other == nullptr)
        return draft.problem(place, draft.tell("a number of what?"),
                             draft.tell("e.g. '500 users', '8k prompts', '20 TPS', '2s TTFT', '8x H100'"));
    if (other->span.value == own.span.value)
        return;
    const auto& there = draft.question.scenario.concurrency;
    const bool team = own.span.dimension != Dimension::User && other->span.dimension == Dimension::User
        && own.span.value < other->span.value; // "our team of 6 … 80 users"
    if (own.is("users") ? team : own.is("everyone") && there && draft.find("users") != nullptr)
        return draft.unused(place,
                            draft.tell("not used: {} are there at once",
                                       countText(own.is("users") ? other->span.value : *there)));
    const auto text = [](const Span& span) {
        return span.unit == Meaning::Time ? secondsText(span.value) : countText(span.value);
    };
    draft.problem(place,
                  draft.tell("{} was already read as {}; here it would be {}", draft.say(own.role->name),
                             text(other->span), text(own.span)),
                  draft.tell("ask one question at a time, or say it once"));
}

// Numbers that found no role: the same once more, one too many, a part of a name, or one of nobody knows
// what.
void settleLeftNumbers(Draft& draft)
{
    for (const Assigned& quantity : draft.quantities) {
        const Span& span = quantity.span;
        if (quantity.role != nullptr || draft.isRead(span.number))
            continue;
        if (const Match match = ruleAround("loose", draft, span, Place{span.number, span.last})) {
            draft.takeAll(span.parts);
            (void)obey(match, draft, span.number, span);
        } else {
            tellAgain(draft, quantity);
        }
    }
}

} // namespace

// What no rule read: told where the plan is the same without it, refused where a number, a name or a
// constraint would be lost. A question that names no model asks for what runs on its machine.
void settleLeftovers(Draft& draft)
{
    applyRules("names-left", draft);
    settleLeftNumbers(draft);
    applyRules("left", draft);
    applyRules("last", draft);
    const Scenario& s = draft.question.scenario;
    if (!s.model.empty())
        return;
    for (const Unused& one : draft.question.unused) // the model may be among the words that nobody knows
        draft.problems.push_back({fmt::format("'{}'", one.said), draft.tell("not understood"),
                                  one.why.empty() ? hintFor(draft, one.said) : one.why});
    draft.lacks(draft.tell("no model was named"),
                s.gpus.empty() ? draft.tell("e.g. 'Llama 70B', 'qwen3 32b', 'DeepSeek R1'")
                               : draft.tell("'headroom fit --gpu {} --gpus {}' lists what runs there",
                                            s.gpus.front(), s.gpuCount.value_or(1)));
}

} // namespace headroom::ask
