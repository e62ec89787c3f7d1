// What is wrong with a file of one's own is told in Chinese, whatever it is.
#include "headroom_source_dir.h"
#include "model/report/translation.h"
#include "model/yaml/check.h"
#include "tests/app/cli/chinese_words.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace headroom;

namespace {

std::string shipped(const std::string& file)
{
    std::ifstream in(std::string(HEADROOM_SOURCE_DIR) + '/' + file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::istringstream in(text);
    std::vector<std::string> out;
    for (std::string line; std::getline(in, line);)
        out.push_back(line);
    return out;
}

std::string textOf(const std::vector<std::string>& lines)
{
    std::string out;
    for (const std::string& line : lines)
        out += line + '\n';
    return out;
}

// The line with another value, as somebody who mistypes has it.
std::string withValue(const std::string& line, const std::string& value)
{
    const std::size_t colon = line.find(": ");
    return colon == std::string::npos ? line + ' ' + value : line.substr(0, colon + 2) + value;
}

struct Told {
    std::set<std::string> sentences; // by their English
    std::set<std::string> untranslated;
};

// Every sentence of a message, those in its places too; what a user wrote is none.
void addSentences(const Message& message, Told& told)
{
    if (message.kind() == Message::Kind::Said && !message.code().empty()) {
        const std::string key
            = message.arguments().empty() ? std::string(message.code()) : translationKey(message.code());
        told.sentences.insert(key);
        if (!chineseByKey().contains(key) && key.find(' ') != std::string::npos)
            told.untranslated.insert(key);
    }
    for (const Message& argument : message.arguments())
        addSentences(argument, told);
}

void tell(const std::string& text, Told& told)
{
    for (const Problem& problem : checkYaml(text, "x.yaml").problems) {
        addSentences(problem.what, told);
        addSentences(problem.hint, told);
    }
}

// Each line of the file gone, twice, indented, and with each of these values in place of its own.
Told whatIsToldOf(const std::string& file)
{
    const std::vector<std::string> good = linesOf(shipped(file));
    Told told;
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::vector<std::string> lines = good;
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
        tell(textOf(lines), told);
        lines = good;
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(i), good[i]);
        tell(textOf(lines), told);
        lines = good;
        lines[i] = "  " + lines[i];
        tell(textOf(lines), told);
        for (const char* value :
             {"x", "-1", "0", "1e30", "7", "true", "[a, b]", "{a: 1}", "", "5 GB", "3 TB/s", "'", "- y"}) {
            lines = good;
            lines[i] = withValue(good[i], value);
            tell(textOf(lines), told);
        }
    }
    return told;
}

} // namespace

TEST_CASE("what is no YAML is told in Chinese, the library's words too")
{
    for (const char* text : {"a: [1, 2\nb: 3\n", "a: 'x\nb: 3\n", "a: b: c\n", "\ta: b\n", "a: }\n",
                             "a: {b: 1\n", "- a\nb: c\n", "a: *\n"}) {
        CAPTURE(std::string(text));
        const Problems problems = checkYaml(text, "x.yaml").problems;
        REQUIRE_FALSE(problems.empty());
        for (const Problem& problem : problems)
            CHECK(test::listed(test::englishIn(inChinese(problem.what) + '\n')) == "");
    }
}

TEST_CASE("files of every kind that are broken in every line are told in Chinese alone")
{
    std::set<std::string> sentences;
    for (const char* file :
         {"hw_profiles/gpus/h100-sxm-80gb.yaml", "hw_profiles/nodes/dgx-h100.yaml", "models/deepseek-v3.yaml",
          "models/deepseek-v4-flash.yaml", "models/jamba-1.5-mini.yaml", "resources/engines/vllm.yaml",
          "resources/scenarios/chat-70b-a100.yaml",
          "hw_profiles/calibrations/hopper/h100-sxm-80gb-sglang.yaml"}) {
        CAPTURE(std::string(file));
        REQUIRE_FALSE(shipped(file).empty());
        const Told told = whatIsToldOf(file);
        CHECK(test::listed({told.untranslated.begin(), told.untranslated.end()}) == "");
        sentences.insert(told.sentences.begin(), told.sentences.end());
    }
    CHECK(sentences.size() > 60); // or the files were not broken in many ways
}
