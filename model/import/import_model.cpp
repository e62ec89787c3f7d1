#include "model/import/import_model.h"

#include "model/count/parameters.h"
#include "model/import/gguf.h"
#include "model/import/gguf_model.h"
#include "model/import/hf_config.h"
#include "model/import/safetensors.h"
#include "model/text/text_file.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace headroom {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t longestConfig = 16U << 20U; // real ones stay below 100 kB

// "Llama-3.1 70B" → "llama-3.1-70b": ids are kebab-case.
std::string idFrom(const std::string& name)
{
    std::string id;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        const bool kept = std::isalnum(byte) != 0 || (c == '.' && !id.empty());
        if (kept)
            id += static_cast<char>(std::tolower(byte));
        else if (!id.empty() && id.back() != '-')
            id += '-';
    }
    while (!id.empty() && (id.back() == '-' || id.back() == '.'))
        id.pop_back();
    return id.empty() ? "imported" : id;
}

// A foreign file's name as our own files may hold it: one line, no hyphen at the start.
std::string plainName(std::string name)
{
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
    name.erase(0, std::min(name.find_first_not_of("- "), name.size()));
    return name.empty() ? "imported" : name;
}

void nameModel(ImportedModel& model, const fs::path& path)
{
    const fs::path absolute = fs::absolute(path / "").parent_path(); // without a slash at its end
    const std::string own = absolute.filename().string();
    const std::string end = absolute.extension().string();
    const bool generic = own == "config.json" || own.starts_with("model.") || own.starts_with("model-");
    const bool isFile = end == ".json" || end == ".gguf" || end == ".safetensors";
    const std::string name = generic ? absolute.parent_path().filename().string()
        : isFile                     ? absolute.stem().string()
                                     : own; // a folder: a point in its name ends nothing
    model.llm.id = idFrom(name);
    model.llm.name = plainName(model.llm.name.empty() ? name : model.llm.name);
    model.llm.confidence = Confidence::High;
    model.llm.citations = {{.key = "shape", .text = "imported from " + own, .confidence = Confidence::High}};
}

Result<ImportedModel> fromConfig(const fs::path& file)
{
    Result<std::string> text = readTextFile(file, longestConfig);
    if (!text)
        return refuse(std::move(text.error()));
    const Result<JsonDocument> document
        = JsonDocument::parse(std::move(*text), file.string(), {.bytes = longestConfig, .values = 500'000});
    if (!document)
        return refuse(document.error());
    Result<HfModel> model = readHfConfig(*document);
    if (!model)
        return refuse(std::move(model.error()));
    return ImportedModel{.llm = std::move(model->llm), .warnings = std::move(model->warnings)};
}

// What the files hold beside or without the text model: towers, prediction modules, packed or scaled weights.
void compareStored(ImportedModel& model)
{
    const StoredWeights& stored = *model.stored;
    if (!stored.missing.empty())
        model.warnings.push_back(
            say("{} of {} weight files are not here (the first: {}): the stored bytes are "
                "incomplete",
                stored.missing.size(), stored.missing.size() + stored.files.size(), stored.missing.front()));
    else if (const std::int64_t counted = countParameters(model.llm).total;
             counted != stored.elements && !model.llm.nativeQuantization)
        model.warnings.push_back(
            say("the files hold {} elements, the text model has {} parameters: the rest are "
                "other parts (vision, prediction modules, copies of the head)",
                stored.elements, counted));
}

fs::path weightsIn(const fs::path& folder)
{
    std::error_code error;
    for (const char* name : {"model.safetensors.index.json", "model.safetensors"})
        if (fs::exists(folder / name, error))
            return folder / name;
    return {};
}

Result<ImportedModel> fromConfigAndWeights(const fs::path& config, const fs::path& weights)
{
    std::error_code error;
    if (!fs::exists(config, error))
        return refuse(config.string(),
                      "there is no config.json: tensors alone do not say how many heads share them",
                      "put the model's config.json beside its weights");
    Result<ImportedModel> model = fromConfig(config);
    if (!model || weights.empty())
        return model;
    Result<StoredWeights> stored = readSafetensorsWeights(weights);
    if (!stored)
        return refuse(std::move(stored.error()));
    model->stored = std::move(*stored);
    compareStored(*model);
    return model;
}

Result<ImportedModel> fromGguf(const fs::path& file)
{
    std::vector<GgufHeader> parts;
    Problems problems;
    for (const fs::path& part : ggufParts(file)) {
        Result<GgufHeader> header = readGguf(part);
        if (header)
            parts.push_back(std::move(*header));
        else
            problems.insert(problems.end(), header.error().begin(), header.error().end());
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    Result<GgufModel> model = readGgufModel(parts);
    if (!model)
        return refuse(std::move(model.error()));
    return ImportedModel{.llm = std::move(model->llm),
                         .stored = std::move(model->stored),
                         .warnings = std::move(model->warnings)};
}

Result<ImportedModel> read(const fs::path& path)
{
    std::error_code error;
    if (fs::is_directory(path, error))
        return fromConfigAndWeights(path / "config.json", weightsIn(path));
    if (!fs::exists(path, error))
        return refuse(path.string(), "there is no such file or folder");
    const std::string name = path.filename().string();
    if (name.ends_with(".gguf"))
        return fromGguf(path);
    if (name.ends_with(".safetensors") || name.ends_with(".safetensors.index.json"))
        return fromConfigAndWeights(path.parent_path() / "config.json", path);
    if (name.ends_with(".json"))
        return fromConfig(path);
    return refuse(path.string(), "expected a config.json, a folder with one, a .safetensors or a .gguf file");
}

} // namespace

Result<ImportedModel> importModel(const fs::path& path)
{
    Result<ImportedModel> model = read(path);
    if (model)
        nameModel(*model, path);
    return model;
}

} // namespace headroom
