// Every file the fuzzers start from, and every one they found something with, goes through its reader in each
// test run.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" {
int ask_fuzz(const std::uint8_t* data, std::size_t size);
int yaml_fuzz(const std::uint8_t* data, std::size_t size);
int config_fuzz(const std::uint8_t* data, std::size_t size);
int gguf_fuzz(const std::uint8_t* data, std::size_t size);
int safetensors_fuzz(const std::uint8_t* data, std::size_t size);
int bench_fuzz(const std::uint8_t* data, std::size_t size);
int trace_fuzz(const std::uint8_t* data, std::size_t size);
}

namespace {

using Reader = int (*)(const std::uint8_t* data, std::size_t size);

// How many files of the folder were read.
int replay(Reader reader, const std::string& folder)
{
    int files = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(HEADROOM_SOURCE_DIR "/" + folder)) {
        if (!entry.is_regular_file())
            continue;
        CAPTURE(entry.path().string());
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
        const std::vector<std::uint8_t> data(bytes.begin(), bytes.end());
        CHECK(reader(data.data(), data.size()) == 0);
        ++files;
    }
    return files;
}

} // namespace

TEST_CASE("the fuzzers' files go through every reader without a crash")
{
    const std::vector<Reader> readers{ask_fuzz,         yaml_fuzz,  config_fuzz, gguf_fuzz,
                                      safetensors_fuzz, bench_fuzz, trace_fuzz};
    for (const Reader reader : readers)
        CHECK(replay(reader, "tests/data/fuzz") > 10);
}

TEST_CASE("published files go through their reader without a crash")
{
    CHECK(replay(config_fuzz, "tests/data/hf_configs") >= 68);
    CHECK(replay(bench_fuzz, "tests/data/bench") > 20);
    CHECK(replay(yaml_fuzz, "tests/data/bad/yaml") > 10);
}
