#include "model/import/hf_config.h"

#include "model/base/spelling.h"
#include "model/catalogue/llm_check.h"
#include "model/import/hf_architectures.h"
#include "model/import/hf_quantization.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

std::vector<HfArchitecture> allArchitectures()
{
    std::vector<HfArchitecture> all;
    for (const auto part : {denseArchitectures(), olderArchitectures(), expertArchitectures(),
                            latentArchitectures(), hybridArchitectures()})
        all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::string className(JsonValue object)
{
    return std::string(object["architectures"].firstChild().text().value_or(""));
}

// The class named by the file or, in files without one, the class of its `model_type`.
std::optional<HfArchitecture> architectureOf(JsonValue root, JsonValue text)
{
    const std::vector<HfArchitecture> all = allArchitectures();
    for (const JsonValue object : {root, text}) {
        const std::string name = className(object);
        for (const HfArchitecture& known : all)
            if (known.className == name)
                return known;
    }
    if (!className(root).empty())
        return std::nullopt;
    for (const JsonValue object : {root, text})
        for (const HfArchitecture& known : all)
            if (known.modelType == object["model_type"].text().value_or(""))
                return known;
    const bool referenceMamba = root["ssm_cfg"]["layer"].text().value_or("") == "Mamba2";
    for (const HfArchitecture& known : all)
        if (referenceMamba && known.className == "Mamba2ForCausalLM")
            return known;
    return std::nullopt;
}

Problem unknownArchitecture(JsonValue root)
{
    std::string name = className(root);
    if (name.empty())
        name = std::string(root["model_type"].text().value_or(""));
    const JsonValue where = root["architectures"] ? root["architectures"]
        : root["model_type"]                      ? root["model_type"]
                                                  : root;
    if (name.empty())
        return {where.place(), "neither 'architectures' nor 'model_type' says which model this is",
                "is this the config.json of a Hugging Face model?"};
    return {where.place(),
            say("architecture {} is not known: it is not counted rather than guessed", name.substr(0, 80)),
            spellingHint(name.substr(0, 80), knownHfArchitectures())};
}

// DeepSeek-V4 says the type of its experts beside the quantisation of everything else: 4 bit with a scale of
// 8 bits for every 32 values, as in its `scale_fmt`.
void readExpertType(HfReading& reading)
{
    const ConfigReader::Keys key{"expert_dtype"};
    const std::string word = reading.config.textOr(key, "");
    std::optional<NativeQuantization>& native = reading.llm.nativeQuantization;
    if (word.empty() || (native && dtypeFromName(word) == native->type))
        return;
    if (word != "fp4" || !native)
        return reading.config.report(key,
                                     say("expected fp4 beside a quantisation, got '{}'", word.substr(0, 40)));
    native->outside = native->type;
    native->type = DType::Mxfp4;
    native->expertsOnly = true;
}

void readStorage(HfReading& reading)
{
    const ConfigReader::Keys keys{"torch_dtype", "dtype"};
    const ConfigReader& where = reading.config.has(keys) ? reading.config : reading.root;
    const std::string word = where.textOr(keys, "");
    const auto type = dtypeFromName(word);
    if (type && (*type == DType::Bf16 || *type == DType::Fp16 || *type == DType::Fp32))
        reading.llm.nativeType = *type;
    else if (!word.empty())
        where.report(keys, say("expected bfloat16, float16 or float32, got '{}'", word.substr(0, 40)));
    else
        reading.warnings.emplace_back("the file names no storage type: bf16 is taken");
    const ConfigReader::Keys quantization{"quantization_config"};
    const ConfigReader& holder = reading.root.has(quantization) ? reading.root : reading.config;
    reading.llm.nativeQuantization
        = readHfQuantization(holder.within("quantization_config"), reading.warnings);
    readExpertType(reading);
}

// What each value alone allows and all together do not; a model file would be refused for the same.
void reportImpossible(HfReading& reading)
{
    for (Message& impossible : impossibleSizes(reading.llm))
        reading.root.report(reading.root.object(), std::move(impossible));
    for (const LayerKind& kind : reading.llm.kinds)
        for (Message& contradiction : contradictions(kind))
            reading.root.report(reading.root.object(), std::move(contradiction));
}

// A value that several layers read is reported once.
Problems eachOnce(const Problems& problems)
{
    Problems once;
    for (const Problem& problem : problems)
        if (std::find(once.begin(), once.end(), problem) == once.end() && once.size() < 50)
            once.push_back(problem);
    return once;
}

} // namespace

std::vector<std::string> knownHfArchitectures()
{
    std::vector<std::string> names;
    for (const HfArchitecture& known : allArchitectures())
        names.emplace_back(known.className);
    std::sort(names.begin(), names.end());
    return names;
}

Result<HfModel> readHfConfig(const JsonDocument& document)
{
    const JsonValue root = document.root();
    if (!root.isObject())
        return refuse(root.place(), say("expected an object of keys and values, got {}", root.shown()));
    const bool nested = root["text_config"].isObject();
    const JsonValue text = nested ? root["text_config"] : root;
    const auto architecture = architectureOf(root, text);
    if (!architecture)
        return refuse(Problems{unknownArchitecture(root)});
    Problems problems;
    HfReading reading{.config = ConfigReader(text, problems),
                      .root = ConfigReader(root, problems),
                      .problems = problems,
                      .nested = nested};
    architecture->read(reading);
    reading.llm.architecture
        = className(root).empty() ? std::string(architecture->className) : className(root);
    readStorage(reading);
    if (reading.llm.maxContext == 0 && !reading.config.has(contextKeys()))
        reading.config.report(contextKeys(), "'max_position_embeddings' is missing",
                              "the longest context the model was made for, in tokens");
    if (problems.empty())
        reportImpossible(reading);
    if (!problems.empty())
        return refuse(eachOnce(problems));
    return HfModel{std::move(reading.llm), std::move(reading.warnings)};
}

} // namespace headroom
