// Result files of load tools that speak to any server: GenAI-Perf, AIPerf, GuideLLM, inference-perf,
// optimum-benchmark, LLMPerf, k6.
#include "model/import/bench_run.h"

#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

// Seconds in one unit of time, as GenAI-Perf and AIPerf spell them.
std::optional<double> secondsPer(std::string_view unit)
{
    struct Unit {
        std::string_view name;
        double seconds;
    };
    constexpr std::array units{
        Unit{"s", 1},     Unit{"sec", 1},   Unit{"seconds", 1},        Unit{"ms", 1e-3},
        Unit{"us", 1e-6}, Unit{"ns", 1e-9}, Unit{"milliseconds", 1e-3}};
    for (const Unit& known : units)
        if (known.name == unit)
            return known.seconds;
    return std::nullopt;
}

void addTime(BenchRun& run, Metric metric, JsonValue measured, double perUnit)
{
    if (!measured || measured.isNull())
        return;
    const auto seconds = secondsPer(run.text(measured["unit"]));
    if (!seconds)
        return run.fail(measured["unit"] ? measured["unit"] : measured,
                        say("expected a unit of time such as ms, got {}", measured["unit"].shown()));
    run.add(metric, run.number(measured["avg"]), *seconds * perUnit);
}

// The mean of GuideLLM's successful requests.
std::optional<double> meanOf(BenchRun& run, JsonValue metrics, std::string_view name)
{
    return run.number(metrics[name]["successful"]["mean"]);
}

void addGuideLlm(JsonValue benchmark, BenchRun& run)
{
    const JsonValue metrics = benchmark["metrics"];
    const JsonValue strategy = benchmark["config"]["strategy"];
    run.about.inputLength = lengthText(meanOf(run, metrics, "prompt_token_count").value_or(-1), false);
    run.about.outputLength = lengthText(meanOf(run, metrics, "output_token_count").value_or(-1), false);
    const std::string kind = run.text(strategy["type_"]);
    run.about.load
        = servedLoad(run.number(strategy["streams"]), run.number(strategy["rate"]), false, std::nullopt);
    if (kind == "synchronous")
        run.about.load = "1";
    else if (kind == "throughput")
        run.about.load = "max";
    run.add(Metric::Ttft, meanOf(run, metrics, "time_to_first_token_ms"));
    // Its time_per_output_token is latency over all tokens; between tokens is what TPOT means here.
    run.add(Metric::Tpot, meanOf(run, metrics, "inter_token_latency_ms"));
    run.add(Metric::Latency, meanOf(run, metrics, "request_latency"));
    run.add(Metric::OutputThroughput, meanOf(run, metrics, "output_tokens_per_second"));
    run.add(Metric::TotalThroughput, meanOf(run, metrics, "tokens_per_second"));
    run.add(Metric::RequestRate, meanOf(run, metrics, "requests_per_second"));
}

} // namespace

bool readGenAi(JsonValue root, BenchRun& run)
{
    if (!root["request_latency"].isObject() || !root["request_throughput"].isObject())
        return false;
    const JsonValue config = root["input_config"];
    const bool aiPerf = config["endpoint"].isObject() || root["benchmark_duration"];
    run.tool = aiPerf ? "AIPerf" : "GenAI-Perf";
    const JsonValue models
        = config["endpoint"]["model_names"] ? config["endpoint"]["model_names"] : config["model_names"];
    run.about.model = run.text(models.firstChild());
    run.about.inputLength = lengthText(run.number(root["input_sequence_length"]["avg"]).value_or(-1), false);
    run.about.outputLength
        = lengthText(run.number(root["output_sequence_length"]["avg"]).value_or(-1), false);
    const JsonValue stimulus = aiPerf ? config["loadgen"] : config["perf_analyzer"]["stimulus"];
    run.about.load = servedLoad(run.number(stimulus["concurrency"]), run.number(stimulus["request_rate"]),
                                false, std::nullopt);
    addTime(run, Metric::Ttft, root["time_to_first_token"], 1e3);
    addTime(run, Metric::Tpot, root["inter_token_latency"], 1e3);
    addTime(run, Metric::Latency, root["request_latency"], 1);
    run.add(Metric::OutputThroughput, run.number(root["output_token_throughput"]["avg"]));
    run.add(Metric::DecodeRatePerUser, run.number(root["output_token_throughput_per_user"]["avg"]));
    run.add(Metric::RequestRate, run.number(root["request_throughput"]["avg"]));
    return true;
}

bool readGuideLlm(JsonValue root, BenchRun& run)
{
    const JsonValue benchmarks = root["benchmarks"];
    if (!benchmarks.isArray() || !benchmarks.firstChild()["metrics"].isObject())
        return false;
    run.tool = "GuideLLM";
    for (JsonValue benchmark = benchmarks.firstChild(); benchmark; benchmark = benchmark.next())
        addGuideLlm(benchmark, run);
    return true;
}

