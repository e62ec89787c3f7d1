#include "headroom_source_dir.h"
#include "model/import/bench_import.h"
#include "model/import/measured_csv.h"
#include "model/scenario/service_load.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fmt/format.h>

using namespace headroom;

namespace {

const std::filesystem::path examples = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/bench";

// What each tool's example must become, read by hand from the file: the figures are the means it holds, in
// our units.
struct ExpectedRun {
    std::string_view file;
    std::string_view format;
    std::string_view missing;
    std::string_view about; // engine|model|gpu|prompt/output tokens|load
    std::string_view figures;
};
constexpr std::array expectedRuns{
    ExpectedRun{"aiperf.csv", "GenAI-Perf or AIPerf (CSV)", "engine model gpu batch_or_concurrency gpus",
                "|||128 (mean)/64 (mean)|",
                "ttft_ms 60; tpot_ms 11; e2e_s 0.8; output_throughput_tok_s_total 256; decode_tok_s_per_user "
                "90; requests_per_s 4"},
    ExpectedRun{"aiperf.json", "AIPerf", "engine gpu batch_or_concurrency gpus",
                "|example/model-8b||128 (mean)/64 (mean)|",
                "ttft_ms 60; tpot_ms 11; e2e_s 0.8; output_throughput_tok_s_total 256; decode_tok_s_per_user "
                "90; requests_per_s 4"},
    ExpectedRun{"aiperf_profile_export.jsonl", "AIPerf (requests)",
                "engine model gpu batch_or_concurrency gpus", "|||128/64|",
                "ttft_ms 60; tpot_ms 11.7; e2e_s 0.8"},
    ExpectedRun{"genai_perf.csv", "GenAI-Perf or AIPerf (CSV)", "engine model gpu batch_or_concurrency gpus",
                "|||128 (mean)/64 (mean)|",
                "ttft_ms 60; tpot_ms 11; e2e_s 0.8; output_throughput_tok_s_total 256; decode_tok_s_per_user "
                "90; requests_per_s 4"},
    ExpectedRun{"genai_perf.json", "GenAI-Perf", "engine gpu batch_or_concurrency gpus",
                "|example/model-8b||128 (mean)/64 (mean)|",
                "ttft_ms 60; tpot_ms 11; e2e_s 0.8; output_throughput_tok_s_total 256; decode_tok_s_per_user "
                "90; requests_per_s 4"},
    ExpectedRun{
        "guidellm.json", "GuideLLM", "engine model gpu batch_or_concurrency gpus", "|||128 (mean)/64 (mean)|",
        "ttft_ms 60; tpot_ms 11.7; e2e_s 0.8; output_throughput_tok_s_total 64; total_throughput_tok_s "
        "192; requests_per_s 1"},
    ExpectedRun{
        "inference_perf.json", "inference-perf", "engine model gpu gpus", "|||128 (mean)/64 (mean)|qps 1",
        "ttft_ms 60; tpot_ms 11.7; e2e_s 0.8; output_throughput_tok_s_total 64; total_throughput_tok_s "
        "192; requests_per_s 1"},
    ExpectedRun{"k6_machine_readable_summary.json", "k6",
                "engine model gpu input_len output_len batch_or_concurrency gpus", "|||/|",
                "e2e_s 0.8001; requests_per_s 4"},
    ExpectedRun{"k6_out.csv", "k6 (CSV)", "engine model gpu input_len output_len batch_or_concurrency gpus",
                "|||/|", "e2e_s 0.8001"},
    ExpectedRun{"k6_out.json", "k6 (samples)",
                "engine model gpu input_len output_len batch_or_concurrency gpus", "|||/|", "e2e_s 0.8001"},
    ExpectedRun{"k6_summary_export.json", "k6", "engine model gpu input_len output_len gpus", "|||/|4",
                "e2e_s 0.8001; requests_per_s 4"},
    ExpectedRun{"llama_batched_bench.jsonl", "llama-batched-bench", "model gpu gpus", "llama.cpp|||512/128|8",
                "ttft_ms 410; tpot_ms 8.59375; e2e_s 1.51; total_throughput_tok_s 3390.73"},
    ExpectedRun{"llama_batched_bench.md", "llama-batched-bench (Markdown)", "model gpu gpus",
                "llama.cpp|||512/128|8",
                "ttft_ms 410; tpot_ms 8.59375; e2e_s 1.51; total_throughput_tok_s 3390.73"},
    ExpectedRun{"llama_bench.csv", "llama-bench (CSV)", "", "llama.cpp|llama 8B|NVIDIA H200|512/0|1",
                "total_throughput_tok_s 10000; decode_tok_s_per_user 150 at 0/128"},
    ExpectedRun{"llama_bench.json", "llama-bench (JSON)", "", "llama.cpp|llama 8B|NVIDIA H200|512/0|1",
                "total_throughput_tok_s 10000; decode_tok_s_per_user 150 at 0/128"},
    ExpectedRun{
        "llama_bench.md", "llama-bench (Markdown)", "gpu gpus", "llama.cpp|llama 8B||512/0|1",
        "total_throughput_tok_s 10000; decode_tok_s_per_user 150 at 0/128; decode_tok_s_per_user 140 at "
        "4096/128"},
    ExpectedRun{"llmperf_individual_responses.json", "LLMPerf (requests)",
                "engine model gpu batch_or_concurrency gpus", "|||128 (mean)/64 (mean)|",
                "ttft_ms 60; tpot_ms 11.746; e2e_s 0.8"},
    ExpectedRun{
        "llmperf_summary.json", "LLMPerf", "engine gpu gpus", "|example/model-8b||128 (mean)/64 (mean)|1",
        "ttft_ms 60; tpot_ms 11.746; e2e_s 0.8; output_throughput_tok_s_total 78; requests_per_s 1.22"},
    ExpectedRun{"optimum_benchmark_report.json", "optimum-benchmark",
                "engine model gpu input_len output_len batch_or_concurrency gpus", "|||/|",
                "ttft_ms 60; tpot_ms 11.7; e2e_s 0.8"},
    ExpectedRun{"sglang_bench_one_batch.jsonl", "sglang.bench_one_batch", "model gpu gpus",
                "SGLang|||256/16|8", "ttft_ms 50; tpot_ms 10; e2e_s 0.2; total_throughput_tok_s 10880"},
    ExpectedRun{"sglang_bench_one_batch_server.jsonl", "sglang.bench_one_batch_server", "model gpu gpus",
                "SGLang|||256/16|8",
                "ttft_ms 100; e2e_s 0.25; total_throughput_tok_s 8704; decode_tok_s_per_user 106.666"},
    ExpectedRun{"sglang_bench_serving.jsonl", "sglang.bench_serving", "model gpu gpus",
                "SGLang|||128 (mean)/64 (mean)|qps 4",
                "ttft_ms 60; tpot_ms 11; e2e_s 0.8; output_throughput_tok_s_total 51.2; requests_per_s 0.8; "
                "total_throughput_tok_s 153.6"},
    ExpectedRun{"trtllm_bench.json", "trtllm-bench", "",
                "TensorRT-LLM|example/model-8b|NVIDIA H200|128 (mean)/128 (mean)|max",
                "output_throughput_tok_s_total 6400; total_throughput_tok_s 12800; requests_per_s 50; e2e_s "
                "1.6; ttft_ms 50; tpot_ms 12.2"},
    ExpectedRun{"vllm_bench_latency.json", "vllm bench latency",
                "model gpu input_len output_len batch_or_concurrency gpus", "vLLM|||/|", "e2e_s 1.02"},
    ExpectedRun{
        "vllm_bench_serve.json", "vllm bench serve", "engine gpu gpus",
        "|example/model-8b||150 (mean)/2.5 (mean)|qps 4",
        "ttft_ms 65; tpot_ms 11.25; e2e_s 0.0815; output_throughput_tok_s_total 2; requests_per_s 0.8; "
        "total_throughput_tok_s 122"},
    ExpectedRun{"vllm_bench_throughput.json", "vllm bench throughput", "model gpu input_len output_len gpus",
                "vLLM|||/|max", "total_throughput_tok_s 2560; requests_per_s 10"},
};

std::string joined(const std::vector<std::string>& words, std::string_view between)
{
    std::string all;
    for (const std::string& word : words)
        all += (all.empty() ? "" : std::string(between)) + word;
    return all;
}

std::string figures(const std::vector<MeasuredRow>& rows)
{
    std::vector<std::string> all;
    for (const MeasuredRow& row : rows) {
        const std::string at = row.inputLength + "/" + row.outputLength;
        const bool same = at == rows.front().inputLength + "/" + rows.front().outputLength;
        all.push_back(fmt::format("{} {:g}{}", metricName(row.metric), row.value, same ? "" : " at " + at));
    }
    return joined(all, "; ");
}

Result<ImportedBench> importedBench(std::string_view text) { return importBench(text, "b"); }

std::string problem(std::string_view text)
{
    const auto bench = importedBench(text);
    return bench ? "accepted" : bench.error().front().where + ": " + bench.error().front().what.english();
}

} // namespace

