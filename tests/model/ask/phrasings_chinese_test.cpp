#include "tests/model/ask/describe.h"
#include "tests/model/ask/small_vocabulary.h"

#include <doctest/doctest.h>

#include <array>
#include <string_view>

namespace headroom::tests {

namespace {

struct Row {
    std::string_view question;
    std::string_view scenario;
};

// clang-format off
constexpr std::array sizing {
    Row {"20 TPS 的 Llama-70B 需要几张 A100？",
         "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"20 TPS 的 Llama-70B 需要几张 A100?",
         "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
    Row {"500 个用户同时用 deepseek r1，输入 8k 输出 1k，首字延迟 2 秒以内，最便宜的方案",
         "size model=deepseek-r1 prompt=8192 output=1024 users=500 ttft=2 objective=cheapest"},
    Row {"deepseek r1 满足 500 并发，每个用户 20 token/s，p99 首字延迟 < 2s，每个 token 延迟 50ms 以内，用 H20 要多少张",
         "size model=deepseek-r1 gpus=h20-96gb users=500 tps=20 ttft=2 tpot=0.05 percentile=99"},
    Row {"用 sglang 部署 qwen3 32b，每秒 5 个请求，平均输入 2k，输出 500，需要多少 H20",
         "size model=qwen3-32b gpus=h20-96gb engine=sglang prompt=2048 output=500 rps=5"},
    Row {"预算每小时 20 美元，llama 70b，50 个并发",
         "size model=llama-3.3-70b users=50 budget=20"},
    Row {"电价 0.1 美元/度，llama 70b 最省电",
         "size model=llama-3.3-70b kwh=0.1 objective=energy"},
    Row {"我想部署 deepseek v3，一共 1000 用户，每人每秒 20 token",
         "size model=deepseek-v3 users=1000 tps=20"},
    Row {"需要多少张 H800 才能让 200 人同时使用 DeepSeek R1，每人 20 tokens/s？",
         "size model=deepseek-r1 gpus=h800-sxm-80gb users=200 tps=20"},
    Row {"qwen2.5 7b 并发 64 需要几张 T4",
         "size model=qwen2.5-7b gpus=t4 users=64"},
    Row {"哪款显卡适合 qwen3 8b",
         "size model=qwen3-8b"},
    Row {"qwen3 32b 选 A100 还是 H100",
         "size model=qwen3-32b gpus=a100-sxm-80gb,h100-sxm-80gb"},
    Row {"llama 70b 端到端延迟 10 秒以内，并发 100，需要几张 H100",
         "size model=llama-3.3-70b gpus=h100-sxm-80gb users=100 latency=10"},
    Row {"qwen3 32b，p95 首 token 时延不超过 1.5 秒",
         "size model=qwen3-32b ttft=1.5 percentile=95"},
    Row {"上下文 128k 的 llama 3.1 70b 需要几张 H200",
         "size model=llama-3.1-70b gpus=h200-sxm-141gb prompt=130816"},
    Row {"昇腾 910B 跑 qwen2.5 72b 要几张",
         "size model=qwen2.5-72b gpus=huawei-ascend-910b"},
    Row {"每天 10 万次请求，qwen3 32b，输入 1k，输出 300，H20",
         "size model=qwen3-32b gpus=h20-96gb output=300 rps=1.15741"},
    Row {"每分钟 600 个请求的 qwen2.5 7b",
         "size model=qwen2.5-7b rps=10"},
    Row {"qwen3 8b 用 vllm，batch 32，A100",
         "size model=qwen3-8b gpus=a100-sxm-80gb batch=32"},
    Row {"三百个用户用 qwen3 8b",
         "size model=qwen3-8b users=300"},
    Row {"二十五个并发 qwen3 8b",
         "size model=qwen3-8b users=25"},
    Row {"部署通义千问2.5 72b 需要几块 H20",
         "size model=qwen2.5-72b gpus=h20-96gb"},
    Row {"deepseek r1 满血版 fp8 需要多少张 H20",
         "size model=deepseek-r1 gpus=h20-96gb weights=fp8"},
    Row {"qwen3 235b 用 fp8 精度，500 人同时在线，每人 15 token/s，选哪款卡最便宜",
         "size model=qwen3-235b-a22b weights=fp8 users=500 tps=15 objective=cheapest"},
    Row {"我们有 1000 个员工，想部署 deepseek v3，每个用户不低于 20 tokens/s，用 H800",
         "size model=deepseek-v3 gpus=h800-sxm-80gb users=1000 tps=20"},
    Row {"qwen2.5 72b 支持 100 并发需要几张 A100",
         "size model=qwen2.5-72b gpus=a100-sxm-80gb users=100"},
    Row {"并发数 200，qwen3 8b，输入 1000 输出 200，L40S",
         "size model=qwen3-8b gpus=l40s prompt=1000 output=200 users=200"},
    Row {"QPS 20，输入长度 2048，输出长度 512，qwen3 32b，H100 需要多少张",
         "size model=qwen3-32b gpus=h100-sxm-80gb prompt=2048 output=512 rps=20"},
    Row {"每秒 30 次请求 qwen3 8b",
         "size model=qwen3-8b rps=30"},
    Row {"qwen3 8b 每小时 3600 个请求",
         "size model=qwen3-8b rps=1"},
    Row {"首字延迟小于 500 毫秒，qwen3 8b，100 用户",
         "size model=qwen3-8b users=100 ttft=0.5"},
    Row {"P95 首字延迟 1 秒，每 token 延迟 40 毫秒，llama 70b，200 并发",
         "size model=llama-3.3-70b users=200 ttft=1 tpot=0.04 percentile=95"},
    Row {"每个 token 延迟不超过 30ms，qwen3 32b，H200",
         "size model=qwen3-32b gpus=h200-sxm-141gb tpot=0.03"},
    Row {"端到端延迟 8 秒以内，qwen3 32b，50 用户",
         "size model=qwen3-32b users=50 latency=8"},
    Row {"99 分位首 token 延迟 3 秒以内，deepseek r1，300 并发",
         "size model=deepseek-r1 users=300 ttft=3 percentile=99"},
    Row {"平均首字延迟 1 秒以内，qwen3 8b，20 并发",
         "size model=qwen3-8b users=20 ttft=1 percentile=50"},
    Row {"总吞吐 10000 token/s，qwen3 8b，H20",
         "size model=qwen3-8b gpus=h20-96gb rps=39.0625"},
    Row {"每秒 50 个 token，qwen3 32b",
         "size model=qwen3-32b tps=50"},
    Row {"速度 30 token/s 的 qwen3 32b 需要几张 4090",
         "size model=qwen3-32b gpus=geforce-rtx-4090 tps=30"},
    Row {"32k 上下文的 qwen3 32b，10 个用户",
         "size model=qwen3-32b prompt=32512 users=10"},
    Row {"提示词 4k，回答 800，qwen3 32b，64 并发",
         "size model=qwen3-32b prompt=4096 output=800 users=64"},
    Row {"glm 4.5 平均输入 3000 平均输出 600，每秒 2 个请求",
         "size model=glm-4.5 prompt=3000 output=600 rps=2"},
    Row {"qwen3 32b 最省钱的部署方案，100 并发",
         "size model=qwen3-32b users=100 objective=cheapest"},
    Row {"deepseek r1 每百万 token 成本最低，用什么卡",
         "size model=deepseek-r1 objective=tokens"},
    Row {"llama 70b 最省电的方案",
         "size model=llama-3.3-70b objective=energy"},
    Row {"qwen3 8b 吞吐最高，8 张 4090",
         "size model=qwen3-8b gpus=geforce-rtx-4090 count=8 objective=throughput"},
    Row {"预算每月 1 万美元，qwen3 32b，100 用户",
         "size model=qwen3-32b users=100 budget=13.6893"},
    Row {"H100 单价每小时 2 美元，llama 70b，100 用户",
         "size model=llama-3.3-70b gpus=h100-sxm-80gb users=100 price=2"},
    Row {"购买 H100，每张 25000 美元，3 年折旧，电价 0.08 美元/度，llama 70b",
         "size model=llama-3.3-70b gpus=h100-sxm-80gb buy=25000 years=3 kwh=0.08"},
    Row {"峰值系数 3，qwen3 32b，10 rps",
         "size model=qwen3-32b rps=10 peak=3"},
    Row {"qwen3 32b，每年增长 50%，100 用户",
         "size model=qwen3-32b users=100 growth=0.5"},
    Row {"前缀缓存命中率 60%，qwen3 32b，100 用户",
         "size model=qwen3-32b prefix=0.6 users=100"},
    Row {"预留 20% 余量，qwen3 32b，100 用户",
         "size model=qwen3-32b users=100 headroom=0.2"},
    Row {"利用率 70%，qwen3 32b，5 qps",
         "size model=qwen3-32b rps=5 headroom=0.3"},
    Row {"N+1 冗余，qwen3 32b，5 qps",
         "size model=qwen3-32b rps=5 spares=1"},
    Row {"张量并行 4，qwen3 32b，H100",
         "size model=qwen3-32b gpus=h100-sxm-80gb tp=4"},
    Row {"qwen3 32b int8 权重，fp8 kv 缓存，L40",
         "size model=qwen3-32b gpus=l40 weights=int8 kv=fp8"},
    Row {"llama 70b 权重和 kv 缓存用 fp8",
         "size model=llama-3.3-70b weights=fp8 kv=fp8"},
    Row {"阅读速度，llama 70b，500 用户",
         "size model=llama-3.3-70b users=500 tps=6.25"},
    Row {"比人读得快，qwen3 8b，4090",
         "size model=qwen3-8b gpus=geforce-rtx-4090 tps=17.5"},
    Row {"ＬＬａｍａ－７０Ｂ　２０　ＴＰＳ　需要几张　Ａ１００？",
         "size model=llama-3.3-70b gpus=a100-sxm-80gb tps=20"},
};
// clang-format on

// clang-format off
constexpr std::array machine {
    Row {"4090 能跑 qwen2.5 32b 吗",
         "fit model=qwen2.5-32b gpus=geforce-rtx-4090 count=1"},
    Row {"８张Ｈ８００能跑 deepseek r1 吗？",
         "fit model=deepseek-r1 gpus=h800-sxm-80gb count=8"},
    Row {"8卡H100跑 qwen2.5 72b 多快",
         "predict model=qwen2.5-72b gpus=h100-sxm-80gb count=8"},
    Row {"两张 4090 够跑 llama 8b 吗",
         "fit model=llama-3.1-8b gpus=geforce-rtx-4090 count=2"},
    Row {"4 张 H100 的 llama 70b 能支持多少并发",
         "capacity model=llama-3.3-70b gpus=h100-sxm-80gb count=4"},
    Row {"用 4 张 L40S 跑 qwen2.5 72b int4 能有多快？",
         "predict model=qwen2.5-72b gpus=l40s count=4 weights=int4"},
    Row {"2 台 8 卡 H20 能不能跑 deepseek r1 fp8",
         "fit model=deepseek-r1 gpus=h20-96gb count=16 weights=fp8"},
    Row {"最少几张 A10 能跑 qwen2.5 7b",
         "fit model=qwen2.5-7b gpus=a10 count=1"},
    Row {"单张 3090 能跑 int4 的 qwen2.5 32b 吗",
         "fit model=qwen2.5-32b gpus=geforce-rtx-3090 count=1 weights=int4"},
    Row {"显存够不够：1 张 4090，qwen2.5 32b，fp8",
         "fit model=qwen2.5-32b gpus=geforce-rtx-4090 count=1 weights=fp8"},
    Row {"tp8 的 deepseek r1 在 8 张 H200 上每秒多少 token",
         "predict model=deepseek-r1 gpus=h200-sxm-141gb count=8 tp=8"},
    Row {"用 8 张 H100 部署 llama 405b fp8，吞吐是多少",
         "predict model=llama-3.1-405b gpus=h100-sxm-80gb count=8 weights=fp8"},
    Row {"H200 x 8 跑 kimi k2 速度如何",
         "predict model=kimi-k2 gpus=h200-sxm-141gb count=8"},
    Row {"qwen3 32b 在两张 4090 上能跑多快",
         "predict model=qwen3-32b gpus=geforce-rtx-4090 count=2"},
    Row {"一张 L40S 放得下 qwen2.5 32b fp8 吗",
         "fit model=qwen2.5-32b gpus=l40s count=1 weights=fp8"},
    Row {"8 张 A100 够 deepseek r1 int4 用吗",
         "fit model=deepseek-r1 gpus=a100-sxm-80gb count=8 weights=int4"},
    Row {"T4 能不能跑 qwen2.5 7b int4",
         "fit model=qwen2.5-7b gpus=t4 count=1 weights=int4"},
    Row {"能用 4 张 3090 跑 int4 的 llama 70b 吗？",
         "fit model=llama-3.3-70b gpus=geforce-rtx-3090 count=4 weights=int4"},
    Row {"4 张 H100 跑 llama 70b 能支持多少用户，每人 20 tps",
         "capacity model=llama-3.3-70b gpus=h100-sxm-80gb count=4 tps=20"},
    Row {"8 张 H20 跑 deepseek r1 每秒能处理多少请求",
         "capacity model=deepseek-r1 gpus=h20-96gb count=8"},
    Row {"一台 8 卡 H200 跑 deepseek r1 首字延迟是多少",
         "predict model=deepseek-r1 gpus=h200-sxm-141gb count=8"},
};
// clang-format on

} // namespace

TEST_CASE("Chinese questions about how many and which are read as the scenario they mean")
{
    for (const Row& row : sizing) {
        CAPTURE(row.question);
        CHECK(answered(row.question) == row.scenario);
    }
}

TEST_CASE("Chinese questions about a given machine are read as the scenario they mean")
{
    for (const Row& row : machine) {
        CAPTURE(row.question);
        CHECK(answered(row.question) == row.scenario);
    }
}

} // namespace headroom::tests
