#include "app/probe/server_metrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace headroom::probe {

namespace {

using Counter = std::optional<double> ServerCounters::*;

struct Series {
    std::string_view name;
    ServerKind kind;
    Counter counter;
};

// As their documentation names them: docs.vllm.ai "Production Metrics" (both names of the prefix counters,
// before and since version 0.10), docs.sglang.io "Production Metrics", the README of llama.cpp's server
// (GET /metrics), huggingface.co/docs/text-generation-inference/reference/metrics.
constexpr std::array all{
    Series{"vllm:prompt_tokens_total", ServerKind::Vllm, &ServerCounters::promptTokens},
    Series{"vllm:generation_tokens_total", ServerKind::Vllm, &ServerCounters::outputTokens},
    Series{"vllm:num_preemptions_total", ServerKind::Vllm, &ServerCounters::preemptions},
    Series{"vllm:prefix_cache_queries_total", ServerKind::Vllm, &ServerCounters::prefixQueries},
    Series{"vllm:prefix_cache_hits_total", ServerKind::Vllm, &ServerCounters::prefixHits},
    Series{"vllm:gpu_prefix_cache_queries_total", ServerKind::Vllm, &ServerCounters::prefixQueries},
    Series{"vllm:gpu_prefix_cache_hits_total", ServerKind::Vllm, &ServerCounters::prefixHits},
    Series{"vllm:num_requests_running", ServerKind::Vllm, &ServerCounters::running},
    Series{"vllm:num_requests_waiting", ServerKind::Vllm, &ServerCounters::waiting},
    Series{"vllm:kv_cache_usage_perc", ServerKind::Vllm, &ServerCounters::kvUsed},
    Series{"vllm:gpu_cache_usage_perc", ServerKind::Vllm, &ServerCounters::kvUsed},
    Series{"sglang:prompt_tokens_total", ServerKind::Sglang, &ServerCounters::promptTokens},
    Series{"sglang:generation_tokens_total", ServerKind::Sglang, &ServerCounters::outputTokens},
    Series{"sglang:cached_tokens_total", ServerKind::Sglang, &ServerCounters::prefixHits},
    Series{"sglang:num_running_reqs", ServerKind::Sglang, &ServerCounters::running},
    Series{"sglang:num_queue_reqs", ServerKind::Sglang, &ServerCounters::waiting},
    Series{"sglang:token_usage", ServerKind::Sglang, &ServerCounters::kvUsed},
    Series{"llamacpp:prompt_tokens_total", ServerKind::LlamaCpp, &ServerCounters::promptTokens},
    Series{"llamacpp:tokens_predicted_total", ServerKind::LlamaCpp, &ServerCounters::outputTokens},
    Series{"llamacpp:requests_processing", ServerKind::LlamaCpp, &ServerCounters::running},
    Series{"llamacpp:requests_deferred", ServerKind::LlamaCpp, &ServerCounters::waiting},
    Series{"llamacpp:kv_cache_usage_ratio", ServerKind::LlamaCpp, &ServerCounters::kvUsed},
    Series{"tgi_request_input_length_sum", ServerKind::Tgi, &ServerCounters::promptTokens},
    Series{"tgi_request_generated_tokens_sum", ServerKind::Tgi, &ServerCounters::outputTokens},
    Series{"tgi_batch_current_size", ServerKind::Tgi, &ServerCounters::running},
    Series{"tgi_queue_size", ServerKind::Tgi, &ServerCounters::waiting},
};

// "name{labels} value [time]"; nothing of a comment or of what is no such line.
std::optional<std::pair<std::string_view, double>> sample(std::string_view line)
{
    const std::size_t nameEnd = line.find_first_of("{ ");
    if (line.empty() || line.front() == '#' || nameEnd == std::string_view::npos)
        return std::nullopt;
    const std::size_t labelsEnd = line[nameEnd] == '{' ? line.rfind('}') : nameEnd;
    if (labelsEnd == std::string_view::npos)
        return std::nullopt;
    const std::size_t begin = line.find_first_not_of(' ', labelsEnd + 1);
    if (begin == std::string_view::npos)
        return std::nullopt;
    double value = 0;
    const auto [end, error] = std::from_chars(line.data() + begin, line.data() + line.size(), value);
    if (error != std::errc{} || !std::isfinite(value) || value < 0)
        return std::nullopt;
    return std::pair(line.substr(0, nameEnd), value);
}

// Several engines behind one address count each for themselves; of their caches the fullest matters.
void add(ServerCounters& counters, Counter counter, double value)
{
    std::optional<double>& to = counters.*counter;
    to = counter == &ServerCounters::kvUsed ? std::max(to.value_or(0), value) : to.value_or(0) + value;
}

} // namespace

std::string_view serverKindName(ServerKind kind)
{
    switch (kind) {
    case ServerKind::Vllm:
        return "vllm";
    case ServerKind::Sglang:
        return "sglang";
    case ServerKind::LlamaCpp:
        return "llama.cpp";
    case ServerKind::Tgi:
        return "tgi";
    case ServerKind::Unknown:
        break;
    }
    return "";
}

std::optional<ServerCounters> readServerMetrics(std::string_view text)
{
    ServerCounters counters;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (const auto found = sample(text.substr(0, end))) {
            const auto* const series = std::find_if(
                all.begin(), all.end(), [&](const Series& one) { return one.name == found->first; });
            if (series != all.end()) {
                counters.kind = series->kind;
                add(counters, series->counter, found->second);
            }
        }
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    if (counters.kind == ServerKind::Unknown)
        return std::nullopt;
    return counters;
}

std::optional<ServerCounters> between(const ServerCounters& before, const ServerCounters& after)
{
    ServerCounters counted = after;
    for (const Counter counter :
         {&ServerCounters::promptTokens, &ServerCounters::outputTokens, &ServerCounters::preemptions,
          &ServerCounters::prefixQueries, &ServerCounters::prefixHits}) {
        if (!(after.*counter))
            continue;
        const double difference = *(after.*counter) - (before.*counter).value_or(0);
        if (difference < 0)
            return std::nullopt;
        counted.*counter = difference;
    }
    return counted;
}

} // namespace headroom::probe
