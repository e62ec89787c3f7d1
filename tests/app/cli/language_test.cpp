// The language that a user is told things in where he does not say which.
#include "tests/app/cli/predict_words.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace headroom::test;

namespace {

bool hasChinese(const std::string& text)
{
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0xE4 && c <= 0xE9; });
}

// A machine set up in Chinese, whatever this one is.
struct ChineseMachine {
    Variable all{"LC_ALL", nullptr};
    Variable messages{"LC_MESSAGES", nullptr};
    Variable language{"LANG", "zh_CN.UTF-8"};
};

const std::vector<std::string> small{"predict", "--model", "llama-3.1-8b", "--gpu", "l4"};

} // namespace

TEST_CASE("without --lang answers and refusals are in the language of the environment")
{
    const ChineseMachine machine;
    CHECK(hasChinese(headroomProgram(small).out));
    CHECK(hasChinese(headroomProgram({"predict", "--tp", "x"}).err));
    CHECK(hasChinese(headroomProgram({"predit"}).err));
    CHECK_FALSE(hasChinese(headroomProgram(with(small, {"--lang", "en"})).out));
    CHECK_FALSE(hasChinese(headroomProgram({"predict", "--tp", "x", "--lang=en"}).err));
    // A language that is none does not decide in which one that is told.
    CHECK(hasChinese(headroomProgram(with(small, {"--lang", "fr"})).err));
    const Variable messages("LC_MESSAGES", "en_US.UTF-8");
    CHECK_FALSE(hasChinese(headroomProgram(small).out));
    const Variable all("LC_ALL", "zh_TW.UTF-8");
    CHECK(hasChinese(headroomProgram(small).out));
}

TEST_CASE("documents for programs are the same in every environment")
{
    std::vector<std::string> english;
    const std::vector<std::vector<std::string>> lines{with(small, {"--json"}),
                                                      with(small, {"--csv"}),
                                                      {"predict", "--tp", "x", "--json"},
                                                      {"list", "gpus", "--csv"}};
    for (const std::vector<std::string>& words : lines)
        english.push_back(headroomProgram(words).out);
    const ChineseMachine machine;
    for (std::size_t i = 0; i < lines.size(); ++i)
        CHECK(headroomProgram(lines[i]).out == english[i]);
}

TEST_CASE("a question in Chinese is answered in Chinese; one in English as the environment is")
{
    const std::vector<std::string> chinese{"ask", "Llama-3.1-8B 跑在 L4 上，20 token/s 要几张卡？"};
    const std::vector<std::string> english{"ask", "how many L4s for Llama-3.1-8B at 20 TPS"};
    CHECK(hasChinese(headroomProgram(chinese).out));
    CHECK_FALSE(hasChinese(headroomProgram(english).out));
    CHECK_FALSE(hasChinese(headroomProgram(with(chinese, {"--lang", "en"})).out));
    const ChineseMachine machine;
    CHECK(hasChinese(headroomProgram(chinese).out));
    CHECK(hasChinese(headroomProgram(english).out));
    CHECK_FALSE(hasChinese(headroomProgram(with(english, {"--lang", "en"})).out));
}
