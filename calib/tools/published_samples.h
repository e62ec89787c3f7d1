#pragma once

#include "calib/fit/form_fit.h"
#include "calib/tools/timing_table.h"
#include "model/base/result.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace headroom {

// Timings of one accelerator by one class of kernels, out of public repositories.
struct PublishedSet {
    std::string gpu;            // catalogue id
    std::string implementation; // "trtllm", "vllm", "sglang"
    struct Part {
        std::string origin; // repository, commit, table, version: goes into the calibration file
        std::vector<OpSample> samples;
        int year = 0; // of the libraries that were timed
    };
    std::vector<Part> parts;
};

// The accelerator whose id a table's samples belong to; null where the catalogue lacks it (the table is then
// passed over).
using FindGpu = std::function<const Gpu*(const std::string& id)>;

// Reads every table it knows under `folder`, which holds one directory per public repository (aiconfigurator,
// aiter, vidur, llmservingsim, infersim, llmcompass). Nothing is downloaded.
[[nodiscard]] Result<std::vector<PublishedSet>> readPublished(const std::filesystem::path& folder,
                                                              const FindGpu& find);

// Operators as those tables describe them, with the work model/count gives them.
[[nodiscard]] Op publishedGemm(const Gpu& gpu, double m, double n, double k, GemmClass type);
[[nodiscard]] Op publishedAttention(const Gpu& gpu, bool decode, double batch, double tokens, double heads,
                                    double kvHeads, double headDim, double cacheBytes);
[[nodiscard]] Op publishedMla(const Gpu& gpu, bool decode, double batch, double tokens, double heads,
                              double cacheBytes);
struct PublishedMoe {
    double tokens = 0;
    double hidden = 0;
    double slice = 0;  // intermediate width on one GPU
    double chosen = 0; // experts a token takes
    double experts = 0;
    double expertRanks = 1; // GPUs the experts are spread over
    double rankRows = 0;    // routed to the timed one; 0: an even share
    double rankExperts = 0; // of the timed one, chosen by some token; 0: as an even choice makes expect
    GemmClass type = GemmClass::Half;
    bool gated = true;
    bool even = false; // as many rows to each expert
};
[[nodiscard]] Op publishedExperts(const Gpu& gpu, const PublishedMoe& moe);
[[nodiscard]] Op publishedCollective(CollectiveClass cls, int ranks, double messageBytes);

// Where a reader puts what it read: the set of this accelerator and these kernels.
class PublishedCollector {
public:
    static constexpr int newestYear = 2026;
    explicit PublishedCollector(const FindGpu& find) : m_find(find) {}
    [[nodiscard]] const Gpu* gpu(std::string_view id) const { return m_find(std::string(id)); }
    void add(std::string_view gpu, std::string_view implementation, std::string origin,
             std::vector<OpSample> samples, int year = newestYear);
    [[nodiscard]] std::vector<PublishedSet> take() { return std::move(m_sets); }

private:
    const FindGpu& m_find;
    std::vector<PublishedSet> m_sets;
};

// One repository each; a folder that is absent adds nothing.
[[nodiscard]] Result<bool> readAiconfigurator(const std::filesystem::path& folder, PublishedCollector& into);
[[nodiscard]] Result<bool> readAiter(const std::filesystem::path& folder, PublishedCollector& into);
[[nodiscard]] Result<bool> readInferSim(const std::filesystem::path& folder, PublishedCollector& into);
[[nodiscard]] Result<bool> readVidur(const std::filesystem::path& folder, PublishedCollector& into);
[[nodiscard]] Result<bool> readServingSim(const std::filesystem::path& folder, PublishedCollector& into);
[[nodiscard]] Result<bool> readLlmCompass(const std::filesystem::path& folder, PublishedCollector& into);

// The tables of a folder in the order of their names.
[[nodiscard]] std::vector<std::filesystem::path> tablesIn(const std::filesystem::path& folder);
[[nodiscard]] Result<TimingTable> openTable(const std::filesystem::path& file,
                                            std::map<std::string, std::string> constants = {});
[[nodiscard]] inline OpSample sampleOf(Op op, double seconds, std::string group, std::string sweep = {})
{
    return {.op = op,
            .time = Seconds(seconds),
            .lnSpread = 0,
            .group = std::move(group),
            .sweep = std::move(sweep)};
}

} // namespace headroom