bool readInferencePerf(JsonValue root, BenchRun& run)
{
    const JsonValue successes = root["successes"];
    if (!root["load_summary"].isObject() || !successes["latency"].isObject())
        return false;
    const JsonValue latency = successes["latency"];
    const JsonValue throughput = successes["throughput"];
    run.tool = "inference-perf";
    run.about.inputLength = lengthText(run.number(successes["prompt_tokens"]["mean"]).value_or(-1), false);
    run.about.outputLength = lengthText(run.number(successes["output_tokens"]["mean"]).value_or(-1), false);
    run.about.load
        = servedLoad(std::nullopt, run.number(root["load_summary"]["requested_rate"]), false, std::nullopt);
    if (const auto failed = run.number(root["failures"]["count"]); failed && *failed > 0)
        run.warnings.push_back(say("{} requests failed in this run", *failed));
    run.add(Metric::Ttft, run.number(latency["time_to_first_token"]["mean"]), 1e3);
    run.add(Metric::Tpot, run.number(latency["time_per_output_token"]["mean"]), 1e3);
    run.add(Metric::Latency, run.number(latency["request_latency"]["mean"]));
    run.add(Metric::OutputThroughput, run.number(throughput["output_tokens_per_sec"]));
    run.add(Metric::TotalThroughput, run.number(throughput["total_tokens_per_sec"]));
    run.add(Metric::RequestRate, run.number(throughput["requests_per_sec"]));
    return true;
}

bool readOptimum(JsonValue root, BenchRun& run)
{
    const JsonValue report = root["report"].isObject() ? root["report"] : root;
    if (!report["prefill"]["latency"].isObject() || !report["decode"].isObject())
        return false;
    run.tool = "optimum-benchmark";
    const JsonValue config
        = root["config"]; // benchmark.json holds both, benchmark_report.json only the figures
    const JsonValue shapes = config["scenario"]["input_shapes"];
    run.about.engine = run.text(config["backend"]["name"]) == "pytorch" ? "HF Transformers"
                                                                        : run.text(config["backend"]["name"]);
    run.about.model = run.text(config["backend"]["model"]);
    run.about.weightDtype = run.text(config["backend"]["torch_dtype"]);
    run.about.gpu = run.text(config["environment"]["gpu"].firstChild());
    run.about.load = servedLoad(run.number(shapes["batch_size"]), std::nullopt, false, std::nullopt);
    run.about.inputLength = lengthText(run.number(shapes["sequence_length"]).value_or(-1), true);
    run.about.outputLength
        = lengthText(run.number(config["scenario"]["generate_kwargs"]["max_new_tokens"]).value_or(-1), true);
    run.add(Metric::Ttft, run.number(report["prefill"]["latency"]["mean"]), 1e3);
    run.add(Metric::Tpot, run.number(report["per_token"]["latency"]["mean"]), 1e3);
    run.add(Metric::Latency, run.number(report["generate"]["latency"]["mean"]));
    return true;
}

bool readLlmPerf(JsonValue root, BenchRun& run)
{
    const JsonValue ttft = root["results_ttft_s_mean"];
    if (!ttft)
        return false;
    run.tool = "LLMPerf";
    run.about.model = run.text(root["model"]);
    run.about.load
        = servedLoad(run.number(root["num_concurrent_requests"]), std::nullopt, false, std::nullopt);
    const auto output = run.number(root["results_number_output_tokens_mean"]);
    run.about.inputLength
        = lengthText(run.number(root["results_number_input_tokens_mean"]).value_or(-1), false);
    run.about.outputLength = lengthText(output.value_or(-1), false);
    const auto first = run.number(ttft);
    const auto latency = run.number(root["results_end_to_end_latency_s_mean"]);
    run.add(Metric::Ttft, first, 1e3);
    // Its inter-token latency is the whole latency over all tokens, the first included.
    if (first && latency && output && *output > 1 && *latency > *first)
        run.add(Metric::Tpot, (*latency - *first) / (*output - 1), 1e3);
    run.add(Metric::Latency, latency);
    run.add(Metric::OutputThroughput, run.number(root["results_mean_output_throughput_token_per_s"]));
    run.add(Metric::RequestRate, run.number(root["results_num_completed_requests_per_min"]), 1.0 / 60);
    return true;
}

bool readK6(JsonValue root, BenchRun& run)
{
    JsonValue duration = root["metrics"]["http_req_duration"];
    JsonValue requests = root["metrics"]["http_reqs"];
    for (JsonValue metric = root["results"]["metrics"].firstChild(); metric; metric = metric.next()) {
        if (metric["name"].text() == "http_req_duration")
            duration = metric["values"];
        if (metric["name"].text() == "http_reqs")
            requests = metric["values"];
    }
    if (!duration.isObject())
        return false;
    run.tool = "k6";
    run.about.load
        = servedLoad(run.number(root["metrics"]["vus"]["value"]), std::nullopt, false, std::nullopt);
    run.add(Metric::Latency, run.number(duration["avg"]), 1e-3);
    run.add(Metric::RequestRate, run.number(requests["rate"]));
    return true;
}

} // namespace headroom
