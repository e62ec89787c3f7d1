#pragma once

#include "model/base/result.h"
#include "model/base/units.h"

#include <string>
#include <string_view>

namespace headroom {

// "4.8 TB/s" as base units of `dim`. Refuses what is not one finite number, a blank and a unit of that
// dimension; a bit, a sparse marketing figure's "TOPS" or a wrong dimension is refused with what to write
// instead. The problem's `where` is left to the caller.
[[nodiscard]] Result<double> quantityFromText(std::string_view text, Dim dim);
template <Dim D>
[[nodiscard]] Result<Quantity<D>> quantityFromText(std::string_view text)
{
    return quantityFromText(text, D).map([](double base) { return Quantity<D>(base); });
}

// Shortest text in a handy unit that reads back as exactly the same number.
[[nodiscard]] std::string quantityText(double base, Dim dim);
template <Dim D>
[[nodiscard]] std::string quantityText(Quantity<D> quantity)
{
    return quantityText(quantity.base(), D);
}

// A finite decimal number and nothing else; for plain numbers in files and on the command line.
[[nodiscard]] Result<double> numberFromText(std::string_view text);
// Shortest text that reads back equal.
[[nodiscard]] std::string numberText(double value);

} // namespace headroom
