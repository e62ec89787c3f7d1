#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom::probe {

enum class ServerKind : std::uint8_t { Unknown, Vllm, Sglang, LlamaCpp, Tgi };
// "vllm"; empty of an unknown one.
[[nodiscard]] std::string_view serverKindName(ServerKind kind);

// What an engine counts of itself. What it does not tell is empty.
struct ServerCounters {
    ServerKind kind = ServerKind::Unknown;
    std::optional<double> promptTokens, outputTokens;
    std::optional<double> preemptions;
    std::optional<double> prefixQueries, prefixHits; // tokens looked up and found in the prefix cache
    std::optional<double> running, waiting;          // requests, at the moment of the reading
    std::optional<double> kvUsed;                    // share of the KV cache, at the moment of the reading
};

// GET /metrics in the text form of Prometheus, as vLLM, SGLang, llama.cpp and TGI give it; nothing of others.
[[nodiscard]] std::optional<ServerCounters> readServerMetrics(std::string_view text);

// What was counted between two readings; of what is no counter, the later one. Nothing where a counter ran
// back: the server was started anew.
[[nodiscard]] std::optional<ServerCounters> between(const ServerCounters& before,
                                                    const ServerCounters& after);

} // namespace headroom::probe
