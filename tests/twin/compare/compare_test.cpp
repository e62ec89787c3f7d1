#include "exchanges.h"
#include "grid.h"
#include "laws.h"
#include "widths.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

using namespace headroom;
using namespace headroom::twin;

namespace {

// Of the grid's questions those that `keep` keeps, until there are so many.
template <typename Keep>
std::vector<Question> some(int count, const Keep& keep)
{
    std::vector<Question> kept;
    for (const Question& question : pipelineGrid(5, 200))
        if (static_cast<int>(kept.size()) < count && keep(question))
            kept.push_back(question);
    return kept;
}

// The same question is compared in two cases, and takes the twin a tenth of a second.
const Compared& compared(const Question& question)
{
    static std::map<std::string, Compared> known;
    const auto [place, fresh] = known.try_emplace(question.words() + std::to_string(question.seed));
    if (fresh)
        place->second = compare(question, Subject(question));
    return place->second;
}

Question asked(const char* model, DType weights, const char* gpu, const char* engine, int tp, int pp,
               int users, std::int64_t prompt, std::int64_t output)
{
    return {.model = model,
            .gpu = gpu,
            .engine = engine,
            .weights = weights,
            .tp = tp,
            .pp = pp,
            .users = users,
            .prompt = prompt,
            .output = output,
            .requests = std::max<std::int64_t>(160, users * std::int64_t{8}),
            .draws = users <= 8 ? 3 : 1};
}

double off(double program, double twin) { return std::abs(program / twin - 1); }

// Simulator within 2 %, closed form within 10 %.
void checkAgainstTwin(const Question& question)
{
    CAPTURE(question.words());
    const Compared& c = compared(question);
    CHECK(off(c.simulator.outputRate, c.twin.outputRate) <= 0.02);
    CHECK(off(c.simulator.tpot, c.twin.tpot) <= 0.02);
    CHECK(off(c.closedRate, c.twin.outputRate) <= 0.1);
    CHECK(off(c.closedTpot, c.twin.tpot) <= 0.1);
}

} // namespace

TEST_CASE("on one stage the simulator and the twin serve the same requests in the same times")
{
    const auto questions = some(12, [](const Question& q) { return q.pp == 1 && q.engine != "llama-cpp"; });
    CHECK(questions.size() == 12);
    for (const Question& question : questions) {
        CAPTURE(question.words());
        const Compared& c = compared(question);
        CHECK(off(c.simulator.outputRate, c.twin.outputRate) <= 0.02);
        CHECK(off(c.simulator.tpot, c.twin.tpot) <= 0.02);
    }
}

TEST_CASE("in pipelines the simulator serves what the twin does")
{
    const auto questions = some(24, [](const Question& q) { return q.pp > 1 && q.users > 1; });
    std::vector<double> misses;
    for (const Question& question : questions) {
        CAPTURE(question.words());
        const Compared& c = compared(question);
        misses.push_back(off(c.simulator.outputRate, c.twin.outputRate));
        CHECK(misses.back() <= 0.06);
        CHECK(off(c.simulator.tpot, c.twin.tpot) <= 0.06);
    }
    std::sort(misses.begin(), misses.end());
    CHECK(misses[misses.size() / 2] <= 0.02);
}

TEST_CASE("the closed form of a pipeline serves what the twin does")
{
    const auto questions = some(32, [](const Question& q) { return q.pp > 1; });
    std::vector<double> rates;
    std::vector<double> tokens;
    for (const Question& question : questions) {
        CAPTURE(question.words());
        const Compared& c = compared(question);
        rates.push_back(off(c.closedRate, c.twin.outputRate));
        CHECK(rates.back() <= 0.15);
        tokens.push_back(off(c.closedTpot, c.twin.tpot));
        CHECK(tokens.back() <= 0.15);
        if (question.users == 1)
            CHECK(off(c.closedTtft, c.twin.ttft) <= 0.06);
    }
    for (std::vector<double>* misses : {&rates, &tokens}) {
        std::sort(misses->begin(), misses->end());
        CHECK((*misses)[misses->size() / 2] <= 0.02);
    }
}

