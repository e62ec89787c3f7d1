#include "model/ask/rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

namespace headroom::ask {

// What a word that was not understood may have been meant to be.
std::string hintFor(const Draft& draft, const std::string& text)
{
    constexpr std::size_t shortest = 4; // bytes: of a single Chinese character everything is near
    const std::vector<std::string> near
        = text.size() < shortest ? std::vector<std::string>{} : Lexicon::shipped().nearest(text);
    return near.empty() ? std::string() : draft.tell("nearest: {}", fmt::join(near, ", "));
}

// What no rule read: told where the plan is the same without it, refused where a number, a name or a
// constraint would be lost. A question that names no model asks for what runs on its machine.
void settleLeftovers(Draft& draft, Settled& settled)
{
    applyRules("names-left", draft, settled);
    settleLeftNumbers(draft, settled);
    applyRules("left", draft, settled);
    applyRules("last", draft, settled);
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
