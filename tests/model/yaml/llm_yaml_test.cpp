#include "headroom_source_dir.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/layer_order.h"
#include "model/yaml/llm_yaml.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

using namespace headroom;
using tests::shipped;

namespace {

const std::filesystem::path root = HEADROOM_SOURCE_DIR;

std::string fileText(const std::string& id)
{
    std::ifstream in(root / "models" / (id + ".yaml"));
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), with);
}

// The problems of a shipped file after one edit, as "line: what".
std::string problemsAfter(const std::string& id, const std::string& what, const std::string& with)
{
    const Result<Llm> llm = readLlm(replaced(fileText(id), what, with), "x.yaml");
    REQUIRE_FALSE(llm);
    std::string all;
    for (const Problem& problem : llm.error())
        all += problem.where + ": " + problem.what.english() + " " + problem.hint.english() + "\n";
    return all;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("every model file is what the writer writes, and reads back equal")
{
    CHECK(shipped().modelIds().size() >= 155);
    for (const std::string& id : shipped().modelIds()) {
        CAPTURE(id);
        const std::string text = fileText(id);
        const Result<Llm> llm = readLlm(text, id);
        REQUIRE(llm);
        CHECK(llm->id == id);
        CHECK(writeLlm(*llm) == text);
        CHECK_FALSE(llm->citations.empty());
        CHECK(llm->released.size() == 7);
        const Result<Llm> again = readLlm(writeLlm(*llm), id);
        REQUIRE(again);
        CHECK(*again == *llm);
    }
}

TEST_CASE("spellings of published measurements mean their architecture")
{
    struct Row {
        const char* said;
        const char* id;
    };
    for (const Row row : {Row{"Llama-3-8B", "llama-3-8b"},
                          Row{"Llama-2-70B", "llama-2-70b"},
                          Row{"DeepSeek-R1", "deepseek-r1"},
                          Row{"DeepSeek R1", "deepseek-r1"},
                          Row{"qwen2.5 72b", "qwen2.5-72b"},
                          Row{"llama 3 70b", "llama-3-70b"},
                          Row{"Qwen2-7B", "qwen2-7b"},
                          Row{"Qwen-7B", "qwen-7b"},
                          Row{"Qwen3-235B-A22B", "qwen3-235b-a22b"},
                          Row{"Mixtral-8x22B", "mixtral-8x22b-v0.1"},
                          Row{"BLOOM-176B", "bloom-176b"},
                          Row{"BLOOM-7.1B", "bloom-7.1b"},
                          Row{"GPT-175B", "gpt-3-175b"},
                          Row{"GPT-20B", "gpt-20b"},
                          Row{"Megatron-530B", "megatron-530b"},
                          Row{"Kimi-K2.5", "kimi-k2.5"},
                          Row{"MiniMax-M2.5", "minimax-m2.5"},
                          Row{"Llama-4-Maverick", "llama-4-maverick-17b-128e"},
                          Row{"Vicuna-13B", "llama-2-13b"},
                          Row{"Koala-13B", "llama-13b"},
                          Row{"WizardLM-33B", "llama-33b"},
                          Row{"OpenLlama-3B", "open-llama-3b"},
                          Row{"DeepSeek-V3.1", "deepseek-v3"},
                          Row{"meta-llama/Llama-3.1-70B-Instruct", "llama-3.1-70b"},
                          Row{"Meta-Llama-3.1-70B-Instruct", "llama-3.1-70b"},
                          Row{"Llama-70B", "llama-3.3-70b"}}) {
        CAPTURE(row.said);
        const Result<NameMatch> match = shipped().findModel(row.said);
        REQUIRE(match);
        CHECK(match->id == row.id);
    }
}

TEST_CASE("the order of layers is read and written")
{
    const std::vector<std::string> names{"dense", "moe", "window", "full"};
    const auto text = [&](const char* order) {
        const auto layers = parseLayerOrder(order, names);
        REQUIRE(layers);
        return layerOrderText(*layers, names);
    };
    CHECK(text("3 dense + 58 moe") == "3 dense + 58 moe");
    CHECK(text("2 (2 window+full)+window") == "2 (2 window + full) + window");
    CHECK(text("window+full+window+full") == "2 (window + full)");
    CHECK(text("2 (2 (window + full) + dense)") == "2 (window + full + window + full + dense)");
    CHECK(parseLayerOrder("1000 dense", names)->size() == 1000);
}

TEST_CASE("orders that mean nothing are refused in words")
{
    const std::vector<std::string> names{"dense", "moe"};
    const auto refusal = [&](std::string_view order) {
        const auto layers = parseLayerOrder(order, names);
        REQUIRE_FALSE(layers);
        return layers.error().english();
    };
    CHECK(contains(refusal(""), "expected the name"));
    CHECK(contains(refusal("3"), "expected the name"));
    CHECK(contains(refusal("3 dence"), "did you mean 'dense'?"));
    CHECK(contains(refusal("0 dense"), "from 1 to 1000"));
    CHECK(contains(refusal("99999999999999999999 dense"), "from 1 to 1000"));
    CHECK(contains(refusal("1000 dense + moe"), "more than 1000"));
    CHECK(contains(refusal("1000 (1000 (1000 dense))"), "more than 1000"));
    CHECK(contains(refusal("(dense"), "not closed"));
    CHECK(contains(refusal("dense)"), "'+' or the end"));
    CHECK(contains(refusal("dense moe"), "'+' or the end"));
    CHECK(contains(refusal("((((((dense))))))"), "too deep"));
    CHECK(contains(refusal(std::string(100'000, '(')), "too deep"));
}

TEST_CASE("a broken model file names every mistake at its place")
{
    const std::string id = "deepseek-v3.2";
    CHECK(contains(problemsAfter(id, "hidden: 7168", "hidden: -1"), "shape.hidden"));
    CHECK(contains(problemsAfter(id, "hidden: 7168", "hidden: 1e300"), "shape.hidden"));
    CHECK(contains(problemsAfter(id, "vocab: 129280", "vocabulary: 129280"), "is missing"));
    CHECK(contains(problemsAfter(id, "mixer: mla", "mixer: mhla"), "mla"));
    CHECK(
        contains(problemsAfter(id, "experts_per_token: 8", "experts_per_token: 300"), "chooses 300 of 256"));
    CHECK(contains(problemsAfter(id, "3 mla_dense", "3 mla_dens"), "did you mean 'mla_dense'?"));
    CHECK(contains(problemsAfter(id, "3 mla_dense + 58", "61"), "no layer is of this kind"));
    CHECK(contains(problemsAfter(id, "block_rows: 128\n", "\n"), "give both"));
    CHECK(contains(problemsAfter(id, "[mtp,", "[mpt,"), "nothing a count is known to include"));
    CHECK(contains(problemsAfter(id, "source: shape", "source: shap"), "did you mean 'shape'?"));
    CHECK(contains(problemsAfter("llama-3.1-8b", "kv_heads: 8", "kv_heads: 7"), "do not share 7"));
    const std::string both = problemsAfter(id, "hidden: 7168\n  vocab: 129280", "hidden: x\n  vocab: y");
    CHECK(contains(both, "shape.hidden"));
    CHECK(contains(both, "shape.vocab"));
    // What contradicts itself is told beside what is missing, at its own place.
    const std::string third = replaced(fileText("llama-3.1-8b"), "kv_heads: 8", "kv_heads: 7");
    const Result<Llm> refused = readLlm(replaced(third, "vocab: 128256", "vocab: many"), "x.yaml");
    REQUIRE_FALSE(refused);
    REQUIRE(refused.error().size() == 2);
    CHECK(contains(refused.error()[0].where, "kinds.full"));
    CHECK(contains(refused.error()[0].what.english(), "do not share 7"));
    CHECK(contains(refused.error()[1].where, "shape.vocab"));
}

TEST_CASE("an id is of few letters, and no name is an option or has control characters")
{
    const std::string good = fileText("llama-3.1-8b");
    const auto whereOf = [&](const std::string& what, const std::string& with) {
        const auto read = readLlm(replaced(good, what, with), "x.yaml");
        return read ? std::string() : read.error().front().where;
    };
    for (const char* id :
         {"$(touch x)", "a b", "../x", "a/b", "-x", ".x", "Llama", "a;b", "\"a\\nb\"", "模型"}) {
        CAPTURE(id);
        CHECK(whereOf("id: llama-3.1-8b", std::string("id: ") + id).ends_with(" id"));
    }
    for (const char* name : {"--config=/tmp/x", "-x", "\"a\\nb\"", "\"a\\x1b[2J\"", "\"a\\x7f\""}) {
        CAPTURE(name);
        CHECK(whereOf("hf_id: meta-llama/Llama-3.1-8B", std::string("hf_id: ") + name).ends_with(" hf_id"));
        CHECK(whereOf("name: Llama 3.1 8B", std::string("name: ") + name).ends_with(" name"));
    }
    CHECK(whereOf("hf_id: meta-llama/Llama-3.1-8B", "hf_id: $(touch x)").empty()); // start lines quote it
}
