#include "kernels/device.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace headroom;
using namespace headroom::kernels;

TEST_CASE("where no CUDA device can be used, the refusal says why and what to do instead")
{
    const auto device = makeCudaDevice(cudaDeviceCount()); // one past the last
    REQUIRE_FALSE(device.has_value());
    REQUIRE(device.error().size() == 1);
    const Problem& problem = device.error().front();
    CHECK(problem.where == "--device");
    CHECK_FALSE(problem.hint.empty());
#ifdef HEADROOM_CUDA
    // The driver's device file: without it no libcuda.so.1 can open a card.
    if (!std::filesystem::exists("/dev/nvidiactl")
        && !std::filesystem::exists("/usr/lib/x86_64-linux-gnu/libcuda.so.1"))
        CHECK(problem.what.english() == "no CUDA device: no NVIDIA driver found (libcuda.so.1 did not load)");
#else
    CHECK(problem.what.english() == "no CUDA device: this program was built without CUDA");
#endif
}
