#pragma once

#include <optional>
#include <string_view>

namespace headroom {

// How many requests the documented procedure of the load tool that a row's notes name sends at these lengths;
// 0 where none is documented. A finite run fills up and drains, which its mean throughput contains.
[[nodiscard]] double documentedRequests(std::string_view notes, double promptTokens, double outputTokens);

// The share of free memory that the same procedure gives to the cache; none where none is documented.
[[nodiscard]] std::optional<double> documentedCacheShare(std::string_view notes);

// The year that the tool named in a row's notes was first published in; 0 where none is known.
[[nodiscard]] int firstYearOf(std::string_view notes);

// A tool that keeps its own batch: llama-batched-bench computes all prompts, so many tokens at a time, and
// then decodes all sequences together (ggml-org/llama.cpp: tools/batched-bench).
[[nodiscard]] bool keepsOwnBatch(std::string_view notes);

} // namespace headroom
