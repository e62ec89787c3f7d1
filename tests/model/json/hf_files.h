#pragma once

#include "headroom_source_dir.h"
#include "model/import/hf_config.h"
#include "model/text/text_file.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Published configurations with what they count to, and broken ones with what is told of them.
namespace headroom::hf {

inline const std::filesystem::path configs
    = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/hf_configs";

inline Result<HfModel> imported(const std::string& text, const std::string& name = "c.json")
{
    const auto document = JsonDocument::parse(text, name);
    if (!document)
        return refuse(document.error());
    return readHfConfig(*document);
}

inline HfModel importedFile(const std::string& stem)
{
    const auto text = readTextFile(configs / (stem + ".json"), 1U << 20U);
    REQUIRE_MESSAGE(text.has_value(), stem);
    auto model = imported(*text, stem);
    if (!model)
        FAIL(stem, ": ", model.error().front().where, ": ", model.error().front().what.english());
    return std::move(*model);
}

// Parameters of the text model as executed (tied head once, no prediction module, no vision), and those that
// one token uses. Where the publisher gives an integer, the total is that integer less what it counts beside
// (Hub safetensors metadata; Starcoder2 7,173,923,840, Phi-2 2,779,683,840, CodeLlama 33,743,970,304 and Aya
// 8,028,033,024 on the Hub).
struct Expected {
    std::string_view config;
    std::string_view catalogued; // the same model in models/, empty: not there
    std::int64_t total;
    std::int64_t active;
};
inline constexpr std::array expected{
    Expected{"Baichuan2-7B-Chat", "baichuan2-7b", 7'505'973'248, 7'505'973'248},
    Expected{"ChatGLM3-6B", "chatglm3-6b", 6'243'584'000, 6'243'584'000},
    Expected{"CodeLlama-34b-Instruct", "", 33'743'970'304, 33'743'970'304},
    Expected{"DBRX", "dbrx-132b", 131'596'523'520, 36'469'708'800},
    Expected{"DeepSeek-V2-Lite", "deepseek-v2-lite", 15'706'484'224, 2'661'150'208},
    Expected{"DeepSeek-V3.2", "deepseek-v3.2", 671'877'944'064, 38'403'822'336},
    Expected{"DeepSeek-V3", "deepseek-v3", 671'026'419'200, 37'552'297'472},
    Expected{"Falcon-40B", "falcon-40b", 41'303'293'952, 41'303'293'952},
    Expected{"GLM-4.5", "glm-4.5", 352'797'829'024, 33'632'266'144},
    Expected{"GLM-5", "glm-5", 743'911'218'432, 41'784'728'832},
    Expected{"GPT-J-6B", "gpt-j-6b", 6'050'882'784, 6'050'882'784},
    Expected{"Gemma-2-27b-it", "gemma-2-27b", 27'227'128'320, 27'227'128'320},
    Expected{"Gemma-2-2b-it", "gemma-2-2b", 2'614'341'888, 2'614'341'888},
    Expected{"Gemma-3-1b-it", "gemma-3-1b", 999'885'952, 999'885'952},
    Expected{"Hunyuan-A13B", "hunyuan-a13b", 80'393'183'232, 12'747'448'320},
    Expected{"InternLM2.5-7B-chat", "internlm2.5-7b", 7'737'708'544, 7'737'708'544},
    Expected{"Kimi-K2-Instruct", "kimi-k2", 1'026'408'232'448, 32'861'500'928},
    Expected{"Kimi-K2.5", "kimi-k2", 1'026'408'232'448, 32'861'500'928},
    Expected{"Llama-2-7b-hf", "llama-2-7b", 6'738'415'616, 6'738'415'616},
    Expected{"Llama-3-70B-Instruct", "llama-3-70b", 70'553'706'496, 70'553'706'496},
    Expected{"Llama-3-8B", "llama-3-8b", 8'030'261'248, 8'030'261'248},
    Expected{"Llama-3.1-405B", "llama-3.1-405b", 405'853'388'800, 405'853'388'800},
    Expected{"Llama-3.1-70B", "llama-3.1-70b", 70'553'706'496, 70'553'706'496},
    Expected{"Llama-3.1-8B", "llama-3.1-8b", 8'030'261'248, 8'030'261'248},
    Expected{"Llama-3.2-1B", "llama-3.2-1b", 1'235'814'400, 1'235'814'400},
    Expected{"Llama-3.2-3B", "llama-3.2-3b", 3'212'749'824, 3'212'749'824},
    Expected{"Llama-3_3-Nemotron-Super-49B-v1", "llama-3.3-nemotron-super-49b", 49'867'145'216,
             49'867'145'216},
    Expected{"Llama-4-Maverick-17B-128E", "llama-4-maverick-17b-128e", 400'711'848'960, 17'184'691'200},
    Expected{"Llama-4-Scout-17B-16E", "llama-4-scout-17b-16e", 107'769'861'120, 17'172'894'720},
    Expected{"Llama-4-Scout-FP8-dynamic", "llama-4-scout-17b-16e", 107'769'861'120, 17'172'894'720},
    Expected{"MiniMax-M1", "minimax-m1", 456'089'655'296, 48'403'306'496},
    Expected{"MiniMax-M2.5", "minimax-m2", 228'689'764'864, 11'030'553'088},
    Expected{"Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3", 7'248'023'552, 7'248'023'552},
    Expected{"Mistral-7B-v0.1", "mistral-7b-v0.1", 7'241'732'096, 7'241'732'096},
    Expected{"Mistral-Nemo-Instruct-2407", "mistral-nemo-12b", 12'247'782'400, 12'247'782'400},
    Expected{"Mixtral-8x22B-v0.1", "mixtral-8x22b-v0.1", 140'620'634'112, 39'152'031'744},
    Expected{"Mixtral-8x7B-v0.1", "mixtral-8x7b", 46'702'792'704, 12'879'925'248},
    Expected{"Nemotron-3-Nano-30B-A3B", "nemotron-3-nano-30b-a3b", 31'577'940'288, 3'580'076'352},
    Expected{"Nemotron-3-Super-120B-A12B-FP8", "nemotron-3-super-120b-a12b", 120'668'707'840, 12'770'237'440},
    Expected{"Nemotron-H-56B", "nemotron-h-56b", 56'324'350'464, 56'324'350'464},
    Expected{"OLMo-2-32B", "olmo-2-32b", 32'234'279'936, 32'234'279'936},
    Expected{"OLMo-2-7B", "olmo-2-7b", 7'298'617'344, 7'298'617'344},
    Expected{"Phi-3-mini-4k-instruct", "phi-3-mini-4k", 3'821'079'552, 3'821'079'552},
    Expected{"Phi-4-mini-instruct", "phi-4-mini", 3'836'021'760, 3'836'021'760},
    Expected{"Qwen2-0.5B", "qwen2.5-0.5b", 494'032'768, 494'032'768},
    Expected{"Qwen2.5-3B", "qwen2.5-3b", 3'085'938'688, 3'085'938'688},
    Expected{"Qwen2.5-7B-Instruct", "qwen2.5-7b", 7'615'616'512, 7'615'616'512},
    Expected{"Qwen3-0.6B", "qwen3-0.6b", 596'049'920, 596'049'920},
    Expected{"Qwen3-14B", "qwen3-14b", 14'768'307'200, 14'768'307'200},
    Expected{"Qwen3-235B-A22B", "qwen3-235b-a22b", 235'093'634'560, 22'190'763'520},
    Expected{"Qwen3-30B-A3B", "qwen3-30b-a3b", 30'532'122'624, 3'353'032'704},
    Expected{"Qwen3-32B-FP8", "qwen3-32b", 32'762'123'264, 32'762'123'264},
    Expected{"Qwen3-32B", "qwen3-32b", 32'762'123'264, 32'762'123'264},
    Expected{"Qwen3-8B", "qwen3-8b", 8'190'735'360, 8'190'735'360},
    Expected{"Qwen3-Coder-480B-A35B", "qwen3-coder-480b-a35b", 480'154'875'392, 35'474'765'312},
    Expected{"Qwen3-Next-80B-A3B", "qwen3-next-80b-a3b", 79'674'391'296, 3'874'929'408},
    Expected{"Qwen3.5-27B", "qwen3.5-27b", 26'895'998'464, 26'895'998'464},
    Expected{"Qwen3.5-35B-A3B", "qwen3.5-35b-a3b", 34'660'610'688, 3'454'988'928},
    Expected{"StarCoder2-7B", "", 7'173'923'840, 7'173'923'840},
    Expected{"TinyLlama-1.1B-Chat-v1.0", "tinyllama-1.1b", 1'100'048'384, 1'100'048'384},
    Expected{"Yi-34B", "yi-34b", 34'388'917'248, 34'388'917'248},
    Expected{"aya-23-8B", "", 8'028'033'024, 8'028'033'024},
    Expected{"gpt-oss-120b", "gpt-oss-120b", 116'829'156'672, 5'711'982'912},
    Expected{"gpt-oss-20b", "gpt-oss-20b", 20'914'757'184, 4'187'440'704},
    Expected{"phi-2", "", 2'779'683'840, 2'779'683'840},
};

// A configuration that is right; each broken one changes a line of it.
inline const std::string sound = R"({
 "architectures": ["LlamaForCausalLM"],
 "hidden_size": 4096,
 "intermediate_size": 14336,
 "num_attention_heads": 32,
 "num_key_value_heads": 8,
 "num_hidden_layers": 32,
 "vocab_size": 128256,
 "max_position_embeddings": 131072,
 "tie_word_embeddings": false,
 "torch_dtype": "bfloat16"
})";

inline std::string broken(std::string_view what, std::string_view instead)
{
    std::string text = sound;
    const std::size_t at = text.find(what);
    REQUIRE_MESSAGE(at != std::string::npos, what);
    return text.replace(at, what.size(), instead);
}

inline std::string problemsOf(const std::string& text)
{
    const auto model = imported(text);
    if (model)
        return "accepted";
    std::string all;
    for (const Problem& problem : model.error())
        all += (all.empty() ? "" : " | ") + problem.where + ": " + problem.what.english()
            + (problem.hint.empty() ? "" : " (" + problem.hint.english() + ")");
    return all;
}

inline std::vector<LayerKind> layersOf(const Llm& llm, const std::vector<std::uint8_t>& indices)
{
    std::vector<LayerKind> layers;
    for (const std::uint8_t index : indices)
        layers.push_back(llm.kinds.at(index));
    return layers;
}

// What is left to compare: names and citations are not in a configuration, kinds may be in another order.
inline Llm withoutLayersAndNames(const Llm& llm)
{
    Llm bare{.hidden = llm.hidden,
             .vocab = llm.vocab,
             .tiedHead = llm.tiedHead,
             .headBias = llm.headBias,
             .learnedPositions = llm.learnedPositions,
             .embeddingNorm = llm.embeddingNorm,
             .norm = llm.norm,
             .finalNorm = llm.finalNorm,
             .maxContext = llm.maxContext,
             .mtp = llm.mtp,
             .nativeType = llm.nativeType,
             .nativeQuantization = llm.nativeQuantization};
    bare.mtp.kinds.clear();
    return bare;
}

struct Broken {
    std::string_view what; // of `sound`
    std::string_view instead;
    std::string_view problems;
};
inline constexpr std::array brokenConfigs{
    Broken{"\"hidden_size\": 4096,", "", "c.json:1:1: 'hidden_size' is missing"},
    Broken{"\"hidden_size\": 4096", "\"hiden_size\": 4096",
           "c.json:1:1: 'hidden_size' is missing (did you mean 'hiden_size'?)"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": null",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got null"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": 0",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got 0"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": -4096",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got -4096"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": 4096.5",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got 4096.5"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": \"4096\"",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got \"4096\""},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": [4096]",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got a list of 1"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": {\"v\": 4096}",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got an object of 1 keys"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": NaN",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got NaN"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": Infinity",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got Infinity"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": 1e400",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got 1e400"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": 9223372036854775808",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got 9223372036854775808"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": 1073741825",
           "c.json:3:17 hidden_size: expected a whole number from 1 to 1073741824, got 1073741825"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": 4097",
           "c.json:5:25 num_attention_heads: 4097 hidden values cannot be split over 32 heads, and head_dim "
           "is not given"},
    Broken{"\"hidden_size\": 4096", "\"hidden_size\": 4096, \"hidden_size\": 8192",
           "c.json:3:38: the key \"hidden_size\" stands twice in this object"},
    Broken{"\"num_hidden_layers\": 32", "\"num_hidden_layers\": 1000000",
           "c.json:7:23 num_hidden_layers: expected at most 4096 layers, got 1000000"},
    Broken{"\"num_hidden_layers\": 32", "\"num_hidden_layers\": true",
           "c.json:7:23 num_hidden_layers: expected a whole number from 1 to 1073741824, got true"},
    Broken{"\"num_key_value_heads\": 8", "\"num_key_value_heads\": 7",
           "c.json:6:25 num_key_value_heads: 32 query heads cannot share 7 key/value heads evenly"},
    Broken{"\"num_key_value_heads\": 8", "\"num_key_value_heads\": 0",
           "c.json:6:25 num_key_value_heads: 32 query heads cannot share 0 key/value heads evenly"},
    Broken{"\"num_attention_heads\": 32", "\"num_attention_heads\": 0",
           "c.json:5:25 num_attention_heads: expected a whole number from 1 to 1073741824, got 0"},
    Broken{"\"vocab_size\": 128256", "\"vocab_size\": 1.5e300",
           "c.json:8:16 vocab_size: expected a whole number from 1 to 1073741824, got 1.5e300"},
    Broken{"\"tie_word_embeddings\": false", "\"tie_word_embeddings\": \"no\"",
           "c.json:10:25 tie_word_embeddings: expected true or false, got \"no\""},
    Broken{"\"torch_dtype\": \"bfloat16\"", "\"torch_dtype\": \"float7\"",
           "c.json:11:17 torch_dtype: expected bfloat16, float16 or float32, got 'float7'"},
    Broken{"\"torch_dtype\": \"bfloat16\"", "\"torch_dtype\": 16",
           "c.json:11:17 torch_dtype: expected text in quotes, got 16"},
    Broken{
        "\"intermediate_size\": 14336,\n \"num_attention_heads\": 32,",
        "\"intermediate_size\": 1073741824, \"head_dim\": 1073741824,\n \"num_attention_heads\": 1073741824,",
        "c.json:1:1: query_heads of 1073741824: no model's is outside 1 to 8192 | c.json:1:1: head_dim of "
        "1073741824: no model's is outside 1 to 16384 | c.json:1:1: intermediate of 1073741824: no model's "
        "is "
        "outside 1 to 1048576"},
    Broken{"\"hidden_size\": 4096,\n \"intermediate_size\": 14336,\n \"num_attention_heads\": 32,",
           "\"hidden_size\": 131072,\n \"intermediate_size\": 14336, \"head_dim\": 16384,\n "
           "\"num_attention_heads\": 8192,",
           "c.json:1:1: these sizes make a model of more than 10^15 parameters"},
    Broken{"\"vocab_size\": 128256,", "\"vocab_size\": 128256", "c.json:9:2: expected ',' or '}', got '\"'"},
    Broken{"\"vocab_size\"", "vocab_size", "c.json:8:2: expected a key in quotes, got 'v'"},
    Broken{"\n}", "", "c.json:11:27: expected ',' or '}', the text ends here"},
    Broken{"\"LlamaForCausalLM\"", "\"LlamaForCausalML\"",
           "c.json:2:19 architectures: architecture LlamaForCausalML is not known: it is not counted rather "
           "than guessed (did you mean 'LlamaForCausalLM', 'Llama4ForCausalLM' or 'GemmaForCausalLM'?)"},
    Broken{"\"LlamaForCausalLM\"", "\"DeepseekV4ForCausalLM\"",
           "c.json:1:1: 'compress_ratios' is missing: one number for each layer"},
    Broken{"\"LlamaForCausalLM\"", "\"LlamaForSequenceClassification\"",
           "c.json:2:19 architectures: architecture LlamaForSequenceClassification is not known: it is not "
           "counted rather than guessed"},
    Broken{"[\"LlamaForCausalLM\"]", "[]",
           "c.json:2:19 architectures: neither 'architectures' nor 'model_type' says which model this is (is "
           "this the config.json of a Hugging Face model?)"},
    Broken{"[\"LlamaForCausalLM\"]", "\"LlamaForCausalLM\"",
           "c.json:2:19 architectures: neither 'architectures' nor 'model_type' says which model this is (is "
           "this the config.json of a Hugging Face model?)"},
    Broken{"\"torch_dtype\": \"bfloat16\"", "\"quantization_config\": {\"quant_method\": \"magic\"}",
           "c.json:11:42 quantization_config.quant_method: unknown quantisation method 'magic' (known: fp8, "
           "fbgemm_fp8, mxfp4, awq, gptq, compressed-tensors, modelopt, bitsandbytes)"},
    Broken{"\"torch_dtype\": \"bfloat16\"",
           "\"quantization_config\": {\"quant_method\": \"fp8\", \"weight_block_size\": [128]}",
           "c.json:11:70 quantization_config.weight_block_size: expected two sizes such as [128, 128], got a "
           "list of 1"},
    Broken{"\"torch_dtype\": \"bfloat16\"",
           "\"quantization_config\": {\"quant_method\": \"fp8\", \"weight_block_size\": [0, 128]}",
           "c.json:11:70 quantization_config.weight_block_size: expected two sizes such as [128, 128], got a "
           "list of 2"},
    Broken{"\"torch_dtype\": \"bfloat16\"",
           "\"quantization_config\": {\"quant_method\": \"fp8\", \"weight_block_size\": [131073, 128]}",
           "c.json:1:1: block_rows of 131073: no model's is outside 0 to 65536"},
    Broken{"\"torch_dtype\": \"bfloat16\"",
           "\"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 3}",
           "c.json:11:58 quantization_config.bits: expected 4 or 8 bits, got 3"},
    Broken{"\"torch_dtype\": \"bfloat16\"",
           "\"quantization_config\": {\"quant_method\": \"compressed-tensors\"}",
           "c.json:11:25 quantization_config: expected at least one group of layers"},
    Broken{"\"torch_dtype\": \"bfloat16\"",
           "\"quantization_config\": {\"quant_method\": \"compressed-tensors\", \"config_groups\": "
           "{\"group_0\": {\"weights\": {\"num_bits\": 3}}}}",
           "c.json:11:118 quantization_config.config_groups.group_0.weights.num_bits: expected 4 or 8 bits "
           "of int or float, got 3 of 'int'"},
    Broken{"\"torch_dtype\": \"bfloat16\"",
           "\"quantization_config\": {\"quant_method\": \"modelopt\", \"quant_algo\": \"W1\"}",
           "c.json:11:68 quantization_config.quant_algo: unknown algorithm 'W1' (FP8 or NVFP4)"},
    Broken{
        "\"architectures\": [\"LlamaForCausalLM\"],",
        "\"architectures\": [\"MixtralForCausalLM\"], \"num_local_experts\": 8, \"num_experts_per_tok\": 9,",
        "c.json:2:90 num_experts_per_tok: a token cannot choose 9 of 8 experts"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],", "\"architectures\": [\"MixtralForCausalLM\"],",
           "c.json:1:1: 'num_local_experts' is missing | c.json:1:1: 'num_experts_per_tok' is missing"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"GptOssForCausalLM\"], \"num_local_experts\": 8, \"num_experts_per_tok\": "
           "2, \"sliding_window\": 128, \"layer_types\": [\"full_attention\"],",
           "c.json:2:130 layer_types: expected a list of 32 words, one for each layer, got a list of 1"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"NemotronHForCausalLM\"], \"hybrid_override_pattern\": \"MX\",",
           "c.json:2:72 hybrid_override_pattern: expected only the letters M, *, - and E (M Mamba-2, * "
           "attention, - MLP, E experts) | c.json:2:72 hybrid_override_pattern: expected 32 letters, one for "
           "each layer, got 1"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],", "\"architectures\": [\"NemotronHForCausalLM\"],",
           "c.json:1:1: 'hybrid_override_pattern' is missing"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"DeciLMForCausalLM\"], \"block_configs\": [1, 2],",
           "c.json:2:59 block_configs: expected a list of 32 blocks"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"DeepseekV3ForCausalLM\"], \"kv_lora_rank\": 512,",
           "c.json:1:1: 'qk_nope_head_dim' is missing | c.json:1:1: 'qk_rope_head_dim' is missing | "
           "c.json:1:1: 'v_head_dim' is missing | c.json:1:1: 'moe_intermediate_size' is missing (did you "
           "mean 'intermediate_size'?) | c.json:1:1: 'n_routed_experts' is missing | c.json:1:1: "
           "'num_experts_per_tok' is missing"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"HunYuanMoEV1ForCausalLM\"], \"num_experts\": 4, \"moe_topk\": [1, 2], "
           "\"num_shared_expert\": 1,",
           "c.json:2:78 moe_topk: expected 32 numbers, one for each layer, got 2"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"PhiForCausalLM\"], \"qk_layernorm\": true,",
           "c.json:2:55 qk_layernorm: norms on q and k of a Phi are not counted"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"OPTForCausalLM\"], \"word_embed_proj_dim\": 512, \"ffn_dim\": 8,",
           "c.json:2:62 word_embed_proj_dim: an embedding narrower than the model (OPT-350M) is not counted"},
    Broken{
        "\"architectures\": [\"LlamaForCausalLM\"],",
        "\"architectures\": [\"Mamba2ForCausalLM\"], \"ssm_cfg\": {\"layer\": \"Mamba2\", \"d_state\": -1},",
        "c.json:2:84 ssm_cfg.d_state: expected a whole number from 0 to 1073741824, got -1"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"Gemma3ForConditionalGeneration\"], \"text_config\": {\"hidden_size\": 1},",
           "c.json:2:70 text_config: 'intermediate_size' is missing | c.json:2:70 text_config: "
           "'num_hidden_layers' is missing"},
    Broken{"\"architectures\": [\"LlamaForCausalLM\"],",
           "\"architectures\": [\"LlamaForCausalLM\"], \"partial_rotary_factor\": 7,",
           "c.json:2:66 partial_rotary_factor: expected a share from 0 to 1, got 7"},
};

} // namespace headroom::hf
