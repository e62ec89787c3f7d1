#include "kernels/cuda/library_gemm.h"
#include "kernels/cuda/library_places.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <vector>

using namespace headroom;
using namespace headroom::kernels;
namespace fs = std::filesystem;

namespace {

constexpr std::uint8_t one = 0x38; // 1 in fp8 e4m3
constexpr std::size_t size = 16;

DeviceBuffer filled(std::size_t bytes, std::uint8_t value)
{
    DeviceBuffer out(bytes);
    std::memset(out.data(), value, bytes);
    return out;
}

DeviceBuffer number(float value)
{
    DeviceBuffer out(sizeof value);
    std::memcpy(out.data(), &value, sizeof value);
    return out;
}

DeviceTensor narrow(float scale)
{
    DeviceTensor out{.type = DType::Fp8, .rows = size, .columns = size, .groupSize = int(size)};
    out.bytes = filled(size * size, one);
    out.scales = number(scale);
    return out;
}

std::vector<DeviceOperands> setsOf(float inputScale, float weightScale)
{
    std::vector<DeviceOperands> out(1);
    out[0].input = narrow(inputScale);
    out[0].weights = narrow(weightScale);
    out[0].output = {.type = DType::Bf16, .rows = size, .columns = size, .groupSize = 0};
    out[0].output.bytes = filled(size * size * 2, 0xFF);
    return out;
}

float firstResult(const DeviceOperands& set)
{
    std::uint16_t bits = 0;
    std::memcpy(&bits, set.output.bytes.data(), sizeof bits);
    const std::uint32_t wide = std::uint32_t(bits) << 16;
    float out = 0;
    std::memcpy(&out, &wide, sizeof out);
    return out;
}

const Task task{.weights = DType::Fp8, .activations = DType::Fp8, .m = size, .n = size, .k = size};

void point(const char* folder) { ::setenv("HEADROOM_CUDA_LIBRARIES", folder, 1); }

} // namespace

TEST_CASE("a product takes the scales of its own operands, not of those its algorithm was chosen on")
{
    point(HEADROOM_STAND_IN);
    LibraryGemm library;
    REQUIRE(library.problem().empty());
    CHECK(library.version() == "cublasLt 13.1.2");
    {
        auto sets = setsOf(0.5F, 2);
        REQUIRE(library.choose(
            task, sets, [] {}, nullptr));
        library.launch(task, sets[0], nullptr);
        CHECK(firstResult(sets[0]) == 16);
    } // their memory is gone
    auto sets = setsOf(4, 0.25F);
    sets[0].weights.scales = number(8);
    REQUIRE(library.choose(
        task, sets, [] {}, nullptr)); // known by now
    library.launch(task, sets[0], nullptr);
    CHECK(firstResult(sets[0]) == 16 * 4 * 8);
}

TEST_CASE("what is wrong with a library is said, and is no failure")
{
    point(HEADROOM_STAND_IN);
    ::setenv("STAND_IN_DOES_NOT_START", "1", 1);
    CHECK(LibraryGemm().problem().english().find("does not start on this card (status 1)")
          != std::string::npos);
    ::unsetenv("STAND_IN_DOES_NOT_START");
    point(HEADROOM_STAND_IN "/without-functions");
    CHECK(LibraryGemm().problem().english().find("libcublasLt.so.13 lacks cublasLtCreate")
          != std::string::npos);
    const fs::path broken = fs::temp_directory_path() / ("headroom-broken-" + std::to_string(::getpid()));
    fs::create_directories(broken);
    std::ofstream(broken / "libno.so.1") << "no library";
    const SharedLibrary library({"libno.so.1"}, {.first = {broken}, .after = {}});
    CHECK_FALSE(library.loaded());
    CHECK(library.problem().english().find("libno.so.1: ")
          != std::string::npos); // the loader's own words of that file
    CHECK(library.problem().english().find("was found neither") == std::string::npos);
    fs::remove_all(broken);
    CHECK(SharedLibrary({"libno.so.1"}).problem().english().find("was found neither by the system's loader")
          != std::string::npos);
}

TEST_CASE("CUDA's libraries are found where pip, conda and installers put them, the active environment first")
{
    const fs::path root = fs::temp_directory_path() / ("headroom-places-" + std::to_string(::getpid()));
    const std::vector<fs::path> made{root / "venv/lib/python3.12/site-packages/nvidia/cublas/lib",
                                     root / "venv/lib/python3.12/site-packages/nvidia/cu13/lib",
                                     root / "conda/lib",
                                     root / "conda/targets/x86_64-linux/lib",
                                     root / "toolkit/lib64",
                                     root / "usr/lib/python3/dist-packages/nvidia/nccl/lib",
                                     root / "usr/local/cuda-12.9/lib64",
                                     root / "named"};
    for (const fs::path& folder : made)
        fs::create_directories(folder);
    std::map<std::string, std::string> variables{
        {"VIRTUAL_ENV", (root / "venv").string()},
        {"CONDA_PREFIX", (root / "conda").string()},
        {"CUDA_HOME", (root / "toolkit").string()},
        {"HEADROOM_CUDA_LIBRARIES", (root / "named").string() + ":/nowhere"}};
    Environment environment;
    environment.root = root;
    environment.variable = [&](const char* name) { return variables[name]; };
    const LibraryPlaces places = libraryPlaces(environment);
    CHECK(places.first == std::vector<fs::path>{root / "named"});
    for (std::size_t i = 0; i + 1 < made.size(); ++i)
        CHECK(std::find(places.after.begin(), places.after.end(), made[i]) != places.after.end());
    const auto at
        = [&](std::size_t i) { return std::find(places.after.begin(), places.after.end(), made[i]); };
    CHECK(at(0) < at(2)); // virtual environment, conda, toolkit, system
    CHECK(at(2) < at(4));
    CHECK(at(4) < at(6));
    fs::remove_all(root);
}
