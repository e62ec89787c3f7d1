#include "cases.h"
#include "headroom_source_dir.h"
#include "model/count/parameters.h"
#include "reading.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace headroom;
using namespace headroom::twin;

namespace {

// Published configurations beside the sheet of the same architecture.
struct Pair {
    const char* config;
    const char* sheet;
};
constexpr std::array pairs{
    Pair{"Baichuan2-7B-Chat", "baichuan2-7b"},
    Pair{"ChatGLM3-6B", "chatglm3-6b"},
    Pair{"DBRX", "dbrx-132b"},
    Pair{"DeepSeek-V2-Lite", "deepseek-v2-lite"},
    Pair{"DeepSeek-V3", "deepseek-v3"},
    Pair{"DeepSeek-V3.2", "deepseek-v3.2"},
    Pair{"Falcon-40B", "falcon-40b"},
    Pair{"GLM-4.5", "glm-4.5"},
    Pair{"GLM-5", "glm-5"},
    Pair{"GPT-J-6B", "gpt-j-6b"},
    Pair{"Gemma-2-27b-it", "gemma-2-27b"},
    Pair{"Gemma-2-2b-it", "gemma-2-2b"},
    Pair{"Gemma-3-1b-it", "gemma-3-1b"},
    Pair{"Hunyuan-A13B", "hunyuan-a13b"},
    Pair{"InternLM2.5-7B-chat", "internlm2.5-7b"},
    Pair{"Kimi-K2-Instruct", "kimi-k2"},
    Pair{"Kimi-K2.5", "kimi-k2.5"},
    Pair{"Llama-2-7b-hf", "llama-2-7b"},
    Pair{"Llama-3-70B-Instruct", "llama-3-70b"},
    Pair{"Llama-3-8B", "llama-3-8b"},
    Pair{"Llama-3.1-405B", "llama-3.1-405b"},
    Pair{"Llama-3.1-70B", "llama-3.1-70b"},
    Pair{"Llama-3.1-8B", "llama-3.1-8b"},
    Pair{"Llama-3.2-1B", "llama-3.2-1b"},
    Pair{"Llama-3.2-3B", "llama-3.2-3b"},
    Pair{"Llama-3_3-Nemotron-Super-49B-v1", "llama-3.3-nemotron-super-49b"},
    Pair{"Llama-4-Maverick-17B-128E", "llama-4-maverick-17b-128e"},
    Pair{"Llama-4-Scout-17B-16E", "llama-4-scout-17b-16e"},
    Pair{"MiniMax-M1", "minimax-m1"},
    Pair{"MiniMax-M2.5", "minimax-m2.5"},
    Pair{"Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"},
    Pair{"Mistral-7B-v0.1", "mistral-7b-v0.1"},
    Pair{"Mistral-Nemo-Instruct-2407", "mistral-nemo-12b"},
    Pair{"Mixtral-8x22B-v0.1", "mixtral-8x22b-v0.1"},
    Pair{"Mixtral-8x7B-v0.1", "mixtral-8x7b"},
    Pair{"Nemotron-3-Nano-30B-A3B", "nemotron-3-nano-30b-a3b"},
    Pair{"Nemotron-3-Super-120B-A12B-FP8", "nemotron-3-super-120b-a12b"},
    Pair{"Nemotron-H-56B", "nemotron-h-56b"},
    Pair{"OLMo-2-32B", "olmo-2-32b"},
    Pair{"OLMo-2-7B", "olmo-2-7b"},
    Pair{"Phi-3-mini-4k-instruct", "phi-3-mini-4k"},
    Pair{"Phi-4-mini-instruct", "phi-4-mini"},
    Pair{"Qwen2-0.5B", "qwen2-0.5b"},
    Pair{"Qwen2.5-3B", "qwen2.5-3b"},
    Pair{"Qwen2.5-7B-Instruct", "qwen2.5-7b"},
    Pair{"Qwen3-0.6B", "qwen3-0.6b"},
    Pair{"Qwen3-14B", "qwen3-14b"},
    Pair{"Qwen3-235B-A22B", "qwen3-235b-a22b"},
    Pair{"Qwen3-30B-A3B", "qwen3-30b-a3b"},
    Pair{"Qwen3-32B", "qwen3-32b"},
    Pair{"Qwen3-8B", "qwen3-8b"},
    Pair{"Qwen3-Coder-480B-A35B", "qwen3-coder-480b-a35b"},
    Pair{"Qwen3-Next-80B-A3B", "qwen3-next-80b-a3b"},
    Pair{"Qwen3.5-27B", "qwen3.5-27b"},
    Pair{"Qwen3.5-35B-A3B", "qwen3.5-35b-a3b"},
    Pair{"TinyLlama-1.1B-Chat-v1.0", "tinyllama-1.1b"},
    Pair{"Yi-34B", "yi-34b"},
    Pair{"gpt-oss-120b", "gpt-oss-120b"},
    Pair{"gpt-oss-20b", "gpt-oss-20b"},
};

} // namespace

TEST_CASE(
    "what a published configuration says, its sheet in the catalogue says too: parameters, cache, states")
{
    for (const Pair& pair : pairs) {
        CAPTURE(pair.config);
        const auto published = fromConfig(std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/hf_configs"
                                          / (std::string(pair.config) + ".json"));
        REQUIRE(published);
        if (specs().count(pair.sheet) == 0) // not among the catalogue's models
            continue;
        const ModelSpec& sheet = specs().at(pair.sheet);
        CHECK(parameters(*published) == parameters(sheet));
        CHECK(activeParameters(*published) == activeParameters(sheet));
        for (const double context : {1.0, 3000.0, 100000.0})
            CHECK(cacheBytes(*published, 2, context) == cacheBytes(sheet, 2, context));
    }
}

TEST_CASE("every model of the catalogue has the parameters that its tensors add up to")
{
    CHECK(specs().size() >= 130);
    for (const Case& c : cases()) {
        CAPTURE(c.spec->id);
        const ParameterCount count = countParameters(*c.deployment.llm);
        CHECK(static_cast<double>(count.total) == parameters(*c.spec));
        CHECK(static_cast<double>(count.active) == activeParameters(*c.spec));
    }
}

TEST_CASE("the calculator counts by hand: Llama 3.1 8B")
{
    const ModelSpec& llama = specs().at("llama-3.1-8b");
    CHECK(parameters(llama) == 8030261248.0);
    CHECK(checkpointBytes(llama, "bf16") == 16060522496.0);
    CHECK(cacheBytesPerToken(llama, 2) == 131072.0);
    // One token alone: every matrix twice, the head once, 1,000 cached keys and its own.
    const Work one = workOf(llama, "bf16", 2, {}, 0, {.decodes = 1, .context = 999});
    const double layer = 2 * 4096.0 * 4096 + 2 * 4096.0 * 1024 + 3 * 4096.0 * 14336;
    CHECK(one.weightBytes == 2 * (32 * layer + 128256.0 * 4096));
    CHECK(one.flops() == 2 * (32 * layer + 128256.0 * 4096) + 32 * 4.0 * 4096 * 1000);
    CHECK(one.cacheBytes == 131072.0 * 1001);
}
