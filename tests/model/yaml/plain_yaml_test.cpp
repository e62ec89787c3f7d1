#include "headroom_source_dir.h"
#include "model/text/text_file.h"
#include "model/yaml/plain_yaml.h"
#include "tests/fuzz/mutator.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> shippedFiles()
{
    std::vector<fs::path> files;
    for (const char* folder : {"hw_profiles", "models", "resources"})
        for (const fs::directory_entry& entry :
             fs::recursive_directory_iterator(fs::path(HEADROOM_SOURCE_DIR) / folder))
            if (entry.path().extension() == ".yaml")
                files.push_back(entry.path());
    return files;
}

std::string textOf(const fs::path& file)
{
    const Result<std::string> text = readTextFile(file, longestYamlFile);
    REQUIRE(text);
    return *text;
}

// What the plain reader reads is what the library reads, places included. Says whether it read it.
bool readsAlike(const std::string& text)
{
    const std::optional<YamlNode> plain = parsePlainYaml(text);
    if (!plain)
        return false;
    const Result<YamlNode> any = parseAnyYaml(text, "any");
    INFO(text);
    REQUIRE(any);
    REQUIRE(*any == *plain);
    return true;
}

} // namespace

TEST_CASE("every file that is shipped is plain YAML, and read as the library reads it")
{
    const std::vector<fs::path> files = shippedFiles();
    CHECK(files.size() > 300);
    for (const fs::path& file : files) {
        INFO(file.string());
        CHECK(readsAlike(textOf(file)));
    }
}

TEST_CASE("a changed file is read as the library reads it, or left to it")
{
    std::vector<std::string> seeds;
    for (const fs::path& file : shippedFiles())
        if (std::string text = textOf(file); text.size() < 4000)
            seeds.push_back(std::move(text));
    const char* const corners[] = {
        "a: [b, c d, 'e: f', \"g # h\"] # i\nj:\n- k: l\n  m: {n: o, p: [q]}\n- r\n",
        "a:\n  - b: c\n    d:\n      - e\n      - -1\n  # f\n  - \"\"\ng: ~\nh: [null, a#b, c:d]\n",
        "a: \"b \\\"c\\\" \\\\ d\"\ne: '\\n'\n",
        "- a: b\n  c: d\n- e\n\n- [f, {g: h}]\n",
        "a: b # c\nd: 'e''f'\ng: h\n  i\nj: http://k/l?m#n\n",
    };
    seeds.insert(seeds.end(), std::begin(corners), std::end(corners));
    std::size_t plain = 0;
    constexpr int texts = 4000;
    test::Mutator mutator(seeds, 7);
    for (int i = 0; i < texts; ++i)
        plain += readsAlike(mutator.next()) ? std::size_t{1} : 0;
    test::Mutator small({std::begin(corners), std::end(corners)}, 8);
    for (int i = 0; i < texts; ++i)
        plain += readsAlike(small.next()) ? std::size_t{1} : 0;
    CHECK(plain > 500); // else nothing was compared
}

TEST_CASE("what is not plain is left to the library")
{
    for (const char* text : {"",
                             "a",
                             "a:",
                             "a: b: c",
                             "a: |\n  b",
                             "a: &b c",
                             "a: *b",
                             "? a",
                             "--- a",
                             "a: b\n c",
                             "a: [b",
                             "a: [b,]",
                             "a: \"b\\n\"",
                             "a: 'b''c'",
                             "a:\tb",
                             "a: b\r\n",
                             "a: b\na: c",
                             "a: b\n  c: d",
                             "- a\nb: c",
                             "%a",
                             "a: [b\n  c]",
                             "a: [b: c]",
                             "a: {b}",
                             "\xef\xbb\xbf"
                             "a: b",
                             "a: !b c",
                             "{a: b} c",
                             "a: 'b' c"}) {
        INFO(text);
        CHECK_FALSE(parsePlainYaml(text));
    }
}
