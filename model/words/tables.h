#pragma once

#include "model/text/tsv.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace headroom::ask {

// A table of the reader, resources/ask/NAME.tsv, as it was when the program was built.
[[nodiscard]] std::string_view tableCalled(std::string_view name);

// What a row says cannot be: told with its table, its line and the reason.
struct TableError : std::logic_error {
    using logic_error::logic_error;
};
[[noreturn]] void refuseRow(std::string_view table, std::size_t line, std::string_view why);

// Does something by a row; what it finds wrong is told of that row.
template <typename F>
decltype(auto) byRow(std::string_view table, std::size_t line, const F& f)
{
    try {
        return f();
    } catch (const std::exception& wrong) { // of a sentence with more places than there is to say, too
        refuseRow(table, line, wrong.what());
    }
}
void eachRow(std::string_view table, std::string_view text, const auto& read)
{
    for (const TsvRow& row : tsvRows(text))
        byRow(table, row.line, [&] { read(row); });
}

// A whole field, which has to be a number.
[[nodiscard]] double numberOf(std::string_view field);

// What a field sets: "kind=fit stop", "with=Output|Mean", "problem=\"which one?\",\"e.g. '2x H200'\"".
struct Setting {
    std::string_view what;
    std::vector<std::string_view> values;

    [[nodiscard]] std::string_view value(std::size_t i = 0) const
    {
        return i < values.size() ? values[i] : std::string_view{};
    }
};
[[nodiscard]] std::vector<Setting> settingsOf(std::string_view text);

// The first whose member, or what is asked of it, is this; null where none is.
[[nodiscard]] auto firstWith(auto&& rows, const auto& value, const auto& of)
{
    const auto found = std::ranges::find(rows, value, of);
    return found == std::ranges::end(rows) ? nullptr : &*found;
}

} // namespace headroom::ask
