#include "tests/app/cli/chinese_words.h"

#include "tests/app/cli/predict_words.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace headroom::test {

namespace {

bool isLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

// Of a start line its comments: the rest is for a shell.
std::string commentsOf(const std::string& script)
{
    std::istringstream lines(script);
    std::string out;
    for (std::string line; std::getline(lines, line);)
        if (const std::size_t at = line.find("# "); at != std::string::npos)
            out += line.substr(at) + '\n';
    return out;
}

} // namespace

std::vector<std::string> englishIn(std::string_view text)
{
    std::vector<std::string> out;
    std::string run;
    std::string word;
    std::size_t words = 0;
    bool command = false;
    const auto endRun = [&] {
        if (words > 1)
            out.push_back(run);
        run.clear();
        words = 0;
    };
    char before = '\n';
    const auto endWord = [&](char next) {
        const bool whole = word.size() > 1 && (next == ' ' || next == '\n' || next == ',' || next == '.');
        if (whole) {
            run += (words > 0 ? " " : "") + word;
            ++words;
        }
        if (!whole || next != ' ')
            endRun();
        word.clear();
    };
    for (const char c : std::string(text) + '\n') {
        if (c == '`')
            command = !command;
        const bool begins = word.empty() && (before == ' ' || before == '\n');
        if (!command && isLower(c) && (!word.empty() || begins))
            word += c;
        else if (!word.empty())
            endWord(c);
        else
            endRun();
        before = c;
    }
    endRun();
    return out;
}

std::string listed(const std::vector<std::string>& all)
{
    std::string out;
    for (const std::string& each : all)
        out += each + '\n';
    return out;
}

void checkChinese(const std::vector<std::string>& words, int exitCode)
{
    std::string line;
    for (const std::string& word : words)
        line += word + ' ';
    CAPTURE(line);
    const Finished done = headroomProgram(with(words, {"--lang", "zh"}));
    CAPTURE(done.out);
    CAPTURE(done.err);
    CHECK(done.exitCode == exitCode);
    CHECK(
        std::any_of(done.out.begin(), done.out.end(), [](unsigned char c) { return c >= 0xE4 && c <= 0xE9; })
        != done.out.empty());
    CHECK(listed(englishIn(words.front() == "launch" ? commentsOf(done.out) : done.out)) == "");
    CHECK(listed(englishIn(done.err)) == "");
}

void checkSaysChinese(const std::vector<std::string>& words, int exitCode, bool saysAnything)
{
    std::string line;
    for (const std::string& word : words)
        line += word + ' ';
    CAPTURE(line);
    const Finished done = headroomProgram(with(words, {"--lang", "zh"}));
    CAPTURE(done.err);
    CHECK(done.exitCode == exitCode);
    CHECK(done.err.empty() != saysAnything);
    CHECK(listed(englishIn(done.err)) == "");
}

} // namespace headroom::test
