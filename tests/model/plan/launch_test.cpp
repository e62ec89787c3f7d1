#include "model/launch/launch.h"
#include "model/launch/quote.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace headroom::tests {

namespace {

Scenario on(std::string engine)
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.engine = std::move(engine);
    s.tp = 4;
    s.batch = 16;
    s.prompt = LengthDistribution::of(2000);
    s.output = LengthDistribution::of(500);
    return s;
}

Resolved resolved(const Scenario& scenario)
{
    auto out = resolve(scenario, shipped());
    if (!out)
        FAIL(out.error().front().where << " " << out.error().front().what.english());
    return *std::move(out);
}

LaunchCommand command(const Scenario& scenario)
{
    auto out = launchCommand(resolved(scenario));
    if (!out)
        FAIL(out.error().front().what.english());
    return *std::move(out);
}

// The value of a flag; "-" when the flag is absent.
std::string value(const LaunchCommand& command, std::string_view flag)
{
    const auto found = std::find_if(command.flags.begin(), command.flags.end(),
                                    [&](const LaunchFlag& f) { return f.first == flag; });
    return found == command.flags.end() ? "-" : found->second;
}

std::string commandText(const Scenario& scenario, LaunchTarget target = LaunchTarget::Shell)
{
    const Resolved r = resolved(scenario);
    const auto c = launchCommand(r);
    REQUIRE(c);
    return launchText(*c, r, target);
}

bool has(const std::string& all, std::string_view part) { return all.find(part) != std::string::npos; }

} // namespace

TEST_CASE("vLLM is started with the settings that the plan assumed")
{
    Scenario s = on("vllm");
    s.kv = DType::Fp8;
    s.maxSequences = 64;
    s.maxBatchedTokens = 4096;
    s.memoryFraction = 0.85;
    const LaunchCommand c = command(s);
    CHECK(c.program == std::vector<std::string>{"vllm", "serve", resolved(s).deployment.llm->hfId});
    CHECK(value(c, "--tensor-parallel-size") == "4");
    CHECK(value(c, "--pipeline-parallel-size") == "-");
    CHECK(value(c, "--dtype") == "bfloat16");
    CHECK(value(c, "--quantization") == "-");
    CHECK(value(c, "--kv-cache-dtype") == "fp8");
    CHECK(value(c, "--max-model-len") == "2560"); // 2,500 in whole blocks of 256
    CHECK(value(c, "--max-num-seqs") == "64");
    CHECK(value(c, "--max-num-batched-tokens") == "4096");
    CHECK(value(c, "--gpu-memory-utilization") == "0.85");
    CHECK(value(c, "--block-size") == "16");
}

TEST_CASE("a KV cache in 4 bits is asked of each engine by its own name")
{
    Scenario s = on("vllm");
    s.gpus = {"b200-sxm-180gb"};
    s.kv = DType::Nvfp4;
    CHECK(value(command(s), "--kv-cache-dtype") == "nvfp4");
    s.engine = "sglang";
    CHECK(value(command(s), "--kv-cache-dtype") == "fp4_e2m1");
    s.engine = "tensorrt-llm";
    CHECK(has(command(s).configFile, "  dtype: nvfp4\n"));
}

TEST_CASE("a type of KV cache that the server cannot be asked for is refused, not started as another")
{
    Scenario s = on("tensorrt-llm");
    s.kv = DType::Int8; // of its backend of 2024; trtllm-serve's has fp8 and nvfp4
    const auto c = launchCommand(resolved(s));
    REQUIRE(!c);
    CHECK(c.error().front().what.english().find("int8") != std::string::npos);
}

TEST_CASE("fp8 weights of a 16-bit checkpoint are made while loading; others need another checkpoint")
{
    Scenario s = on("vllm");
    s.weights = DType::Fp8;
    CHECK(value(command(s), "--quantization") == "fp8");
    REQUIRE(command(s).notes.size() == 1); // of what every start says
    CHECK(has(command(s).notes.front().english(), "at most 2560 tokens"));
    s.weights = DType::Int4;
    CHECK(value(command(s), "--quantization") == "-");
    REQUIRE(command(s).notes.size() == 2);
    CHECK(has(command(s).notes.front().english(), "int4"));
}