TEST_CASE("what once was furthest off is within its bounds, cause by cause")
{
    for (const Question& question : {
             // Prompts fill every step: users stand in line, and those who decode are no slower for it.
             asked("qwen3-235b-a22b", DType::Fp8, "l40s", "vllm", 8, 1, 128, 8000, 200),
             asked("llama-3.1-8b", DType::Bf16, "l40s", "vllm", 2, 2, 128, 8000, 200),
             // Prompts that find no room in their pass leave it to chance who decodes on which lane.
             asked("qwen3-235b-a22b", DType::Fp8, "l40s", "vllm", 2, 4, 8, 2000, 200),
             asked("llama-3.1-8b", DType::Bf16, "l40s", "vllm", 2, 8, 8, 8000, 200),
             // One lane: who decodes waits until a prompt is through all stages.
             asked("qwen2.5-32b", DType::Bf16, "b200-sxm-180gb", "sglang", 4, 8, 8, 2000, 200),
             asked("llama-3.1-405b", DType::Fp8, "b200-sxm-180gb", "sglang", 1, 4, 128, 128, 512),
             // Two prompts in one pass hold up the passes that have none.
             asked("llama-3.1-70b", DType::Fp8, "h200-sxm-141gb", "vllm", 1, 4, 128, 2000, 200),
             // Messages as long as the stages compute, and answers that end in step.
             asked("llama-3.1-8b", DType::Bf16, "rtx-pro-6000-blackwell-server", "tensorrt-llm", 2, 8, 128,
                   8000, 2),
             asked("llama-3.1-70b", DType::Fp8, "b200-sxm-180gb", "sglang", 8, 1, 128, 8000, 2),
         }) {
        CAPTURE(question.words());
        const Compared& c = compared(question);
        CHECK(off(c.simulator.outputRate, c.twin.outputRate) <= 0.06);
        CHECK(off(c.closedRate, c.twin.outputRate) <= 0.15);
        if (question.output < 100)
            continue;
        CHECK(off(c.simulator.tpot, c.twin.tpot) <= 0.06);
        CHECK(off(c.closedTpot, c.twin.tpot) <= 0.15);
    }
}

TEST_CASE("the rest of a prompt goes to the next slot of a ring, whether that has one to decode for or none")
{
    const Compared& c
        = compared(asked("llama-3.1-8b", DType::Bf16, "h100-sxm-80gb", "sglang", 1, 8, 8, 8000, 200));
    CHECK(off(c.simulator.outputRate, c.twin.outputRate) <= 0.02);
    CHECK(off(c.simulator.tpot, c.twin.tpot) <= 0.02);
}

TEST_CASE("where attention ranks share experts, simulator and closed form serve what the twin does")
{
    std::vector<double> rates;
    std::vector<double> tokens;
    for (const Question& question : ranksGrid(5, 60)) {
        if (question.users > 128 || rates.size() == 30)
            continue;
        CAPTURE(question.words());
        const Compared& c = compared(question);
        CHECK(off(c.simulator.outputRate, c.twin.outputRate) <= 0.02);
        CHECK(off(c.simulator.tpot, c.twin.tpot) <= 0.02);
        rates.push_back(off(c.closedRate, c.twin.outputRate));
        CHECK(rates.back() <= (question.admissionSteps > 0 && question.output < 5 ? 0.15 : 0.1));
        tokens.push_back(off(c.closedTpot, c.twin.tpot));
        CHECK(tokens.back() <= (question.admissionSteps > 0 && question.output < 5 ? 0.15 : 0.1));
    }
    CHECK(rates.size() == 30);
    for (std::vector<double>* misses : {&rates, &tokens}) {
        std::sort(misses->begin(), misses->end());
        CHECK((*misses)[misses->size() / 2] <= 0.02);
    }
}

