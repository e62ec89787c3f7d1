#include "model/count/cache.h"
#include "model/count/parameters.h"
#include "model/import/hf_config.h"
#include "model/import/import_model.h"
#include "model/text/text_file.h"
#include "model/yaml/llm_yaml.h"
#include "tests/model/json/hf_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

using namespace headroom;
using namespace headroom::hf;

TEST_CASE("published configurations count to the published number of parameters")
{
    for (const Expected& row : expected) {
        CAPTURE(row.config);
        const Llm llm = importedFile(std::string(row.config)).llm;
        const ParameterCount count = countParameters(llm);
        CHECK(count.total == row.total);
        CHECK(count.active == row.active);
    }
}

TEST_CASE("a configuration becomes what the catalogue says of the same model")
{
    // Files that are another revision or another storage of the catalogued model differ in just that.
    const std::set<std::string_view> otherStorage{"Kimi-K2.5", "Llama-4-Scout-FP8-dynamic", "Qwen3-32B-FP8"};
    const std::set<std::string_view> otherContext{"Kimi-K2.5"};
    const std::set<std::string_view> storageNotWritten{"GPT-J-6B"};
    for (const Expected& row : expected) {
        if (row.catalogued.empty())
            continue;
        CAPTURE(row.config);
        const std::string file = HEADROOM_SOURCE_DIR "/models/" + std::string(row.catalogued) + ".yaml";
        const auto text = readTextFile(file, 1U << 20U);
        REQUIRE_MESSAGE(text.has_value(), file);
        const auto catalogued = readLlm(*text, file);
        REQUIRE(catalogued.has_value());
        Llm llm = importedFile(std::string(row.config)).llm;
        Llm known = *catalogued;
        if (otherStorage.contains(row.config)) {
            CHECK(llm.nativeQuantization != known.nativeQuantization);
            llm.nativeQuantization = known.nativeQuantization;
        }
        if (storageNotWritten.contains(row.config))
            llm.nativeType = known.nativeType;
        if (otherContext.contains(row.config)) {
            CHECK(llm.maxContext != known.maxContext);
            llm.maxContext = known.maxContext;
        }
        CHECK(layersOf(llm, llm.layers) == layersOf(known, known.layers));
        CHECK(layersOf(llm, llm.mtp.kinds) == layersOf(known, known.mtp.kinds));
        CHECK(withoutLayersAndNames(llm) == withoutLayersAndNames(known));
    }
}

TEST_CASE("a broken configuration is refused with every problem and its place")
{
    CHECK(problemsOf(sound) == "accepted");
    for (const Broken& row : brokenConfigs)
        CHECK(problemsOf(broken(row.what, row.instead)) == row.problems);
    CHECK(problemsOf("[]") == "c.json:1:1: expected an object of keys and values, got a list of 0");
    CHECK(problemsOf("null") == "c.json:1:1: expected an object of keys and values, got null");
    CHECK(problemsOf("{}").starts_with(
        "c.json:1:1: neither 'architectures' nor 'model_type' says which model this is"));
}

// Every published configuration, those too whose numbers of parameters stand in cases of their own.
std::vector<std::string> allConfigs()
{
    std::vector<std::string> stems;
    for (const auto& entry : std::filesystem::directory_iterator(configs))
        if (entry.path().stem() != "SOURCES")
            stems.push_back(entry.path().stem().string());
    return stems;
}

TEST_CASE("an imported model is written as a file that reads back the same")
{
    CHECK(allConfigs().size() == 73);
    for (const std::string& config : allConfigs()) {
        CAPTURE(config);
        const auto model = importModel(configs / (config + ".json"));
        REQUIRE(model.has_value());
        const auto again = readLlm(writeLlm(model->llm), "again.yaml");
        if (!again)
            FAIL(again.error().front().where, ": ", again.error().front().what.english());
        CHECK(layersOf(*again, again->layers) == layersOf(model->llm, model->llm.layers));
        CHECK(layersOf(*again, again->mtp.kinds) == layersOf(model->llm, model->llm.mtp.kinds));
        CHECK(withoutLayersAndNames(*again) == withoutLayersAndNames(model->llm));
        CHECK(again->architecture == model->llm.architecture);
    }
}

