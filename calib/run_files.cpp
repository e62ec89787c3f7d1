#include "calib/run_files.h"

#include "model/text/text_file.h"
#include "model/yaml/efficiency_yaml.h"

#include <fmt/format.h>

namespace headroom {

namespace {
constexpr std::uintmax_t longestCalibration = 4U << 20;
} // namespace

SamplesFacts factsOf(const kernels::Device& device, const Sweep& sweep, const CalibrationOptions& options)
{
    const kernels::DeviceFacts& facts = device.facts();
    // FNV-1a over the points' lines: the same points in the same order.
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const SweepPoint& point : sweep.points)
        for (const char c : point.what + '\n')
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return {{"device", facts.name + (facts.uuidHash.empty() ? "" : " " + facts.uuidHash)},
            {"kind", facts.kind},
            {"compute_capability", fmt::format("{:.1f}", facts.computeCapability)},
            {"cache_bytes", fmt::format("{:.0f}", facts.cache.base())},
            {"units", fmt::format("{}", facts.units)},
            {"driver", facts.driver},
            {"libraries", facts.libraries},
            {"memory_bytes", fmt::format("{:.0f}", facts.memory.base())},
            {"seed", fmt::format("{}", options.seed)},
            {"sweep", fmt::format("{:016x} of {} points", hash, sweep.points.size())},
            {"tool", "headroom " + options.toolVersion},
            {"created", options.created}};
}

Result<std::vector<Sample>> knownSamples(const std::filesystem::path& file, const SamplesFacts& mine)
{
    Result<SamplesFile> old = readSamples(file);
    if (!old)
        return refuse(old.error());
    Problems problems;
    for (const std::string key : {"device", "units", "driver", "seed", "sweep", "tool"})
        if (old->facts[key] != mine.at(key))
            problems.push_back(
                {file.string(), say("its {} is '{}', this run's is '{}'", key, old->facts[key], mine.at(key)),
                 "without --resume a new file is begun and this one is kept under another name"});
    if (!problems.empty())
        return refuse(std::move(problems));
    return std::move(old->samples);
}

Result<std::optional<EfficiencySet>> olderCalibration(const std::filesystem::path& file,
                                                      const std::string& gpu)
{
    std::error_code missing;
    if (!std::filesystem::exists(file, missing))
        return std::optional<EfficiencySet>{};
    const Result<std::string> text = readTextFile(file, longestCalibration);
    if (!text)
        return refuse(text.error());
    Result<EfficiencySet> older = readEfficiencySet(*text, file.string());
    if (!older)
        return refuse(older.error());
    if (older->gpu != gpu)
        return refuse(file.string(), say("is a calibration of {}, this device is {}", older->gpu, gpu),
                      "give another file with -o");
    return std::optional(std::move(*older));
}

} // namespace headroom
