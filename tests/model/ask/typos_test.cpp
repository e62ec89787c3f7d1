#include "headroom_source_dir.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"
#include "tests/model/ask/describe.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

// clang-format off
// A name of each family of the catalogue, and the words of questions that are said the most.
constexpr std::array<std::string_view, 30> models {
    "llama 3.1 70b", "qwen3 32b", "deepseek v3", "nemotron super 49b", "gemma 3 27b", "mistral small 24b", "olmo 2 32b", "minimax m2", "smollm 1.7b", "kimi k2",
    "granite 4.0 h small", "mixtral 8x7b", "internlm2.5 20b", "falcon 40b", "ministral 8b", "jamba mini", "ernie 4.5 21b", "command r", "bloom 176b", "baichuan2 13b",
    "tinyllama 1.1b", "starcoder2 15b", "hunyuan a13b", "codestral mamba 7b", "codellama 34b", "chatglm3 6b", "llama 4 maverick", "llama 4 scout", "qwen3 coder 30b", "deepseek r1 distill llama 70b"
};
constexpr std::array<std::string_view, 9> accelerators {
    "geforce rtx 4090", "radeon rx 7900 xtx", "instinct mi300x", "ascend 910b", "gaudi 3", "trainium2", "inferentia2", "jetson agx orin", "rtx pro 6000 blackwell"
};
constexpr std::array<std::string_view, 5> engines {"sglang", "tensorrt-llm", "lmdeploy", "exllama", "vllm"};
constexpr std::array<std::string_view, 30> words {
    "users", "tokens", "concurrent", "context", "prompts", "requests", "output", "second", "month", "answers", "cheapest", "latency", "speed", "budget", "throughput",
    "million", "batch", "prompt", "total", "seconds", "concurrency", "parallel", "active", "cards", "nodes", "answer", "simultaneous", "sessions", "minute", "replicas"
};
constexpr std::array<std::string_view, 12> sentences {
    "llama 3.1 70b on h100, 40 users, 2000 input tokens, 300 output tokens, 20 tok/s",
    "qwen3 32b on h200, 64 concurrent requests, context 16k, budget $5000 a month",
    "prompts of 4k and answers of 500, 120 users, mixtral 8x7b on a100, latency under 20 seconds",
    "30 requests per second, prompt 1000 output 200, llama 3.1 8b on l40s, cheapest",
    "gemma 3 27b on 2x a100 with a batch of 32: throughput?",
    "200 simultaneous sessions of qwen3 32b at a speed of 30 tokens per second each on h100",
    "a million tokens per minute in total, llama 3.1 8b, h100",
    "deepseek r1 on h200, monthly budget $90k, average prompt 3000 tokens",
    "llama 3.1 70b, 8 cards of h100, 2 replicas, tensor parallel 4, 30 users",
    "3 nodes of 8 h100, deepseek v3, concurrency 100, outputs of 800 tokens",
    "500 registered users, 10% active at once, llama 3.1 8b on l4",
    "1 second to the first token, llama 3.1 8b on l4, 50 users, answer length 300"
};
// clang-format on

using Random = std::mt19937;

// One letter more, less, other, doubled, or two swapped, as keys lie beside each other.
std::string mistyped(std::string word, Random& random)
{
    constexpr std::string_view keys = "qwertyuiopasdfghjklzxcvbnm";
    const std::size_t at = 1 + random() % (word.size() - 1);
    const std::size_t key = keys.find(word[at]);
    const char beside = keys[key > 0 ? key - 1 : 1];
    switch (random() % 5) {
    case 0:
        return word.insert(at, 1, beside);
    case 1:
        return word.erase(at, 1);
    case 2:
        return word.insert(at, 1, word[at]);
    case 3:
        std::swap(word[at - 1], word[at]);
        return word;
    default:
        word[at] = beside;
        return word;
    }
}

