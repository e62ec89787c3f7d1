#include "headroom_source_dir.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"
#include "tests/model/ask/describe.h"
#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

struct Expected {
    std::string question;
    std::string reading; // the scenario, or "refused: …" with what is quoted and why
};

// Written from how people ask in forums and mails, each with the reading that its words mean.
std::vector<Expected> ownQuestions()
{
    std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/data/questions.tsv");
    std::vector<Expected> out;
    for (std::string line; std::getline(file, line);)
        if (const std::size_t tab = line.find('\t'); tab != std::string::npos && line.front() != '#')
            out.push_back({line.substr(0, tab), line.substr(tab + 1)});
    return out;
}

class Reader {
public:
    Reader() : m_catalogue(*Catalogue::open(HEADROOM_SOURCE_DIR)), m_vocabulary(vocabularyOf(*m_catalogue)) {}

    [[nodiscard]] std::string operator()(const std::string& text) const
    {
        const auto question = ask::read(text, m_vocabulary);
        if (question)
            return describe(*question);
        return "refused: " + question.error().front().where + " " + question.error().front().what.english();
    }

private:
    std::shared_ptr<const Catalogue> m_catalogue;
    ask::Vocabulary m_vocabulary;
};

using Random = std::mt19937;
std::size_t below(Random& random, std::size_t n) { return random() % n; }

std::vector<std::string> clausesOf(const std::string& text, std::string_view comma)
{
    std::vector<std::string> out;
    std::size_t from = 0;
    for (std::size_t at = text.find(comma); at != std::string::npos; at = text.find(comma, from)) {
        out.push_back(text.substr(from, at - from));
        from = at + comma.size();
    }
    out.push_back(text.substr(from));
    return out;
}

std::string_view commaOf(const std::string& text)
{
    return text.find("，") != std::string::npos ? "，" : ", ";
}

std::string joined(const std::vector<std::string>& clauses, std::string_view comma)
{
    std::string out;
    for (const std::string& clause : clauses)
        out += (out.empty() ? "" : std::string(comma)) + clause;
    return out;
}

// Clauses in another order.
std::string permuted(const std::string& text, Random& random)
{
    std::vector<std::string> clauses = clausesOf(text, commaOf(text));
    std::shuffle(clauses.begin(), clauses.end(), random);
    return joined(clauses, commaOf(text));
}

// Words that carry nothing, between clauses.
std::string filled(const std::string& text, Random& random)
{
    constexpr std::array<std::string_view, 6> english{"please",   "by the way", "basically",
                                                      "honestly", "thanks",     "for our team"};
    constexpr std::array<std::string_view, 4> chinese{"另外", "请问", "谢谢", "麻烦"};
    std::vector<std::string> clauses = clausesOf(text, commaOf(text));
    const bool han = commaOf(text) == "，";
    const std::string word(han ? chinese.at(below(random, chinese.size()))
                               : english.at(below(random, english.size())));
    clauses.insert(clauses.begin() + static_cast<std::ptrdiff_t>(below(random, clauses.size() + 1)), word);
    return joined(clauses, commaOf(text));
}

struct Spelling {
    std::string_view one;
    std::string_view other;
};

// The first of the spellings that stands in the text, said otherwise.
template <std::size_t N>
std::string respelled(const std::string& text, const std::array<Spelling, N>& spellings, Random& random)
{
    const std::size_t start = below(random, N);
    for (std::size_t i = 0; i < N; ++i) {
        const Spelling& s = spellings[(start + i) % N];
        if (const std::size_t at = text.find(s.one); at != std::string::npos)
            return text.substr(0, at) + std::string(s.other) + text.substr(at + s.one.size());
    }
    return text;
}

std::string otherUnits(const std::string& text, Random& random)
{
    constexpr std::array spellings{
        Spelling{" tok/s", " tokens per second"},
        Spelling{" tps", " tok/s"},
        Spelling{" users", " concurrent users"},
        Spelling{" rps", " requests per second"},
        Spelling{" token/s", " tokens/s"},
        Spelling{"H100", "h100"},
        Spelling{"A100", "a100"},
        Spelling{" 并发", "并发"},
        Spelling{"，", ", "},
        Spelling{" fp8", " FP8"},
        Spelling{" s,", " seconds,"},
        Spelling{" ms", " milliseconds"},
    };
    return respelled(text, spellings, random);
}

std::string otherLanguage(const std::string& text, Random& random)
{
    constexpr std::array spellings{
        Spelling{"TTFT ", "首字 "},      Spelling{" prompts,", " 输入,"},     Spelling{" users,", " 并发,"},
        Spelling{"首字", "TTFT "},       Spelling{" 并发", " users"},         Spelling{"上下文", "context "},
        Spelling{" context", " 上下文"}, Spelling{"TPOT ", "每 token 延迟 "},
    };
    return respelled(text, spellings, random);
}