TEST_CASE("short answers on attention ranks: users in step, bursts of prompts, prompts near a step's budget")
{
    const auto onRanks = [](const char* model, DType weights, const char* gpu, const char* engine, int tp,
                            int dp, int users) {
        Question question = asked(model, weights, gpu, engine, tp, 1, users, 8000, 2);
        question.dp = dp;
        question.requests = std::max(160, users * 20);
        question.draws = std::max(1, 10240 / static_cast<int>(question.requests));
        return question;
    };
    for (const Question& question : {
             // All prompts of a turn find room in one step: nobody decodes beside one.
             onRanks("deepseek-v3", DType::Fp8, "b200-sxm-180gb", "sglang", 1, 32, 32),
             // A rank's prompts come in a burst and fill its steps.
             onRanks("qwen3-30b-a3b", DType::Bf16, "b200-sxm-180gb", "sglang", 1, 8, 32),
             onRanks("qwen3-30b-a3b", DType::Bf16, "b200-sxm-180gb", "sglang", 1, 2, 32),
             // A prompt needs a step of its own rank that the others have made long anyway.
             onRanks("qwen3-30b-a3b", DType::Bf16, "rtx-pro-6000-blackwell-server", "vllm", 1, 32, 128),
             onRanks("qwen3-235b-a22b", DType::Fp8, "l40s", "vllm", 1, 32, 32),
             // Now one step and now two.
             onRanks("deepseek-v3", DType::Fp8, "h200-sxm-141gb", "sglang", 2, 8, 8),
             // Who decodes waits for the other ranks' prompts, which are there less often than in all steps.
             onRanks("qwen3-30b-a3b", DType::Bf16, "h200-sxm-141gb", "sglang", 1, 2, 2),
             onRanks("qwen3-30b-a3b", DType::Bf16, "h200-sxm-141gb", "sglang", 4, 4, 4),
             // Who decodes on a rank meets the prompts of the other alone.
             onRanks("qwen3-235b-a22b", DType::Fp8, "h200-sxm-141gb", "vllm", 2, 2, 2),
             // A rank's burst is two full steps and now and then the rest of one.
             onRanks("qwen3-30b-a3b", DType::Bf16, "b200-sxm-180gb", "sglang", 2, 2, 8),
             // The rank is waited for whose parts of prompts see most.
             onRanks("qwen3-30b-a3b", DType::Bf16, "b200-sxm-180gb", "tensorrt-llm", 1, 8, 32),
             // Prompts fill all steps, of those who decode too.
             onRanks("qwen3-235b-a22b", DType::Fp8, "b200-sxm-180gb", "tensorrt-llm", 1, 2, 8),
         }) {
        checkAgainstTwin(question);
    }
}

TEST_CASE("users of several ranks whose prompts take many steps are gathered by fewer: they end together")
{
    for (const auto& [model, tp, dp] :
         {std::tuple{"qwen3-30b-a3b", 4, 2}, std::tuple{"qwen3-30b-a3b", 1, 4}}) {
        Question question = asked(model, DType::Bf16, "l40s", "vllm", tp, 1, dp, 8000, 2);
        question.dp = dp;
        question.admissionSteps = 2;
        question.draws = 64;
        checkAgainstTwin(question);
    }
}

TEST_CASE("ranks that nearly always have prompts begin them together: some steps hold only their rests")
{
    for (const auto& [gpu, tp, dp] :
         {std::tuple{"l40s", 4, 8}, std::tuple{"l40s", 2, 4}, std::tuple{"h200-sxm-141gb", 4, 8}}) {
        Question question = asked("qwen3-235b-a22b", DType::Fp8, gpu, "tensorrt-llm", tp, 1, 4 * dp, 8000, 2);
        question.dp = dp;
        question.admissionSteps = 2;
        question.requests = std::max(160, 4 * dp * 20);
        question.draws = std::max(1, 5120 / static_cast<int>(question.requests));
        checkAgainstTwin(question);
    }
}

TEST_CASE(
    "prompts that wait for those of other ranks: all have one, time is up, a rank idles, nothing is held")
{
    for (const auto& [gpu, tp, dp, users, prompt, output] :
         {std::tuple{"b200-sxm-180gb", 1, 8, 128, 128, 512},
          std::tuple{"h200-sxm-141gb", 1, 32, 128, 2000, 200},
          std::tuple{"rtx-pro-6000-blackwell-server", 4, 8, 32, 2000, 200},
          std::tuple{"h200-sxm-141gb", 1, 8, 16, 2000, 200},
          std::tuple{"h200-sxm-141gb", 1, 8, 8, 2000, 200}}) {
        Question question
            = asked("qwen3-235b-a22b", DType::Fp8, gpu, "tensorrt-llm", tp, 1, users, prompt, output);
        question.dp = dp;
        question.requests = std::max(160, users * 20);
        question.draws = std::max(1, 5120 / static_cast<int>(question.requests));
        checkAgainstTwin(question);
    }
}

