#include "headroom_source_dir.h"
#include "model/words/names.h"
#include "tests/model/ask/small_vocabulary.h"
#include "tests/model/ask/table_checks.h"
#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <array>
#include <cctype>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

namespace {

using Cells = std::vector<std::vector<std::string>>; // comments, too, so that lines keep their numbers

Cells cellsOf(std::string_view table)
{
    Cells cells;
    for (const std::string_view line : partsOf(table, '\n')) {
        const auto fields = partsOf(line, '\t');
        cells.emplace_back(fields.begin(), fields.end());
    }
    return cells;
}

std::string textOf(const Cells& cells)
{
    std::string text;
    for (const auto& row : cells) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i > 0 ? "\t" : "") + row[i];
        text += '\n';
    }
    return text;
}

// One cell of a row deleted, written twice, swapped with another of any row, cut, or a row missing or twice.
Cells mutated(Cells cells, std::minstd_rand& random)
{
    const auto any = [&]() -> std::vector<std::string>& {
        for (;;)
            if (auto& row = cells[random() % cells.size()]; !row.empty() && !row.front().starts_with('#'))
                return row;
    };
    std::vector<std::string>& row = any();
    const std::size_t cell = random() % row.size();
    const auto at = row.begin() + static_cast<std::ptrdiff_t>(cell);
    std::vector<std::string>& other = any();
    switch (random() % 5) {
    case 0:
        row.erase(at);
        break;
    case 1:
        row.insert(at, std::string(*at));
        break;
    case 2:
        row[cell].swap(other[random() % other.size()]);
        break;
    case 3:
        row[cell].resize(row[cell].empty() ? 0 : random() % row[cell].size());
        break;
    default:
        other = row;
    }
    return cells;
}

// Empty where the table is read; or what is told of its row.
template <typename Read>
std::string refusalOf(const Read& read)
{
    try {
        read();
        return {};
    } catch (const ask::TableError& wrong) {
        return wrong.what();
    }
}

} // namespace

TEST_CASE("A table with a cell that is missing, doubled, swapped or cut is read, or refused by its line")
{
    struct Table {
        std::string_view name;
        std::string_view text;
        void (*read)(const std::string& text);
    };
    const std::array<Table, 5> tables{{
        {"words", ask::tableCalled("words"), [](const std::string& text) { ask::Lexicon("words", text); }},
        {"asides", ask::tableCalled("asides"), [](const std::string& text) { ask::Lexicon("asides", text); }},
        {"names", ask::tableCalled("names"), [](const std::string& text) { ask::Names{text}; }},
        {"roles", ask::tableCalled("roles"),
         [](const std::string& text) { (void)checkedRoles(text, ask::shippedRules()); }},
        {"rules", ask::tableCalled("rules"), [](const std::string& text) { (void)checkedRules(text); }},
    }};
    constexpr std::size_t mutations
        = test::sanitized ? 60 : 300; // of each: a table is read anew for every one
    std::minstd_rand random(24);
    for (const Table& table : tables) {
        CAPTURE(table.name);
        const Cells whole = cellsOf(table.text);
        std::size_t refused = 0;
        for (std::size_t i = 0; i < mutations; ++i) {
            const std::string text = textOf(mutated(whole, random));
            const std::string told = refusalOf([&] { table.read(text); });
            CAPTURE(told);
            refused += told.empty() ? 0U : 1U;
            const std::string head = "resources/ask/" + std::string(table.name) + ".tsv, line ";
            CHECK((told.empty()
                   || (told.starts_with(head)
                       && std::isdigit(static_cast<unsigned char>(told[head.size()])) != 0)));
        }
        CHECK(refused > 0);
        CHECK(refused < mutations);
    }
}

TEST_CASE("Every row that the program was built with can be done")
{
    const ask::Rules rules = checkedRules(ask::tableCalled("rules"));
    CHECK(checkedRoles(ask::tableCalled("roles"), rules).size() == ask::shippedRoles().size());
}

TEST_CASE("A row that cannot be done is refused with its reason")
{
    const auto told = [](std::string_view row) { return refusalOf([&] { (void)checkedRules(row); }); };
    CHECK(told("left\t\t\tGpu\t\tnote=found\n") == "");
    CHECK(told("left\t\t\tGpu\t\tnote\n") == "resources/ask/rules.tsv, line 1: 'note' lacks a value");
    CHECK(told("# first\nleft\t\t\tGpu\t\tnoet=found\n")
          == "resources/ask/rules.tsv, line 2: no such effect: 'noet'");
    CHECK(told("pair\t\t\t#\t@:Token =#\t\n")
          == "resources/ask/rules.tsv, line 1: no piece of the pattern is called n");
    CHECK(told("load\tnumber:nobody\t\t\t\tstop\n").find("no such role") != std::string::npos);
    CHECK(told("dimension\ttimed\t\t#\t\tis=Nothing\n")
          == "resources/ask/rules.tsv, line 1: nothing that a number counts: 'Nothing'");
    CHECK(told("load\t\t\t\t\tnote=found\n")
          == "resources/ask/rules.tsv, line 1: 'note' tells of a place that no row has said");
    CHECK(told("once\tcould:once\t\t#\t\tstop\n")
          == "resources/ask/rules.tsv, line 1: stage 'once' asks for itself");
}

namespace {

// What is asked of a number, or of a part that is put aside, cannot be asked of a bare word.
bool fitsAlone(const ask::Rule::Piece& piece, const ask::Draft& draft, std::size_t word)
{
    try {
        return ask::holds({.draft = draft, .word = word}, piece.any);
    } catch (const std::logic_error&) {
        return false;
    }
}

} // namespace

TEST_CASE("A rule that is passed over would fit none of the words")
{
    const ask::Vocabulary vocabulary = smallVocabulary();
    std::ifstream questions(HEADROOM_SOURCE_DIR "/tests/data/questions.tsv");
    constexpr std::size_t every = 150; // some forty of them, in both languages
    std::size_t fitting = 0;
    std::size_t line = 0;
    for (std::string row; std::getline(questions, row);) {
        if (line++ % every != 0)
            continue;
        const std::string question = row.substr(0, row.find('\t'));
        CAPTURE(question);
        const ask::Draft draft(question, ask::itemsOf(question, vocabulary), vocabulary,
                               ask::Language::English);
        for (const auto& [stage, rules] : ask::shippedRules())
            for (const ask::Rule& rule : rules) {
                std::vector<ask::Rule::Piece> pieces = rule.before;
                pieces.push_back(rule.word);
                pieces.insert(pieces.end(), rule.behind.begin(), rule.behind.end());
                for (std::size_t i = 0; i < draft.size(); ++i)
                    for (const ask::Rule::Piece& piece : pieces)
                        if (fitsAlone(piece, draft, i)) {
                            CAPTURE(stage);
                            CAPTURE(draft.at(i).text);
                            ++fitting;
                            REQUIRE(sortOf(draft.at(i)).isIn(piece.sorts));
                        }
            }
    }
    CHECK(fitting > 10'000);
}

} // namespace headroom::tests
