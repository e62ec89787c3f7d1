#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::ask {

// The tables of the reader: resources/ask/*.tsv, as they were when the program was built.
[[nodiscard]] std::string_view wordsTable();
[[nodiscard]] std::string_view rolesTable();
[[nodiscard]] std::string_view rulesTable();
[[nodiscard]] std::string_view asidesTable();
[[nodiscard]] std::string_view namesTable();
[[nodiscard]] std::string_view sentencesTable();

// The parts between `separator`; an empty text has none.
[[nodiscard]] std::vector<std::string_view> partsOf(std::string_view text, char separator);

// What stands before the first `separator`, and behind it.
[[nodiscard]] std::pair<std::string_view, std::string_view> cutAt(std::string_view text, char separator);

// A table's rows, cut at tabs; lines that are empty or begin with '#' are none.
[[nodiscard]] std::vector<std::vector<std::string_view>> rowsOf(std::string_view table);

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
void eachRow(std::string_view table, std::string_view text,
             const std::function<void(const std::vector<std::string_view>& row, std::size_t line)>& read);

// A field of a row; what a short row leaves out is empty.
[[nodiscard]] std::string_view fieldOf(const std::vector<std::string_view>& row, std::size_t column);
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

// A constant of the code as the tables call it.
template <typename E>
struct Called {
    std::string_view name;
    E value{};
};

// The row that is called so; null where none is.
template <typename Rows>
[[nodiscard]] auto rowCalled(const Rows& rows, std::string_view name)
{
    const auto found
        = std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.name == name; });
    return found == std::end(rows) ? nullptr : &*found;
}

} // namespace headroom::ask
