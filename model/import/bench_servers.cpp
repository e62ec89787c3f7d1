// Result files of the engines' own load tools: vLLM, SGLang, TensorRT-LLM, llama.cpp.
#include "model/import/bench_run.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

// A tool's `backend` names the server only where it is not just the protocol.
std::string engineOf(std::string_view backend)
{
    struct Name {
        std::string_view start;
        std::string_view engine;
    };
    constexpr std::array names{Name{"vllm", "vLLM"},
                               Name{"sglang", "SGLang"},
                               Name{"trt", "TensorRT-LLM"},
                               Name{"tensorrt", "TensorRT-LLM"},
                               Name{"lmdeploy", "LMDeploy"},
                               Name{"tgi", "TGI"},
                               Name{"deepspeed", "DeepSpeed-MII"},
                               Name{"llama.cpp", "llama.cpp"}};
    for (const Name& known : names)
        if (backend.starts_with(known.start))
            return std::string(known.engine);
    return {};
}

// vLLM writes the text "inf" for no limit, SGLang also the number Infinity, and "trace" for a replay.
bool isUnlimited(JsonValue rate) { return rate.type() == JsonType::NonFinite || rate.text() == "inf"; }
std::optional<double> paceOf(BenchRun& run, JsonValue rate)
{
    return rate.type() == JsonType::String ? std::nullopt : run.number(rate);
}

// What vllm and sglang write alike.
void addServed(JsonValue root, BenchRun& run, std::string_view latencyKey)
{
    const auto completed = run.number(root["completed"]);
    const JsonValue rate = root["request_rate"];
    run.about.engine = engineOf(run.text(root["backend"]));
    run.about.inputLength = lengthText(run.number(root["total_input_tokens"]), completed, root["input_lens"]);
    run.about.outputLength
        = lengthText(run.number(root["total_output_tokens"]), completed, root["output_lens"]);
    run.about.load = servedLoad(run.number(root["max_concurrency"]), paceOf(run, rate), isUnlimited(rate),
                                root["num_prompts"] ? run.number(root["num_prompts"]) : completed);
    if (rate.text() == "trace")
        run.about.load = "trace replay";
    if (const auto failed = run.number(root["failed"]); failed && *failed > 0)
        run.warnings.push_back(say("{} requests failed in this run", *failed));
    run.add(Metric::Ttft, run.number(root["mean_ttft_ms"]));
    run.add(Metric::Tpot, run.number(root["mean_tpot_ms"]));
    run.add(Metric::Latency, run.number(root[latencyKey]), 1e-3);
    run.add(Metric::OutputThroughput, run.number(root["output_throughput"]));
    run.add(Metric::RequestRate, run.number(root["request_throughput"]));
}

std::optional<int> wholeIn(BenchRun& run, JsonValue value, std::int64_t least, std::int64_t most)
{
    if (!value || value.isNull())
        return std::nullopt;
    const auto whole = value.whole();
    if (whole && *whole >= least && *whole <= most)
        return static_cast<int>(*whole);
    run.fail(value, say("expected a whole number from {} to {}, got {}", least, most, value.shown()));
    return std::nullopt;
}
constexpr std::int64_t mostGpus = 1'000'000;

} // namespace

bool readVllm(JsonValue root, BenchRun& run)
{
    if (root["total_token_throughput"] && root["mean_ttft_ms"]) {
        run.tool = "vllm bench serve";
        run.about.model = run.text(root["model_id"]);
        addServed(root, run, "mean_e2el_ms");
        run.add(Metric::TotalThroughput, run.number(root["total_token_throughput"]));
        return true;
    }
    if (root["elapsed_time"] && root["tokens_per_second"]) {
        run.tool = "vllm bench throughput";
        run.about.engine = "vLLM";
        run.about.load = "max";
        run.add(Metric::TotalThroughput, run.number(root["tokens_per_second"]));
        run.add(Metric::RequestRate, run.number(root["requests_per_second"]));
        return true;
    }
    if (root["avg_latency"] && root["latencies"] && root["percentiles"]) {
        run.tool = "vllm bench latency";
        run.about.engine = "vLLM";
        run.add(Metric::Latency, run.number(root["avg_latency"]));
        return true;
    }
    return false;
}

bool readSglang(JsonValue root, BenchRun& run)
{
    const auto batch = root["batch_size"] ? run.number(root["batch_size"]) : std::nullopt;
    const auto setBatch = [&] {
        run.about.engine = "SGLang";
        run.about.inputLength = lengthText(run.number(root["input_len"]).value_or(0), true);
        run.about.outputLength = lengthText(run.number(root["output_len"]).value_or(0), true);
        run.about.load = servedLoad(batch, std::nullopt, false, std::nullopt);
    };
    if (root["mean_e2e_latency_ms"] && root["total_throughput"]) {
        run.tool = "sglang.bench_serving";
        addServed(root, run, "mean_e2e_latency_ms");
        run.add(Metric::TotalThroughput, run.number(root["total_throughput"]));
        return true;
    }
    if (root["prefill_latency"] && root["median_decode_latency"]) {
        run.tool = "sglang.bench_one_batch";
        setBatch();
        run.add(Metric::Ttft, run.number(root["prefill_latency"]), 1e3);
        run.add(Metric::Tpot, run.number(root["median_decode_latency"]), 1e3);
        run.add(Metric::Latency, run.number(root["total_latency"]));
        run.add(Metric::TotalThroughput, run.number(root["overall_throughput"]));
        return true;
    }
    if (root["last_ttft"] && root["overall_throughput"]) {
        run.tool = "sglang.bench_one_batch_server";
        setBatch();
        run.add(Metric::Ttft, run.number(root["last_ttft"]), 1e3);
        run.add(Metric::Latency, run.number(root["latency"]));
        run.add(Metric::TotalThroughput, run.number(root["overall_throughput"]));
        // Its output throughput is batch x output over the time after the last first token.
        const auto decode = run.number(root["output_throughput"]);
        if (decode && batch && *batch > 0)
            run.add(Metric::DecodeRatePerUser, *decode / *batch);
        return true;
    }
    return false;
}

