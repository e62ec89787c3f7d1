#pragma once

#include "headroom_source_dir.h"
#include "model/yaml/catalogue.h"

#include <doctest/doctest.h>

#include <memory>

namespace headroom::tests {

// The catalogue of the source tree, opened once.
inline const Catalogue& shipped()
{
    static const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    return **catalogue;
}

} // namespace headroom::tests
