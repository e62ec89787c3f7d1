#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

// What a published or own run reports. The printed names are those of the measured-rows CSV.
enum class Metric : std::uint8_t {
    OutputThroughput,  // output tokens a second, all users and all GPUs together
    TotalThroughput,   // prompt and output tokens a second, together
    DecodeRatePerUser, // tokens a second one user sees after the first
    Ttft,              // milliseconds
    Tpot,              // milliseconds, of one request
    InterToken,        // milliseconds between two tokens, all gaps of all requests
    Latency,           // seconds, a whole request
    RequestRate        // completed requests a second
};
inline constexpr std::array allMetrics{
    Metric::OutputThroughput, Metric::TotalThroughput, Metric::DecodeRatePerUser, Metric::Ttft, Metric::Tpot,
    Metric::InterToken,       Metric::Latency,         Metric::RequestRate};
[[nodiscard]] std::string_view metricName(Metric metric); // "ttft_ms"
[[nodiscard]] std::string_view metricUnit(Metric metric); // "ms"
[[nodiscard]] std::optional<Metric> metricFromName(std::string_view name);
// What it tells of: "first token", "further tokens", "whole request" or "throughput". A rate of tokens that
// one user sees is a time of tokens, and throughput is throughput, prompts counted or not.
[[nodiscard]] std::string_view figureKind(Metric metric);

// A rate: of a faster server there is more. Else a time, of which there is less.
[[nodiscard]] constexpr bool fasterIsMore(Metric metric)
{
    return metric == Metric::OutputThroughput || metric == Metric::TotalThroughput
        || metric == Metric::DecodeRatePerUser || metric == Metric::RequestRate;
}

// Of times that differ between requests: the mean, or the percentile that is published.
enum class Statistic : std::uint8_t { Mean, P50, P75, P90, P95, P99 };
inline constexpr std::array allStatistics{Statistic::Mean, Statistic::P50, Statistic::P75,
                                          Statistic::P90,  Statistic::P95, Statistic::P99};
[[nodiscard]] std::string_view statisticName(Statistic statistic); // "mean", "p95"
// "mean", "median", "p50" to "p99".
[[nodiscard]] std::optional<Statistic> statisticFromName(std::string_view name);
// What notes say of it ("statistic: median", "statistic p95"); the mean where they say nothing.
[[nodiscard]] Statistic statisticOfNotes(std::string_view notes);

// How much work the server had: the column batch_or_concurrency.
enum class LoadKind : std::uint8_t {
    Unknown,     // empty or in words this program does not know
    Concurrency, // a static batch or a closed loop of so many users
    Saturated,   // "max": offline, everything at once, until done
    RequestRate, // "qps 4": arrivals a second whatever the server does
    Burst        // "1000 (all at once)": finite, the ramp-down lowers the mean throughput
};
struct MeasuredLoad {
    LoadKind kind = LoadKind::Unknown;
    double amount = 0; // users, requests a second or requests in the burst

    friend bool operator==(const MeasuredLoad&, const MeasuredLoad&) = default;
};
[[nodiscard]] MeasuredLoad readLoad(std::string_view text);
[[nodiscard]] std::string loadText(const MeasuredLoad& load);

// "1024", "281 (mean)" of a text set, "<=512" a bound, "290.11" an average.
struct TokenLength {
    double tokens = 0;
    bool mean = false;  // the average of lengths that differ
    bool bound = false; // at most this many

    friend bool operator==(const TokenLength&, const TokenLength&) = default;
};
[[nodiscard]] std::optional<TokenLength> readTokenLength(std::string_view text);

// GPUs of their own for prompts, in a service that is split so.
struct MeasuredPool {
    std::optional<int> replicas; // none: prompts are computed where answers are
    std::optional<int> tp;
    std::optional<int> dp;
    std::optional<int> ep;

    friend bool operator==(const MeasuredPool&, const MeasuredPool&) = default;
};

// One measured figure and what it was measured on. Texts are as the source wrote them; empty or absent: not
// said.
struct MeasuredRow {
    std::string id;
    std::string source;        // who published it
    std::string sourcePath;    // where it stands there
    std::string sourceVersion; // commit or date
    std::string engine;
    std::string engineVersion;
    std::string model;
    std::string gpu;
    std::optional<double> gpuMemoryGb; // as sold
    std::optional<int> gpus;
    std::optional<int> tp;
    std::optional<int> pp;
    std::optional<int> dp;
    std::optional<int> ep;       // where it is not stated, the notes may say it
    std::optional<int> replicas; // stated: `dp` is data-parallel attention inside a replica
    MeasuredPool prompts;
    std::string weightDtype;
    std::string kvDtype;
    std::string computeDtype;
    std::string inputLength;
    std::string outputLength;
    std::string load;
    Metric metric = Metric::OutputThroughput;
    Statistic statistic = Statistic::Mean;
    double value = 0; // in the metric's unit, for all GPUs together
    std::string notes;
    std::size_t line = 0;    // of the file it was read from; 0: none
    double cachedTokens = 0; // that stood in the cache before the prompt was read

    friend bool operator==(const MeasuredRow&, const MeasuredRow&) = default;
};

} // namespace headroom