// Where the words of five letters or more begin, and how long they are.
std::vector<std::pair<std::size_t, std::size_t>> longWords(std::string_view text)
{
    std::vector<std::pair<std::size_t, std::size_t>> out;
    const auto letter = [&](std::size_t i) { return i < text.size() && text[i] >= 'a' && text[i] <= 'z'; };
    for (std::size_t at = 0; at < text.size(); ++at) {
        std::size_t end = at;
        while (letter(end))
            ++end;
        if (end - at >= 5)
            out.emplace_back(at, end - at);
        at = std::max(at, end);
    }
    return out;
}

struct Score {
    std::size_t right = 0;
    std::size_t asked = 0;
    std::size_t told = 0; // the word is told as not used
    std::size_t all = 0;
    std::string misread;
};

class Typist {
public:
    Typist() : m_catalogue(*Catalogue::open(HEADROOM_SOURCE_DIR)), m_vocabulary(vocabularyOf(*m_catalogue)) {}

    void type(const std::string& text, std::pair<std::size_t, std::size_t> place, Score& score)
    {
        const auto meant = ask::read(text, m_vocabulary);
        REQUIRE_MESSAGE(meant, text);
        const std::string word = text.substr(place.first, place.second);
        const std::string typed = mistyped(word, m_random);
        const std::string other
            = text.substr(0, place.first) + typed + text.substr(place.first + place.second);
        const auto read = ask::read(other, m_vocabulary);
        ++score.all;
        if (!read)
            ++score.asked;
        else if (describe(*read) == describe(*meant))
            ++score.right;
        else if (std::any_of(read->unused.begin(), read->unused.end(), [&](const ask::Unused& one) {
                     return one.said.find(typed) != std::string::npos;
                 }))
            ++score.told;
        else
            score.misread += "\n  " + other + "\n    " + describe(*read);
    }

private:
    std::shared_ptr<const Catalogue> m_catalogue;
    ask::Vocabulary m_vocabulary;
    Random m_random{2026};
};

void check(const Score& score, double share)
{
    CHECK_MESSAGE(score.misread.empty(), score.misread);
    CHECK(static_cast<double>(score.right) >= share * static_cast<double>(score.all));
    MESSAGE(score.right << " right, " << score.asked << " asked, " << score.told << " told as not used, of "
                        << score.all);
}

} // namespace

TEST_CASE("A typo in a name is read as the name, or asked about")
{
    Typist typist;
    Score score;
    constexpr std::size_t each = 6;
    const auto all = [&](const auto& names, std::string_view before, std::string_view behind) {
        for (const std::string_view name : names)
            for (const auto& [at, size] : longWords(name))
                for (std::size_t i = 0; i < each; ++i)
                    typist.type(std::string(before) + std::string(name) + std::string(behind),
                                {before.size() + at, size}, score);
    };
    all(models, "", " on h100, 40 users, 25 tok/s");
    all(accelerators, "llama 3.1 8b on 4x ", ", 10 users at 20 tps");
    all(engines, "qwen3 32b on 4x h100 with ", ", 20 users");
    check(score, 0.97);
}

TEST_CASE("A typo in a common word is read as the word, or asked about")
{
    Typist typist;
    Score score;
    constexpr std::size_t each = 6;
    for (const std::string_view sentence : sentences)
        for (const auto& [at, size] : longWords(sentence))
            if (std::find(words.begin(), words.end(), sentence.substr(at, size)) != words.end())
                for (std::size_t i = 0; i < each; ++i)
                    typist.type(std::string(sentence), {at, size}, score);
    check(score, 0.95);
}

TEST_CASE("Two letters of a name may be wrong, and what it was read as is told")
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    const auto question = ask::read("lamma 3.1 70b on 8xH100, 40 usres, 25 tok/s", vocabularyOf(**catalogue));
    REQUIRE(question);
    CHECK(describe(*question) == "fit model=llama-3.1-70b gpus=h100-sxm-80gb count=8 users=40 tps=25");
    const auto told = [&](std::string_view why) {
        return std::any_of(
            question->interpretation.begin(), question->interpretation.end(),
            [&](const ask::Interpretation& one) { return one.why.find(why) != std::string::npos; });
    };
    CHECK(told("'lamma' read as 'llama'"));
    CHECK(told("'usres' read as 'users'"));
}

} // namespace headroom::tests
