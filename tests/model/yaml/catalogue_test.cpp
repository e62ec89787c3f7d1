#include "headroom_source_dir.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/name_index.h"

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <utility>

using namespace headroom;

namespace {

NameIndex models()
{
    NameIndex index("model");
    const auto add
        = [&](const char* id, const char* name, const char* released, std::vector<std::string> aliases) {
              index.add({.id = id, .name = name, .released = released, .aliases = std::move(aliases)});
          };
    add("llama-2-70b", "Llama 2 70B", "2023-07", {"meta-llama/Llama-2-70b-chat-hf"});
    add("llama-3-70b", "Llama 3 70B", "2024-04", {});
    add("llama-3.1-70b", "Llama 3.1 70B", "2024-07", {"meta-llama/Llama-3.1-70B-Instruct"});
    add("llama-3.3-70b", "Llama 3.3 70B", "2024-12", {});
    add("llama-3.1-8b", "Llama 3.1 8B", "2024-07", {});
    add("qwen2.5-72b", "Qwen2.5 72B", "2024-09", {"Qwen/Qwen2.5-72B-Instruct"});
    add("deepseek-r1", "DeepSeek R1", "2025-01", {});
    add("deepseek-r1-distill-llama-70b", "DeepSeek R1 Distill Llama 70B", "2025-01", {});
    return index;
}

} // namespace

TEST_CASE("a model is found by what people type")
{
    const NameIndex index = models();
    for (const auto& [typed, id] : {std::pair{"llama-3.1-70b", "llama-3.1-70b"},
                                    {"Llama 3 70B", "llama-3-70b"},
                                    {"llama3 70b", "llama-3-70b"},
                                    {"LLAMA-3.1-70B", "llama-3.1-70b"},
                                    {"meta-llama/Llama-3.1-70B-Instruct", "llama-3.1-70b"},
                                    {"Llama-3.1-70B-Instruct", "llama-3.1-70b"},
                                    {"qwen2.5 72b", "qwen2.5-72b"},
                                    {"Qwen 2.5 72B", "qwen2.5-72b"},
                                    {"qwen 72b", "qwen2.5-72b"},
                                    {"DeepSeek R1", "deepseek-r1"},
                                    {"deepseek-r1", "deepseek-r1"}}) {
        CAPTURE(typed);
        const Result<NameMatch> match = index.find(typed);
        REQUIRE(match);
        CHECK(match->id == id);
    }
}

TEST_CASE("an ambiguous model name takes the newest and lists the others, newest first")
{
    CHECK_FALSE(models().find("Llama-3 8B-or-so"));
    NameIndex index("model");
    index.add({.id = "llama-2-70b", .name = "Llama 2 70B", .released = "2023-07", .aliases = {}});
    index.add({.id = "llama-3.1-70b", .name = "Llama 3.1 70B", .released = "2024-07", .aliases = {}});
    index.add({.id = "llama-3.3-70b", .name = "Llama 3.3 70B", .released = "2024-12", .aliases = {}});
    const Result<NameMatch> newest = index.find("Llama-70B");
    REQUIRE(newest);
    CHECK(newest->id == "llama-3.3-70b");
    CHECK(newest->why.english() == "newest of 3 that 'Llama-70B' can mean");
    CHECK(newest->others == std::vector<std::string>{"llama-3.1-70b", "llama-2-70b"});
}

TEST_CASE("figures of a name do not run together, and an id in other letters is that id")
{
    NameIndex index("model");
    index.add({.id = "qwen3.5-27b", .name = "Qwen3.5 27B", .released = "2026-02", .aliases = {"qwen 27b"}});
    index.add({.id = "qwen2-7b", .name = "Qwen2 7B", .released = "2024-06", .aliases = {}});
    index.add({.id = "llama-3.1-8b",
               .name = "Llama 3.1 8B",
               .released = "2024-07",
               .aliases = {"Llama-3-8B", "llama 8b"}});
    index.add({.id = "llama-3-8b", .name = "Llama 3 8B", .released = "2024-04", .aliases = {}});
    const auto found = [&](const char* typed) {
        const Result<NameMatch> match = index.find(typed);
        return match ? match->id : match.error().front().what.english();
    };
    CHECK(found("Qwen2-7B") == "qwen2-7b");
    CHECK(found("qwen 27b") == "qwen3.5-27b");
    CHECK(found("Llama-3-8B") == "llama-3-8b");
    CHECK(found("llama_3_1 8b") == "llama-3.1-8b");
    CHECK(found("llama 8b") == "llama-3.1-8b");
    CHECK(found("Llama 3") == "llama-3-8b");
    CHECK(index.find("Llama-3-8B")->others.empty());
    CHECK(index.find("llama 8b")->others == std::vector<std::string>{"llama-3-8b"});
}

