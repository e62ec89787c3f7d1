#pragma once

#include "cuda_runtime.h"
#include "kernels/device.h"

#include <doctest/doctest.h>

#include <memory>

namespace headroom::test {

// The device's own check against the double-precision reference, with threads and blocks in both orders.
inline void passes(const kernels::Task& task)
{
    CAPTURE(kernels::describe(task));
    CAPTURE(name(task.activations));
    auto device = kernels::makeCudaDevice(0);
    REQUIRE(device.has_value());
    REQUIRE((*device)->obstacle(task).empty());
    for (const bool backwards : {false, true}) {
        emulatedCard().backwards = backwards;
        CAPTURE(backwards);
        const auto prepared = (*device)->prepare(task, 7, 1);
        CHECK((*device)->check(*prepared) <= kernels::toleranceOf(task));
    }
    emulatedCard().backwards = false;
}

} // namespace headroom::test
