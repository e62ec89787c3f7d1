#pragma once

#include "model/base/estimate.h"
#include "model/base/result.h"
#include "model/report/columns.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// The common parts of our documents. Only the writers in this room include it: the JSON library is heavy.
namespace headroom {

using Json = nlohmann::ordered_json;

// Whole numbers stay whole; what is no finite number becomes null.
[[nodiscard]] inline Json numberJson(double value)
{
    constexpr double exactlyWhole = 9007199254740992.0; // 2^53
    if (!std::isfinite(value))
        return nullptr;
    if (value == std::floor(value) && std::abs(value) < exactlyWhole)
        return static_cast<std::int64_t>(value);
    return value;
}

[[nodiscard]] inline Json intervalJson(const Interval& interval)
{
    return {{"value", numberJson(interval.value)},
            {"low", numberJson(interval.low)},
            {"high", numberJson(interval.high)},
            {"source", std::string(sourceName(interval.source).text)}};
}
template <typename Q>
[[nodiscard]] Json estimateJson(const Estimate<Q>& estimate)
{
    return intervalJson(intervalOf(estimate));
}

// Of what is never zero when it is known, such as a power: null where it is not.
template <typename Q>
[[nodiscard]] Json knownJson(const Estimate<Q>& estimate)
{
    return estimate.value > Q() ? estimateJson(estimate) : Json();
}

// "problems" of a document, as many as are told: problems_json.cpp.
[[nodiscard]] Json problemRows(const Problems& problems);

// Every row as an object with the columns' keys: table_json.cpp.
[[nodiscard]] Json rowsJson(const Table& table);

// Text that a user typed may be no UTF-8; a document must be.
[[nodiscard]] inline std::string documentText(const Json& document)
{
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace headroom
