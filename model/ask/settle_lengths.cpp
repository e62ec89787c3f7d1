#include "model/ask/settle.h"
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
    const double high = std::round(tokensOf(number) * span.unitValue);
    if (!span.from)
        return LengthDistribution::of(high);
    const double ratio = number.value > 0 ? tokensOf(number) / number.value : 1;
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
    widen(draft, place, {Mean});
    if (quantity.cue != none && draft.is(quantity.cue + 1, draft.at(quantity.cue).meaning))
        draft.take(quantity.cue + 1); // "input prompt"
    if (mostOf(length) >= 1 && mostOf(length) <= 1e8)
        return place;
    draft.problem(place.first, place.last,
                  draft.tell("no model reads or writes so many tokens", "没有模型能处理这么多 token"),
                  "1k, 32k, 128k");
    return std::nullopt;
}

void settleLength(Draft& draft, const Assigned& quantity, LengthDistribution& field)
{
    const LengthDistribution length = lengthOf(draft, quantity.span);
    const auto place = takeLength(draft, quantity, length);
    const Role& role = *quantity.role;
    if (!place
        || !draft.once(draft.say(role.nameEnglish, role.nameChinese), textOf(length), place->first,
                       place->last))
        return;
    field = length;
    draft.note(place->first, place->last, draft.tell(role.readEnglish, role.readChinese, textOf(length)));
}

// A context is prompt and output together: the longest prompt that leaves room for the output.
void settleContext(Draft& draft, const Assigned& quantity)
{
    const LengthDistribution length = lengthOf(draft, quantity.span);
    const auto place = takeLength(draft, quantity, length);
    if (!place)
        return;
    const double context = mostOf(length);
    Scenario& s = draft.question.scenario;
    const bool promptSaid = draft.wasSaid(draft.say("the prompt", "输入长度"));
    const bool outputSaid = draft.wasSaid(draft.say("the output", "输出长度"));
    const double other = promptSaid ? mostOf(s.prompt) : mostOf(s.output);
    if (promptSaid && outputSaid && mostOf(s.prompt) + mostOf(s.output) <= context)
        return draft.note(place->first, place->last,
                          draft.tell("{} tokens of context, which the lengths keep",
                                     "上下文 {} 个 token，长度未超出", countText(context)));
    if ((promptSaid && outputSaid) || context <= other)
        return draft.problem(place->first, place->last,
                             draft.tell("a context of {} tokens does not hold the lengths that were said",
                                        "{} 个 token 的上下文容纳不下所述长度", countText(context)),
                             draft.tell("context = prompt + output", "上下文 = 输入 + 输出"));
    (promptSaid ? s.output : s.prompt) = LengthDistribution::of(context - other);
    draft.note(place->first, place->last,
               draft.tell("{} tokens = prompt {} + output {}", "{} 个 token = 输入 {} + 输出 {}",
                          countText(context), countText(s.prompt.mean()), countText(s.output.mean())),
               draft.tell("a context holds prompt and output", "上下文包含输入和输出"));
}

} // namespace

void settleLengths(Draft& draft, Settled& settled)
{
    Scenario& s = draft.question.scenario;
    if (const Assigned* const prompt = settled.find("prompt"))
        settleLength(draft, *prompt, s.prompt);
    if (const Assigned* const output = settled.find("output"))
        settleLength(draft, *output, s.output);
    const Assigned* const context = settled.find("context");
    settled.contextSaid = context != nullptr;
    if (context != nullptr)
        settleContext(draft, *context);
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
    const std::string prompt(draft.say("the prompt", "输入长度"));
    const std::string output(draft.say("the output", "输出长度"));
    const bool promptSaid = settled.contextSaid || draft.wasSaid(prompt);
    const bool outputSaid = settled.contextSaid || draft.wasSaid(output);
    if (settled.useCase == none || (promptSaid && outputSaid))
        return;
    const Lengths usual = lengthsOf(settled.useCase);
    Scenario& s = draft.question.scenario;
    std::string read;
    if (!promptSaid) {
        s.prompt = LengthDistribution::of(usual.prompt);
        draft.setSaid(prompt, countText(usual.prompt));
        read = draft.tell("prompts of {} tokens", "输入 {} 个 token", countText(usual.prompt));
    }
    if (!outputSaid) {
        s.output = LengthDistribution::of(usual.output);
        draft.setSaid(output, countText(usual.output));
        read += (read.empty() ? "" : draft.tell(", ", "，"))
            + draft.tell("answers of {} tokens", "输出 {} 个 token", countText(usual.output));
    }
    draft.assume(draft.tell("lengths usual for '{}', by llm-d-planner's traffic profiles",
                            "“{}”的常见长度，取自 llm-d-planner 的流量画像",
                            draft.said(settled.useCase, settled.useCase)));
    draft.note(settled.useCase, settled.useCase, std::move(read));
}

} // namespace headroom::ask
