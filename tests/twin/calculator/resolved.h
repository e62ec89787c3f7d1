#pragma once

#include "cases.h"
#include "model/resolve/resolve.h"
#include "model/yaml/catalogue.h"

#include <doctest/doctest.h>

#include <utility>

namespace headroom::twin {

// With the catalogue that is shipped; the test fails where that cannot be.
inline Resolved resolved(const Scenario& scenario)
{
    auto result = resolve(scenario, shippedCatalogue());
    if (!result)
        FAIL(result.error().front().where, ": ", result.error().front().what.english());
    return std::move(*result);
}

} // namespace headroom::twin
