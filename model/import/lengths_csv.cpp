#include "model/import/lengths_csv.h"

#include "model/base/quantity_text.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom {

Result<LengthDistribution> readLengthsFile(const std::filesystem::path& file)
{
    constexpr std::uintmax_t largest = 256U << 20U; // some thirty million lengths
    constexpr double longest = 1e8;
    constexpr std::size_t mostProblems = 20;
    const Result<std::string> text = readTextFile(file, largest);
    if (!text)
        return refuse(text.error());
    const std::string name = file.string();
    const Result<std::vector<CsvRecord>> records = readCsvRecords(*text, name);
    if (!records)
        return refuse(records.error());
    std::vector<double> lengths;
    Problems problems;
    for (const CsvRecord& record : *records) {
        if (record.cells.empty())
            continue;
        const Result<double> tokens = numberFromText(record.cells.front());
        if (tokens && *tokens >= 1 && *tokens <= longest)
            lengths.push_back(*tokens);
        else if ((tokens || record.line > 1) && problems.size() < mostProblems) // else: a header
            problems.push_back(
                {name + ':' + std::to_string(record.line),
                 say("expected a length in tokens from 1 to 1e8, got '{}'", record.cells.front()),
                 {}});
    }
    if (lengths.empty() && problems.empty())
        problems.push_back({name, "holds no lengths", "one length in tokens in each line"});
    if (!problems.empty())
        return refuse(std::move(problems));
    return LengthDistribution::empirical(std::move(lengths));
}

} // namespace headroom
