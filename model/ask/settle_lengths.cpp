#include "model/ask/rules.h"
#include "model/ask/tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

// The lengths that are usual for what the service is for, where the question says none. "RAG chatbot": of
// several the one with the longest.
void settleUseCase(Draft& draft, Settled& settled)
{
    struct Lengths {
        double prompt = 0;
        double output = 0;
    };
    const auto lengthsOf = [&](std::size_t i) {
        const std::string& note = draft.at(i).note; // "4096/512"
        const std::size_t slash = note.find('/');
        return Lengths{numberOf(note), numberOf(std::string_view(note).substr(slash + 1))};
    };
    for (std::size_t i = 0; i < draft.size(); ++i) {
        if (!draft.is(i, UseCase))
            continue;
        draft.take(i);
        if (settled.useCase == none || lengthsOf(i).prompt > lengthsOf(settled.useCase).prompt)
            settled.useCase = i;
    }
    const std::string prompt(draft.say("the prompt"));
    const std::string output(draft.say("the output"));
    const bool promptSaid = settled.find("context") != nullptr || draft.wasSaid(prompt);
    const bool outputSaid = settled.find("context") != nullptr || draft.wasSaid(output);
    if (settled.useCase == none || (promptSaid && outputSaid))
        return;
    const Lengths usual = lengthsOf(settled.useCase);
    Scenario& s = draft.question.scenario;
    std::string read;
    if (!promptSaid) {
        s.prompt = LengthDistribution::of(usual.prompt);
        draft.setSaid(prompt, countText(usual.prompt));
        read = draft.tell("prompts of {} tokens", countText(usual.prompt));
    }
    if (!outputSaid) {
        s.output = LengthDistribution::of(usual.output);
        draft.setSaid(output, countText(usual.output));
        read += (read.empty() ? "" : draft.tell(", "))
            + draft.tell("answers of {} tokens", countText(usual.output));
    }
    draft.assume(draft.tell("lengths usual for '{}', by llm-d-planner's traffic profiles",
                            draft.said(settled.useCase, settled.useCase)));
    draft.note(settled.useCase, std::move(read));
}

} // namespace headroom::ask
