#pragma once

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "model/report/columns.h"
#include "model/report/figures.h"
#include "model/resolve/resolve.h"

#include <string>

namespace headroom::cli {

// The scenario of the flags, looked up in the shipped catalogue.
[[nodiscard]] Result<Resolved> resolvedFrom(const Arguments& arguments, Console& console);

[[nodiscard]] Figures figuresOf(const Resolved& resolved, const Prediction& prediction,
                                std::string label = {});

// Text, CSV or Markdown; JSON as {"schema", "rows"} has its own schema and goes through model/json.
[[nodiscard]] std::string inFormat(const Table& table, Format format, ask::Language language);
[[nodiscard]] inline std::string inFormat(const Table& table, const Console& console)
{
    return inFormat(table, console.format, console.language);
}

} // namespace headroom::cli
