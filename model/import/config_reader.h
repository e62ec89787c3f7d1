#pragma once

#include "model/base/result.h"
#include "model/text/json_document.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// Reads a config.json object whose keys have many spellings. A key that is absent or null has no value; what
// has no value and no class default is a problem, never a guess. All problems of a file are collected.
class ConfigReader {
public:
    using Keys = std::initializer_list<std::string_view>;

    ConfigReader(JsonValue object, Problems& problems) : m_object(object), m_problems(&problems) {}

    [[nodiscard]] ConfigReader
    within(std::string_view key) const; // a nested object; absent: nothing has a value
    [[nodiscard]] JsonValue object() const { return m_object; }

    [[nodiscard]] JsonValue find(Keys keys) const; // the first that has a value
    [[nodiscard]] bool has(Keys keys) const { return static_cast<bool>(find(keys)); }

    // A whole number from 1; required. What is missing or wrong is reported and read as 1.
    [[nodiscard]] std::int64_t count(Keys keys) const;
    [[nodiscard]] int smallCount(Keys keys) const;
    // From 0, or the class default.
    [[nodiscard]] std::int64_t countOr(Keys keys, std::int64_t classDefault) const;
    [[nodiscard]] int smallCountOr(Keys keys, int classDefault) const;
    [[nodiscard]] double realOr(Keys keys, double classDefault) const;
    [[nodiscard]] bool flagOr(Keys keys, bool classDefault) const;
    [[nodiscard]] std::string textOr(Keys keys, std::string_view classDefault) const;

    // One number for each layer, written as a list or once for all.
    [[nodiscard]] std::vector<std::int64_t> perLayer(Keys keys, std::size_t layers) const;
    // As many texts as layers, or none when the key has no value.
    [[nodiscard]] std::vector<std::string> layerWords(Keys keys, std::size_t layers) const;

    void report(Keys keys, Message what, Message hint = {}) const; // at the value, or at the object
    void report(JsonValue value, Message what, Message hint = {}) const;

private:
    [[nodiscard]] std::int64_t checked(JsonValue value, std::int64_t least) const;

    JsonValue m_object;
    Problems* m_problems;
};

} // namespace headroom
