#include "model/import/gguf.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace headroom {

std::optional<std::uint64_t> GgufHeader::count(std::string_view key) const
{
    const auto found = metadata.find(key);
    if (found == metadata.end())
        return std::nullopt;
    if (const auto* const value = std::get_if<std::uint64_t>(&found->second))
        return *value;
    if (const auto* const value = std::get_if<std::int64_t>(&found->second); value != nullptr && *value >= 0)
        return static_cast<std::uint64_t>(*value);
    return std::nullopt;
}

std::optional<double> GgufHeader::number(std::string_view key) const
{
    const auto found = metadata.find(key);
    if (found == metadata.end())
        return std::nullopt;
    if (const auto* const value = std::get_if<double>(&found->second))
        return *value;
    const auto whole = count(key);
    return whole ? std::optional<double>(static_cast<double>(*whole)) : std::nullopt;
}

std::string GgufHeader::text(std::string_view key) const
{
    const auto found = metadata.find(key);
    const auto* const value = found == metadata.end() ? nullptr : std::get_if<std::string>(&found->second);
    return value == nullptr ? std::string() : *value;
}

const StoredTensor* GgufHeader::tensor(std::string_view tensorName) const
{
    const auto found = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const StoredTensor& tensor) { return tensor.name == tensorName; });
    return found == tensors.end() ? nullptr : &*found;
}

std::vector<std::filesystem::path> ggufParts(const std::filesystem::path& file)
{
    // "name-00002-of-00003.gguf": five digits each, as llama.cpp's gguf-split writes them.
    const std::string name = file.filename().string();
    constexpr std::string_view shape = "-00000-of-00000.gguf";
    const bool split = name.size() > shape.size()
        && std::equal(shape.begin(), shape.end(), name.end() - static_cast<std::ptrdiff_t>(shape.size()),
                      [](char pattern, char c) {
                          return pattern == '0' ? c >= '0' && c <= '9' : pattern == c;
                      });
    if (!split)
        return {file};
    const std::string stem = name.substr(0, name.size() - shape.size());
    const std::string total = name.substr(name.size() - 10, 5);
    const int parts = std::atoi(total.c_str());
    constexpr int mostParts = 1000;
    std::vector<std::filesystem::path> files;
    for (int i = 1; i <= std::min(parts, mostParts); ++i)
        files.push_back(file.parent_path() / fmt::format("{}-{:05}-of-{}.gguf", stem, i, total));
    return files.empty() ? std::vector<std::filesystem::path>{file} : files;
}

} // namespace headroom
