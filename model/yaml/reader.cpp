#include "model/yaml/reader.h"

#include "model/base/spelling.h"
#include "model/base/told_problems.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

const YamlNode& emptyMap()
{
    static const YamlNode empty = [] {
        YamlNode node;
        node.kind = YamlNode::Kind::Map;
        return node;
    }();
    return empty;
}

} // namespace

MapReader::MapReader(const YamlNode& node, std::string file, std::string path, Problems& problems)
    : m_node(&node),
      m_file(std::move(file)),
      m_path(std::move(path)),
      m_problems(&problems),
      m_problemsBefore(problems.size())
{
    if (node.kind != YamlNode::Kind::Map) {
        const std::string name = m_path.empty() ? "" : " " + m_path.substr(0, m_path.size() - 1);
        m_problems->push_back({fmt::format("{}:{}:{}{}", m_file, node.line, node.column, name),
                               say("expected a group of 'key: value' lines, got {}", kindName(node)), ""});
        m_node = nullptr;
    }
}

bool MapReader::has(std::string_view key) const { return m_node != nullptr && m_node->find(key) != nullptr; }

std::vector<std::string> MapReader::keys() const
{
    std::vector<std::string> out;
    if (m_node != nullptr)
        for (const YamlNode::Key& key : m_node->keys)
            out.push_back(key.name);
    return out;
}

std::string MapReader::where(std::string_view key) const
{
    const YamlNode* const value = m_node != nullptr ? m_node->find(key) : nullptr;
    const YamlNode& at = value != nullptr ? *value : m_node != nullptr ? *m_node : emptyMap();
    const std::string path = key.empty() ? m_path.substr(0, m_path.find_last_of('.')) : m_path;
    return fmt::format("{}:{}:{} {}{}", m_file, at.line, at.column, path, key);
}

void MapReader::report(std::string_view key, Message what, Message hint)
{
    m_problems->push_back({where(key), std::move(what), std::move(hint)});
}

void MapReader::reportAt(const YamlNode& node, std::string_view key, Message what, Message hint)
{
    m_problems->push_back({fmt::format("{}:{}:{} {}{}", m_file, node.line, node.column, m_path, key),
                           std::move(what), std::move(hint)});
}

const YamlNode* MapReader::asked(std::string_view key)
{
    if (std::find(m_asked.begin(), m_asked.end(), key) == m_asked.end())
        m_asked.emplace_back(key);
    return m_node != nullptr ? m_node->find(key) : nullptr;
}

bool MapReader::required(std::string_view key)
{
    if (asked(key) != nullptr)
        return true;
    if (m_node != nullptr) // a value that is no group at all was reported when the reader was made
        report(key, "is missing");
    return false;
}

const YamlNode* MapReader::scalarAt(std::string_view key, Code expected)
{
    const YamlNode* const node = asked(key);
    if (node == nullptr || node->kind == YamlNode::Kind::Scalar)
        return node;
    reportAt(*node, key, say("expected {}, got {}", expected, kindName(*node)));
    return nullptr;
}

const YamlNode* MapReader::listAt(std::string_view key)
{
    const YamlNode* const node = asked(key);
    if (node == nullptr || node->kind == YamlNode::Kind::List)
        return node;
    reportAt(*node, key, say("expected a list such as [a, b], got {}", kindName(*node)));
    return nullptr;
}

std::string MapReader::text(std::string_view key)
{
    return required(key) ? maybeText(key).value_or(std::string{}) : std::string{};
}

std::string MapReader::identifier(std::string_view key)
{
    std::string id = text(key);
    constexpr std::string_view known = "abcdefghijklmnopqrstuvwxyz0123456789.-";
    if (!id.empty()
        && (id.find_first_not_of(known) != std::string::npos || id.front() == '-' || id.front() == '.'))
        report(key, say("expected lower-case letters, figures, dots and hyphens, got '{}'", id.substr(0, 60)),
               "such as llama-3.1-70b");
    return id;
}

std::string MapReader::name(std::string_view key)
{
    return required(key) ? maybeName(key).value_or("") : std::string();
}

std::optional<std::string> MapReader::maybeName(std::string_view key)
{
    std::optional<std::string> name = maybeText(key);
    if (!name)
        return name;
    if (std::any_of(name->begin(), name->end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }))
        report(key, "expected one line without control characters", "");
    else if (name->starts_with('-'))
        report(key, say("'{}' would be taken for an option", *name), "no hyphen at the start");
    return name;
}

std::optional<std::string> MapReader::maybeText(std::string_view key)
{
    const YamlNode* const node = scalarAt(key, "text");
    return node != nullptr ? std::optional(node->text) : std::nullopt;
}

std::vector<std::string> MapReader::texts(std::string_view key)
{
    return required(key) ? maybeTexts(key) : std::vector<std::string>{};
}

std::vector<std::string> MapReader::maybeTexts(std::string_view key)
{
    std::vector<std::string> out;
    const YamlNode* const list = listAt(key);
    if (list == nullptr)
        return out;
    for (const YamlNode& item : list->items) {
        if (item.kind == YamlNode::Kind::Scalar)
            out.push_back(item.text);
        else
            reportAt(item, key, say("expected text, got {}", kindName(item)));
    }
    return out;
}

MapReader MapReader::map(std::string_view key)
{
    required(key);
    const YamlNode* const node = asked(key);
    MapReader group(node != nullptr ? *node : emptyMap(), m_file, fmt::format("{}{}.", m_path, key),
                    *m_problems);
    if (node == nullptr)
        group.m_node = nullptr; // its absence is one problem, not one for each of its keys
    return group;
}

std::optional<MapReader> MapReader::maybeMap(std::string_view key)
{
    if (asked(key) == nullptr)
        return std::nullopt;
    return map(key);
}

std::vector<MapReader> MapReader::maps(std::string_view key)
{
    return required(key) ? maybeMaps(key) : std::vector<MapReader>{};
}

std::vector<MapReader> MapReader::maybeMaps(std::string_view key)
{
    std::vector<MapReader> out;
    const YamlNode* const list = listAt(key);
    if (list == nullptr)
        return out;
    out.reserve(list->items.size());
    for (std::size_t i = 0; i < list->items.size(); ++i)
        out.emplace_back(list->items[i], m_file, fmt::format("{}{}[{}].", m_path, key, i), *m_problems);
    return out;
}

void MapReader::finish()
{
    if (m_node == nullptr)
        return;
    for (const YamlNode::Key& key : m_node->keys)
        if (std::find(m_asked.begin(), m_asked.end(), key.name) == m_asked.end())
            m_problems->push_back(
                {fmt::format("{}:{}:{} {}{}", m_file, key.line, key.column, m_path, key.name.substr(0, 60)),
                 "unknown key",
                 m_problems->size() < mostProblemsTold ? spellingHint(key.name, m_asked) : Message()});
}

} // namespace headroom
