#pragma once

#include "model/base/result.h"
#include "model/measured/measured_row.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

struct ImportedBench {
    std::string format; // "vllm bench serve", "llama-bench (CSV)", …
    std::vector<MeasuredRow> rows;
    std::vector<std::string> missing; // columns no row has and a comparison needs: "model", "gpu", "gpus", …
    std::vector<Message> warnings;
};

// The result file of a load tool as measured rows; which tool wrote it is seen from its contents. `given`
// fills what a format does not say (the GPU and mostly the engine): its texts and counts stand wherever a
// row's own are empty.
//
// Every figure is the mean over requests. TPOT is the mean time between tokens after the first; where a tool
// averages over all tokens, it is computed from latency and TTFT. Lengths of text sets are marked "(mean)".
[[nodiscard]] Result<ImportedBench> importBench(const std::filesystem::path& file,
                                                const MeasuredRow& given = {});
[[nodiscard]] Result<ImportedBench> importBench(std::string_view text, const std::string& name,
                                                const MeasuredRow& given = {});

} // namespace headroom
