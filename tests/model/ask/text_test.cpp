#include "model/ask/lexicon.h"
#include "model/ask/phrases.h"
#include "model/ask/text.h"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

namespace headroom::tests {

namespace {

std::vector<std::string> texts(std::string_view question)
{
    std::vector<std::string> out;
    for (const ask::Atom& atom : ask::atomsOf(question))
        out.push_back(atom.text);
    return out;
}
using Texts = std::vector<std::string>;

} // namespace

TEST_CASE("A question falls into words, numbers, Chinese characters and signs")
{
    CHECK(texts("2xH200") == Texts{"2", "x", "h", "200"});
    CHECK(texts("Llama-3.1-70B") == Texts{"llama", "-", "3.1", "-", "70", "b"});
    CHECK(texts("1,000 users") == Texts{"1,000", "users"});
    CHECK(texts("1,2") == Texts{"1", ",", "2"});
    CHECK(texts("R1,300 users") == Texts{"r", "1", ",", "300", "users"});
    CHECK(texts("r1，300 并发") == Texts{"r", "1", ",", "300", "并", "发"});
    CHECK(texts("首字2秒") == Texts{"首", "字", "2", "秒"});
}

TEST_CASE("Full-width forms are read as the plain ones")
{
    CHECK(texts("８×Ｈ８００？") == texts("8*H800?"));
    CHECK(texts("　20　ＴＰＳ") == Texts{"20", "tps"});
}

TEST_CASE("Atoms keep the bytes they came from")
{
    const std::string question = "８张 H800";
    const auto atoms = ask::atomsOf(question);
    REQUIRE(atoms.size() == 4);
    CHECK(question.substr(atoms[0].begin, atoms[0].end - atoms[0].begin) == "８");
    CHECK(question.substr(atoms[2].begin, atoms[3].end - atoms[2].begin) == "H800");
}

TEST_CASE("Broken UTF-8 neither crashes nor swallows what follows")
{
    CHECK(texts("\xFFllama").back() == "llama");
    CHECK(texts("\xE9\xA6llama").back() == "llama");
    CHECK(texts("20 tps\xF0").size() == 3);
}

TEST_CASE("No phrase is listed with two meanings")
{
    std::map<std::string, ask::Meaning> known;
    for (const ask::PhraseRow& row : ask::phraseRows()) {
        std::string_view rest = row.phrases;
        while (!rest.empty()) {
            const std::size_t bar = rest.find('|');
            const auto atoms = ask::atomsOf(rest.substr(0, bar));
            rest = bar == std::string_view::npos ? std::string_view{} : rest.substr(bar + 1);
            REQUIRE(!atoms.empty());
            std::string key;
            for (const ask::Atom& atom : atoms)
                key += atom.text + " ";
            const auto [entry, fresh] = known.try_emplace(key, row.meaning);
            CAPTURE(key);
            CHECK(entry->second == row.meaning);
        }
    }
}

} // namespace headroom::tests
