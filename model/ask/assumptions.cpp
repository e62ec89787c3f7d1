#include "model/ask/settle.h"

#include <fmt/format.h>
#include <string>

namespace headroom::ask {

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

void settleModel(Draft& draft)
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

} // namespace headroom::ask
