#include "headroom_source_dir.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/words/lexicon.h"
#include "model/words/tables.h"
#include "model/yaml/catalogue.h"
#include "tests/model/ask/describe.h"
#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace headroom::tests {

namespace {

std::string clauseOf(std::string_view pattern, std::string_view phrase)
{
    std::string clause(pattern);
    return clause.replace(clause.find("{}"), 2, phrase);
}

bool isChinese(std::string_view text)
{
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0xE2; });
}

} // namespace

TEST_CASE("Every phrase that leads a number leads it to its role, in front and behind, in both languages")
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue);
    const ask::Vocabulary vocabulary = vocabularyOf(**catalogue);
    std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + "/tests/data/cues.tsv");
    const std::string table((std::istreambuf_iterator<char>(file)), {});
    const ask::Lexicon& lexicon = ask::Lexicon::shipped();
    std::size_t tried = 0;
    std::size_t index = 0;
    for (const auto& row : tsvRows(table)) {
        const ask::Meaning meaning = lexicon.meaningOf(row[0]);
        for (const ask::Word& word : lexicon.words()) {
            const std::string_view pattern = row[isChinese(word.phrase) ? 2 : 1];
            if (word.meaning != meaning || pattern == "-"
                || (word.phrase == "once" && meaning == ask::Meaning::Request) || !test::isTried(index++))
                continue;
            const std::string text = (isChinese(word.phrase) ? "Qwen3-8B，L4，" : "Qwen3-8B on L4, ")
                + clauseOf(pattern, word.phrase);
            const auto question = ask::read(text, vocabulary);
            const std::string reading
                = question ? describe(*question) + " " : "refused: " + question.error().front().where;
            const bool any = row[3].ends_with('=');
            CAPTURE(text);
            CAPTURE(reading);
            CHECK(reading.find(" " + std::string(row[3]) + (any ? "" : " ")) != std::string::npos);
            ++tried;
        }
    }
    CHECK(tried > (test::sanitized ? 400 : 4000));
}

} // namespace headroom::tests
