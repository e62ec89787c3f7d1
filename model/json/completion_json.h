#pragma once

#include "model/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// What an OpenAI-compatible server is asked for: a completion of `maxTokens` tokens, streamed, ending early
// for nothing.
[[nodiscard]] std::string completionRequestJson(const std::string& model, const std::string& prompt,
                                                std::int64_t maxTokens);

// One event of the stream.
struct CompletionChunk {
    bool hasText = false;
    std::optional<double> promptTokens; // where the server counts them, in its last event
    std::optional<double> outputTokens;
};
[[nodiscard]] Result<CompletionChunk> readCompletionChunk(std::string_view event);

// Ids that GET /v1/models lists.
[[nodiscard]] Result<std::vector<std::string>> readServedModels(std::string_view text);

} // namespace headroom
