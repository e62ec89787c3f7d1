#include "calib/tools/published_samples.h"

#include "model/text/text_file.h"

#include <algorithm>

namespace headroom {

void PublishedCollector::add(std::string_view gpu, std::string_view implementation, std::string origin,
                             std::vector<OpSample> samples, int year)
{
    if (samples.empty())
        return;
    auto found = std::find_if(m_sets.begin(), m_sets.end(), [&](const PublishedSet& s) {
        return s.gpu == gpu && s.implementation == implementation;
    });
    if (found == m_sets.end()) {
        m_sets.push_back(
            {.gpu = std::string(gpu), .implementation = std::string(implementation), .parts = {}});
        found = m_sets.end() - 1;
    }
    found->parts.push_back({.origin = std::move(origin), .samples = std::move(samples), .year = year});
}

std::vector<std::filesystem::path> tablesIn(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".csv")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

Result<TimingTable> openTable(const std::filesystem::path& file, std::map<std::string, std::string> constants)
{
    constexpr std::uintmax_t most = 64u << 20; // the largest published table is 4 MB
    const Result<std::string> text = readTextFile(file, most);
    if (!text)
        return refuse(text.error());
    Result<CsvTable> table = readCsvTable(*text, file.filename().string());
    if (!table)
        return refuse(table.error());
    return TimingTable(std::move(*table), std::move(constants));
}

Result<std::vector<PublishedSet>> readPublished(const std::filesystem::path& folder, const FindGpu& find)
{
    PublishedCollector sets(find);
    Problems problems;
    const auto take = [&](const Result<bool>& done) {
        if (!done)
            problems.insert(problems.end(), done.error().begin(), done.error().end());
    };
    take(readAiconfigurator(folder / "aiconfigurator", sets));
    take(readAiter(folder / "aiter", sets));
    take(readInferSim(folder / "infersim", sets));
    take(readVidur(folder / "vidur", sets));
    take(readServingSim(folder / "llmservingsim", sets));
    take(readLlmCompass(folder / "llmcompass", sets));
    if (!problems.empty())
        return refuse(std::move(problems));
    std::vector<PublishedSet> read = sets.take();
    if (read.empty())
        return refuse(folder.string(), "no table of a known repository was found here",
                      "expected directories such as aiconfigurator/ or vidur/");
    return read;
}

} // namespace headroom