TEST_CASE("what a class implies is known without a key")
{
    const Llm qwen = importedFile("Qwen2.5-7B-Instruct").llm;
    CHECK(qwen.kinds.front().attention().qkvBias);
    CHECK(!qwen.kinds.front().attention().outBias);
    CHECK(qwen.kinds.front().attention().window == 0); // written, but use_sliding_window is false
    CHECK(importedFile("Gemma-2-27b-it").llm.tiedHead);
    CHECK(importedFile("Falcon-40B").llm.tiedHead);
    CHECK(importedFile("aya-23-8B").llm.tiedHead);
    CHECK(!importedFile("Phi-3-mini-4k-instruct").llm.tiedHead);
    CHECK(importedFile("Phi-3-mini-4k-instruct").llm.kinds.front().attention().window == 2047);
    CHECK(importedFile("Phi-4-mini-instruct").llm.kinds.front().attention().window
          == 0); // wider than the context
    CHECK(importedFile("GPT-J-6B").llm.headBias);
    const Llm glm = importedFile("GLM-5").llm; // its head_dim is the rotary width
    CHECK(std::get<Mla>(glm.kinds.back().mixer).qkRopeDim == 64);
}

TEST_CASE("layers that differ are told apart")
{
    const Llm gemma = importedFile("Gemma-2-2b-it").llm;
    REQUIRE(gemma.kinds.size() == 2);
    CHECK(gemma.kinds[gemma.layers[0]].attention().window == 4096);
    CHECK(gemma.kinds[gemma.layers[1]].attention().window == 0);
    const Llm maverick = importedFile("Llama-4-Maverick-17B-128E").llm;
    CHECK(maverick.kinds[maverick.layers[0]].mlp.kind == MlpKind::Dense);
    CHECK(maverick.kinds[maverick.layers[1]].mlp.kind == MlpKind::Moe);
    CHECK(maverick.kinds[maverick.layers[2]].attention().chunk == 8192);
    CHECK(maverick.kinds[maverick.layers[3]].attention().chunk == 0);
    CHECK(!maverick.kinds[maverick.layers[3]].attention().rope);
    const Llm nas = importedFile("Llama-3_3-Nemotron-Super-49B-v1").llm;
    const auto attends
        = [&](std::uint8_t kind) { return std::holds_alternative<Attention>(nas.kinds[kind].mixer); };
    CHECK(std::count_if(nas.layers.begin(), nas.layers.end(), attends) == 49);
    const Llm super = importedFile("Nemotron-3-Super-120B-A12B-FP8").llm;
    CHECK(super.mtp.layers == 1);
    CHECK(super.mtp.kinds.size() == 2); // its pattern is attention, then experts
    CHECK(super.kinds[super.layers[1]].mlp.latent == 1024);
}

TEST_CASE("quantised checkpoints say how")
{
    const auto fp8 = importedFile("DeepSeek-V3").llm.nativeQuantization;
    REQUIRE(fp8.has_value());
    CHECK(*fp8
          == NativeQuantization{.method = "fp8",
                                .type = DType::Fp8,
                                .blockRows = 128,
                                .blockColumns = 128,
                                .activationsToo = true});
    const auto kimi = importedFile("Kimi-K2.5").llm.nativeQuantization;
    REQUIRE(kimi.has_value());
    CHECK(*kimi
          == NativeQuantization{
              .method = "compressed-tensors", .type = DType::Int4, .groupSize = 32, .expertsOnly = true});
    const auto scout = importedFile("Llama-4-Scout-FP8-dynamic").llm.nativeQuantization;
    REQUIRE(scout.has_value());
    CHECK(*scout
          == NativeQuantization{.method = "compressed-tensors", .type = DType::Fp8, .activationsToo = true});
    const auto oss = importedFile("gpt-oss-120b").llm.nativeQuantization;
    REQUIRE(oss.has_value());
    CHECK(
        *oss
        == NativeQuantization{.method = "mxfp4", .type = DType::Mxfp4, .groupSize = 32, .expertsOnly = true});
    CHECK(!importedFile("Llama-3.1-8B").llm.nativeQuantization.has_value());
}

