#include "model/measured/measured_row.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

struct MetricFacts {
    Metric metric;
    std::string_view name;
    std::string_view unit;
};
constexpr std::array metricFacts{
    MetricFacts{Metric::OutputThroughput, "output_throughput_tok_s_total", "tok/s"},
    MetricFacts{Metric::TotalThroughput, "total_throughput_tok_s", "tok/s"},
    MetricFacts{Metric::DecodeRatePerUser, "decode_tok_s_per_user", "tok/s"},
    MetricFacts{Metric::Ttft, "ttft_ms", "ms"},
    MetricFacts{Metric::Tpot, "tpot_ms", "ms"},
    MetricFacts{Metric::InterToken, "itl_ms", "ms"},
    MetricFacts{Metric::Latency, "e2e_s", "s"},
    MetricFacts{Metric::RequestRate, "requests_per_s", "req/s"},
};

constexpr std::array<std::string_view, 6> statisticNames{"mean", "p50", "p75", "p90", "p95", "p99"};

std::string_view trimmed(std::string_view text)
{
    const auto isSpace = [](char c) { return c == ' ' || c == '\t'; };
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    return text;
}

struct LeadingNumber {
    double value = 0;
    std::string_view rest;
};
// Decimal digits and a point only: from_chars would also read "inf", "nan" and exponents.
std::optional<LeadingNumber> leadingNumber(std::string_view text)
{
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) == 0)
        return std::nullopt;
    double value = 0;
    const auto [end, error]
        = std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !std::isfinite(value))
        return std::nullopt;
    return LeadingNumber{value, trimmed(text.substr(static_cast<std::size_t>(end - text.data())))};
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return out;
}

} // namespace

std::string_view metricName(Metric metric) { return metricFacts.at(static_cast<std::size_t>(metric)).name; }
std::string_view metricUnit(Metric metric) { return metricFacts.at(static_cast<std::size_t>(metric)).unit; }

std::string_view figureKind(Metric metric)
{
    switch (metric) {
    case Metric::Ttft:
        return "first token";
    case Metric::Tpot:
    case Metric::InterToken:
    case Metric::DecodeRatePerUser:
        return "further tokens";
    case Metric::Latency:
        return "whole request";
    case Metric::OutputThroughput:
    case Metric::TotalThroughput:
    case Metric::RequestRate:
        return "throughput";
    }
    return "throughput";
}

std::optional<Metric> metricFromName(std::string_view name)
{
    for (const MetricFacts& known : metricFacts)
        if (known.name == name)
            return known.metric;
    return std::nullopt;
}

std::string_view statisticName(Statistic statistic)
{
    return statisticNames.at(static_cast<std::size_t>(statistic));
}

std::optional<Statistic> statisticFromName(std::string_view name)
{
    const std::string key = lowered(trimmed(name));
    if (key == "median")
        return Statistic::P50;
    for (std::size_t i = 0; i < statisticNames.size(); ++i)
        if (statisticNames.at(i) == key)
            return static_cast<Statistic>(i);
    return std::nullopt;
}

Statistic statisticOfNotes(std::string_view notes)
{
    constexpr std::string_view key = "statistic";
    const std::size_t at = notes.find(key);
    if (at == std::string_view::npos)
        return Statistic::Mean;
    std::string_view rest = notes.substr(at + key.size());
    while (!rest.empty() && (rest.front() == ':' || rest.front() == ' '))
        rest.remove_prefix(1);
    return statisticFromName(rest.substr(0, rest.find_first_of(" ;,("))).value_or(Statistic::Mean);
}

MeasuredLoad readLoad(std::string_view text)
{
    const std::string key = lowered(trimmed(text));
    if (key == "max" || key == "qps=inf" || key == "qps inf")
        return {.kind = LoadKind::Saturated};
    std::string_view rest = key;
    if (rest.starts_with("qps ") || rest.starts_with("qps=")) {
        const auto rate = leadingNumber(trimmed(rest.substr(4)));
        if (rate && rate->rest.empty() && rate->value > 0)
            return {.kind = LoadKind::RequestRate, .amount = rate->value};
        return {};
    }
    const auto number = leadingNumber(rest);
    if (!number || number->value <= 0)
        return {};
    if (number->rest.empty())
        return {.kind = LoadKind::Concurrency, .amount = number->value};
    if (number->rest == "(all at once)")
        return {.kind = LoadKind::Burst, .amount = number->value};
    return {};
}

std::string loadText(const MeasuredLoad& load)
{
    switch (load.kind) {
    case LoadKind::Saturated:
        return "max";
    case LoadKind::Concurrency:
        return fmt::format("{}", load.amount);
    case LoadKind::RequestRate:
        return fmt::format("qps {}", load.amount);
    case LoadKind::Burst:
        return fmt::format("{} (all at once)", load.amount);
    case LoadKind::Unknown:
        break;
    }
    return {};
}

std::optional<TokenLength> readTokenLength(std::string_view text)
{
    text = trimmed(text);
    const bool bound = text.starts_with("<=");
    if (bound)
        text = trimmed(text.substr(2));
    const auto number = leadingNumber(text);
    if (!number)
        return std::nullopt;
    const bool whole = std::floor(number->value) == number->value;
    if (number->rest.empty())
        return TokenLength{.tokens = number->value, .mean = !whole, .bound = bound};
    if (!bound && number->rest.starts_with('(') && number->rest.ends_with("mean)"))
        return TokenLength{.tokens = number->value, .mean = true};
    return std::nullopt;
}

} // namespace headroom
