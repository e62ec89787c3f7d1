#include "model/ask/reading.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

struct UseCaseLengths {
    double prompt;
    double output;
};

// Usual lengths by what a service is for: llm-d-incubation/llm-d-planner docs/traffic_and_slos.md (ed2142f),
// sections 1 and 2. The rows are what the phrases of `UseCase` point to.
constexpr std::array useCases{
    UseCaseLengths{512, 256},    // chatbot
    UseCaseLengths{512, 256},    // code completion
    UseCaseLengths{1024, 1024},  // code generation
    UseCaseLengths{512, 256},    // translation
    UseCaseLengths{512, 256},    // content generation
    UseCaseLengths{4096, 512},   // summarization
    UseCaseLengths{4096, 512},   // questions about documents
    UseCaseLengths{10240, 1536}, // long documents
};

} // namespace

// "RAG chatbot": of several the one with the longest lengths.
void Reading::readUseCase()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, UseCase))
            continue;
        take(i);
        if (m_useCase == none || at(i).value > at(m_useCase).value)
            m_useCase = i;
    }
}

// The lengths that are usual for what the service is for, where the question says none.
void Reading::settleUseCase()
{
    const bool promptSaid = m_context || m_said.contains(std::string(say("the prompt", "输入长度")));
    const bool outputSaid = m_context || m_said.contains(std::string(say("the output", "输出长度")));
    if (m_useCase == none || (promptSaid && outputSaid))
        return;
    const UseCaseLengths& usual = useCases.at(static_cast<std::size_t>(at(m_useCase).value));
    Scenario& s = m_question.scenario;
    std::string read;
    const auto set
        = [&](LengthDistribution& length, double tokens, std::string_view english, std::string_view chinese,
              std::string_view fieldEnglish, std::string_view fieldChinese) {
              length = LengthDistribution::of(tokens);
              read += (read.empty() ? "" : std::string(say(", ", "，")))
                  + fmt::format(fmt::runtime(say(english, chinese)), countText(tokens));
              m_said[std::string(say(fieldEnglish, fieldChinese))] = countText(tokens);
          };
    if (!promptSaid)
        set(s.prompt, usual.prompt, "prompts of {} tokens", "输入 {} 个 token", "the prompt", "输入长度");
    if (!outputSaid)
        set(s.output, usual.output, "answers of {} tokens", "输出 {} 个 token", "the output", "输出长度");
    m_question.assumptions.push_back(
        fmt::format(fmt::runtime(say("lengths usual for '{}', by llm-d-planner's traffic profiles",
                                     "“{}”的常见长度，取自 llm-d-planner 的流量画像")),
                    said(m_useCase, m_useCase)));
    note(m_useCase, m_useCase, std::move(read));
}

} // namespace headroom::ask
