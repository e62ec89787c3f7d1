#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

// What the tests of the verbs that predict begin with.
namespace headroom::test {

using nlohmann::json;

inline std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

inline const std::vector<std::string> llamaOnFour{
    "predict", "--model", "llama-3.1-70b", "--gpu", "a100-sxm-80gb", "--tp", "4", "--batch", "16"};

inline void isEstimate(const json& estimate)
{
    CHECK(estimate.at("value").is_number());
    CHECK(estimate.at("low").get<double>() <= estimate.at("value").get<double>());
    CHECK(estimate.at("value").get<double>() <= estimate.at("high").get<double>());
    CHECK(estimate.at("source").is_string());
}

class TemporaryFile {
public:
    inline explicit TemporaryFile(const std::string& text, const std::string& ending = ".yaml")
        : m_path(
            (std::filesystem::temp_directory_path() / ("headroom-" + std::to_string(std::rand()) + ending))
                .string())
    {
        std::ofstream(m_path) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(m_path); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

} // namespace headroom::test
