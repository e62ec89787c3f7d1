#include "model/text/json_document.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

Result<std::vector<JsonDocument>> JsonDocument::parseLines(std::string_view text, const std::string& name,
                                                           const JsonLimits& limits)
{
    std::vector<JsonDocument> documents;
    std::size_t line = 1;
    for (std::size_t begin = 0; begin < text.size(); ++line) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view content = text.substr(begin, end - begin);
        begin = end + 1;
        if (content.find_first_not_of(" \t\r") == std::string_view::npos)
            continue;
        Result<JsonDocument> document = parse(std::string(content), name, limits, line);
        if (!document)
            return refuse(std::move(document.error()));
        documents.push_back(std::move(*document));
    }
    return documents;
}

JsonValue JsonDocument::root() const { return JsonValue(*this, 0); }

JsonType JsonValue::type() const { return m_document == nullptr ? JsonType::Null : node().type; }

std::size_t JsonValue::size() const { return m_document == nullptr ? 0 : node().children; }

JsonValue JsonValue::at(std::uint32_t node) const
{
    return node == JsonDocument::none ? JsonValue() : JsonValue(*m_document, node);
}

JsonValue JsonValue::firstChild() const
{
    return m_document == nullptr ? JsonValue() : at(node().firstChild);
}

JsonValue JsonValue::next() const { return m_document == nullptr ? JsonValue() : at(node().next); }

JsonValue JsonValue::operator[](std::string_view key) const
{
    if (isObject())
        for (JsonValue member = firstChild(); member; member = member.next())
            if (member.key() == key)
                return member;
    return {};
}

std::string_view JsonValue::key() const
{
    if (m_document == nullptr)
        return {};
    return std::string_view(m_document->m_strings).substr(node().keyBegin, node().keyLength);
}

std::optional<std::string_view> JsonValue::text() const
{
    if (type() != JsonType::String)
        return std::nullopt;
    return std::string_view(m_document->m_strings).substr(node().begin, node().length);
}

std::optional<bool> JsonValue::boolean() const
{
    if (type() == JsonType::True)
        return true;
    if (type() == JsonType::False)
        return false;
    return std::nullopt;
}

std::optional<double> JsonValue::number() const
{
    if (type() != JsonType::Number)
        return std::nullopt;
    const char* const begin = m_document->m_text.data() + node().begin;
    double value = 0;
    const auto [end, error] = std::from_chars(begin, begin + node().length, value);
    if (error != std::errc{} || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<std::int64_t> JsonValue::whole() const
{
    if (type() != JsonType::Number)
        return std::nullopt;
    const char* const begin = m_document->m_text.data() + node().begin;
    const char* const last = begin + node().length;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(begin, last, value);
    if (error == std::errc{} && end == last)
        return value;
    const std::optional<double> real = number();
    constexpr double exactUpTo = 9007199254740992.0; // 2^53: beyond it a double is not one whole number
    if (!real || std::floor(*real) != *real || std::abs(*real) > exactUpTo)
        return std::nullopt;
    return static_cast<std::int64_t>(*real);
}

std::string JsonValue::place() const
{
    if (m_document == nullptr)
        return {};
    const std::string_view before = std::string_view(m_document->m_text).substr(0, node().at);
    const auto line
        = m_document->m_firstLine + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    std::string path;
    for (JsonValue value = *this; value && value.node().parent != JsonDocument::none;
         value = value.at(value.node().parent)) {
        const JsonValue parent = value.at(value.node().parent);
        if (parent.isObject()) {
            path = std::string(value.key().substr(0, 60)) + (path.empty() || path.front() == '[' ? "" : ".")
                + path;
            continue;
        }
        std::size_t index = 0;
        for (JsonValue sibling = parent.firstChild(); sibling.m_node != value.m_node;
             sibling = sibling.next())
            ++index;
        path = fmt::format("[{}]{}{}", index, path.empty() || path.front() == '[' ? "" : ".", path);
    }
    return fmt::format("{}:{}:{}{}{}", m_document->m_name, line, before.size() - lineStart + 1,
                       path.empty() ? "" : " ", path);
}

Message JsonValue::shown() const
{
    constexpr std::size_t enough = 40;
    switch (type()) {
    case JsonType::Null:
        return m_document == nullptr ? say("nothing") : asIs("null");
    case JsonType::False:
        return asIs("false");
    case JsonType::True:
        return asIs("true");
    case JsonType::Array:
        return say("a list of {}", size());
    case JsonType::Object:
        return say("an object of {} keys", size());
    case JsonType::String: {
        const std::string_view value = *text();
        return asIs(fmt::format("\"{}{}\"", value.substr(0, enough), value.size() > enough ? "…" : ""));
    }
    case JsonType::Number:
    case JsonType::NonFinite:
        break;
    }
    const std::string_view written = std::string_view(m_document->m_text).substr(node().begin, node().length);
    return asIs(fmt::format("{}{}", written.substr(0, enough), written.size() > enough ? "…" : ""));
}

} // namespace headroom
