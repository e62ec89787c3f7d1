#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::probe {

// Whence it is known how many tokens a word is.
enum class WordsCounted : std::uint8_t {
    Not,         // one each is taken
    ByUsage,     // on average, from what the server counted of two prompts
    ByTokenizer, // each, by the server's own
};

// How long a prompt of so many words is for the server: tokens = overhead + words * perWord.
struct PromptScale {
    double overhead = 0; // marks that the server puts around it
    double perWord = 1;
    WordsCounted counted = WordsCounted::Not;

    friend bool operator==(const PromptScale&, const PromptScale&) = default;
};

// Prompts of random short words. Each is a text of its own, so that no prefix cache knows it, unless a share
// is asked to be common to all.
class PromptWriter {
public:
    PromptWriter(); // all words, one token each
    // `nonce` tells one run from the next: the same seed must not meet the cache that it filled before.
    PromptWriter(std::vector<std::string_view> words, PromptScale scale, double sharedPart,
                 std::uint64_t nonce);

    // About so many tokens long, the `number`th of a run.
    [[nodiscard]] std::string prompt(double tokens, std::uint64_t number) const;
    [[nodiscard]] const PromptScale& scale() const { return m_scale; }
    [[nodiscard]] const std::vector<std::string_view>& words() const { return m_words; }
    // So many words, the same for the same number; for measuring them.
    [[nodiscard]] std::string sample(int words, std::uint64_t number) const;

private:
    void append(std::string& text, double words, std::mt19937_64& random) const;

    std::vector<std::string_view> m_words;
    PromptScale m_scale;
    double m_shared = 0;
    std::uint64_t m_nonce = 0;
};

// What there is to choose from: short English words that usual tokenisers keep whole.
[[nodiscard]] const std::vector<std::string_view>& allWords();

} // namespace headroom::probe
