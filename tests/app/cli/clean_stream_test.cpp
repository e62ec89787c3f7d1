#include "app/cli/clean_stream.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace headroom::cli;

namespace {

std::string shown(const std::string& bytes, std::size_t piece, bool tags = true)
{
    std::ostringstream out;
    {
        CleanStream clean(out);
        if (!tags)
            clean.withoutTags();
        for (std::size_t at = 0; at < bytes.size(); at += piece)
            clean << bytes.substr(at, piece);
    }
    return out.str();
}

} // namespace

TEST_CASE("a terminal is shown text: what acts on it is written out, what is no UTF-8 is marked")
{
    const std::pair<std::string, std::string> rows[] = {
        {"plain\ttext\n", "plain\ttext\n"},
        {"模型 é 😀 ×\n", "模型 é 😀 ×\n"},
        {"\x1b[2J\x1b]0;title\x07", "\\x1b[2J\\x1b]0;title\\x07"},
        {"a\rb\x7f", "a\\x0db\\x7f"},
        {"\xc2\x9b"
         "31m",
         "\\x9b31m"}, // the one-character form of ESC [
        {"\xe2\x80\xae"
         "evil",
         "\\u202eevil"}, // right to left
        {"a\xff\xfe"
         "b",
         "a\xEF\xBF\xBD\xEF\xBF\xBD"
         "b"},
        {"\xc0\xaf", "\xEF\xBF\xBD\xEF\xBF\xBD"},                 // overlong
        {"\xed\xa0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"}, // a surrogate
        {"cut \xe6\xa8", "cut \xEF\xBF\xBD"},
    };
    for (const auto& [bytes, expected] : rows)
        for (const std::size_t piece : {1U, 2U, 3U, 100U}) {
            CAPTURE(bytes);
            CAPTURE(piece);
            CHECK(shown(bytes, piece) == expected);
        }
}

TEST_CASE("in Markdown a tag is text, and a comparison stays one")
{
    for (const std::size_t piece : {1U, 2U, 100U}) {
        CHECK(shown("<script>x</script>", piece, false) == "&lt;script>x&lt;/script>");
        CHECK(shown("a < b, 1<2, <!-- -->", piece, false) == "a < b, 1<2, &lt;!-- -->");
        CHECK(shown("ends with <", piece, false) == "ends with <");
        CHECK(shown("<模", piece, false) == "<模");
    }
    CHECK(shown("<b>", 1) == "<b>");
}

TEST_CASE("what a user typed comes back without its control characters")
{
    const auto done
        = headroom::test::headroomProgram({"predict", "--model", "\x1b[31mred\x07", "--gpu", "l40s"});
    CHECK(done.exitCode == 2);
    CHECK(done.err.find('\x1b') == std::string::npos);
    CHECK(done.err.find("\\x1b[31mred") != std::string::npos);
}
