#include "model/yaml/own_calibrations.h"

#include "model/text/text_file.h"
#include "model/text/write_file.h"
#include "model/yaml/efficiency_yaml.h"
#include "model/yaml/tree.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace headroom {

namespace fs = std::filesystem;

namespace {

// "model name : AMD EPYC" of /proc files.
std::string valueBehind(const char* file, std::string_view key)
{
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        if (!line.starts_with(key))
            continue;
        const std::size_t colon = line.find(':');
        const std::size_t first = line.find_first_not_of(" \t", colon + 1);
        return colon == std::string::npos || first == std::string::npos ? "" : line.substr(first);
    }
    return {};
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Thu …": the word that begins with a figure and
// has a point.
std::string nvidiaDriver()
{
    std::ifstream in("/proc/driver/nvidia/version");
    std::string word;
    while (in >> word)
        if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos)
            return word;
    return {};
}

std::string madeWhen(const EfficiencySet& set)
{
    return set.engineRuns ? set.engineRuns->created
        : set.calibration ? set.calibration->run.created
        : set.links       ? set.links->created
                          : std::string();
}

std::vector<fs::path> calibrationsIn(const fs::path& folder)
{
    std::vector<fs::path> out;
    std::error_code missing;
    for (fs::directory_iterator at(folder, missing), end; !missing && at != end; at.increment(missing))
        if (at->path().extension() == ".yaml" || at->path().extension() == ".yml")
            out.push_back(at->path());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

ThisMachine ThisMachine::look()
{
    return {.processor = valueBehind("/proc/cpuinfo", "model name"),
            .cores = static_cast<int>(std::thread::hardware_concurrency()),
            .driver = nvidiaDriver()};
}

fs::path OwnCalibrations::usualFolder()
{
    constexpr std::string_view below = "headroom/calibrations";
    if (const char* const data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
        return fs::path(data) / below; // the base directory specification: a relative one is to be ignored
    if (const char* const home = std::getenv("HOME"); home != nullptr && *home != '\0')
        return fs::path(home) / ".local/share" / below;
    return {};
}

fs::path OwnCalibrations::folderToWrite()
{
    const fs::path folder = usualFolder();
    std::error_code refused;
    if (!folder.empty() && !fs::create_directories(folder, refused) && refused)
        throw CannotWrite(folder, refused.message());
    return folder;
}

bool madeOn(const EfficiencySet& set, const ThisMachine& machine)
{
    if (!set.calibration)
        return set.links && !machine.driver.empty() && set.links->driver == machine.driver;
    const MeasuredMachine& made = set.calibration->machine;
    if (made.kind == "cpu")
        return made.name == machine.processor && made.units == machine.cores;
    return !made.driver.empty() && made.driver == machine.driver;
}

OwnCalibrations::Known OwnCalibrations::look() const
{
    Known out;
    if (m_folder.empty())
        return out;
    for (const fs::path& file : calibrationsIn(m_folder)) {
        Result<EfficiencySet> set
            = readTextFile(file, longestYamlFile).and_then([&](const std::string& text) {
                  return readEfficiencySet(text, file.string());
              });
        if (!set)
            out.unread.push_back(file.string());
        else if (madeOn(*set, m_machine))
            out.found.push_back({.file = file, .set = std::move(*set)});
    }
    std::stable_sort(out.found.begin(), out.found.end(), [](const Found& a, const Found& b) {
        if (a.set.engineRuns.has_value() != b.set.engineRuns.has_value())
            return a.set.engineRuns.has_value();
        return madeWhen(a.set) > madeWhen(b.set);
    });
    return out;
}

} // namespace headroom
