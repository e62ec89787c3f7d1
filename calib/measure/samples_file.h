#pragma once

#include "calib/measure/sample.h"
#include "model/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom {

// What must be the same for samples to belong to one run, and what is good to know of them: "device", "seed",
// "sweep", "tool". Written as comments above the CSV header.
using SamplesFacts = std::map<std::string, std::string>;

struct SamplesFile {
    SamplesFacts facts;
    std::vector<Sample> samples;
};

// Everything whole that the file holds. A last line without its end, left by a process that was killed or a
// disk that was full, is passed over; any other broken line is refused with its place.
[[nodiscard]] Result<SamplesFile> readSamples(const std::filesystem::path& file);

// Appends samples to a CSV file; each is on the disk when `append` returns.
class SamplesWriter {
public:
    // Starts a new file (an old one of that name is kept under another) or goes on with one at the end of its
    // last whole line. Throws CalibrationBroken when it cannot be written.
    static SamplesWriter create(const std::filesystem::path& file, const SamplesFacts& facts);
    static SamplesWriter resume(const std::filesystem::path& file);
    ~SamplesWriter();
    SamplesWriter(SamplesWriter&& other) noexcept;
    SamplesWriter& operator=(SamplesWriter&&) = delete;

    // `point`: what the sample is of; its work stands in the line, so that the file can be fitted by others.
    // Throws CalibrationBroken when the disk is full; lines written before stay whole.
    void append(const Sample& sample, const SweepPoint& point);

private:
    SamplesWriter(std::filesystem::path file, int descriptor);
    void write(const std::string& line);

    std::filesystem::path m_file;
    int m_descriptor;
    std::size_t m_lines = 0;
};

} // namespace headroom
