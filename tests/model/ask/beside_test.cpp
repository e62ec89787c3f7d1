#include "headroom_source_dir.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/words/tables.h"
#include "model/yaml/catalogue.h"
#include "tests/model/ask/describe.h"
#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

std::string fileOf(std::string_view name)
{
    std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/data/" + std::string(name));
    return {std::istreambuf_iterator<char>(file), {}};
}

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool isHan(std::string_view text)
{
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0xE2; });
}

// The runs of figures of a text: "4,096", "20".
std::vector<std::string> figuresOf(std::string_view text)
{
    std::vector<std::string> runs;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t end = i;
        while (end < text.size()
               && (isDigit(text[end])
                   || (end > i && (text[end] == ',' || text[end] == '.') && end + 1 < text.size()
                       && isDigit(text[end + 1]))))
            ++end;
        if (end > i)
            runs.emplace_back(text.substr(i, end - i));
        i = std::max(i, end);
    }
    return runs;
}

std::string toldOf(const ask::Question& question)
{
    std::string told;
    for (const auto& one : question.interpretation)
        told += one.said + " " + one.readAs + " " + one.why + " ";
    for (const auto& one : question.unused)
        told += one.said + " ";
    for (const std::string& one : question.assumptions)
        told += one + " ";
    return told;
}

} // namespace

TEST_CASE("A sentence that says nothing of a question changes nothing of what is read")
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    const std::string questions = fileOf("questions.tsv");
    const std::string beside = fileOf("beside.tsv");
    std::vector<std::string_view> english;
    std::vector<std::string_view> chinese;
    for (const auto& row : tsvRows(beside))
        (row[0] == "zh" ? chinese : english).push_back(row[1]);
    std::minstd_rand random(2026);
    std::size_t tried = 0;
    std::size_t same = 0;
    std::string others;
    constexpr std::size_t most = 1200;
    for (const auto& row : tsvRows(questions)) {
        const std::string text(row[0]);
        if (row[1].starts_with("refused") || text.starts_with("+ ") || tried == most)
            continue;
        const auto& sentences = isHan(text) ? chinese : english;
        for (int i = 0; i < 2; ++i, ++tried) {
            const std::string sentence(sentences[random() % sentences.size()]);
            const auto question = ask::read(sentence + " " + text, vocabulary);
            if (!question)
                continue; // it asks what is meant: nothing is lost
            const std::string reading = describe(*question);
            if (reading == row[1])
                ++same;
            else
                others += "\n  " + sentence + " " + text + "\n    " + reading;
        }
    }
    CAPTURE(others);
    CHECK(tried == most);
    CHECK(static_cast<double>(same) >= 0.97 * static_cast<double>(tried));
    CHECK(static_cast<double>(std::count(others.begin(), others.end(), '\n'))
          <= 2 * 0.005 * static_cast<double>(tried));
    MESSAGE(same << " of " << tried << " as without the sentence" << others);
}

TEST_CASE("Every number of a question that is answered stands in what is told of it")
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    const std::string questions = fileOf("questions.tsv");
    std::size_t numbers = 0;
    std::size_t untold = 0;
    std::string which;
    std::size_t index = 0;
    for (const auto& row : tsvRows(questions)) {
        if (!test::isTried(index++))
            continue;
        const std::string text(row[0]);
        const auto question
            = text.starts_with("+ ") ? ask::read({}, vocabulary) : ask::read(text, vocabulary);
        if (!question)
            continue;
        const std::string told = toldOf(*question);
        for (const std::string& figures : figuresOf(text)) {
            ++numbers;
            if (told.find(figures) != std::string::npos)
                continue;
            ++untold; // the memory of a card in its name, the number of an item of a list
            which += "\n  " + figures + ": " + text;
        }
    }
    CAPTURE(which);
    CHECK(numbers > (test::sanitized ? 1000 : 10000));
    CHECK(static_cast<double>(untold) <= 0.003 * static_cast<double>(numbers));
    MESSAGE(untold << " of " << numbers << " untold" << which);
}

} // namespace headroom::tests
