#include "model/yaml/writer.h"

#include "model/yaml/reader.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

constexpr std::string_view plainLetters
    = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-() ";

// Quotes whatever YAML could read as something else; inside double quotes only \ and " need care.
std::string rendered(std::string_view value)
{
    static constexpr std::array<std::string_view, 5> nulls{"", "~", "null", "Null", "NULL"};
    const bool plain = value.find_first_not_of(plainLetters) == std::string_view::npos
        && !value.starts_with(' ') && !value.ends_with(' ') && !value.starts_with('-')
        && !value.starts_with("...") && std::find(nulls.begin(), nulls.end(), value) == nulls.end();
    if (plain)
        return std::string(value);
    std::string out = "\"";
    for (const char c : value) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            out += fmt::format("\\{}", c);
        else if (c == '\n')
            out += "\\n";
        else if (code < 0x20 || code == 0x7f)
            out += fmt::format("\\x{:02x}", code);
        else
            out += c;
    }
    return out + '"';
}

template <typename Range, typename Render>
std::vector<std::string> renderedAll(const Range& values, Render render)
{
    std::vector<std::string> out;
    for (const auto& value : values)
        out.push_back(std::string(render(value)));
    return out;
}

} // namespace

void MapWriter::line(std::string_view key, std::string_view value)
{
    m_out += fmt::format("{:{}}{}: {}\n", "", m_indent, rendered(key), value);
}

void MapWriter::text(std::string_view key, std::string_view value) { line(key, rendered(value)); }
void MapWriter::number(std::string_view key, double value) { line(key, numberText(value)); }
void MapWriter::whole(std::string_view key, std::int64_t value) { line(key, fmt::format("{}", value)); }
void MapWriter::flag(std::string_view key, bool value) { line(key, value ? "true" : "false"); }
void MapWriter::comment(std::string_view oneLine)
{
    m_out += fmt::format("{:{}}# {}\n", "", m_indent, oneLine);
}

void MapWriter::texts(std::string_view key, std::span<const std::string> values)
{
    flow(key, renderedAll(values, [](const std::string& value) { return rendered(value); }));
}

void MapWriter::dtypes(std::string_view key, std::span<const DType> values)
{
    flow(key, renderedAll(values, [](DType type) { return name(type); }));
}

void MapWriter::numbers(std::string_view key, std::span<const double> values)
{
    flow(key, renderedAll(values, [](double value) { return numberText(value); }));
}

void MapWriter::wholes(std::string_view key, std::span<const std::int64_t> values)
{
    flow(key, renderedAll(values, [](std::int64_t value) { return fmt::format("{}", value); }));
}

void MapWriter::flow(std::string_view key, const std::vector<std::string>& values)
{
    line(key, fmt::format("[{}]", fmt::join(values, ", ")));
}

void MapWriter::nest(std::string_view key, const std::string& lines)
{
    if (lines.empty())
        line(key, "{}");
    else
        m_out += fmt::format("{:{}}{}:\n{}", "", m_indent, rendered(key), lines);
}

void MapWriter::list(std::string_view key, const std::vector<std::string>& items)
{
    if (items.empty()) {
        line(key, "[]");
        return;
    }
    m_out += fmt::format("{:{}}{}:\n", "", m_indent, rendered(key));
    for (std::string item : items) {
        if (item.empty()) {
            m_out += fmt::format("{:{}}- {{}}\n", "", m_indent + 2);
            continue;
        }
        item[m_indent + 2] = '-'; // the first line of an element carries the dash in its own indentation
        m_out += item;
    }
}

SourceWriter::SourceWriter(std::span<const Citation> citations, Confidence usual)
    : m_citations(citations), m_usual(usual)
{
    for (const Citation& citation : citations)
        if (std::none_of(m_known.begin(), m_known.end(),
                         [&](const Known& k) { return k.text == citation.text; }))
            m_known.push_back({citation.key, citation.text});
}

void SourceWriter::cite(MapWriter& group, std::string_view name) const
{
    for (const Citation& citation : m_citations) {
        if (citation.key != name)
            continue;
        for (const Known& known : m_known)
            if (known.text == citation.text)
                group.text("source", known.key);
        if (citation.confidence != m_usual)
            group.text("confidence", headroom::name(citation.confidence));
        return;
    }
}

void SourceWriter::finish(MapWriter& file) const
{
    file.map("sources", [&](MapWriter& sources) {
        for (const Known& known : m_known)
            sources.text(known.key, known.text);
    });
}

} // namespace headroom
