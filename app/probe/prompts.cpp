#include "app/probe/prompts.h"

#include <algorithm>
#include <cmath>

namespace headroom::probe {

const std::vector<std::string_view>& allWords()
{
    static const std::vector<std::string_view> words{
        "time",  "year", "day",   "way",   "man",  "thing", "life", "hand", "part",  "eye",   "place",
        "work",  "week", "case",  "point", "home", "water", "room", "area", "money", "story", "fact",
        "month", "lot",  "right", "study", "book", "word",  "side", "kind", "head",  "house"};
    return words;
}

PromptWriter::PromptWriter() : PromptWriter(allWords(), {}, 0, 0) {}

PromptWriter::PromptWriter(std::vector<std::string_view> words, PromptScale scale, double sharedPart,
                           std::uint64_t nonce)
    : m_words(std::move(words)), m_scale(scale), m_shared(sharedPart), m_nonce(nonce)
{}

void PromptWriter::append(std::string& text, double words, std::mt19937_64& random) const
{
    for (double i = 0; i < words; ++i) {
        text += text.empty() ? "" : " ";
        text += m_words[random() % m_words.size()];
    }
}

std::string PromptWriter::prompt(double tokens, std::uint64_t number) const
{
    const double words = std::max(1.0, std::round((tokens - m_scale.overhead) / m_scale.perWord));
    const double shared = std::floor(words * m_shared);
    std::string text;
    std::mt19937_64 common(m_nonce);
    append(text, shared, common);
    std::seed_seq seeds{m_nonce, m_nonce >> 32U, number, number >> 32U};
    std::mt19937_64 random(seeds);
    append(text, words - shared, random);
    return text;
}

std::string PromptWriter::sample(int words, std::uint64_t number) const
{
    std::string text;
    std::mt19937_64 random(number);
    append(text, words, random);
    return text;
}

} // namespace headroom::probe
