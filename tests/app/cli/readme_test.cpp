// What a visitor reads first is what the program says.
#include "headroom_source_dir.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

using headroom::test::headroomProgram;

namespace {

// The example of a page: the question, and the lines that stand for its answer.
struct Example {
    std::string question;
    std::vector<std::string> lines;
};

Example exampleOf(const std::string& page)
{
    std::ifstream file(std::string(HEADROOM_SOURCE_DIR) + '/' + page);
    constexpr std::string_view begin = "$ ./run ask \"";
    Example out;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(begin))
            out.question = line.substr(begin.size(), line.rfind('"') - begin.size());
        else if (!out.question.empty() && line == "```")
            return out;
        else if (!out.question.empty() && !line.empty() && line != "…")
            out.lines.push_back(line);
    }
    return {};
}

} // namespace

TEST_CASE("the answers that both pages for visitors show are the program's")
{
    for (const char* const page : {"README.md", "README.zh-CN.md"}) {
        const Example example = exampleOf(page);
        REQUIRE(example.lines.size() > 5);
        const std::string answer = '\n' + headroomProgram({"ask", example.question}).out;
        for (const std::string& line : example.lines) {
            CAPTURE(page);
            CAPTURE(line);
            CHECK(answer.find('\n' + line + '\n') != std::string::npos);
        }
    }
}