TEST_CASE("values narrower than keys are counted as they are")
{
    // MiMo-V2-Flash: 9 layers of 64 heads over 4, 39 of 64 over 8; keys of 192, values of 128.
    const Llm llm = importedFile("MiMo-V2-Flash").llm;
    CHECK(kvBytesPerToken(llm, DType::Bf16).base() == 2.0 * (9 * 4 + 39 * 8) * (192 + 128));
    constexpr std::int64_t h = 4096;
    constexpr std::int64_t full = h * (64 * 192 + 4 * 192 + 4 * 128 + 64 * 128);
    constexpr std::int64_t narrow = h * (64 * 192 + 8 * 192 + 8 * 128 + 64 * 128) + 64; // and a sink a head
    constexpr std::int64_t moe = h * 256 + 256 + 256 * 3 * h * 2048;
    constexpr std::int64_t total
        = 2 * 152576 * h + h + 9 * full + 39 * narrow + 48 * 2 * h + 3 * h * 16384 + 47 * moe;
    CHECK(countParameters(llm).total == total);
}

TEST_CASE("layers without a value projection, and experts beside a dense MLP, are counted as they are")
{
    // Gemma 4 26B A4B: 25 narrow layers of 16 heads of 256 over 8, 5 full ones of 16 of 512 over 2 without
    // values.
    const Llm llm = importedFile("Gemma-4-26B-A4B").llm;
    constexpr std::int64_t h = 2816;
    constexpr std::int64_t narrow = h * (2 * 16 * 256 + 2 * 8 * 256) + 2 * 256;
    constexpr std::int64_t full = h * (2 * 16 * 512 + 2 * 512) + 2 * 512;
    constexpr std::int64_t router = h * 128 + h + 128; // its scales of inputs and of experts
    constexpr std::int64_t outside = 3 * h * 2112 + router + 7 * h;
    constexpr std::int64_t expert = 3 * h * 704;
    constexpr std::int64_t shared = 262144 * h + h + 25 * narrow + 5 * full + 30 * outside;
    CHECK(countParameters(llm).total == shared + 30 * 128 * expert); // "25.2B" on its card
    CHECK(countParameters(llm).active == shared + 30 * 8 * expert);  // "3.8B"
    CHECK(kvBytesPerToken(llm, DType::Bf16).base()
          == 2.0 * (25 * 8 * 2 * 256 + 5 * 2 * 2 * 512)); // both are cached
}

TEST_CASE("merged keys, grouped output projections and hyper-connections are counted as they are")
{
    // DeepSeek-V4-Flash: 43 layers, of which the first two have only a window, 21 merge four tokens and index
    // them, 20 merge 128. By hand from the shapes in transformers' modular_deepseek_v4.py.
    const HfModel model = importedFile("DeepSeek-V4-Flash");
    const Llm& llm = model.llm;
    constexpr std::int64_t h = 4096;
    constexpr std::int64_t query = 64 * 512;
    constexpr std::int64_t window = h * 1024 + 1024 + 1024 * query + h * 512
        + 512                                         // q_a, q_b, kv, their norms
        + 8 * 1024 * (query / 8) + h * 8 * 1024 + 64; // o_a, o_b, sinks
    constexpr std::int64_t merged128 = window + 2 * 512 * h + 128 * 512 + 512;
    constexpr std::int64_t indexer = 2 * 256 * h + 4 * 256 + 128 + 64 * 128 * 1024 + 64 * h;
    constexpr std::int64_t merged4 = window + 2 * 1024 * h + 4 * 1024 + 512 + indexer;
    constexpr std::int64_t streams = 2 * (24 * 4 * h + 24 + 3);
    constexpr std::int64_t expert = 3 * h * 2048;
    constexpr std::int64_t around = streams + 2 * h + 256 * h + expert; // norms, router, the shared expert
    constexpr std::int64_t outer = 2 * 129280 * h + h + (4 * 4 * h + 4 + 1);
    constexpr std::int64_t shared = outer + 2 * window + 21 * merged4 + 20 * merged128 + 43 * around
        + 40 * 256; // 3 routers have no bias
    const ParameterCount count = countParameters(llm);
    CHECK(count.total == shared + 43 * 256 * expert); // "284B" on its card
    CHECK(count.active == shared + 43 * 6 * expert);  // "13B", which leaves the embedding out
    CHECK(double(count.total) == doctest::Approx(284e9).epsilon(0.002));
    CHECK(double(count.active - 129280 * h) == doctest::Approx(13e9).epsilon(0.03));
    // A token adds (512 + 128) / 4 values in 21 layers and 512 / 128 in 20.
    CHECK(kvBytesPerToken(llm, DType::Bf16).base() == 2.0 * (21 * 160 + 20 * 4));
    // Whatever its length a sequence keeps windows of 128 keys, and in 32 bit what is not merged yet.
    CHECK(stateBytes(llm).base()
          == 2.0 * 43 * 128 * 512 + 4.0 * (21 * 2 * (8 * 2) * (512 + 128) + 20 * 2 * 128 * 512));
    // Experts in 4 bit, the other matrices in 8: 158 billion elements in its files, of which an expert's hold
    // two values each and one more is a scale for every 32.
    REQUIRE(llm.nativeQuantization.has_value());
    CHECK(llm.nativeQuantization->type == DType::Mxfp4);
    CHECK(llm.nativeQuantization->outside == DType::Fp8);
}

