#pragma once

#include "model/yaml/tree.h"

#include <optional>
#include <string_view>

namespace headroom {

// Reads the plain YAML that our files are written in, twenty times as fast as the library: block maps and
// lists, lists and maps in brackets on one line, words and quoted words on one line, comments. Nothing where
// the text holds anything else or is wrong: the library judges it then, and what is said of it is the
// library's. What is read here is what the library reads, places included (tests/model/yaml/plain_yaml_test).
[[nodiscard]] std::optional<YamlNode> parsePlainYaml(std::string_view text);

} // namespace headroom
