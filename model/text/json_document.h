#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

enum class JsonType : std::uint8_t { Null, False, True, Number, NonFinite, String, Array, Object };

// What a reader allows itself to store. Real files stay far below: the deepest configuration has 8 levels.
struct JsonLimits {
    std::size_t bytes = 64U << 20U;
    std::size_t values = 8'000'000;
    std::size_t depth = 64;
};

class JsonValue;

// The problem of a text that goes on after its value: it may be one of several, a line each.
inline constexpr Code textAfterValue = "expected the end of the text after the value, got more";

// A parsed text with a place for every value. RFC 8259, except that the bare words NaN, Infinity and
// -Infinity are read (Python's json writes them, real model configurations hold them). Duplicate keys, text
// after the value, text that is not UTF-8 and anything beyond the limits are refused. The values lie in one
// flat array: neither parsing nor destruction recurses.
class JsonDocument {
public:
    // `firstLine` is the line the text starts on (JSON lines).
    [[nodiscard]] static Result<JsonDocument> parse(std::string text, std::string name,
                                                    const JsonLimits& limits = {}, std::size_t firstLine = 1);
    // One document for each line that is not blank.
    [[nodiscard]] static Result<std::vector<JsonDocument>>
    parseLines(std::string_view text, const std::string& name, const JsonLimits& limits = {});

    [[nodiscard]] JsonValue root() const;
    [[nodiscard]] const std::string& name() const { return m_name; }

private:
    friend class JsonValue;
    friend class JsonParser;
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    struct Node {
        JsonType type = JsonType::Null;
        std::uint32_t at = 0;    // first character in m_text
        std::uint32_t begin = 0; // of a string in m_strings, of a number in m_text
        std::uint32_t length = 0;
        std::uint32_t keyBegin = 0; // in m_strings; members of objects
        std::uint32_t keyLength = 0;
        std::uint32_t parent = none;
        std::uint32_t firstChild = none;
        std::uint32_t next = none; // sibling
        std::uint32_t children = 0;
    };

    std::string m_name;
    std::string m_text;
    std::string m_strings; // unescaped
    std::vector<Node> m_nodes;
    std::size_t m_firstLine = 1;
};

// One value of a document, which must outlive it. A default value is absent: every question is answered "no".
class JsonValue {
public:
    JsonValue() = default;

    explicit operator bool() const { return m_document != nullptr; }
    [[nodiscard]] JsonType type() const;
    [[nodiscard]] bool isNull() const { return type() == JsonType::Null; }
    [[nodiscard]] bool isObject() const { return type() == JsonType::Object; }
    [[nodiscard]] bool isArray() const { return type() == JsonType::Array; }

    [[nodiscard]] std::size_t size() const;                         // elements or members
    [[nodiscard]] JsonValue operator[](std::string_view key) const; // absent when there is none
    [[nodiscard]] JsonValue firstChild() const; // for (v = o.firstChild(); v; v = v.next())
    [[nodiscard]] JsonValue next() const;
    [[nodiscard]] std::string_view key() const;

    [[nodiscard]] std::optional<std::string_view> text() const;
    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<double> number() const;      // finite numbers only
    [[nodiscard]] std::optional<std::int64_t> whole() const; // also 4096.0 and 1e3; not 1.5, not beyond 2^63

    [[nodiscard]] std::string place() const; // "config.json:3:17 text_config.num_experts"
    [[nodiscard]] Message shown() const;     // the value as written, shortened, for messages

private:
    friend class JsonDocument;
    JsonValue(const JsonDocument& document, std::uint32_t node) : m_document(&document), m_node(node) {}
    [[nodiscard]] const JsonDocument::Node& node() const { return m_document->m_nodes[m_node]; }
    [[nodiscard]] JsonValue at(std::uint32_t node) const;

    const JsonDocument* m_document = nullptr;
    std::uint32_t m_node = 0;
};

} // namespace headroom
