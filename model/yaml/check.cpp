#include "model/yaml/check.h"

#include "model/scenario/scenario_keys.h"
#include "model/text/text_file.h"
#include "model/yaml/efficiency_yaml.h"
#include "model/yaml/engine_yaml.h"
#include "model/yaml/gpu_yaml.h"
#include "model/yaml/index_yaml.h"
#include "model/yaml/llm_yaml.h"
#include "model/yaml/node_yaml.h"
#include "model/yaml/reader.h"
#include "model/yaml/scenario_yaml.h"
#include "model/yaml/tree.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>

namespace headroom {

namespace {

// Of each kind the keys that only it has; one of them is enough, the most of them wins.
struct Mark {
    FileKind kind;
    std::string_view key;
};
constexpr std::array marks{
    Mark{FileKind::Accelerator, "compute"},
    Mark{FileKind::Accelerator, "links"},
    Mark{FileKind::Accelerator, "form_factor"},
    Mark{FileKind::Accelerator, "default_node"},
    Mark{FileKind::Machine, "intra"},
    Mark{FileKind::Machine, "inter"},
    Mark{FileKind::Machine, "gpus_per_node"},
    Mark{FileKind::Machine, "box"},
    Mark{FileKind::Model, "kinds"},
    Mark{FileKind::Model, "shape"},
    Mark{FileKind::Model, "hf_id"},
    Mark{FileKind::Model, "native"},
    Mark{FileKind::Engine, "parallel"},
    Mark{FileKind::Engine, "types"},
    Mark{FileKind::Engine, "host"},
    Mark{FileKind::Calibration, "forms"},
    Mark{FileKind::Calibration, "implementation"},
};

bool holdsGroup(const YamlNode& tree, std::string_view key)
{
    const YamlNode* const value = tree.find(key);
    return value != nullptr && value->kind == YamlNode::Kind::Map;
}

std::optional<FileKind> kindOf(const YamlNode& tree)
{
    if (tree.kind != YamlNode::Kind::Map)
        return std::nullopt;
    if (holdsGroup(tree, "gpus") || holdsGroup(tree, "nodes") || holdsGroup(tree, "models")
        || holdsGroup(tree, "engines"))
        return FileKind::Index;
    std::array<int, 7> votes{};
    for (const Mark& mark : marks)
        if (tree.find(mark.key) != nullptr)
            ++votes[static_cast<std::size_t>(mark.kind)];
    const auto most = std::max_element(votes.begin(), votes.end());
    if (*most > 0)
        return static_cast<FileKind>(most - votes.begin());
    const std::vector<std::string> names = scenarioKeyNames();
    const bool scenario = std::any_of(tree.keys.begin(), tree.keys.end(), [&](const YamlNode::Key& key) {
        return std::find(names.begin(), names.end(), key.name) != names.end();
    });
    return scenario ? std::optional(FileKind::Scenario) : std::nullopt;
}

template <typename T>
Problems problemsOf(const Result<T>& read)
{
    return read ? Problems{} : read.error();
}

Problems check(FileKind kind, const YamlNode& tree, const std::string& text, const std::string& shownAs)
{
    switch (kind) {
    case FileKind::Accelerator:
        return problemsOf(readGpu(text, shownAs));
    case FileKind::Machine:
        return problemsOf(readNode(text, shownAs));
    case FileKind::Model:
        return problemsOf(readLlm(text, shownAs));
    case FileKind::Engine:
        return problemsOf(readEngine(text, shownAs));
    case FileKind::Calibration:
        return problemsOf(readEfficiencySet(text, shownAs));
    case FileKind::Scenario:
        return problemsOf(scenarioIn(tree, shownAs));
    case FileKind::Index:
        return problemsOf(parseIndex(text, shownAs));
    }
    return {};
}

bool inCatalogueFolder(const std::filesystem::path& path)
{
    static const std::set<std::string> folders{"gpus", "nodes", "models", "engines"};
    return folders.contains(path.parent_path().filename().string());
}

} // namespace

Code name(FileKind kind)
{
    constexpr std::array<Code, 7> names{"accelerator", "machine",  "model",      "engine",
                                        "calibration", "scenario", "alias index"};
    return names[static_cast<std::size_t>(kind)];
}

CheckedFile checkYaml(const std::string& text, const std::string& shownAs)
{
    const Result<YamlNode> tree = parseYaml(text, shownAs);
    if (!tree)
        return {.kind = {}, .problems = tree.error()};
    const std::optional<FileKind> kind = kindOf(*tree);
    if (!kind)
        return {.kind = {},
                .problems = {{shownAs, "is none of our files",
                              "an accelerator has 'compute:', a machine 'intra:', a model 'kinds:', an "
                              "engine 'parallel:', a "
                              "calibration 'forms:', a scenario 'model:'"}}};
    return {.kind = kind, .problems = check(*kind, *tree, text, shownAs)};
}

CheckedFile checkFile(const std::filesystem::path& path)
{
    const Result<std::string> text = readTextFile(path, longestYamlFile);
    if (!text)
        return {.kind = {}, .problems = text.error()};
    CheckedFile checked = checkYaml(*text, path.string());
    const bool hasId
        = checked.kind && *checked.kind != FileKind::Scenario && *checked.kind != FileKind::Index;
    if (hasId && inCatalogueFolder(path)) {
        const Result<YamlNode> tree = parseYaml(*text, path.string());
        const YamlNode* const id = tree ? tree->find("id") : nullptr;
        if (id != nullptr && id->text != path.stem().string())
            checked.problems.push_back({fmt::format("{}:{}:{} id", path.string(), id->line, id->column),
                                        say("'{}' is not the file's name", id->text),
                                        "ids are names of files"});
    }
    return checked;
}

} // namespace headroom
