// JSON lines: a run for each line (SGLang, llama-batched-bench) or a request for each line (AIPerf, LLMPerf,
// k6).
#include "model/import/bench_run.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

namespace {

// The mean of what the requests of a run report.
class Mean {
public:
    void add(std::optional<double> value)
    {
        if (!value)
            return;
        m_sum += *value;
        m_least = m_count == 0 ? *value : std::min(m_least, *value);
        m_most = m_count == 0 ? *value : std::max(m_most, *value);
        ++m_count;
    }
    [[nodiscard]] std::optional<double> value() const
    {
        return m_count == 0 ? std::nullopt : std::optional<double>(m_sum / m_count);
    }
    [[nodiscard]] std::string length() const
    {
        return m_count == 0 ? "" : lengthText(*value(), m_least == m_most);
    }

private:
    double m_sum = 0;
    double m_least = 0;
    double m_most = 0;
    double m_count = 0;
};

struct RequestMeans {
    Mean ttft, tpot, latency, input, output;
    std::size_t failed = 0;

    // Times in seconds.
    void addTo(BenchRun& run) const
    {
        run.about.inputLength = input.length();
        run.about.outputLength = output.length();
        if (failed > 0)
            run.warnings.push_back(say("{} requests failed in this run", failed));
        run.add(Metric::Ttft, ttft.value(), 1e3);
        run.add(Metric::Tpot, tpot.value(), 1e3);
        run.add(Metric::Latency, latency.value());
    }
};

bool readAiPerfRequests(const std::vector<JsonDocument>& lines, BenchRun& run)
{
    if (!lines.front().root()["metrics"].isObject() || !lines.front().root()["metadata"].isObject())
        return false;
    run.tool = "AIPerf (requests)";
    RequestMeans requests;
    for (const JsonDocument& line : lines) {
        const JsonValue metrics = line.root()["metrics"];
        const JsonValue error = line.root()["error"];
        if ((error && !error.isNull()) || line.root()["metadata"]["was_cancelled"].boolean() == true) {
            ++requests.failed;
            continue;
        }
        const auto milliseconds = [&](std::string_view name) -> std::optional<double> {
            const JsonValue metric = metrics[name];
            if (metric && metric["unit"].text() != "ms")
                run.fail(metric, say("expected the unit ms, got {}", metric["unit"].shown()));
            const auto value = run.number(metric["value"]);
            return value ? std::optional<double>(*value * 1e-3) : std::nullopt;
        };
        requests.ttft.add(milliseconds("time_to_first_token"));
        requests.tpot.add(milliseconds("inter_token_latency"));
        requests.latency.add(milliseconds("request_latency"));
        requests.input.add(run.number(metrics["input_sequence_length"]["value"]));
        requests.output.add(run.number(metrics["output_sequence_length"]["value"]));
    }
    requests.addTo(run);
    return true;
}

bool readK6Points(const std::vector<JsonDocument>& lines, BenchRun& run)
{
    if (!lines.front().root()["metric"] || !lines.front().root()["data"].isObject())
        return false;
    run.tool = "k6 (samples)";
    RequestMeans requests;
    for (const JsonDocument& line : lines)
        if (line.root()["type"].text() == "Point" && line.root()["metric"].text() == "http_req_duration") {
            const auto value = run.number(line.root()["data"]["value"]);
            requests.latency.add(value ? std::optional<double>(*value * 1e-3) : std::nullopt);
        }
    requests.addTo(run);
    return true;
}

bool readBatchedBench(const std::vector<JsonDocument>& lines, BenchRun& run)
{
    if (!lines.front().root()["speed_pp"] || !lines.front().root()["pl"])
        return false;
    run.tool = "llama-batched-bench";
    for (const JsonDocument& line : lines) {
        const JsonValue root = line.root();
        const auto batch = run.number(root["pl"]);
        const auto generated = run.number(root["tg"]);
        run.about = {.engine = "llama.cpp"};
        setLlamaModel(run.about,
                      run.text(root["model_type"])); // the tool does not write it: scripts around it
        run.about.inputLength = lengthText(run.number(root["pp"]).value_or(-1), true);
        run.about.outputLength = lengthText(generated.value_or(-1), true);
        run.about.load = servedLoad(batch, std::nullopt, false, std::nullopt);
        run.add(Metric::Ttft, run.number(root["t_pp"]), 1e3);
        if (generated && *generated > 0)
            run.add(Metric::Tpot, run.number(root["t_tg"]), 1e3 / *generated);
        run.add(Metric::Latency, run.number(root["t"]));
        run.add(Metric::TotalThroughput, run.number(root["speed"]));
    }
    return true;
}

} // namespace

bool readBenchLines(const std::vector<JsonDocument>& lines, BenchRun& run)
{
    if (lines.empty())
        return false;
    if (readAiPerfRequests(lines, run) || readK6Points(lines, run) || readBatchedBench(lines, run))
        return true;
    const MeasuredRow nothing = run.about;
    for (const JsonDocument& line : lines) {
        run.about = nothing;
        if (!readSglang(line.root(), run) && !readVllm(line.root(), run))
            return false;
    }
    return true;
}

} // namespace headroom
