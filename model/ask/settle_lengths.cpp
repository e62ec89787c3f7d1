#include "model/ask/rules.h"
#include "model/ask/tables.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

LengthDistribution lengthOf(const Draft& draft, const Span& span)
{
    const Item& number = draft.at(span.number);
    const double ratio = number.value > 0 ? tokensOf(number) / number.value : 1;
    const double high = std::round(span.value * ratio);
    if (!span.from)
        return LengthDistribution::of(high);
    const double low = std::round(*span.from * (*span.from >= 1000 ? ratio : 1));
    return {.kind = LengthDistribution::Kind::Uniform,
            .low = low,
            .high = high,
            .text = fmt::format("uniform:{:.0f}-{:.0f}", low, high)};
}

double mostOf(const LengthDistribution& length)
{
    return length.kind == LengthDistribution::Kind::Fixed ? length.fixed : length.high;
}

std::string textOf(const LengthDistribution& length)
{
    return length.kind == LengthDistribution::Kind::Fixed
        ? countText(length.fixed)
        : fmt::format("{}–{}", countText(length.low), countText(length.high));
}

// Nothing where the length is none that a model has.
std::optional<Place> takeLength(Draft& draft, const Assigned& quantity, const LengthDistribution& length)
{
    Place place = takeQuantity(draft, quantity);
    if (mostOf(length) >= 1 && mostOf(length) <= 1e8)
        return place;
    draft.problem(place, draft.tell("no model reads or writes so many tokens"), "1k, 32k, 128k");
    return std::nullopt;
}

void settleLength(Draft& draft, const Assigned& quantity, LengthDistribution& field)
{
    const LengthDistribution length = lengthOf(draft, quantity.span);
    const auto place = takeLength(draft, quantity, length);
    const Role& role = *quantity.role;
    if (!place || !draft.once(draft.say(role.name), textOf(length), *place))
        return;
    field = length;
    draft.note(*place, draft.tell(role.read, textOf(length)));
}

} // namespace

void settleLengths(Draft& draft, Settled& settled)
{
    Scenario& s = draft.question.scenario;
    if (const Assigned* const prompt = settled.find("prompt"))
        settleLength(draft, *prompt, s.prompt);
    applyWhole("prefix", draft, settled);
    // "输入输出各 2k", "input and output 2k each": one number of both.
    for (Assigned& output : settled.quantities) {
        const std::size_t other
            = output.is("output") && output.cue != none ? draft.beside(output.cue).first : none;
        if (!draft.is(other, Prompt) || settled.find("prompt") != nullptr)
            continue;
        if (draft.any({other, std::min(output.span.last + 2, draft.size())},
                      [&](std::size_t i) { return draft.at(i).is(Total); })) { // "输入输出共 4k"
            output.role = &roleCalled("context");
            break;
        }
        Assigned both = output;
        both.role = &roleCalled("prompt");
        both.cue = other;
        settleLength(draft, both, s.prompt);
        break;
    }
    if (const Assigned* const output = settled.find("output"))
        settleLength(draft, *output, s.output);
    applyWhole("ratio", draft, settled);
    applyWhole("window-of-both", draft, settled);
}

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
