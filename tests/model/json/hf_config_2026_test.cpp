// Configurations of 2026: shared indexers, lists of blocks, and classes whose text model is another's.
#include "headroom_source_dir.h"
#include "model/count/cache.h"
#include "model/count/parameters.h"
#include "model/import/hf_config.h"
#include "model/text/text_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <string>

using namespace headroom;

namespace {

const std::filesystem::path configs = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/hf_configs";

std::string textOf(const std::string& stem)
{
    const auto text = readTextFile(configs / (stem + ".json"), 1U << 20U);
    REQUIRE_MESSAGE(text.has_value(), stem);
    return *text;
}

Result<HfModel> readText(const std::string& text)
{
    const auto document = JsonDocument::parse(text, "c.json");
    REQUIRE(document.has_value());
    return readHfConfig(*document);
}

Llm llmOf(const std::string& text)
{
    const auto model = readText(text);
    if (!model)
        FAIL(model.error().front().where, ": ", model.error().front().what.english());
    return model->llm;
}

std::string refusalOf(const std::string& text)
{
    const auto model = readText(text);
    return model ? "accepted" : model.error().front().what.english();
}

std::string replaced(std::string text, std::string_view what, std::string_view instead)
{
    const std::size_t at = text.find(what);
    REQUIRE_MESSAGE(at != std::string::npos, what);
    return text.replace(at, what.size(), instead);
}

} // namespace

TEST_CASE("a layer that shares another's choice of tokens has no indexer and keeps no index keys")
{
    // GLM-5.2 is GLM-5 with an indexer in 21 of its 78 layers: 32 heads of 128 from the query latent of 2048,
    // one key of 128 with a norm of two vectors, and a weight for each head.
    const Llm shared = llmOf(textOf("GLM-5.2"));
    const Llm whole = llmOf(textOf("GLM-5"));
    constexpr std::int64_t indexer = 32 * 128 * 2048 + 128 * 6144 + 2 * 128 + 32 * 6144;
    CHECK(countParameters(shared).total == countParameters(whole).total - 57 * indexer);
    CHECK(countParameters(shared).active == countParameters(whole).active - 57 * indexer);
    CHECK(kvBytesPerToken(shared, DType::Bf16).base() == 2.0 * 78 * (512 + 64) + 21 * (128 + 4));
    for (const LayerKind& kind : shared.kinds)
        CHECK(std::get<Mla>(kind.mixer).indexTopK == 2048); // every layer reads the chosen tokens only
}

TEST_CASE("a kind of indexer that is not known, or a choice shared with nobody, is refused")
{
    const std::string text = textOf("GLM-5.2");
    CHECK(refusalOf(replaced(text, "\"shared\"", "\"borrowed\"")) == "unknown kind of indexer 'borrowed'");
    CHECK(refusalOf(replaced(text, "\"full\"", "\"shared\""))
          == "the first layer has no indexer before it whose choice it could share");
}

TEST_CASE("a Nemotron whose blocks are a list of words is counted as one whose blocks are letters")
{
    // Nemotron 3 Ultra: 48 Mamba-2, 12 attention and 48 expert blocks, each behind one norm.
    const Llm llm = llmOf(textOf("Nemotron-3-Ultra-550B-A55B"));
    constexpr std::int64_t h = 8192;
    constexpr std::int64_t inner = 256 * 64;
    constexpr std::int64_t convolved = inner + 2 * 8 * 128;
    constexpr std::int64_t mamba
        = (inner + convolved + 256) * h + convolved * 4 + convolved + 3 * 256 + inner + inner * h + h;
    constexpr std::int64_t attention = 2 * 64 * 128 * h + 2 * 2 * 128 * h + h;
    constexpr std::int64_t expert = 2 * 5120 * 2048;
    constexpr std::int64_t around = 2 * 2048 * h + 2 * 10240 * h + 512 * h + 512 + h;
    constexpr std::int64_t outside = 48 * mamba + 12 * attention + 48 * around + 2 * 131072 * h + h;
    CHECK(llm.layerCount() == 108);                                   // the file has no num_hidden_layers
    CHECK(countParameters(llm).total == outside + 48 * 512 * expert); // "550B"
    CHECK(countParameters(llm).active == outside + 48 * 22 * expert); // "55B"
    CHECK(llm.mtp.layers == 1);
    CHECK(llm.mtp.kinds.size() == 2); // attention, then experts
    CHECK(refusalOf(replaced(textOf("Nemotron-3-Ultra-550B-A55B"), "\"attention\"", "\"retention\""))
          == "unknown kind of block \"retention\"");
}

TEST_CASE("Mistral Small 4 has latent attention, alone or inside the class of the dense Mistral Small 3")
{
    const std::string flat = textOf("Mistral-Small-4-119B-2603");
    const Llm llm = llmOf(flat);
    constexpr std::int64_t h = 4096;
    constexpr std::int64_t attention
        = 1024 * h + 1024 + 32 * 128 * 1024 + (256 + 64) * h + 256 + 32 * (64 + 128) * 256 + h * 32 * 128;
    constexpr std::int64_t expert = 3 * h * 2048;
    constexpr std::int64_t outside
        = 2 * 131072 * h + h + 36 * (attention + 2 * h + 128 * h + expert); // the shared expert
    CHECK(countParameters(llm).total == outside + 36 * 128 * expert);       // "119B"
    CHECK(countParameters(llm).active == outside + 36 * 4 * expert);        // "6.63B"
    CHECK(kvBytesPerToken(llm, DType::Bf16).base() == 2.0 * 36 * 320);
    const Llm nested
        = llmOf(R"({"architectures": ["Mistral3ForConditionalGeneration"], "model_type": "mistral3",
                    "text_config": )"
                + flat + "}");
    CHECK(nested.kinds == llm.kinds);
    CHECK(nested.layers == llm.layers);
}

TEST_CASE("Hunyuan 3 counts to the published number of parameters")
{
    // Hub safetensors metadata of Hy3-preview: 298,786,155,776, of which the prediction module has
    // 3,752,612,288.
    const ParameterCount count = countParameters(llmOf(textOf("Hy3")));
    CHECK(count.total == 298'786'155'776 - 3'752'612'288);
    CHECK(count.mtp == 3'752'612'288);
    // 8 of 192 experts of 3 x 4096 x 1536 in each of 79 layers.
    CHECK(count.active == count.total - std::int64_t{79} * 184 * 3 * 4096 * 1536);
    const std::string words
        = replaced(textOf("Hy3"), "\"num_experts\"", "\"mlp_layer_types\": [\"dense\"], \"num_experts\"");
    CHECK(refusalOf(words) == "expected a list of 80 words, one for each layer, got a list of 1");
}

TEST_CASE("Ministral 3 sees everything: its class has no window to fall back on")
{
    const std::string text = textOf("Ministral-3-8B-2512");
    const std::string silent = replaced(text, "\"sliding_window\": null", "\"silent\": null");
    for (const std::string& file : {text, silent}) {
        const Llm llm = llmOf(file);
        CHECK(std::all_of(llm.kinds.begin(), llm.kinds.end(),
                          [](const LayerKind& kind) { return kind.attention().window == 0; }));
        // 34 layers of 32 heads of 128 over 8 and an MLP of 14336, an untied head.
        constexpr std::int64_t h = 4096;
        constexpr std::int64_t layer = 2 * h * h + 2 * h * 1024 + 3 * h * 14336 + 2 * h;
        CHECK(countParameters(llm).total == 2 * 131072 * h + h + 34 * layer);
    }
}
