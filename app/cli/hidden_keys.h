#pragma once

#include <string>
#include <string_view>

namespace headroom::cli {

// The text with whatever looks like the key of a service cut down to its first letters, "sk-…": a message
// that repeats a word of the command line ends in logs.
[[nodiscard]] std::string withoutKeys(std::string_view text);

// Whether a flag of this name, which no verb has, would carry a key: "--api-key", "--hf-token".
[[nodiscard]] bool namesKey(std::string_view flag);

} // namespace headroom::cli