TEST_CASE("every load tool's result becomes measured rows")
{
    for (const ExpectedRun& row : expectedRuns) {
        CAPTURE(row.file);
        const auto bench = importBench(examples / row.file);
        if (!bench)
            FAIL(bench.error().front().where, ": ", bench.error().front().what.english());
        const MeasuredRow& first = bench->rows.front();
        CHECK(bench->format == row.format);
        CHECK(joined(bench->missing, " ") == row.missing);
        CHECK(fmt::format("{}|{}|{}|{}/{}|{}", first.engine, first.model, first.gpu, first.inputLength,
                          first.outputLength, first.load)
              == row.about);
        CHECK(figures(bench->rows) == row.figures);
    }
}

TEST_CASE("what a format does not say is given, what it says stays")
{
    const MeasuredRow given{.engine = "vLLM", .model = "other", .gpu = "h100", .gpus = 2, .tp = 2};
    const auto bench = importBench(examples / "vllm_bench_serve.json", given);
    REQUIRE(bench.has_value());
    CHECK(bench->missing.empty());
    CHECK(bench->rows.front().engine == "vLLM");
    CHECK(bench->rows.front().model == "example/model-8b");
    CHECK(bench->rows.front().gpus == 2);
}

TEST_CASE("imported rows are written as a CSV that reads back")
{
    const auto bench = importBench(examples / "trtllm_bench.json");
    REQUIRE(bench.has_value());
    const auto back = importBench(measuredCsv(bench->rows), "rows.csv");
    REQUIRE(back.has_value());
    CHECK(back->format == "measured rows (CSV)");
    REQUIRE(back->rows.size() == bench->rows.size());
    CHECK(back->rows.front().value == bench->rows.front().value);
    CHECK(back->rows.front().kvDtype == "FP8");
}