// One typo in a name.
std::string mistyped(const std::string& text, Random& random)
{
    constexpr std::array spellings{
        Spelling{"llama", "lama"},      Spelling{"Llama", "Lllama"},     Spelling{"qwen", "qwne"},
        Spelling{"Qwen", "Qwem"},       Spelling{"deepseek", "deepsek"}, Spelling{"DeepSeek", "DeepSeak"},
        Spelling{"mixtral", "mixtrla"}, Spelling{"gemma", "gema"},       Spelling{"mistral", "mistal"},
    };
    return respelled(text, spellings, random);
}

// Accelerators in any order are the same choice.
std::string sorted(std::string reading)
{
    const std::size_t at = reading.find(" gpus=");
    if (at == std::string::npos || reading.find(" counts=") != std::string::npos)
        return reading;
    const std::size_t end = std::min(reading.find(' ', at + 1), reading.size());
    std::vector<std::string> names = clausesOf(reading.substr(at + 6, end - at - 6), ",");
    std::sort(names.begin(), names.end());
    return reading.substr(0, at + 6) + joined(names, ",") + reading.substr(end);
}

} // namespace

TEST_CASE("Questions from forums' habits are read as they are meant")
{
    const Reader read;
    const std::vector<Expected> questions = ownQuestions();
    CHECK(questions.size() >= 300);
    std::size_t right = 0;
    std::size_t tried = 0;
    for (std::size_t i = 0; i < questions.size(); ++i) {
        if (!test::isTried(i))
            continue;
        const Expected& one = questions[i];
        const std::string reading = read(one.question);
        ++tried;
        right += reading == one.reading ? 1U : 0U;
        CAPTURE(one.question);
        CHECK(reading == one.reading);
    }
    MESSAGE(right << " of " << tried << " as expected");
}

TEST_CASE("Variants of a question are read alike")
{
    const Reader read;
    Random random(2026);
    std::size_t variants = 0;
    std::size_t alike = 0;
    std::string others;
    constexpr std::size_t bases = 200;
    constexpr std::size_t each = 10;
    const std::array changes{permuted, filled, otherUnits, otherLanguage, mistyped};
    std::size_t used = 0;
    for (const Expected& one : ownQuestions()) {
        const bool clauses = clausesOf(one.question, commaOf(one.question)).size() >= 2;
        if (one.reading.starts_with("refused") || !clauses || used == bases)
            continue;
        ++used;
        for (std::size_t i = 0; i < each; ++i) {
            const std::string variant = changes.at(i % changes.size())(one.question, random);
            ++variants;
            const std::string reading = read(variant);
            if (sorted(reading) == sorted(one.reading))
                ++alike;
            else
                others += "\n  " + variant + "\n    " + reading;
        }
    }
    CAPTURE(others);
    CHECK(used == bases);
    CHECK(static_cast<double>(alike) >= 0.98 * static_cast<double>(variants));
    MESSAGE(alike << " of " << variants << " variants alike" << others);
}

TEST_CASE("A variant with one number changed differs in that number alone")
{
    const Reader read;
    Random random(7);
    struct Counted {
        std::string_view word; // behind the number
        std::string_view key;  // of the reading
    };
    constexpr std::array counted{Counted{" users", " users="}, Counted{" tps", " tps="},
                                 Counted{" tok/s", " tps="}, Counted{" rps", " rps="},
                                 Counted{" 并发", " users="}};
    std::size_t changed = 0;
    for (const Expected& one : ownQuestions()) {
        for (const Counted& c : counted) {
            const std::size_t word = one.question.find(c.word);
            const std::size_t key = one.reading.find(c.key);
            if (one.reading.starts_with("refused") || word == std::string::npos || key == std::string::npos)
                continue;
            std::size_t begin = word;
            while (begin > 0 && std::isdigit(static_cast<unsigned char>(one.question[begin - 1])) != 0)
                --begin;
            const std::string number = one.question.substr(begin, word - begin);
            const std::size_t value = key + c.key.size();
            const std::size_t end = std::min(one.reading.find(' ', value), one.reading.size());
            // the number as it was said, not one worked out from it, the end of a range or a mean beside its
            // peak
            const bool ofPeak = c.key == " rps=" && one.reading.find(" peak=") != std::string::npos;
            if (number.empty() || ofPeak
                || (begin > 0 && (one.question[begin - 1] == '-' || one.question[begin - 1] == '~'))
                || one.question.substr(0, begin).ends_with("to ")
                || one.question.substr(0, begin).ends_with("and ")
                || one.question.substr(0, begin).ends_with("or ")
                || one.question.substr(0, begin).ends_with("到 ")
                || one.reading.substr(value, end - value) != number)
                continue;
            const std::string other = std::to_string(2 + below(random, 90));
            const std::string variant = one.question.substr(0, begin) + other + one.question.substr(word);
            std::string expected = one.reading.substr(0, value) + other + one.reading.substr(end);
            CAPTURE(variant);
            CHECK(read(variant) == expected);
            ++changed;
        }
    }
    CHECK(changed >= 100);
}

} // namespace headroom::tests
