#include "model/ask/settle.h"
#include "model/base/figure_text.h"
#include "model/scenario/service_load.h"

#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

// The usual engine, or one that runs weights of the type that was asked for.
void chooseEngine(Draft& draft)
{
    Scenario& s = draft.question.scenario;
    const std::string able = s.weights && draft.vocabulary.engineThatRuns
        ? draft.vocabulary.engineThatRuns(*s.weights)
        : std::string();
    std::string text = draft.tell("engine {}", s.engine);
    if (!able.empty() && able != s.engine) {
        text = draft.tell("engine {}: {} does not run {} weights", able, s.engine, name(*s.weights));
        s.engine = able;
    }
    draft.assume(std::move(text));
}

// A question that names no model asks for what runs on its machine.
void missing(Draft& draft)
{
    const Scenario& s = draft.question.scenario;
    if (s.model.empty()) // the model may be among the words that nobody knows
        for (const Unused& one : draft.question.unused)
            draft.problems.push_back({fmt::format("'{}'", one.said), draft.tell("not understood"),
                                      one.why.empty() ? hintFor(draft, one.said) : one.why});
    if (s.model.empty())
        draft.problems.push_back({draft.tell("the question"), draft.tell("no model was named"),
                                  s.gpus.empty()
                                      ? draft.tell("e.g. 'Llama 70B', 'qwen3 32b', 'DeepSeek R1'")
                                      : draft.tell("'headroom fit --gpu {} --gpus {}' lists what runs there",
                                                   s.gpus.front(), s.gpuCount.value_or(1))});
}

void assumeMachine(Draft& draft, const Settled& settled)
{
    Scenario& s = draft.question.scenario;
    const QuestionKind kind = draft.question.kind;
    const bool memory = kind == QuestionKind::Memory;
    const bool paid
        = s.money.budgetPerHour || s.money.purchaseBudget || s.powerCap || s.mostGpus || s.mostBoxes;
    const bool machineAsked = kind != QuestionKind::Size && !memory;
    const bool anyPaid = kind == QuestionKind::Capacity && paid; // whichever carries most
    const bool misread = !draft.problems.empty(); // the GPU may be among the words that were not understood
    if (machineAsked && s.gpus.empty() && !anyPaid && !misread) {
        draft.problems.push_back(
            {draft.tell("the question"), draft.tell("no GPU was named"), draft.tell("e.g. '2x H200'")});
        return;
    }
    const bool open = !s.gpuCount && s.gpuCounts.empty() && !s.gpus.empty();
    const auto one = [&] {
        s.gpuCount = 1;
        draft.assume(draft.tell("one {}", draft.gpuName(s.gpus.front())));
    };
    if (memory && open && (draft.question.asked == Asked::LongestContext || settled.oneSaid))
        one();
    else if (memory && s.gpus.empty())
        draft.assume(draft.tell("the fewest of some usual accelerators"));
    if (machineAsked && open && (kind == QuestionKind::Fit || settled.oneSaid))
        one();
    else if (machineAsked && open && !paid)
        draft.assume(draft.tell("as few {} as hold it", draft.gpuName(s.gpus.front())));
    if ((kind == QuestionKind::Size || anyPaid) && s.gpus.empty())
        draft.assume(draft.tell("any accelerator of the catalogue"));
}

void assumeLoad(Draft& draft, const Settled& settled)
{
    Scenario& s = draft.question.scenario;
    const bool loadStated = s.concurrency || s.requestsPerSecond || s.batch || s.jobTokens || s.jobRequests;
    if (!loadStated && !fullyLoaded(s) && draft.question.kind != QuestionKind::Capacity)
        draft.assume(draft.tell("one user at a time"));
    const bool promptSaid = draft.wasSaid(draft.say("the prompt"));
    const bool outputSaid = draft.wasSaid(draft.say("the output"));
    if (draft.question.asked == Asked::LongestContext)
        return;
    if (!promptSaid && !settled.contextSaid)
        draft.assume(draft.tell("prompts of {} tokens", countText(s.prompt.mean())));
    if (!outputSaid && !(settled.contextSaid && promptSaid))
        draft.assume(draft.tell("answers of {} tokens", countText(s.output.mean())));
}

} // namespace

void settleAssumptions(Draft& draft, Settled& settled)
{
    missing(draft);
    assumeMachine(draft, settled);
    assumeLoad(draft, settled);
    const Scenario& s = draft.question.scenario;
    if (!draft.wasSaid(draft.say("the engine")))
        chooseEngine(draft);
    if (s.targets.any() && !draft.wasSaid(draft.say("the percentile")))
        draft.assume(draft.tell("targets hold for {} % of requests", countText(s.targets.percentile)));
    if (settled.evenDay && s.requestsPerSecond && s.peakFactor <= 1 && !draft.mentions(Daily))
        draft.assume(
            draft.tell("a day's requests come evenly, {} requests/s: for the busy hour say '3x peak'",
                       fewDigits(*s.requestsPerSecond, 3)));
    if (!draft.wasSaid(draft.say("the spares")) && s.requestsPerSecond)
        draft.assume(draft.tell("no spare replicas"));
}

} // namespace headroom::ask
