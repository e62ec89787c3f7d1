#include "model/ask/settle.h"

#include <fmt/format.h>

namespace headroom::ask {

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
