#pragma once

#include "model/base/result.h"
#include "model/import/stored_tensors.h"

#include <cstdint>
#include <filesystem>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headroom {

// A metadata value. Of lists only the length is kept when they are of texts (the vocabulary) or longer than
// any list of layers.
struct GgufList {
    std::uint64_t length = 0;
    std::vector<double> numbers;
};
using GgufValue = std::variant<std::uint64_t, std::int64_t, double, bool, std::string, GgufList>;

// The header of one llama.cpp file: everything but the weights themselves.
struct GgufHeader {
    std::string name;
    std::uint32_t version = 0;
    std::map<std::string, GgufValue, std::less<>> metadata;
    std::vector<StoredTensor> tensors; // shape: innermost dimension first, as the file writes it
    std::uint64_t alignment = 32;
    std::uint64_t dataStart = 0; // byte position of the first tensor

    [[nodiscard]] std::optional<std::uint64_t> count(std::string_view key) const; // whole numbers only
    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key) const;
    [[nodiscard]] const StoredTensor* tensor(std::string_view tensorName) const;
};

// Versions 2 and 3, little-endian. Every length is compared with the bytes that are left before anything is
// stored; tensors must lie inside the file. Problems name the byte they start at: "m.gguf:byte 24".
[[nodiscard]] Result<GgufHeader> readGguf(std::istream& stream, std::uint64_t size, const std::string& name);
[[nodiscard]] Result<GgufHeader> readGguf(const std::filesystem::path& file);

// The parts of a split model ("…-00001-of-00003.gguf"), the file itself when it is whole.
[[nodiscard]] std::vector<std::filesystem::path> ggufParts(const std::filesystem::path& file);

} // namespace headroom