TEST_CASE("the load is a closed loop, a rate or a burst as the tool ran it")
{
    const auto loadOf = [](std::string_view rate, std::string_view users) {
        const std::string text
            = fmt::format(R"({{"request_rate": {}, "max_concurrency": {}, "num_prompts": 50, "completed": 50,
            "mean_ttft_ms": 1.0, "total_token_throughput": 5.0}})",
                          rate, users);
        const auto bench = importedBench(text);
        REQUIRE(bench.has_value());
        return bench->rows.front().load;
    };
    CHECK(loadOf("4.0", "null") == "qps 4");
    CHECK(loadOf("\"inf\"", "16") == "16");
    CHECK(loadOf("\"inf\"", "null") == "50 (all at once)");
    CHECK(loadOf("Infinity", "null") == "50 (all at once)");
    CHECK(readLoad(loadOf("4.0", "16")).kind == LoadKind::Unknown);
    CHECK(loadOf("\"trace\"", "null") == "trace replay");
}

TEST_CASE("lengths that are all the same are exact, others are means")
{
    const auto lengthOf = [](std::string_view lens) {
        const auto bench = importedBench(
            fmt::format(R"({{"request_rate": 1, "completed": 2, "total_input_tokens": 300, "input_lens": {},
            "mean_ttft_ms": 1.0, "total_token_throughput": 5.0}})",
                        lens));
        REQUIRE(bench.has_value());
        return bench->rows.front().inputLength;
    };
    CHECK(lengthOf("[150, 150]") == "150");
    CHECK(lengthOf("[100, 200]") == "150 (mean)");
    CHECK(lengthOf("[]") == "150 (mean)");
}

TEST_CASE("GPUs are counted from llama-bench's list unless one of them did the work")
{
    const auto gpusOf = [](std::string_view info, std::string_view mode) {
        const auto bench = importedBench(
            fmt::format(R"([{{"gpu_info": "{}", "split_mode": "{}", "model_type": "llama 8B F16",
            "n_prompt": 512, "n_gen": 0, "n_depth": 0, "avg_ts": 100.0}}])",
                        info, mode));
        REQUIRE(bench.has_value());
        CHECK(bench->rows.front().weightDtype == "fp16");
        return bench->rows.front().gpus;
    };
    CHECK(gpusOf("NVIDIA A100, NVIDIA A100", "layer") == 2);
    CHECK(gpusOf("NVIDIA A100, NVIDIA A100", "none") == 1);
    CHECK(!gpusOf("", "layer"));
}