TEST_CASE("vLLM over two nodes gets a rank on each, and workers no front end")
{
    Scenario s = on("vllm");
    s.model = "llama-3.1-405b";
    s.tp = 8;
    s.pp = 2;
    s.batch = 1;
    const std::string shell = commandText(s);
    CHECK(has(shell, "--nnodes 2"));
    CHECK(has(shell, "--node-rank 0"));
    CHECK(has(shell, "--node-rank 1"));
    CHECK(has(shell, "--pipeline-parallel-size 2"));
    const std::size_t worker = shell.find("--node-rank 1");
    CHECK(shell.find("--headless") > worker);
    CHECK(!has(shell.substr(0, worker), "--headless"));
    const std::string slurm = commandText(s, LaunchTarget::Slurm);
    CHECK(has(slurm, "#SBATCH --nodes=2"));
    CHECK(has(slurm, "#SBATCH --gres=gpu:8"));
    CHECK(has(slurm, "--node-rank $SLURM_NODEID"));
    const std::string yaml = commandText(s, LaunchTarget::Kubernetes);
    CHECK(has(yaml, "kind: LeaderWorkerSet"));
    CHECK(has(yaml, "size: 2"));
    CHECK(has(yaml, "nvidia.com/gpu: 8"));
    CHECK(has(yaml, "--node-rank $LWS_WORKER_INDEX"));
    CHECK(has(yaml, "--master-addr $LWS_LEADER_ADDRESS"));
}

TEST_CASE("Replicas in one node get GPUs and ports of their own")
{
    Scenario s = on("vllm");
    s.replicas = 2;
    const std::string shell = commandText(s);
    CHECK(has(shell, "CUDA_VISIBLE_DEVICES=0,1,2,3 vllm"));
    CHECK(has(shell, "CUDA_VISIBLE_DEVICES=4,5,6,7 vllm"));
    CHECK(has(shell, "--port 8000"));
    CHECK(has(shell, "--port 8001"));
    CHECK(has(commandText(s, LaunchTarget::Kubernetes), "replicas: 2"));
    CHECK(has(commandText(s, LaunchTarget::Slurm), "--array=0-1"));
}

TEST_CASE("Devices, resources and images are those of the platform")
{
    Scenario s = on("vllm");
    s.gpus = {"instinct-mi300x"};
    s.replicas = 2;
    const std::string shell = commandText(s);
    CHECK(has(shell, "HIP_VISIBLE_DEVICES=0,1,2,3 vllm"));
    const std::string yaml = commandText(s, LaunchTarget::Kubernetes);
    CHECK(has(yaml, "amd.com/gpu: 4"));
    CHECK(has(yaml, "rocm/vllm"));
    s.gpus = {"tpu-v6e"};
    s.model = "llama-3.1-8b";
    s.engine.clear();
    s.tp = 1;
    s.batch = 1;
    CHECK(has(commandText(s), "TPU_VISIBLE_CHIPS=1 vllm"));
    const std::string tpu = commandText(s, LaunchTarget::Kubernetes);
    CHECK(has(tpu, "google.com/tpu: 1"));
    CHECK(has(tpu, "IMAGE # of vllm for TPU"));
    CHECK(!has(tpu, "nvidia"));
}

TEST_CASE("SGLang counts the GPUs of data-parallel attention in its tensor parallel size")
{
    Scenario s = on("sglang");
    s.model = "deepseek-v3";
    s.gpus = {"h200-sxm-141gb"};
    s.tp = 1;
    s.dp = 8;
    s.ep = 8;
    s.pp = 1;
    s.replicas = 1;
    const LaunchCommand c = command(s);
    CHECK(c.program == std::vector<std::string>{"python3", "-m", "sglang.launch_server"});
    CHECK(value(c, "--tp-size") == "8");
    CHECK(value(c, "--dp-size") == "8");
    CHECK(value(c, "--ep-size") == "8");
    CHECK(value(c, "--enable-dp-attention").empty());
    CHECK(value(c, "--context-length") == "2560");
    CHECK(value(c, "--mem-fraction-static") != "-");
}

