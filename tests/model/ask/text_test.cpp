#include "headroom_source_dir.h"
#include "model/ask/roles.h"
#include "model/ask/rules.h"
#include "model/scenario/scenario_keys.h"
#include "model/words/lexicon.h"
#include "model/words/tables.h"
#include "model/words/text.h"

#include <doctest/doctest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

namespace headroom::tests {

namespace {

std::vector<std::string> texts(std::string_view question)
{
    std::vector<std::string> out;
    for (const ask::Atom& atom : ask::Atoms(question))
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
    const auto atoms = ask::Atoms(question);
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
        for (const ask::Atom& atom : ask::Atoms(word.phrase))
            key += atom.text + " ";
        known[key].push_back(&word);
    }
    const auto isUnit
        = [](const ask::Word* word) { return ask::constantCalled<ask::Dimension>(word->note).has_value(); };
    for (const auto& [key, words] : known) {
        CAPTURE(key);
        CHECK(words.size() <= 2);
        if (words.size() == 2 && words[0]->meaning != words[1]->meaning)
            CHECK(isUnit(words[0]) != isUnit(words[1]));
    }
}

TEST_CASE("Every cue of a role is a word that the table of words has, every key one of the scenario")
{
    for (const ask::Role& role : ask::shippedRoles()) {
        CAPTURE(role.id);
        const std::string given = "," + std::string(role.id); // by a rule: "as=price,priceOfAll"
        CHECK((!role.fits.empty() || ask::tableCalled("rules").find(given) != std::string_view::npos));
        CHECK(role.usual.from <= role.usual.to);
        CHECK(role.possible.from <= role.usual.from);
        CHECK(role.possible.to >= role.usual.to);
        CHECK((role.read.english.find("{}") != std::string_view::npos
               || role.read.english.find("{0}") != std::string_view::npos));
        for (const ask::Cue& cue : role.cues)
            CHECK((cue.word != ask::Meaning::Filler || !cue.stage.empty()));
        if (role.key == "-")
            CHECK((!role.why.english.empty() && !role.why.chinese.empty()));
        else if (role.key != "*")
            CHECK(findScenarioKey(role.key) != nullptr);
    }
}

TEST_CASE("A condition that nothing knows is no rule's")
{
    CHECK_THROWS((void)ask::testsOf("weekday"));
    CHECK_THROWS((void)ask::testsOf("!sunny:users"));
    CHECK(ask::testsOf("!has:KvCache").front().front().negated);
    CHECK(ask::testsOf("has:KvCache").front().front().word == ask::Meaning::KvCache);
}

TEST_CASE("Every stage of the rules is tried somewhere, and every condition is one that is known")
{
    std::string code;
    for (const auto& file : std::filesystem::directory_iterator(HEADROOM_SOURCE_DIR "/model/ask")) {
        std::ifstream stream(file.path());
        code.append(std::istreambuf_iterator<char>(stream), {});
    }
    for (const auto& [stage, rules] : ask::rulesOf(ask::tableCalled("rules")))
        for (const ask::Rule& rule : rules)
            for (const ask::Setting& effect : rule.effects)
                for (const std::string_view other : stagesOf(effect))
                    code += '"' + std::string(other) + '"';
    const ask::Vocabulary vocabulary;
    const ask::Item number{.kind = ask::ItemKind::Number, .text = "1"};
    ask::Draft draft("1 1", {number, number}, vocabulary, ask::Language::English);
    const ask::Aside part{.end = 2, .outside = {true, true}};
    draft.aside = &part;
    draft.leads.resize(2);
    const ask::Span span{.value = 1, .parts = {0}};
    for (const auto& [stage, rules] : ask::rulesOf(ask::tableCalled("rules"))) {
        CAPTURE(stage);
        const std::string name(stage);
        const auto tries = [&](const std::string& how) { // "could:window", " @window:2"
            return ask::tableCalled("rules").find(how) != std::string_view::npos
                || ask::tableCalled("roles").find(how) != std::string_view::npos;
        };
        CHECK((code.find('"' + name + '"') != std::string::npos || tries(':' + name)
               || tries('@' + name + ':')));
        const ask::At here{.draft = draft, .word = 0, .tried = &span, .before = &span};
        for (const ask::Rule& rule : rules)
            for (const ask::Tests& any : rule.when)
                for (const ask::Test& one : any.front()) {
                    CAPTURE(one.name);
                    const bool ofOthers = !one.role.empty() || one.set != nullptr || one.name == "within"
                        || one.name == ">" || one.name == "=";
                    if (!ofOthers) // numbers and places that this sentence has not
                        CHECK_NOTHROW((void)ask::holds(here, {{one}}));
                }
    }
}

namespace {

// The literals of what is said or told from `at` on, up to the first value.
std::vector<std::string> literalsOf(const std::string& code, std::size_t at)
{
    std::vector<std::string> literals;
    bool runsOn = false; // "a " "b" are one
    int depth = 0;
    for (; at < code.size() && !(depth == 0 && (code[at] == ',' || code[at] == ')')); ++at) {
        depth += code[at] == '(' ? 1 : code[at] == ')' ? -1 : 0;
        if (code[at] != '"') {
            runsOn = runsOn && std::isspace(static_cast<unsigned char>(code[at])) != 0;
            continue;
        }
        std::string text;
        for (++at; code[at] != '"'; ++at)
            text += code[at] == '\\' ? code[++at] : code[at];
        if (runsOn)
            literals.back() += text;
        else
            literals.push_back(text);
        runsOn = true;
    }
    return literals;
}

} // namespace

TEST_CASE("Every sentence of the reader has its Chinese, and no line is left that nobody says")
{
    std::map<std::string, std::string, std::less<>> table;
    for (const auto& row : tsvRows(ask::tableCalled("sentences")))
        CHECK(table.emplace(row[0], row[1]).second);
    std::string all;
    for (const auto& file : std::filesystem::directory_iterator(HEADROOM_SOURCE_DIR "/model/ask")) {
        std::ifstream stream(file.path());
        const std::string code((std::istreambuf_iterator<char>(stream)), {});
        if (file.path().extension() != ".cpp")
            continue;
        for (const std::string_view call : {"tell(", "say("})
            for (std::size_t at = code.find(call); at != std::string::npos; at = code.find(call, at + 1)) {
                if (std::isalpha(static_cast<unsigned char>(code[at - 1])) != 0)
                    continue;
                for (const std::string& sentence : literalsOf(code, at + call.size())) {
                    CAPTURE(sentence);
                    CHECK((table.contains(sentence) && !table.find(sentence)->second.empty()));
                    all += sentence + "\n";
                }
            }
        all += code;
    }
    std::ifstream names(HEADROOM_SOURCE_DIR "/model/yaml/name_index.cpp"); // why a name was read so
    all += std::string((std::istreambuf_iterator<char>(names)), {});
    for (const auto& [stage, rules] : ask::rulesOf(ask::tableCalled("rules")))
        for (const ask::Rule& rule : rules)
            for (const ask::Setting& effect : rule.effects)
                for (const std::string_view value : effect.values) {
                    const bool sentence = value.find(' ') != std::string_view::npos && value.front() != '$';
                    CAPTURE(value);
                    CHECK((!sentence || table.contains(value)));
                    all += std::string(value) + "\n";
                }
    for (const ask::Role& role : ask::shippedRoles())
        for (const ask::Setting& setting : role.settings) {
            CAPTURE(setting.what);
            const bool sentence = setting.values.size() > 1 || setting.what == "other"; // and its hint
            CHECK((!sentence || table.contains(setting.values.front())));
            for (const std::string_view value : setting.values)
                all += std::string(value) + "\n";
        }
    for (const auto& [english, chinese] : table) {
        CAPTURE(english);
        CHECK(all.find(english) != std::string::npos);
    }
}

} // namespace headroom::tests
