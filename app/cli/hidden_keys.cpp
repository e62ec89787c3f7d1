#include "app/cli/hidden_keys.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace headroom::cli {

namespace {

// How the keys of OpenAI and those that follow it, Hugging Face, Groq, NVIDIA, xAI and GitHub begin.
constexpr std::array<std::string_view, 7> beginnings{"sk-", "sk_", "hf_", "gsk_", "nvapi-", "xai-", "ghp_"};
constexpr std::size_t leastLetters = 8; // after these; "hf_id" is none

bool ofKey(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; }

// How long the key at the beginning of `text` is; 0: there is none.
std::size_t keyLength(std::string_view text)
{
    for (const std::string_view beginning : beginnings) {
        if (!text.starts_with(beginning))
            continue;
        const auto end = std::find_if_not(text.begin(), text.end(), ofKey);
        const auto length = static_cast<std::size_t>(end - text.begin());
        return length >= beginning.size() + leastLetters ? length : 0;
    }
    return 0;
}

} // namespace

std::string withoutKeys(std::string_view text)
{
    constexpr std::size_t shown = 3;
    std::string out;
    bool inWord = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = inWord ? 0 : keyLength(text.substr(at));
        if (length > 0)
            out.append(text.substr(at, shown)).append("…");
        else
            out += text[at];
        inWord = length > 0 || std::isalnum(static_cast<unsigned char>(text[at])) != 0;
        at += std::max<std::size_t>(length, 1);
    }
    return out;
}

bool namesKey(std::string_view flag)
{
    constexpr std::array<std::string_view, 5> words{"key", "token", "secret", "password", "auth"};
    std::string lower(flag);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

} // namespace headroom::cli