// The words of the notes that a start line has for experts' kernels; empty: none.
std::string kernelsNoted(const Scenario& scenario, LaunchRole role = LaunchRole::All)
{
    const auto c = launchCommand(resolved(scenario), role);
    REQUIRE(c);
    const auto found = std::find_if(c->notes.begin(), c->notes.end(), [](const Message& note) {
        return has(note.english(), "only to the ranks of its experts");
    });
    return found == c->notes.end() ? "" : found->english();
}

TEST_CASE("a plan with kernels that send experts' tokens says which flag asks for them")
{
    Scenario s = on("sglang");
    s.model = "deepseek-v3";
    s.gpus = {"h200-sxm-141gb"};
    s.tp = 1;
    s.dp = 8;
    s.ep = 8;
    CHECK(has(kernelsNoted(s), "--moe-a2a-backend deepep asks"));
    s.engine = "vllm";
    CHECK(has(kernelsNoted(s), "--all2all-backend deepep_high_throughput, or deepep_low_latency"));
    CHECK(has(kernelsNoted(s, LaunchRole::Prompts), "--all2all-backend deepep_high_throughput asks"));
    CHECK(has(kernelsNoted(s, LaunchRole::Decodes), "--all2all-backend deepep_low_latency asks"));
    CHECK(has(commandText(s), "# planned with kernels that send"));
    s.gpus = {"instinct-mi355x"};
    CHECK(has(kernelsNoted(s), "--all2all-backend with MoRI's kernels asks"));
    s.engine = "sglang";
    CHECK(has(kernelsNoted(s), "--moe-a2a-backend mori asks"));
    s.engine = "tensorrt-llm"; // takes them by itself
    s.gpus = {"h200-sxm-141gb"};
    CHECK(kernelsNoted(s).empty());
}

TEST_CASE("no kernels for experts' tokens are noted where none were planned")
{
    Scenario s = on("sglang");
    s.model = "deepseek-v3";
    s.gpus = {"h200-sxm-141gb"};
    s.tp = 8;
    s.ep = 8;
    CHECK(kernelsNoted(s).empty()); // each rank has all tokens
    s.model = "qwen3-30b-a3b";
    s.gpus = {"rtx-pro-6000-blackwell-server"};
    s.tp = 1;
    s.dp = 4;
    s.ep = 4;
    CHECK(kernelsNoted(s).empty()); // gathered over PCIe
    s.gpus = {"h200-sxm-141gb"};
    CHECK_FALSE(kernelsNoted(s).empty());
}

TEST_CASE("TensorRT-LLM takes flags and a config file")
{
    Scenario s = on("tensorrt-llm");
    s.kv = DType::Fp8;
    const LaunchCommand c = command(s);
    CHECK(c.program.front() == "trtllm-serve");
    CHECK(value(c, "--tp_size") == "4");
    CHECK(value(c, "--max_seq_len") == "2560");
    CHECK(value(c, "--config") == "config.yml");
    CHECK(has(c.configFile, "dtype: fp8\n"));
    CHECK(has(c.configFile, "tokens_per_block: "));
    CHECK(value(c, "--max_num_tokens") == "8192");
    CHECK(!has(c.configFile, "stream_interval"));
}

TEST_CASE(
    "TensorRT-LLM is started with the step of one rank and the pieces of an answer that the plan assumed")
{
    Scenario s = on("tensorrt-llm");
    s.model = "deepseek-r1";
    s.gpus = {"b200-sxm-180gb"};
    s.tp = 1;
    s.dp = 8;
    s.ep = 8;
    s.batch = 512;
    const LaunchCommand c = command(s);
    CHECK(value(c, "--max_num_tokens") == "2176"); // 2000 + 512 / 8 + 64 = 2128, in whole 64
    CHECK(has(c.configFile, "stream_interval: 10\n"));
    // Ranks wait for each other's prompts as the plan's do.
    CHECK(
        has(c.configFile,
            "attention_dp_config:\n  enable_balance: true\n  batching_wait_iters: 0\n  timeout_iters: 60\n"));
    s.maxBatchedTokens = 4096;
    CHECK(value(command(s), "--max_num_tokens") == "4096");
}

