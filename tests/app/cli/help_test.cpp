// What the program says of itself, and of words that it cannot read.
#include "app/cli/help_page.h"
#include "app/cli/parse.h"
#include "app/cli/readable_words.h"
#include "app/cli/scenario_flags.h"
#include "model/report/translation.h"
#include "model/scenario/key_groups.h"
#include "model/scenario/scenario_keys.h"
#include "tests/app/cli/chinese_words.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace headroom::cli {

using test::englishIn;
using test::Finished;
using test::headroomProgram;
using test::listed;

namespace {

// The words of a line as a shell cuts them; quotes hold one together.
std::vector<std::string> wordsOf(std::string_view line)
{
    std::vector<std::string> out{""};
    bool quoted = false;
    for (const char c : line)
        if (c == '"')
            quoted = !quoted;
        else if (c == ' ' && !quoted)
            out.emplace_back();
        else
            out.back() += c;
    return out;
}

bool hasChinese(std::string_view code)
{
    return chineseByKey().contains(code) || englishIn(std::string(code) + '\n').empty();
}

} // namespace

TEST_CASE("every flag and every verb is explained, in both languages")
{
    for (const Verb& verb : verbs()) {
        CAPTURE(verb.name);
        CHECK(chineseByKey().contains(verb.summary));
        CHECK((verb.words.name.empty() || chineseByKey().contains(verb.words.help.text)));
        for (const Flag& flag : flagsOf(verb)) {
            CAPTURE(flag.name);
            CHECK_FALSE(flag.help.empty());
            CHECK(hasChinese(flag.help));
        }
        const std::string page = helpPage(verb, ask::Language::English);
        for (const Flag& flag : flagsOf(verb))
            CHECK_MESSAGE(page.find("  " + std::string(flag.name)) != std::string::npos, flag.name);
        CHECK(page.find("\nExample:  headroom " + std::string(verb.name)) != std::string::npos);
    }
}

TEST_CASE("help in Chinese leaves no English but names")
{
    for (const Verb& verb : verbs()) {
        CAPTURE(verb.name);
        std::string page = helpPage(verb, ask::Language::Chinese);
        page.erase(page.find("示例："), page.find('\n', page.find("示例：")) - page.find("示例："));
        CHECK(listed(englishIn(page)) == "");
    }
    const std::string page = helpPage(ask::Language::Chinese);
    for (const Verb& verb : verbs())
        CHECK(page.find("  " + std::string(verb.name) + ' ') != std::string::npos);
    CHECK(headroomProgram({"--help", "--lang", "zh"}).out == page);
    CHECK(headroomProgram({"--lang", "zh"}).out == page);
    CHECK(headroomProgram({"--lang=zh", "size", "-h"}).out.starts_with("headroom size: 找出"));
}

TEST_CASE("examples are lines that the program reads")
{
    for (const Verb& verb : verbs()) {
        CAPTURE(verb.example);
        const Result<Wish> wish = parse(wordsOf(verb.example));
        REQUIRE(wish);
        CHECK(wish->verb == &verb);
        CHECK(wish->problems.empty());
        if (verb.scenario)
            CHECK(saidScenario(wish->arguments).problems.empty());
    }
}

TEST_CASE("groups of keys begin at keys, in their order")
{
    std::size_t at = 0;
    for (const KeyGroup& group : keyGroups()) {
        CAPTURE(group.first);
        while (at < scenarioKeys().size() && scenarioKeys()[at].name != group.first)
            ++at;
        CHECK(at < scenarioKeys().size());
    }
    CHECK(scenarioKeys().front().name == keyGroups().front().first);
}

TEST_CASE("a flag without a value behind its equals sign takes none from the words that follow")
{
    const Finished done = headroomProgram({"predict", "--tp=", "--pp", "x", "--model", "llama-3.1-8b"});
    CHECK(done.exitCode == 2);
    CHECK(done.err.find("--tp: its value is missing") != std::string::npos);
    CHECK(done.err.find("--pp: expected") != std::string::npos);
}

TEST_CASE("flags before the verb count, and what nobody knows there is told")
{
    const std::vector<std::string> machine{"--model", "llama-3.1-8b", "--gpu", "l40s", "--json"};
    std::vector<std::string> before = machine;
    before.emplace_back("predict");
    std::vector<std::string> behind{"predict"};
    behind.insert(behind.end(), machine.begin(), machine.end());
    CHECK(headroomProgram(before).out == headroomProgram(behind).out);
    const Finished done = headroomProgram({"--bogus", "predict"});
    CHECK(done.exitCode == 2);
    CHECK(done.err.find("unknown flag '--bogus'") != std::string::npos);
}

TEST_CASE("who takes a flag is told where the verb does not")
{
    CHECK(headroomProgram({"size", "--operators"}).err.find("it is a flag of predict") != std::string::npos);
    CHECK(headroomProgram({"how many L40S for llama"}).err.find("headroom ask") != std::string::npos);
}

TEST_CASE("whatever words stand there, each is read or told by its name")
{
    std::mt19937 random(20261129);
    const std::vector<std::string> pool{
        "--tp",    "--tp=1",   "--tp=",   "-o",          "-o=x",      "-ox",
        "--json",  "--json=1", "--class", "--class=a b", "a",         "4",
        "-4",      "--",       "---",     "-",           "",          "-x",
        "--no",    "--over",   "--lang",  "zh",          "--explain", "=",
        "--=",     "-ho",      "--out",   "--model",     "--eager",   "--spec-decode",
        "--header"};
    const Message mixed = "flags and values of these words cannot be told apart";
    std::size_t read = 0;
    for (std::size_t line = 0; line < 4000; ++line) {
        std::vector<std::string> words{std::string(verbs()[random() % verbs().size()].name)};
        for (std::size_t more = random() % 6; more > 0; --more)
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(random() % (words.size() + 1)),
                         pool[random() % pool.size()]);
        const Result<Wish> wish = parse(words);
        const Problems problems = wish ? wish->problems : wish.error();
        if (problems.empty())
            ++read;
        std::ostringstream shown;
        for (const std::string& word : words)
            shown << '[' << word << ']';
        CAPTURE(shown.str());
        for (const Problem& problem : problems) {
            CHECK_FALSE(problem.what == mixed);
            CHECK_FALSE(problem.what.empty());
        }
    }
    CHECK(read > 400);
}

} // namespace headroom::cli