TEST_CASE("requests that failed are left out and told")
{
    const auto bench = importedBench(R"([{"error_code": 500, "ttft_s": 9, "end_to_end_latency_s": 9},
        {"error_code": null, "ttft_s": 0.1, "end_to_end_latency_s": 1.1, "number_input_tokens": 10, "number_output_tokens": 11}])");
    REQUIRE(bench.has_value());
    CHECK(inEnglish(bench->warnings) == std::vector<std::string>{"1 requests failed in this run"});
    CHECK(figures(bench->rows) == "ttft_ms 100; tpot_ms 100; e2e_s 1.1");
}

TEST_CASE("what is no result of a load tool, or a broken one, is refused with its place")
{
    CHECK(problem("") == "b:1:1: the file is empty");
    CHECK(problem("  \n") == "b:1:1: the file is empty");
    CHECK(problem(std::string_view("| test | t/s |\0", 15))
          == "b:byte 14: a NUL byte: this is not a text file");
    CHECK(problem("hello") == "b:1:1: no result file of a load tool that is known");
    CHECK(problem("{}") == "b:1:1: no result file of a load tool that is known");
    CHECK(problem("[]") == "b:1:1: no result file of a load tool that is known");
    CHECK(problem("[1, 2]") == "b:1:1: no result file of a load tool that is known");
    CHECK(problem("{\"a\": 1") == "b:1:8: expected ',' or '}', the text ends here");
    CHECK(problem("{\"a\": 1}\n{\"b\"}") == "b:2:5: expected ':' after the key, got '}'");
    CHECK(problem(std::string(100'000, '[')) == "b:1:65: nested more than 64 levels deep");
    CHECK(problem(R"({"elapsed_time": 1, "tokens_per_second": "fast"})")
          == "b:1:42 tokens_per_second: expected a number, got \"fast\"");
    CHECK(problem(R"({"elapsed_time": 1, "tokens_per_second": -5})")
          == "b: total_throughput_tok_s of -5 cannot be");
    CHECK(problem(R"({"elapsed_time": 1, "tokens_per_second": 1e999})")
          == "b:1:42 tokens_per_second: expected a number, got 1e999");
    CHECK(problem(R"({"elapsed_time": 1, "tokens_per_second": 0})")
          == "b: a result of vllm bench throughput without a figure that can be compared");
    CHECK(problem(R"({"elapsed_time": 1, "tokens_per_second": NaN})")
          == "b: a result of vllm bench throughput without a figure that can be compared");
    CHECK(problem(R"({"world_info": {"world_size": 0}, "performance": {}, "request_info": {}})")
          == "b:1:31 world_info.world_size: expected a whole number from 1 to 1000000, got 0");
    CHECK(
        problem(R"({"request_latency": {"avg": 1, "unit": "fortnights"}, "request_throughput": {"avg": 1}})")
        == "b:1:40 request_latency.unit: expected a unit of time such as ms, got \"fortnights\"");
    CHECK(problem("Metric,min\nTime To First Token (ms),1\n") == "b:1:1: expected a column 'avg' or 'Value'");
    CHECK(problem("Metric,avg\nTime To First Token (ms)\n") == "b:2:1: the line is shorter than its header");
    CHECK(problem("Metric,avg\nTime To First Token (ms),soon\n")
          == "b:2:26: expected a number from 0 up, got 'soon'");
    CHECK(problem("metric_name,metric_value\nhttp_req_duration,inf\n")
          == "b:2:19: expected a number from 0 up, got 'inf'");
    CHECK(problem("n_prompt,n_gen,avg_ts\n512,0,x\n") == "b:2:7: expected a number from 0 up, got 'x'");
    CHECK(problem("n_prompt,n_gen,avg_ts\n512,0\n") == "b:2:1: expected 3 cells as in the header, got 2");
    CHECK(problem("| model | test | t/s |\n|---|---|---|\n| m | zz9 | 5 |\n")
          == "b:3:1 test: expected a test such as pp512 or tg128, got 'zz9'");
    CHECK(problem("| model | test | t/s |\n|---|---|---|\n| m | pp9 | fast |\n")
          == "b:3:1 t/s: expected a number from 0 up, got 'fast'");
    CHECK(problem("| model | test | t/s |\n| m |\n") == "b:2:1: expected 3 cells as in the header, got 1");
    CHECK(problem("model,gpu,metric,value\nm,g,ttft_ms,\n")
          == "b:2:13 value: expected a finite number above 0, got ''");
    CHECK(
        problem(R"({"benchmarks": [{"metrics": {"time_to_first_token_ms": {"successful": {"mean": []}}}}]})")
        == "b:1:80 benchmarks[0].metrics.time_to_first_token_ms.successful.mean: expected a number, got a "
           "list of 0");
}
