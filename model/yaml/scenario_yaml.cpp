#include "model/yaml/scenario_yaml.h"

#include "model/base/spelling.h"
#include "model/base/told_problems.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
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

void readKey(ScenarioReading& reading, const YamlNode::Key& key, const YamlNode& value,
             const std::string& file)
{
    const std::string where = fmt::format("{}:{}:{} {}", file, value.line, value.column, key.name);
    if (!isValue(value)) {
        reading.problems.push_back({where, "expected one value", {}});
        return;
    }
    if (key.name == "name") {
        reading.scenario.name = value.text;
        return;
    }
    const ScenarioKey* const known = findScenarioKey(key.name);
    if (known == nullptr) {
        Message hint;
        if (reading.problems.size() < mostProblemsTold) { // others are counted
            std::vector<std::string> names = scenarioKeyNames();
            names.emplace_back("name");
            hint = spellingHint(key.name, names);
        }
        reading.problems.push_back({fmt::format("{}:{}:{} {}", file, key.line, key.column, key.name),
                                    "no scenario has this key", std::move(hint)});
        return;
    }
    reading.places[key.name] = where;
    for (Problem& problem : known->set(reading.scenario, valueText(value)))
        reading.problems.push_back({where, std::move(problem.what), std::move(problem.hint)});
}

void readKeys(ScenarioReading& reading, const YamlNode& tree, const std::string& file)
{
    if (tree.kind
        == YamlNode::Kind::Null) // nothing is said: what writeScenario makes of an untouched scenario
        return;
    if (tree.kind != YamlNode::Kind::Map) {
        reading.problems = {{file, "expected a scenario: lines such as 'model: llama-3.1-70b'", {}}};
        return;
    }
    for (std::size_t i = 0; i < tree.items.size(); ++i)
        readKey(reading, tree.keys[i], tree.items[i], file);
}

void readKeys(ScenarioReading& reading, const Result<YamlNode>& tree, const std::string& file)
{
    if (tree)
        readKeys(reading, *tree, file);
    else
        reading.problems = tree.error();
}

Result<Scenario> wholly(ScenarioReading reading)
{
    if (!reading.problems.empty())
        return refuse(std::move(reading.problems));
    return std::move(reading.scenario);
}

} // namespace

Problems placed(Problems problems, const ScenarioReading::Places& places)
{
    for (Problem& problem : problems)
        if (const auto place = places.find(problem.where); place != places.end())
            problem.where = place->second;
    return problems;
}

ScenarioReading readScenarioOver(Scenario base, const std::filesystem::path& path, const std::string& shownAs)
{
    ScenarioReading reading{.scenario = std::move(base), .problems = {}, .places = {}};
    readKeys(reading, parseYamlFile(path, shownAs), shownAs);
    return reading;
}

ScenarioReading scenarioReading(const std::string& text, const std::string& file)
{
    ScenarioReading reading;
    readKeys(reading, parseYaml(text, file), file);
    return reading;
}

Result<Scenario> parseScenario(const std::string& text, const std::string& file)
{
    return wholly(scenarioReading(text, file));
}

Result<Scenario> scenarioIn(const YamlNode& tree, const std::string& file)
{
    ScenarioReading reading;
    readKeys(reading, tree, file);
    return wholly(std::move(reading));
}

Result<Scenario> readScenario(const std::filesystem::path& path, const std::string& shownAs)
{
    return wholly(readScenarioOver({}, path, shownAs));
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
