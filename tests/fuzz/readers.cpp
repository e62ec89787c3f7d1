#include "readers.h"

#include "headroom_source_dir.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

extern "C" {
int ask_fuzz(const std::uint8_t* data, std::size_t size);
int yaml_fuzz(const std::uint8_t* data, std::size_t size);
int config_fuzz(const std::uint8_t* data, std::size_t size);
int gguf_fuzz(const std::uint8_t* data, std::size_t size);
int safetensors_fuzz(const std::uint8_t* data, std::size_t size);
int bench_fuzz(const std::uint8_t* data, std::size_t size);
int trace_fuzz(const std::uint8_t* data, std::size_t size);
}

namespace headroom::test {

std::span<const FuzzedReader> fuzzedReaders()
{
    static const std::vector<FuzzedReader> all{
        {"ask", ask_fuzz, {"tests/data/fuzz/questions"}, "tests/data/questions.tsv"},
        {"yaml",
         yaml_fuzz,
         {"hw_profiles/gpus", "hw_profiles/nodes", "models", "resources/engines", "resources/scenarios",
          "tests/data/bad/yaml"}},
        {"config", config_fuzz, {"tests/data/hf_configs", "tests/data/fuzz/config"}},
        {"gguf", gguf_fuzz, {"tests/data/fuzz/gguf"}},
        {"safetensors", safetensors_fuzz, {"tests/data/fuzz/safetensors"}},
        {"bench", bench_fuzz, {"tests/data/bench", "tests/data/fuzz/bench"}},
        {"trace", trace_fuzz, {"tests/data/fuzz/trace"}},
    };
    return all;
}

std::vector<std::string> seedsOf(const FuzzedReader& reader)
{
    constexpr std::size_t longest = 16 << 10;
    std::vector<std::filesystem::path> files;
    for (const std::string_view folder : reader.folders)
        for (const auto& entry : std::filesystem::recursive_directory_iterator(
                 std::filesystem::path(HEADROOM_SOURCE_DIR) / folder))
            if (entry.is_regular_file() && entry.file_size() <= longest)
                files.push_back(entry.path());
    std::sort(files.begin(), files.end()); // the same order everywhere
    std::vector<std::string> seeds;
    for (const auto& file : files) {
        std::ifstream in(file, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
    if (!reader.lines.empty()) {
        std::ifstream in(std::filesystem::path(HEADROOM_SOURCE_DIR) / reader.lines);
        for (std::string line; std::getline(in, line);)
            seeds.push_back(line.substr(0, line.find('\t')));
    }
    return seeds;
}

} // namespace headroom::test
