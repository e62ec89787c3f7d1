// Every file the fuzzers start from, and every one they found something with, goes through its reader in each
// test run.
#include "headroom_source_dir.h"
#include "mutator.h"
#include "readers.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

using headroom::test::FuzzedReader;
using headroom::test::fuzzedReaders;

const FuzzedReader& readerOf(std::string_view name)
{
    const auto all = fuzzedReaders();
    return *std::find_if(all.begin(), all.end(), [&](const FuzzedReader& one) { return one.name == name; });
}

// How many files of the folder were read.
int replay(const FuzzedReader& reader, const std::string& folder)
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
        CHECK(reader.read(data.data(), data.size()) == 0);
        ++files;
    }
    return files;
}

} // namespace

TEST_CASE("the fuzzers' files go through every reader without a crash")
{
    for (const FuzzedReader& reader : fuzzedReaders())
        CHECK(replay(reader, "tests/data/fuzz") > 10);
}

TEST_CASE("published files go through their reader without a crash")
{
    CHECK(replay(readerOf("config"), "tests/data/hf_configs") >= 68);
    CHECK(replay(readerOf("bench"), "tests/data/bench") > 20);
    CHECK(replay(readerOf("yaml"), "tests/data/bad/yaml") > 10);
}

TEST_CASE("files that were changed go through their reader without a crash, and what is accepted holds")
{
    constexpr int runs = 300; // of each; mutate_readers runs for as long as one likes
    for (const FuzzedReader& reader : fuzzedReaders()) {
        CAPTURE(reader.name);
        headroom::test::Mutator mutator(seedsOf(reader), 1);
        for (int run = 0; run < runs; ++run) {
            const std::string input = mutator.next();
            CHECK(reader.read(reinterpret_cast<const std::uint8_t*>(input.data()), input.size()) == 0);
        }
    }
}
