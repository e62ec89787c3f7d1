#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::test {

// A reader as the fuzzers call it, and the folders of the files they start from.
struct FuzzedReader {
    std::string_view name;
    int (*read)(const std::uint8_t* data, std::size_t size);
    std::vector<std::string_view> folders;
    std::string_view lines{}; // a table whose first fields are inputs as well
};
[[nodiscard]] std::span<const FuzzedReader> fuzzedReaders();

// The files in those folders, each as long as a reader takes in a moment, and the first fields of the table.
[[nodiscard]] std::vector<std::string> seedsOf(const FuzzedReader& reader);

} // namespace headroom::test
