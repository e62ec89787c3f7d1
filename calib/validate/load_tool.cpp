#include "calib/validate/load_tool.h"

#include <algorithm>
#include <array>

namespace headroom {
namespace {

struct Procedure {
    double prompt;
    double output;
    double requests;
};

// NVIDIA/TensorRT-LLM:docs/source/performance/perf-overview.md ("Preparing a Dataset", table of
// num_requests), releases 0.11 to 0.20, and docs/source/developer-guide/perf-overview.md since 1.1. All
// lengths of a run are the same and all requests are queued at once.
constexpr std::array trtllmBench{
    Procedure{128, 128, 30000},   Procedure{128, 2048, 3000},   Procedure{128, 4096, 1500},
    Procedure{500, 2000, 3000},   Procedure{1000, 1000, 3000},  Procedure{1000, 2000, 1500},
    Procedure{1024, 1024, 3000},  Procedure{1024, 8192, 1500},  Procedure{1024, 32768, 1000},
    Procedure{2048, 128, 3000},   Procedure{2048, 2048, 1500},  Procedure{5000, 500, 1500},
    Procedure{8192, 1024, 1500},  Procedure{20000, 2000, 1000}, Procedure{32768, 1024, 1000},
    Procedure{100000, 1024, 300},
};

// gptManagerBenchmark is the tool that trtllm-bench grew out of, run by the same procedure. What a page says
// of its own release (0.10 sends 2,000 requests at all lengths) stands in the notes of its rows, which come
// first.
bool isTrtllmBench(std::string_view notes)
{
    const auto named = [&](std::string_view tool) { return notes.find(tool) != std::string_view::npos; };
    return named("trtllm-bench") || named("gptManagerBenchmark");
}

} // namespace

// The pages above, "Running the Benchmark": "in majority of cases" of releases 0.15 to 0.20, "in many cases"
// since, less where memory does not suffice.
std::optional<double> documentedCacheShare(std::string_view notes)
{
    return isTrtllmBench(notes) ? std::optional(0.95) : std::nullopt;
}

double documentedRequests(std::string_view notes, double promptTokens, double outputTokens)
{
    if (!isTrtllmBench(notes))
        return 0;
    const auto* const found = std::find_if(trtllmBench.begin(), trtllmBench.end(), [&](const Procedure& p) {
        return p.prompt == promptTokens && p.output == outputTokens;
    });
    return found == trtllmBench.end() ? 0 : found->requests;
}

int firstYearOf(std::string_view notes)
{
    struct Tool {
        std::string_view name;
        int year;
    };
    constexpr std::array tools{
        // SemiAnalysis's, called InferenceMAX at first: October 2025 (SemiAnalysisAI/InferenceX: README).
        Tool{"InferenceX", 2025}, Tool{"InferenceMAX", 2025},
        Tool{"MoRI-IO", 2026}, // sgl-project/sglang pull request 14626 (2025-12), in releases of 2026
    };
    int year = 0;
    for (const Tool& tool : tools)
        if (notes.find(tool.name) != std::string_view::npos)
            year = std::max(year, tool.year);
    return year;
}

bool keepsOwnBatch(std::string_view notes)
{
    return notes.find("llama-batched-bench") != std::string_view::npos;
}

} // namespace headroom
