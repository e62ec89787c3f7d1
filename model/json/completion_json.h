#pragma once

#include "model/base/result.h"

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
    std::size_t textBytes = 0;
    bool hasChoice = false; // a piece of the answer, be its text empty
    std::string finish;     // why the answer ends with this piece; empty: it goes on
    // Where the server counts them, in its last event or in each.
    std::optional<std::int64_t> promptTokens, outputTokens;
    std::string serverError; // instead of an answer
    std::string wrongUsage;  // a count that is none, as written: "completion_tokens -7"
};
[[nodiscard]] Result<CompletionChunk> readCompletionChunk(std::string_view event);

// Ids that GET /v1/models lists.
[[nodiscard]] Result<std::vector<std::string>> readServedModels(std::string_view text);

// Forms of POST /tokenize: vLLM's and SGLang's, llama.cpp's, and TGI's.
enum class TokenizerForm : std::uint8_t { Prompt, Content, Inputs };
[[nodiscard]] std::string tokenizeRequestJson(TokenizerForm form, const std::string& model,
                                              const std::string& text);
// How many tokens the answer counts or lists.
[[nodiscard]] Result<std::int64_t> readTokenCount(TokenizerForm form, std::string_view answer);

} // namespace headroom
