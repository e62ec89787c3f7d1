#include "model/import/bench_import.h"

#include "model/import/bench_run.h"
#include "model/import/measured_csv.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"

#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

constexpr std::uintmax_t largestFile = 256ULL << 20U; // runs with every request's times
constexpr JsonLimits limits{.bytes = largestFile};

// LLMPerf's individual responses: a list with one object for each request.
bool readLlmPerfRequests(JsonValue root, BenchRun& run)
{
    if (!root.isArray() || !root.firstChild()["ttft_s"])
        return false;
    run.tool = "LLMPerf (requests)";
    double requests = 0;
    double ttft = 0;
    double latency = 0;
    double input = 0;
    double output = 0;
    std::size_t failed = 0;
    for (JsonValue request = root.firstChild(); request; request = request.next()) {
        if (request["error_code"] && !request["error_code"].isNull()) {
            ++failed;
            continue;
        }
        ++requests;
        ttft += run.number(request["ttft_s"]).value_or(0);
        latency += run.number(request["end_to_end_latency_s"]).value_or(0);
        input += run.number(request["number_input_tokens"]).value_or(0);
        output += run.number(request["number_output_tokens"]).value_or(0);
    }
    if (failed > 0)
        run.warnings.push_back(say("{} requests failed in this run", failed));
    if (requests == 0)
        return true;
    run.about.inputLength = lengthText(input / requests, false);
    run.about.outputLength = lengthText(output / requests, false);
    run.add(Metric::Ttft, ttft / requests, 1e3);
    if (output > requests && latency > ttft)
        run.add(Metric::Tpot, (latency - ttft) / (output - requests), 1e3);
    run.add(Metric::Latency, latency / requests);
    return true;
}

bool readDocument(JsonValue root, BenchRun& run)
{
    constexpr std::array readers{readVllm,     readSglang,        readTrtLlm,  readGenAi,
                                 readGuideLlm, readInferencePerf, readOptimum, readLlmPerf,
                                 readK6,       readLlamaBench,    readProbe,   readLlmPerfRequests};
    for (const auto reader : readers)
        if (reader(root, run))
            return true;
    return false;
}

// One JSON value, or one on each line.
bool readJson(std::string_view text, BenchRun& run)
{
    Result<JsonDocument> whole = JsonDocument::parse(std::string(text), run.name, limits);
    if (whole) {
        if (readDocument(whole->root(), run))
            return true;
        std::vector<JsonDocument> single;
        single.push_back(std::move(*whole));
        return readBenchLines(single, run);
    }
    const auto lines = JsonDocument::parseLines(text, run.name, limits);
    if (lines && lines->size() > 1)
        return readBenchLines(*lines, run);
    const bool severalLines = whole.error().front().what.is(textAfterValue);
    run.problems = severalLines && !lines ? lines.error() : whole.error();
    return true;
}

bool isMeasuredCsv(std::string_view text)
{
    const auto header = readCsvRecords(text.substr(0, text.find('\n')), "");
    if (!header || header->empty())
        return false;
    const auto has = [&](std::string_view title) {
        for (const std::string& cell : header->front().cells)
            if (cell == title)
                return true;
        return false;
    };
    return has("metric") && has("value");
}

struct GivenText {
    std::string_view title;
    std::string MeasuredRow::*field;
};
constexpr std::array givenTexts{GivenText{"engine", &MeasuredRow::engine},
                                GivenText{"engine_version", &MeasuredRow::engineVersion},
                                GivenText{"model", &MeasuredRow::model},
                                GivenText{"gpu", &MeasuredRow::gpu},
                                GivenText{"weight_dtype", &MeasuredRow::weightDtype},
                                GivenText{"kv_dtype", &MeasuredRow::kvDtype},
                                GivenText{"input_len", &MeasuredRow::inputLength},
                                GivenText{"output_len", &MeasuredRow::outputLength},
                                GivenText{"batch_or_concurrency", &MeasuredRow::load}};
struct GivenCount {
    std::string_view title;
    std::optional<int> MeasuredRow::*field;
};
constexpr std::array givenCounts{GivenCount{"gpus", &MeasuredRow::gpus}, GivenCount{"tp", &MeasuredRow::tp},
                                 GivenCount{"pp", &MeasuredRow::pp}, GivenCount{"dp", &MeasuredRow::dp}};

void fill(MeasuredRow& row, const MeasuredRow& given)
{
    for (const GivenText& column : givenTexts)
        if ((row.*column.field).empty())
            row.*column.field = given.*column.field;
    for (const GivenCount& column : givenCounts)
        if (!(row.*column.field))
            row.*column.field = given.*column.field;
    if (!row.gpuMemoryGb)
        row.gpuMemoryGb = given.gpuMemoryGb;
    if (row.computeDtype.empty())
        row.computeDtype = given.computeDtype;
    if (row.source.empty())
        row.source = given.source;
}

// What a prediction needs to be set beside the figure. Types and the version may stay open: the model's own
// are taken.
std::vector<std::string> missingColumns(const std::vector<MeasuredRow>& rows)
{
    std::vector<std::string> missing;
    for (const GivenText& column : givenTexts) {
        if (column.title == "engine_version" || column.title == "weight_dtype" || column.title == "kv_dtype")
            continue;
        for (const MeasuredRow& row : rows)
            if ((row.*column.field).empty()) {
                missing.emplace_back(column.title);
                break;
            }
    }
    for (const MeasuredRow& row : rows)
        if (!row.gpus) {
            missing.emplace_back("gpus");
            break;
        }
    return missing;
}

} // namespace

Result<ImportedBench> importBench(std::string_view text, const std::string& name, const MeasuredRow& given)
{
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    ImportedBench bench;
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos)
        return refuse(name + ":1:1", "the file is empty");
    if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
        return refuse(fmt::format("{}:byte {}", name, nul), "a NUL byte: this is not a text file");
    if (isMeasuredCsv(text)) {
        auto rows = readMeasuredCsv(text, name);
        if (!rows)
            return refuse(std::move(rows.error()));
        bench.format = "measured rows (CSV)";
        bench.rows = std::move(*rows);
    } else {
        BenchRun run{.name = name};
        const bool json = text[start] == '{' || text[start] == '[';
        const bool known = json ? readJson(text, run) : readBenchTable(text, run);
        if (known && !run.problems.empty())
            return refuse(std::move(run.problems));
        if (!known)
            return refuse(name + ":1:1", "no result file of a load tool that is known",
                          "known: vllm bench, SGLang, trtllm-bench, GenAI-Perf, AIPerf, GuideLLM, "
                          "llama-bench, LLMPerf, "
                          "inference-perf, optimum-benchmark, k6, and a CSV of measured rows");
        bench.format = run.tool;
        bench.rows = std::move(run.rows);
        bench.warnings = std::move(run.warnings);
    }
    if (bench.rows.empty())
        return refuse(name, say("a result of {} without a figure that can be compared", bench.format));
    std::size_t number = 0;
    for (MeasuredRow& row : bench.rows) {
        fill(row, given);
        ++number;
        if (row.id.empty())
            row.id = fmt::format("{}", number);
        if (row.source.empty())
            row.source = bench.format;
        if (row.sourcePath.empty())
            row.sourcePath = name;
    }
    bench.missing = missingColumns(bench.rows);
    return bench;
}

Result<ImportedBench> importBench(const std::filesystem::path& file, const MeasuredRow& given)
{
    const Result<std::string> text = readTextFile(file, largestFile);
    if (!text)
        return refuse(text.error());
    return importBench(*text, file.string(), given);
}

} // namespace headroom
