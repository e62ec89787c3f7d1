#include "model/ask/lexicon.h"
#include "model/ask/roles.h"
#include "model/ask/text.h"
#include "model/scenario/scenario_keys.h"

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

TEST_CASE("A phrase has one meaning, and one more only where one of both is a unit")
{
    std::map<std::string, std::vector<const ask::Word*>> known;
    for (const ask::Word& word : ask::Lexicon::shipped().words()) {
        std::string key;
        for (const std::string& atom : word.atoms)
            key += atom + " ";
        known[key].push_back(&word);
    }
    const auto isUnit = [](const ask::Word* word) { return ask::dimensionOf(word->note).has_value(); };
    for (const auto& [key, words] : known) {
        CAPTURE(key);
        CHECK(words.size() <= 2);
        // "4 块" are cards, "3000 块" is money: told apart by how many.
        if (words.size() == 2 && words[0]->meaning != words[1]->meaning && words[0]->phrase != "块")
            CHECK(isUnit(words[0]) != isUnit(words[1]));
    }
}

TEST_CASE("Every cue of a role is a word that the table of words has, every key one of the scenario")
{
    for (const ask::Role& role : ask::shippedRoles()) {
        CAPTURE(role.id);
        CHECK(!role.fits.empty());
        CHECK(role.usual.from <= role.usual.to);
        CHECK(role.possible.from <= role.usual.from);
        CHECK(role.possible.to >= role.usual.to);
        CHECK(role.readEnglish.find("{}") != std::string_view::npos);
        for (const ask::Cue& cue : role.cues)
            if (cue.how == ask::Cue::How::Word)
                CHECK(cue.word != ask::Meaning::Filler);
        if (role.key == "-")
            CHECK((!role.whyEnglish.empty() && !role.whyChinese.empty()));
        else if (role.key != "*")
            CHECK(findScenarioKey(role.key) != nullptr);
    }
}

} // namespace headroom::tests