TEST_CASE(
    "between two tokens of a short answer stand the prompts of the others that one does not meet before")
{
    for (const Question& question : {
             // Prompts fill every batch, the one with one's own decode too.
             asked("llama-3.1-8b", DType::Bf16, "l40s", "llama-cpp", 4, 2, 4, 8000, 2),
             asked("qwen2.5-32b", DType::Bf16, "h100-sxm-80gb", "llama-cpp", 1, 1, 4, 8000, 2),
             // The next prompt begins behind one's own, with parts that have few keys to look at.
             asked("llama-3.1-8b", DType::Bf16, "b200-sxm-180gb", "llama-cpp", 1, 2, 4, 8000, 2),
             asked("llama-3.1-70b", DType::Fp8, "b200-sxm-180gb", "llama-cpp", 1, 4, 4, 8000, 2),
             // Prompts end within a pass, and behind the last of a burst stands none.
             asked("llama-3.1-8b", DType::Bf16, "h200-sxm-141gb", "sglang", 8, 1, 8, 8000, 2),
             asked("llama-3.1-70b", DType::Fp8, "h200-sxm-141gb", "sglang", 4, 1, 8, 8000, 2),
         }) {
        CAPTURE(question.words());
        const Compared& c = compared(question);
        CHECK(off(c.simulator.tpot, c.twin.tpot) <= 0.06);
        CHECK(off(c.closedTpot, c.twin.tpot) <= 0.1);
    }
}

TEST_CASE("a batch that is kept begins to decode when all its prompts are computed")
{
    for (const std::int64_t output : {2, 200}) {
        CAPTURE(output);
        const Compared& c = compared(
            asked("llama-3.1-8b", DType::Bf16, "h100-sxm-80gb", "hf-transformers", 1, 1, 8, 4000, output));
        CHECK(off(c.closedTpot, c.simulator.tpot) <= 0.1);
    }
}

TEST_CASE("laws of pipelines and exchanges hold over a seeded walk")
{
    for (const Law& law : lawsOver(20, 60)) {
        CAPTURE(law.name);
        CHECK(law.cases >= 60);
        for (const std::string& where : law.broken)
            FAIL_CHECK(where);
    }
}

TEST_CASE("eight cards as one, two or four stages differ by what their exchanges differ")
{
    for (const int output : {2, 200}) {
        CAPTURE(output);
        const Widths widths = widthsOf({.output = output, .budget = output == 2 ? 8192 : 1024});
        CHECK(widths.unexplained() <= 0.03);
        CHECK(widths.layouts.front().exchanged > 2 * widths.layouts.back().exchanged);
    }
}

TEST_CASE("passes that are full of parts of long prompts wait for the longest of those under way")
{
    for (const int output : {50, 100}) { // so short that prompts fill every pass
        CAPTURE(output);
        const Question question{.model = "llama-3.1-8b",
                                .gpu = "l40s",
                                .engine = "vllm",
                                .weights = DType::Bf16,
                                .pp = 4,
                                .users = 128,
                                .prompt = 8000,
                                .output = output,
                                .requests = 1536,
                                .seed = 3};
        const Compared c = compare(question, Subject(question));
        CHECK(off(c.closedRate, c.twin.outputRate) <= 0.05);
        CHECK(off(c.closedTpot, c.twin.tpot) <= 0.05);
    }
}

// A small model reads more cache than weights, so that it shows who is taken to decode how much.
TEST_CASE("where prompts fill every pass, no lane of a pipeline decodes more than the others by chance")
{
    const Widths widths = widthsOf(
        {.model = "llama-3.1-8b", .gpu = "h100-sxm-80gb", .narrow = false, .cards = 4, .users = 128});
    CHECK(widths.unexplained() <= 0.015);
}

TEST_CASE("a ring takes the time of its bytes")
{
    int rings = 0;
    for (const ExchangeRow& row : reductionsOfOneKind())
        if (row.exchange == "all-reduce, ring") {
            CHECK(off(row.program, row.twin) <= 0.01);
            ++rings;
        }
    CHECK(rings == 1);
}
