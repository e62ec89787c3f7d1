#pragma once

#include "model/base/result.h"
#include "model/measured/measured_row.h"
#include "model/text/json_document.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// One run of a load tool while its rows are put together: what it was measured on stands in `about`, each
// figure adds a row.
struct BenchRun {
    std::string name; // of the file, for places
    std::string tool;
    MeasuredRow about{};
    std::vector<MeasuredRow> rows{};
    std::vector<Message> warnings{};
    Problems problems{};

    void add(Metric metric, std::optional<double> value,
             double factor = 1); // nothing or 0: the tool did not measure it
    // A number that is there must be one; absent or null is nothing.
    [[nodiscard]] std::optional<double> number(JsonValue value);
    [[nodiscard]] std::string text(JsonValue value);
    void fail(JsonValue value, Message what, Message hint = {});
};

// "128 (mean)", or "128" where all requests were of one length.
[[nodiscard]] std::string lengthText(double tokens, bool same);
[[nodiscard]] std::string lengthText(std::optional<double> total, std::optional<double> requests,
                                     JsonValue each);

// A closed loop of users, a rate of arrivals, or all at once; both together have no word and stay in words.
[[nodiscard]] std::string servedLoad(std::optional<double> concurrency, std::optional<double> rate,
                                     bool unlimited, std::optional<double> requests);

// True when the document is of a tool that these know; the rows are then in `run`.
[[nodiscard]] bool readVllm(JsonValue root, BenchRun& run);
[[nodiscard]] bool readSglang(JsonValue root, BenchRun& run);
[[nodiscard]] bool readTrtLlm(JsonValue root, BenchRun& run);
[[nodiscard]] bool readProbe(JsonValue root, BenchRun& run); // `headroom probe --json`
[[nodiscard]] bool readGenAi(JsonValue root, BenchRun& run);
[[nodiscard]] bool readGuideLlm(JsonValue root, BenchRun& run);
[[nodiscard]] bool readInferencePerf(JsonValue root, BenchRun& run);
[[nodiscard]] bool readOptimum(JsonValue root, BenchRun& run);
[[nodiscard]] bool readLlmPerf(JsonValue root, BenchRun& run);
[[nodiscard]] bool readK6(JsonValue root, BenchRun& run);
[[nodiscard]] bool readLlamaBench(JsonValue root, BenchRun& run);

// One record for each line, of one request or of one run.
[[nodiscard]] bool readBenchLines(const std::vector<JsonDocument>& lines, BenchRun& run);

// Comma-separated files and Markdown tables.
[[nodiscard]] bool readBenchTable(std::string_view text, BenchRun& run);

// One llama-bench test, whatever the file's syntax: prompt tokens read, tokens generated, tokens already in
// the cache.
void addLlamaBench(BenchRun& run, double prompt, double generated, double depth, double tokensPerSecond);
// llama-bench lists the GPUs it sees, "NVIDIA H200, NVIDIA H200", and with split mode "none" uses one of
// them.
void setLlamaGpus(MeasuredRow& about, std::string_view gpuInfo, std::string_view splitMode);
// "llama 8B Q4_K - Medium" → the model and "q4_k_m".
void setLlamaModel(MeasuredRow& about, std::string_view modelType);

} // namespace headroom
