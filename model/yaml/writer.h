#pragma once

#include "model/base/dtype.h"
#include "model/base/quantity_text.h"
#include "model/base/units.h"
#include "model/catalogue/citation.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// Writes one YAML map line by line, so that what MapReader reads from it equals what was written.
class MapWriter {
public:
    void text(std::string_view key, std::string_view value);
    void number(std::string_view key, double value);
    void whole(std::string_view key, std::int64_t value);
    void flag(std::string_view key, bool value);
    template <Dim D>
    void quantity(std::string_view key, Quantity<D> value)
    {
        line(key, quantityText(value));
    }
    void dtype(std::string_view key, DType value) { line(key, name(value)); }
    void texts(std::string_view key, std::span<const std::string> values);
    void dtypes(std::string_view key, std::span<const DType> values);
    void numbers(std::string_view key, std::span<const double> values);
    void wholes(std::string_view key, std::span<const std::int64_t> values);
    void comment(std::string_view oneLine);

    template <typename Fill> // fill(MapWriter&)
    void map(std::string_view key, Fill fill)
    {
        MapWriter group(m_indent + 2);
        fill(group);
        nest(key, group.m_out);
    }
    template <typename Range, typename Fill> // fill(MapWriter&, element)
    void maps(std::string_view key, const Range& range, Fill fill)
    {
        std::vector<std::string> items;
        for (const auto& element : range) {
            MapWriter item(m_indent + 4);
            fill(item, element);
            items.push_back(std::move(item.m_out));
        }
        list(key, items);
    }

    [[nodiscard]] const std::string& yaml() const { return m_out; }

    MapWriter() = default;

private:
    explicit MapWriter(std::size_t indent) : m_indent(indent) {}
    void line(std::string_view key, std::string_view rendered);
    void nest(std::string_view key, const std::string& lines);
    void list(std::string_view key, const std::vector<std::string>& items);
    void flow(std::string_view key, const std::vector<std::string>& rendered);

    std::size_t m_indent = 0;
    std::string m_out;
};

// The counterpart of SourceReader: `source:` and `confidence:` in each cited group, `sources:` at the end.
class SourceWriter {
public:
    explicit SourceWriter(std::span<const Citation> citations, Confidence usual = Confidence::Medium);
    void cite(MapWriter& group, std::string_view name) const; // nothing where no citation has that name
    void finish(MapWriter& file) const;

private:
    struct Known {
        std::string key;
        std::string text;
    };
    std::span<const Citation> m_citations;
    Confidence m_usual;
    std::vector<Known> m_known;
};

} // namespace headroom