bool readTrtLlm(JsonValue root, BenchRun& run)
{
    const JsonValue world = root["world_info"];
    const JsonValue performance = root["performance"];
    if (!world.isObject() || !performance.isObject() || !root["request_info"].isObject())
        return false;
    const JsonValue engine = root["engine"];
    const JsonValue requests = root["request_info"];
    run.tool = "trtllm-bench";
    run.about.engine = "TensorRT-LLM";
    run.about.engineVersion = run.text(engine["version"]);
    run.about.model = run.text(engine["model"]);
    run.about.gpu = run.text(root["machine"]["name"]);
    run.about.gpus = wholeIn(run, world["world_size"], 1, mostGpus);
    run.about.tp = wholeIn(run, world["tp_size"], 1, mostGpus);
    run.about.pp = wholeIn(run, world["pp_size"], 1, mostGpus);
    run.about.computeDtype = run.text(engine["dtype"]);
    run.about.weightDtype = run.text(engine["quantization"]);
    if (run.about.weightDtype.empty())
        run.about.weightDtype = run.about.computeDtype;
    run.about.kvDtype = run.text(engine["kv_cache_dtype"]);
    run.about.inputLength = lengthText(run.number(requests["avg_input_length"]).value_or(-1), false);
    run.about.outputLength = lengthText(run.number(requests["avg_output_length"]).value_or(-1), false);
    const auto rate = run.number(world["issue_rate"]);
    constexpr double asFastAsPossible = 1e6; // the tool writes 1e14 where nothing limits it
    run.about.load
        = rate && *rate >= asFastAsPossible ? "max" : servedLoad(std::nullopt, rate, false, std::nullopt);
    run.add(Metric::OutputThroughput, run.number(performance["system_output_throughput_tok_s"]));
    run.add(Metric::TotalThroughput, run.number(performance["system_total_throughput_tok_s"]));
    run.add(Metric::RequestRate, run.number(performance["request_throughput_req_s"]));
    run.add(Metric::Latency, run.number(performance["avg_request_latency_ms"]), 1e-3);
    run.add(Metric::Ttft, run.number(root["streaming_metrics"]["avg_ttft_ms"]));
    run.add(Metric::Tpot, run.number(root["streaming_metrics"]["avg_tpot_ms"]));
    return true;
}

// The middle of a test's repetitions: the first ones still load kernels and record graphs. Their mean where
// the tool tells no more.
double llamaSpeed(JsonValue test, BenchRun& run)
{
    std::vector<double> speeds;
    for (JsonValue one = test["samples_ts"].firstChild(); one; one = one.next())
        if (const auto speed = run.number(one))
            speeds.push_back(*speed);
    if (speeds.empty())
        return run.number(test["avg_ts"]).value_or(0);
    std::sort(speeds.begin(), speeds.end());
    const std::size_t half = speeds.size() / 2;
    return speeds.size() % 2 == 1 ? speeds[half] : (speeds[half - 1] + speeds[half]) / 2;
}

bool readLlamaBench(JsonValue root, BenchRun& run)
{
    if (!root.isArray() || !root.firstChild()["avg_ts"] || !root.firstChild()["n_prompt"])
        return false;
    run.tool = "llama-bench (JSON)";
    for (JsonValue test = root.firstChild(); test; test = test.next()) {
        run.about = {.engine = "llama.cpp", .engineVersion = run.text(test["build_commit"])};
        setLlamaGpus(run.about, run.text(test["gpu_info"]), run.text(test["split_mode"]));
        setLlamaModel(run.about, run.text(test["model_type"]));
        run.about.kvDtype = run.text(test["type_k"]);
        addLlamaBench(run, run.number(test["n_prompt"]).value_or(0), run.number(test["n_gen"]).value_or(0),
                      run.number(test["n_depth"]).value_or(0), llamaSpeed(test, run));
    }
    return true;
}

// Of each level the middle of its requests; a level where some failed says nothing of the others.
bool readProbe(JsonValue root, BenchRun& run)
{
    if (root["schema"].text() != "headroom.probe/1")
        return false;
    run.tool = "headroom probe";
    const MeasuredRow server{.engine = run.text(root["server"]), .model = run.text(root["model"])};
    for (JsonValue level = root["levels"].firstChild(); level; level = level.next()) {
        const auto failed = run.number(level["failed"]);
        const auto users = run.number(level["concurrency"]);
        if (failed && *failed > 0) {
            run.warnings.push_back(
                say("{} requests failed at {} users: passed over", *failed, users.value_or(0)));
            continue;
        }
        run.about = server;
        run.about.inputLength = lengthText(run.number(level["prompt_tokens"]).value_or(-1), true);
        run.about.outputLength = lengthText(run.number(level["output_tokens"]).value_or(-1), true);
        run.about.load = servedLoad(users, run.number(level["rate_asked"]), false, std::nullopt);
        run.add(Metric::Ttft, run.number(level["ttft_p50_s"]), 1e3);
        run.add(Metric::Tpot, run.number(level["tpot_p50_s"]), 1e3);
        run.add(Metric::OutputThroughput, run.number(level["output_tokens_per_s"]));
    }
    return true;
}

} // namespace headroom
