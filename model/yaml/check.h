#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

enum class FileKind : std::uint8_t { Accelerator, Machine, Model, Engine, Calibration, Scenario, Index };
[[nodiscard]] Code name(FileKind kind);

struct CheckedFile {
    std::optional<FileKind> kind; // nothing: the text is none of ours, or no YAML at all
    Problems problems;            // all of them; empty: the file is good
};

// Tells by its keys which of our files this is, and everything that is wrong with it.
[[nodiscard]] CheckedFile checkYaml(const std::string& text, const std::string& shownAs);
// The same, and in a catalogue folder also that the id is the file's name.
[[nodiscard]] CheckedFile checkFile(const std::filesystem::path& path);

} // namespace headroom