TEST_CASE("DeepSeek-V4's cache of a million tokens is the share of V3.2's that its report gives")
{
    // "7% of the KV cache" (DeepSeek-V4 report, one million tokens, V4-Flash against V3.2); the report's own
    // storage keeps 448 of 512 values in 8 bit on both sides, so that the widths cancel.
    const double tokens = 1e6;
    const double flash = cacheBytes(importedFile("DeepSeek-V4-Flash").llm, DType::Bf16, tokens).base();
    const double v32 = cacheBytes(importedFile("DeepSeek-V3.2").llm, DType::Bf16, tokens).base();
    CHECK(flash / v32 > 0.05);
    CHECK(flash / v32 < 0.09);
}

TEST_CASE("a context that is not written is refused, or told where the class has a default")
{
    CHECK(
        problemsOf(broken(" \"max_position_embeddings\": 131072,\n", ""))
        == "c.json:1:1: 'max_position_embeddings' is missing (the longest context the model was made for, in "
           "tokens)");
    CHECK(problemsOf(broken("\"max_position_embeddings\": 131072", "\"max_position_embeddings\": 0"))
          == "c.json:9:29 max_position_embeddings: expected a whole number from 1 to 1073741824, got 0");
    const HfModel falcon = importedFile("Falcon-40B"); // its file does not say it
    CHECK(falcon.llm.maxContext == 2048);
    CHECK(falcon.warnings.front().english().find("2048 tokens are taken") != std::string::npos);
    const auto mamba
        = imported(R"({"d_model": 2560, "n_layer": 64, "vocab_size": 50277, "tie_embeddings": true,
        "ssm_cfg": {"layer": "Mamba2"}})");
    REQUIRE(mamba.has_value());
    CHECK(mamba->llm.maxContext == 1 << 20);
    CHECK(mamba->warnings.front().english().find("has no longest context") != std::string::npos);
}

TEST_CASE("what a model file could not hold is not imported")
{
    // 2^17 is the widest hidden vector of a model file, a thousand layers the deepest model.
    CHECK(problemsOf(broken("\"hidden_size\": 4096", "\"hidden_size\": 262144"))
          == "c.json:1:1: hidden of 262144: no model's is outside 1 to 131072");
    CHECK(problemsOf(broken("\"num_hidden_layers\": 32", "\"num_hidden_layers\": 1001"))
          == "c.json:1:1: layers of 1001: no model's is outside 1 to 1000");
}

TEST_CASE("an architecture that is not known is refused by name")
{
    CHECK(
        problemsOf(broken("LlamaForCausalLM", "WorldModelForCausalLM"))
            .starts_with("c.json:2:19 architectures: architecture WorldModelForCausalLM is not known: it is "
                         "not counted rather than guessed"));
}