TEST_CASE("TGI is given no dtype beside a quantisation, and no second node")
{
    Scenario s = on("tgi");
    s.weights = DType::Fp8;
    const LaunchCommand c = command(s);
    CHECK(c.program.front() == "text-generation-launcher");
    CHECK(value(c, "--num-shard") == "4");
    CHECK(value(c, "--quantize") == "fp8");
    CHECK(value(c, "--dtype") == "-");
    CHECK(value(c, "--max-total-tokens") == "2560");
    CHECK(value(c, "--max-input-tokens") == "2060");
    s.weights = DType::Bf16;
    CHECK(value(command(s), "--dtype") == "bfloat16");
}

TEST_CASE("LMDeploy names the format and the bits of its cache")
{
    const LaunchCommand c = command(on("lmdeploy"));
    CHECK(c.program
          == std::vector<std::string>{"lmdeploy", "serve", "api_server",
                                      resolved(on("lmdeploy")).deployment.llm->hfId});
    CHECK(value(c, "--tp") == "4");
    CHECK(value(c, "--quant-policy") == "0");
    CHECK(value(c, "--model-format") == "hf");
    CHECK(value(c, "--session-len") == "2560");
}

TEST_CASE("llama.cpp shares its context between the slots")
{
    Scenario s = on("llama-cpp");
    s.model = "llama-3.1-8b";
    s.weights = DType::Q4_K_M;
    s.tp = 1;
    s.batch = 4;
    const LaunchCommand c = command(s);
    CHECK(c.program.front() == "llama-server");
    CHECK(value(c, "-np") == "4");
    CHECK(value(c, "-c") == "10240"); // 4 slots of 2,560
    CHECK(value(c, "-ngl") == "999");
    CHECK(value(c, "-m") == "llama-3.1-8b-q4_k_m.gguf");
}

TEST_CASE("tokens of a step are those of llama.cpp's pieces where they are asked for")
{
    Scenario s = on("llama-cpp");
    s.model = "llama-3.1-8b";
    s.weights = DType::Q4_K_M;
    s.tp = 1;
    s.batch = 1;
    CHECK(resolved(s).deployment.engine->pipelinePiece == 512);
    s.maxBatchedTokens = 2048;
    CHECK(resolved(s).deployment.engine->pipelinePiece == 2048);
    const LaunchCommand c = command(s);
    CHECK(value(c, "-b") == "2048");
    CHECK(value(c, "-ub") == "2048");
}

TEST_CASE("An engine without a known start line is refused by name")
{
    const auto none = launchCommand(resolved(on("ideal")));
    REQUIRE(!none);
    CHECK(has(none.error().front().what.english(), "no start line"));
    CHECK(has(none.error().front().hint.english(), "vllm"));
}

TEST_CASE("a checkpoint that a program would take for an option is refused")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.engine = "vllm";
    s.tp = 1;
    s.batch = 1;
    Resolved r = *resolve(s, shipped());
    Llm llm = *r.deployment.llm;
    r.deployment.llm = &llm;
    for (const char* name : {"--config=/tmp/x", "-x", "a\nb", "a\x1b[2Jb"}) {
        CAPTURE(name);
        llm.hfId = name;
        CHECK_FALSE(launchCommand(r).has_value());
    }
    llm.hfId = "plain/name";
    CHECK(launchCommand(r).has_value());
}

TEST_CASE("each language's quotes, by its own rules")
{
    CHECK(shellQuoted("") == "''");
    CHECK(shellQuoted("a/b-c_1.2:3=4,5@6%7+8") == "a/b-c_1.2:3=4,5@6%7+8");
    CHECK(shellQuoted("it's") == "'it'\\''s'");
    CHECK(hereDocument("EOF\nEOFF") == "<<'EOFFF'\nEOF\nEOFF\nEOFFF\n");
    CHECK(commentText("a\nb\x1b") == "a b ");
    CHECK(jsonQuoted("a\"b\\c\n\x01") == "\"a\\\"b\\\\c\\n\\u0001\"");
    for (const char* taken : {"true", "No", "null", "1e3", "0x1", "", "a: b", "- a", "~", "on"})
        CHECK(yamlQuoted(taken).front() == '"');
    CHECK(yamlQuoted("llama-3.1-8b") == "llama-3.1-8b");
}

} // namespace headroom::tests
