#include "model/yaml/scenario_yaml.h"

#include "model/plan/scenario_keys.h"
#include "model/plan/scenario_values.h"
#include "model/spelling.h"
#include "model/yaml/tree.h"
#include "model/yaml/writer.h"

#include <fmt/format.h>

namespace headroom {

namespace {

// A list is what people write for several accelerators; a flag takes them with commas.
std::string valueText(const YamlNode& node)
{
    if (node.kind != YamlNode::Kind::List)
        return node.text;
    std::string out;
    for (const YamlNode& item : node.items)
        out += (out.empty() ? "" : ",") + item.text;
    return out;
}

bool isValue(const YamlNode& node)
{
    if (node.kind == YamlNode::Kind::Scalar)
        return true;
    bool scalars = node.kind == YamlNode::Kind::List && !node.items.empty();
    for (const YamlNode& item : node.items)
        scalars = scalars && item.kind == YamlNode::Kind::Scalar;
    return scalars;
}

void readKey(Scenario& scenario, const YamlNode::Key& key, const YamlNode& value, const std::string& file,
             Problems& problems)
{
    const std::string where = fmt::format("{}:{}:{} {}", file, value.line, value.column, key.name);
    if (!isValue(value)) {
        problems.push_back({where, "expected one value", {}});
        return;
    }
    if (key.name == "name") {
        scenario.name = value.text;
        return;
    }
    const ScenarioKey* const known = findScenarioKey(key.name);
    if (known == nullptr) {
        std::vector<std::string> names = scenarioKeyNames();
        names.emplace_back("name");
        problems.push_back({fmt::format("{}:{}:{} {}", file, key.line, key.column, key.name),
                            "no scenario has this key", spellingHint(key.name, names)});
        return;
    }
    for (Problem& problem : known->set(scenario, valueText(value)))
        problems.push_back({where, std::move(problem.what), std::move(problem.hint)});
}

Result<Scenario> scenarioOf(const YamlNode& tree, const std::string& file)
{
    Scenario scenario;
    Problems problems;
    if (tree.kind
        == YamlNode::Kind::Null) // nothing is said: what writeScenario makes of an untouched scenario
        return scenario;
    if (tree.kind != YamlNode::Kind::Map)
        return refuse(file, "expected a scenario: lines such as 'model: llama-3.1-70b'");
    for (std::size_t i = 0; i < tree.items.size(); ++i)
        readKey(scenario, tree.keys[i], tree.items[i], file, problems);
    if (!problems.empty())
        return refuse(std::move(problems));
    return scenario;
}

} // namespace

Result<Scenario> parseScenario(const std::string& text, const std::string& file)
{
    return parseYaml(text, file).and_then([&file](const YamlNode& tree) { return scenarioOf(tree, file); });
}

Result<Scenario> readScenario(const std::filesystem::path& path, const std::string& shownAs)
{
    return parseYamlFile(path, shownAs).and_then([&shownAs](const YamlNode& tree) {
        return scenarioOf(tree, shownAs);
    });
}

std::string writeScenario(const Scenario& scenario)
{
    const Scenario untouched;
    MapWriter out;
    out.text("name", scenario.name); // always, so that no scenario is an empty file
    for (const ScenarioKey& key : scenarioKeys())
        if (const std::string value = scenarioValue(scenario, key.name);
            value != scenarioValue(untouched, key.name))
            out.text(key.name, value);
    return out.yaml();
}

} // namespace headroom
