#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

constexpr std::uintmax_t longestYamlFile = std::uintmax_t{4} << 20; // bytes; ours have a hundredth of it

// A parsed YAML value with its place (1-based). The subset we write: maps, lists and scalars; no anchors, no
// tags.
struct YamlNode {
    enum class Kind : std::uint8_t { Null, Scalar, List, Map };
    struct Key {
        std::string name;
        int line = 0;
        int column = 0;

        friend bool operator==(const Key&, const Key&) = default;
    };
    Kind kind = Kind::Null;
    int line = 1;
    int column = 1;
    std::string text;            // Scalar
    std::vector<Key> keys;       // Map: the key of each item
    std::vector<YamlNode> items; // List elements or Map values

    [[nodiscard]] const YamlNode* find(std::string_view key) const;
    friend bool operator==(const YamlNode&, const YamlNode&) = default;
};

// What a problem calls it: "a list".
[[nodiscard]] Code kindName(const YamlNode& node);

// One document. Refuses, with places: malformed text, anchors and aliases, duplicate keys, a second document,
// files over 4 MiB, more than 500,000 values, nesting deeper than 32. Never throws for any input.
[[nodiscard]] Result<YamlNode> parseYaml(const std::string& text, const std::string& file);
// The same by the library alone, whatever the text (see plain_yaml.h).
[[nodiscard]] Result<YamlNode> parseAnyYaml(const std::string& text, const std::string& file);

[[nodiscard]] Result<YamlNode> parseYamlFile(const std::filesystem::path& path, const std::string& shownAs);

} // namespace headroom
