#include "headroom_source_dir.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"
#include "tests/model/ask/describe.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>

namespace headroom::tests {

namespace {

struct Row {
    std::string_view question;
    std::string_view scenario;
};

// With the names of the shipped catalogue: what a name means there, and that words which stand in names mean
// what they mean in a sentence.
// clang-format off
constexpr std::array rows {
    Row {"how many A100s for Llama-70B at 20 TPS", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"how many H100s do we need for meta-llama/Llama-3.1-70B-Instruct?", "size model=llama-3.1-70b gpus=h100-sxm-80gb"},
    Row {"Llama-3.1-70B-Instruct-FP8 on H200, 50 users", "size model=llama-3.1-70b gpus=h200-sxm-141gb weights=fp8 users=50"},
    Row {"cheapest way to serve DeepSeek R1 fp8 to 500 users, 8k prompts, p95 TTFT under 2s", "size model=deepseek-r1 weights=fp8 prompt=8192 users=500 ttft=2 percentile=95 objective=cheapest"},
    Row {"what does 2x H200 give me for qwen3 32b at 32k context", "predict model=qwen3-32b gpus=h200-sxm-141gb count=2 prompt=32512"},
    Row {"4090 能跑 qwen2.5 32b 吗", "fit model=qwen2.5-32b gpus=geforce-rtx-4090 count=1"},
    Row {"20 TPS 的 Llama-70B 需要几张 A100?", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"2 台 8 卡 H20 能不能跑 deepseek r1 fp8", "fit model=deepseek-r1 gpus=h20-96gb count=16 weights=fp8"},
    Row {"llama 70b tensor parallel 4 pipeline parallel 2 on H100", "size model=llama-3.3-70b gpus=h100-sxm-80gb tp=4 pp=2"},
    Row {"500 个用户同时用 deepseek r1，输入 8k 输出 1k，首字延迟 2 秒以内，最便宜的方案", "size model=deepseek-r1 prompt=8192 output=1024 users=500 ttft=2 objective=cheapest"},
    Row {"what is the tpot of qwen3 32b on 2 H100", "predict model=qwen3-32b gpus=h100-sxm-80gb count=2"},
    Row {"5 requests per second llama 3.1 8b peak factor 2", "size model=llama-3.1-8b rps=5 peak=2"},
    Row {"llama 3.1 70b 8-bit weights, fp8 kv", "size model=llama-3.1-70b weights=int8 kv=fp8"},
    Row {"how many simultaneous users can 2 H200 handle with llama 3.1 70b at 30 tps", "capacity model=llama-3.1-70b gpus=h200-sxm-141gb count=2 tps=30 objective=users"},
    Row {"H100 单价每小时 2 美元，llama 3.1 70b，100 用户", "size model=llama-3.1-70b gpus=h100-sxm-80gb users=100 price=2"},
    Row {"gemma 3 27b on dual 3090 with llama.cpp q4_k_m", "predict model=gemma-3-27b gpus=geforce-rtx-3090 count=2 engine=llama-cpp weights=q4_k_m"},
    Row {"how many H100 for a 70B model at 20 tps", "size model=llama-3.3-70b gpus=h100-sxm-80gb tps=20"},
    Row {"昇腾 910B 跑 qwen2.5 72b 要几张", "size model=qwen2.5-72b gpus=huawei-ascend-910b"},
    Row {"8B llama on H100", "size model=llama-3.1-8b gpus=h100-sxm-80gb"},
    Row {"llama 8B on H100", "size model=llama-3.1-8b gpus=h100-sxm-80gb"},
    Row {"70B llama on 4 H100", "predict model=llama-3.3-70b gpus=h100-sxm-80gb count=4"},
    Row {"how many A100 for a 70B Llama at 20 TPS", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"how many A100 for the 70B version of Llama at 20 TPS", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"how many A100 for a Llama with 70B parameters at 20 TPS", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"how many A100 for a Llama of 70 billion parameters at 20 TPS", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"Llama, the 70B version, on 4 H100", "predict model=llama-3.3-70b gpus=h100-sxm-80gb count=4"},
    Row {"Llama on 4 H100, 70B", "predict model=llama-3.3-70b gpus=h100-sxm-80gb count=4"},
    Row {"70B on 4 H100, Llama 3.1", "predict model=llama-3.1-70b gpus=h100-sxm-80gb count=4"},
    Row {"32B Qwen3 on 2 H100", "predict model=qwen3-32b gpus=h100-sxm-80gb count=2"},
    Row {"14B qwen3 on an L40S", "size model=qwen3-14b gpus=l40s"},
    Row {"8x7b mixtral on 2 A100", "predict model=mixtral-8x7b gpus=a100-sxm-80gb count=2"},
    Row {"70B DeepSeek R1 distill on 2 H100", "predict model=deepseek-r1-distill-llama-70b gpus=h100-sxm-80gb count=2"},
    Row {"R1 distill llama 8b on L4", "size model=deepseek-r1-distill-llama-8b gpus=l4"},
    Row {"70B 的 Llama 每秒 20 个 token 需要几张 A100", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"Llama 的 70B 每秒 20 个 token 需要几张 A100", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"每秒 20 个 token，70B 参数的 Llama 需要几张 A100", "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"700 亿参数的 Llama 需要几张 A100", "size model=llama-3.3-70b gpus=a100-sxm-80gb"},
    Row {"Llama 70B 参数版需要几张 A100", "size model=llama-3.3-70b gpus=a100-sxm-80gb"},
    Row {"32B 的通义千问3 用 2 张 H100 多快", "predict model=qwen3-32b gpus=h100-sxm-80gb count=2"},
    Row {"Can I run Llama 70B Q4 on 2x RTX 3090?", "fit model=llama-3.3-70b gpus=geforce-rtx-3090 count=2 weights=q4_k_m"},
    Row {"Qwen3-32B Q4_K_M on RTX 4090", "size model=qwen3-32b gpus=geforce-rtx-4090 weights=q4_k_m"},
    Row {"两张 3090 跑 70B Q4 可以吗", "fit model=llama-3.3-70b gpus=geforce-rtx-3090 count=2 weights=q4_k_m"},
    Row {"Can I run Llama 8B on a MacBook Pro M4 Max", "fit model=llama-3.1-8b gpus=apple-m4-max-40 count=1"},
    Row {"Llama 8B on M4 Max 128GB", "size model=llama-3.1-8b gpus=apple-m4-max-40"},
    Row {"Llama 8B on a RTX 4090 24G", "size model=llama-3.1-8b gpus=geforce-rtx-4090"},
    Row {"用 4090 24GB 跑 llama 8b 多快", "predict model=llama-3.1-8b gpus=geforce-rtx-4090"},
    Row {"Llama 8B on M4 Max 17GB", ""},
    Row {"qwen3 32b q4_k_m with vllm on RTX 4090", "size model=qwen3-32b gpus=geforce-rtx-4090 engine=vllm weights=q4_k_m"},
    Row {"qwen3 32b int4 on RTX 4090", "size model=qwen3-32b gpus=geforce-rtx-4090 weights=int4"},
    Row {"deepseek v3 on MI300X or H200, 100 users, 2 nodes of 8", ""},
    Row {"qwen3 32b on 3 chats with a pcie server", "size model=qwen3-32b users=3"},
};
// clang-format on

} // namespace

TEST_CASE("Names of the shipped catalogue are read out of sentences")
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    for (const Row& row : rows) {
        CAPTURE(row.question);
        const auto question = ask::read(row.question, vocabulary);
        CHECK((question ? describe(*question) : std::string{}) == row.scenario);
    }
}

TEST_CASE("What a plan makes nothing of is told where it was said: boxes of a choice, a network")
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    const auto unused = [&](std::string_view text) {
        CAPTURE(text);
        const auto question = ask::read(text, vocabulary);
        REQUIRE(question);
        std::string all;
        for (const ask::Unused& one : question->unused)
            all += one.said + ": " + one.why + "; ";
        return all;
    };
    CHECK(unused("llama 70b, how many boxes of 4 H100 or boxes of 8 B200, 50 users").find("4 H100: not used")
          != std::string::npos);
    CHECK(unused("llama 70b, 2 boxes of 4 H100 or 1 of 8 B200, 50 users").empty());
    CHECK(unused("llama 70b, 2 boxes of 8 H100 or 1 of 8 B200, 50 users").empty());
    CHECK(unused("llama 70b, 2 boxes of 4 H100 or 2 boxes of 4 A100, 50 users").empty());
    for (const char* network : {"the network is 400G InfiniBand", "400Gb/s network", "网络是 400G IB"}) {
        CAPTURE(network);
        const std::string told = unused(std::string("deepseek r1 on 16 H100, 200 users, ") + network);
        CHECK(told.find("400") != std::string::npos);
    }
}

TEST_CASE("Every model and accelerator is found by its id and by its name in a sentence")
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    for (const std::string& id : (*catalogue)->modelIds()) {
        CAPTURE(id);
        const auto question = ask::read("how many H100 for " + id + " at 20 TPS", vocabulary);
        CHECK((question ? question->scenario.model : std::string{}) == id);
    }
    for (const std::string& id : (*catalogue)->gpuIds()) {
        CAPTURE(id);
        const auto question = ask::read("how many " + id + " for llama-3.1-8b at 20 TPS", vocabulary);
        REQUIRE(question);
        REQUIRE(question->scenario.gpus.size() == 1);
        CHECK(question->scenario.gpus.front() == id);
    }
}

} // namespace headroom::tests
