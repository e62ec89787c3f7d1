#include "grid.h"

#include <algorithm>
#include <array>
#include <random>

namespace headroom::twin {

namespace {

struct Model {
    const char* id;
    DType weights;
};
constexpr std::array models{Model{"llama-3.1-70b", DType::Fp8},   Model{"llama-3.1-405b", DType::Fp8},
                            Model{"llama-3.1-8b", DType::Bf16},   Model{"qwen2.5-32b", DType::Bf16},
                            Model{"qwen3-235b-a22b", DType::Fp8}, Model{"deepseek-v3", DType::Fp8}};
constexpr std::array gpus{"h200-sxm-141gb", "h100-sxm-80gb", "b200-sxm-180gb", "l40s",
                          "rtx-pro-6000-blackwell-server"};
constexpr std::array engines{"vllm", "vllm", "sglang", "tensorrt-llm", "llama-cpp"};
constexpr std::array widths{1, 2, 4, 8};
constexpr std::array depths{1, 2, 2, 4, 4, 8};

struct Mix {
    const char* name;
    std::int64_t prompt, output;
    bool lone;
};
constexpr std::array mixes{Mix{"lone", 1000, 200, true},   Mix{"lone long prompt", 64000, 8, true},
                           Mix{"prefill", 8000, 2, false}, Mix{"decode", 128, 512, false},
                           Mix{"mixed", 8000, 200, false}, Mix{"mixed", 2000, 200, false},
                           Mix{"mixed", 1000, 1000, false}};

// Few users make few answers, which say little of the mean: about as many of every question. Of two tokens
// an answer has one gap, which is short or long as chance has it, and is soon played.
int drawsOf(std::int64_t requests, std::int64_t output)
{
    const bool oneGap = output <= 2;
    const std::int64_t answers = oneGap ? 10240 : 1280;
    return static_cast<int>(std::clamp<std::int64_t>(answers / requests, 1, oneGap ? 64 : 4));
}

constexpr std::array sharingModels{Model{"deepseek-v3", DType::Fp8}, Model{"qwen3-235b-a22b", DType::Fp8},
                                   Model{"qwen3-30b-a3b", DType::Bf16}};
constexpr std::array sharingEngines{"vllm", "sglang", "tensorrt-llm"};

} // namespace

std::vector<Question> pipelineGrid(std::uint64_t seed, int questions)
{
    std::mt19937_64 random(seed);
    const auto oneOf = [&](const auto& values) { return values[random() % values.size()]; };
    std::vector<Question> grid;
    while (static_cast<int>(grid.size()) < questions) {
        const Model model = oneOf(models);
        const Mix mix = oneOf(mixes);
        Question question{.model = model.id,
                          .gpu = oneOf(gpus),
                          .engine = oneOf(engines),
                          .weights = model.weights,
                          .tp = oneOf(widths),
                          .pp = oneOf(depths),
                          .prompt = mix.prompt,
                          .output = mix.output,
                          .seed = random(),
                          .load = mix.name};
        constexpr std::array sizes{8, 32, 128};
        question.users = mix.lone ? 1 : oneOf(sizes);
        if (question.engine == "llama-cpp") // more would only wait for one of its four slots
            question.users = std::min(question.users, 4);
        // All begin at once: it takes many answers each until they are out of step.
        constexpr int answersEach = 20;
        question.requests = mix.lone ? 6 : std::max(160, question.users * answersEach);
        question.draws = mix.lone ? 1 : drawsOf(question.requests, question.output);
        if (question.tp * question.pp <= 32 && Subject(question).possible())
            grid.push_back(question);
    }
    return grid;
}

std::vector<Question> ranksGrid(std::uint64_t seed, int questions)
{
    std::mt19937_64 random(seed);
    const auto oneOf = [&](const auto& values) { return values[random() % values.size()]; };
    std::vector<Question> grid;
    while (static_cast<int>(grid.size()) < questions) {
        const Model model = oneOf(sharingModels);
        Mix mix = oneOf(mixes);
        while (mix.lone)
            mix = oneOf(mixes);
        constexpr std::array tensorRanks{1, 1, 2, 4, 8};
        constexpr std::array attentionRanks{2, 4, 8, 16, 32};
        constexpr std::array usersOfARank{1, 4, 16};
        Question question{.model = model.id,
                          .gpu = oneOf(gpus),
                          .engine = oneOf(sharingEngines),
                          .weights = model.weights,
                          .tp = oneOf(tensorRanks),
                          .dp = oneOf(attentionRanks),
                          .prompt = mix.prompt,
                          .output = mix.output,
                          .seed = random(),
                          .load = mix.name};
        question.users = question.dp * oneOf(usersOfARank);
        constexpr std::array steps{0, 2, 5}; // as engines are fitted
        question.admissionSteps = steps[question.seed % steps.size()];
        constexpr int answersEach = 20;
        question.requests = std::max(160, question.users * answersEach);
        question.draws = drawsOf(question.requests, question.output);
        if (question.tp * question.dp <= 32 && Subject(question).possible())
            grid.push_back(question);
    }
    return grid;
}

} // namespace headroom::twin