TEST_CASE(
    "a family and a size mean the newest that is called so, a published name to the letter its own model")
{
    NameIndex index("model");
    index.add({.id = "qwen-72b", .name = "Qwen 72B", .released = "2023-11", .aliases = {"Qwen/Qwen-72B"}});
    index.add({.id = "qwen2-72b", .name = "Qwen2 72B", .released = "2024-06", .aliases = {}});
    index.add({.id = "qwen2.5-72b", .name = "Qwen2.5 72B", .released = "2024-09", .aliases = {"qwen 72b"}});
    const Result<NameMatch> bare = index.find("Qwen 72B");
    REQUIRE(bare);
    CHECK(bare->id == "qwen2.5-72b");
    CHECK(bare->others == std::vector<std::string>{"qwen2-72b", "qwen-72b"});
    CHECK(index.find("qwen-72b")->id == "qwen-72b");
    CHECK(index.find("Qwen-72B")->id == "qwen-72b");
    CHECK(index.find("Qwen/Qwen-72B")->id == "qwen-72b");
    CHECK(index.find("Qwen2-72B")->id == "qwen2-72b");
}

TEST_CASE("a near miss is refused with what is near")
{
    const Result<NameMatch> match = models().find("llama-3.1-71b");
    REQUIRE_FALSE(match);
    CHECK(match.error().front().what.english() == "there is no model 'llama-3.1-71b'");
    CHECK(match.error().front().hint.english().find("llama-3.1-70b") != std::string::npos);
    CHECK(models().find("").error().front().what.english() == "no model is named");
    CHECK(models().find("///").error().front().what.english() == "no model is named");
}

TEST_CASE("an accelerator is found by what people and benchmarks call it")
{
    const auto opened = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(opened);
    const Catalogue& shipped = **opened;
    for (const auto& [typed, id] : {std::pair{"A100", "a100-sxm-80gb"},
                                    {"A100s", "a100-sxm-80gb"},
                                    {"A100 80GB", "a100-sxm-80gb"},
                                    {"a100 80 GB", "a100-sxm-80gb"},
                                    {"NVIDIA A100-SXM4-80GB", "a100-sxm-80gb"},
                                    {"A100 40GB", "a100-sxm-40gb"},
                                    {"A100-PCIe", "a100-pcie-80gb"},
                                    {"H100", "h100-sxm-80gb"},
                                    {"H100-SXM", "h100-sxm-80gb"},
                                    {"NVIDIA H100 80GB HBM3", "h100-sxm-80gb"},
                                    {"H100-PCIe", "h100-pcie-80gb"},
                                    {"H100-NVL", "h100-nvl-94gb"},
                                    {"rtx-4090", "geforce-rtx-4090"},
                                    {"4090", "geforce-rtx-4090"},
                                    {"RTX4090", "geforce-rtx-4090"},
                                    {"GeForce RTX 4090", "geforce-rtx-4090"},
                                    {"rtx 4090 d", "geforce-rtx-4090-d"},
                                    {"RTX 6000 Ada", "rtx-6000-ada"},
                                    {"MI300X", "instinct-mi300x"},
                                    {"AMD Instinct MI300X", "instinct-mi300x"},
                                    {"L40S", "l40s"},
                                    {"l40", "l40"},
                                    {"B200", "b200-sxm-180gb"},
                                    {"GB200 NVL72", "gb200"},
                                    {"Gaudi2", "gaudi-2"},
                                    {"tpu v5e", "tpu-v5e"},
                                    {"RTX PRO 6000", "rtx-pro-6000-blackwell-workstation"},
                                    {"m4 max", "apple-m4-max-40"},
                                    {"h200", "h200-sxm-141gb"},
                                    {"V100", "v100-sxm2-32gb"},
                                    {"T4", "t4"},
                                    {"cpu", "cpu"}}) {
        CAPTURE(typed);
        const Result<NameMatch> match = shipped.findGpu(typed);
        REQUIRE(match);
        CHECK(match->id == id);
    }
    const Result<NameMatch> a100 = shipped.findGpu("A100");
    CHECK(a100->others.size() >= 3);
    CHECK(a100->why.english() == "the usual one of 4 that 'A100' can mean");
    const Result<NameMatch> wrong = shipped.findGpu("h100-smx-80gb");
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().front().hint.english().find("h100-sxm-80gb") != std::string::npos);
}

TEST_CASE("an engine is found by what people and benchmarks call it")
{
    const auto opened = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(opened);
    for (const auto& [typed, id] : {std::pair{"vLLM", "vllm"},
                                    {"TensorRT-LLM", "tensorrt-llm"},
                                    {"TRT LLM", "tensorrt-llm"},
                                    {"SGLang", "sglang"},
                                    {"llama.cpp", "llama-cpp"},
                                    {"LMDeploy TurboMind", "lmdeploy"},
                                    {"DeepSpeed-MII", "deepspeed-fastgen"},
                                    {"MLC LLM", "mlc-llm"},
                                    {"FasterTransformer", "fastertransformer"},
                                    {"HF Transformers", "hf-transformers"},
                                    {"TGI", "tgi"},
                                    {"ExLlamaV2", "exllama"},
                                    {"gpt-fast", "gpt-fast"},
                                    {"QServe", "qserve"},
                                    {"DeepSpeed (optimum-habana)", "optimum-habana"},
                                    {"ideal", "ideal"}}) {
        CAPTURE(typed);
        const Result<NameMatch> match = (*opened)->findEngine(typed);
        REQUIRE(match);
        CHECK(match->id == id);
    }
}

TEST_CASE("a catalogue that is not there is refused by file")
{
    const auto opened = Catalogue::open("/nowhere");
    REQUIRE_FALSE(opened);
    CHECK(opened.error().size() == 3);
    CHECK(opened.error().front().where == "/nowhere/hw_profiles/index.yaml");
}
