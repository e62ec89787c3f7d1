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
    std::string text = draft.tell("engine {}", "引擎 {}", s.engine);
    if (!able.empty() && able != s.engine) {
        text = draft.tell("engine {}: {} does not run {} weights", "引擎 {}：{} 不支持 {} 权重", able,
                          s.engine, name(*s.weights));
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
            draft.problems.push_back({fmt::format("'{}'", one.said), draft.tell("not understood", "没有看懂"),
                                      one.why.empty() ? hintFor(draft, one.said) : one.why});
    if (s.model.empty())
        draft.problems.push_back(
            {draft.tell("the question", "问题"), draft.tell("no model was named", "没有说明模型"),
             s.gpus.empty() ? draft.tell("e.g. 'Llama 70B', 'qwen3 32b', 'DeepSeek R1'",
                                         "例如 Llama-70B、qwen3 32b、DeepSeek R1")
                            : draft.tell("'headroom fit --gpu {} --gpus {}' lists what runs there",
                                         "'headroom fit --gpu {} --gpus {}' 列出其上能运行的模型",
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
        draft.problems.push_back({draft.tell("the question", "问题"),
                                  draft.tell("no GPU was named", "没有说明 GPU"),
                                  draft.tell("e.g. '2x H200'", "例如 2 张 H200")});
        return;
    }
    const bool open = !s.gpuCount && s.gpuCounts.empty() && !s.gpus.empty();
    const auto one = [&] {
        s.gpuCount = 1;
        draft.assume(draft.tell("one {}", "一张 {}", draft.gpuName(s.gpus.front())));
    };
    if (memory && open && (draft.question.asked == Asked::LongestContext || settled.oneSaid))
        one();
    else if (memory && s.gpus.empty())
        draft.assume(draft.tell("the fewest of some usual accelerators", "常见加速卡中最少的张数"));
    if (machineAsked && open && (kind == QuestionKind::Fit || settled.oneSaid))
        one();
    else if (machineAsked && open && !paid)
        draft.assume(
            draft.tell("as few {} as hold it", "能放下它的最少数量的 {}", draft.gpuName(s.gpus.front())));
    if ((kind == QuestionKind::Size || anyPaid) && s.gpus.empty())
        draft.assume(draft.tell("any accelerator of the catalogue", "目录中的任意加速卡"));
}

void assumeLoad(Draft& draft, const Settled& settled)
{
    Scenario& s = draft.question.scenario;
    const bool loadStated = s.concurrency || s.requestsPerSecond || s.batch;
    if (!loadStated && !fullyLoaded(s) && draft.question.kind != QuestionKind::Capacity)
        draft.assume(draft.tell("one user at a time", "同一时间一个用户"));
    const bool promptSaid = draft.wasSaid(draft.say("the prompt", "输入长度"));
    const bool outputSaid = draft.wasSaid(draft.say("the output", "输出长度"));
    if (draft.question.asked == Asked::LongestContext)
        return;
    if (!promptSaid && !settled.contextSaid)
        draft.assume(draft.tell("prompts of {} tokens", "输入 {} 个 token", countText(s.prompt.mean())));
    if (!outputSaid && !(settled.contextSaid && promptSaid))
        draft.assume(draft.tell("answers of {} tokens", "输出 {} 个 token", countText(s.output.mean())));
}

} // namespace

void settleAssumptions(Draft& draft, Settled& settled)
{
    missing(draft);
    assumeMachine(draft, settled);
    assumeLoad(draft, settled);
    const Scenario& s = draft.question.scenario;
    if (!draft.wasSaid(draft.say("the engine", "引擎")))
        chooseEngine(draft);
    if (s.targets.any() && !draft.wasSaid(draft.say("the percentile", "百分位")))
        draft.assume(draft.tell("targets hold for {} % of requests", "{} % 的请求满足目标",
                                countText(s.targets.percentile)));
    if (draft.question.kind == QuestionKind::Size && !s.targets.any() && s.gpuCounts.empty())
        draft.assume(draft.tell("no speed was asked for: it only has to fit and carry the load",
                                "未要求速度：只需放得下并承载负载"));
    if (settled.evenDay && s.requestsPerSecond && s.peakFactor <= 1 && !draft.mentions(Daily))
        draft.assume(draft.tell(
            "a day's requests come evenly, {} requests/s: for the busy hour say '3x peak'",
            "一天的请求均匀到达，每秒 {} 个：若有高峰，请写“峰值 3 倍”", fewDigits(*s.requestsPerSecond, 3)));
    if (!draft.wasSaid(draft.say("the spares", "备用副本")) && s.requestsPerSecond)
        draft.assume(draft.tell("no spare replicas", "无备用副本"));
}

} // namespace headroom::ask
