#include "headroom_source_dir.h"
#include "model/yaml/check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

struct Expected {
    std::string file;
    std::string place;
    std::string what;
};

std::string trimmed(std::string text)
{
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

std::vector<Expected> expectations(const fs::path& list)
{
    std::vector<Expected> all;
    std::ifstream in(list);
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find('|');
        const std::size_t second = line.find('|', first + 1);
        if (line.starts_with('#') || second == std::string::npos)
            continue;
        all.push_back({trimmed(line.substr(0, first)), trimmed(line.substr(first + 1, second - first - 1)),
                       trimmed(line.substr(second + 1))});
    }
    return all;
}

bool says(const Problems& problems, const Expected& expected)
{
    return std::any_of(problems.begin(), problems.end(), [&](const Problem& problem) {
        return problem.where.ends_with(expected.place)
            && problem.what.english().find(expected.what) != std::string::npos;
    });
}

std::string text(const Problems& problems)
{
    std::string out;
    for (const Problem& problem : problems)
        out += problem.where + ": " + problem.what.english() + " (" + problem.hint.english() + ")\n";
    return out;
}

} // namespace

TEST_CASE("each broken file is refused with its problems in their places")
{
    const fs::path folder = HEADROOM_SOURCE_DIR "/tests/data/bad/yaml";
    std::set<std::string> broken;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".yaml")
            broken.insert(entry.path().stem().string());
    CHECK(broken.size() >= 60);
    std::set<std::string> described;
    for (const Expected& expected : expectations(folder / "expected.txt")) {
        described.insert(expected.file);
        const CheckedFile checked = checkFile(folder / (expected.file + ".yaml"));
        CAPTURE(expected.file);
        CAPTURE(expected.place);
        CAPTURE(expected.what);
        const std::string got = text(checked.problems);
        CAPTURE(got);
        CHECK_FALSE(checked.problems.empty());
        CHECK(says(checked.problems, expected));
    }
    CHECK(described == broken);
}

TEST_CASE("a file that is too large is refused unread")
{
    const fs::path file = fs::temp_directory_path() / "headroom-huge-test.yaml";
    std::ofstream(file) << "id: x\n";
    fs::resize_file(file, std::uintmax_t{1} << 33); // sparse: takes no room
    const CheckedFile checked = checkFile(file);
    fs::remove(file);
    REQUIRE(checked.problems.size() == 1);
    CHECK(checked.problems.front().what.english().find("8589934592 bytes") != std::string::npos);
}

TEST_CASE("what is no file is refused")
{
    CHECK(checkFile("/nowhere/x.yaml").problems.front().what.english() == "there is no such file");
    CHECK_FALSE(checkFile("/").problems.empty());
    CHECK_FALSE(checkFile("/dev/null").problems.empty());
}

TEST_CASE("every shipped YAML file is recognised and good")
{
    const fs::path root = HEADROOM_SOURCE_DIR;
    const auto all = [&](const char* folder, FileKind kind) {
        int files = 0;
        for (const fs::directory_entry& entry : fs::directory_iterator(root / folder)) {
            if (entry.path().extension() != ".yaml" || entry.path().filename() == "index.yaml")
                continue;
            const CheckedFile checked = checkFile(entry.path());
            CAPTURE(entry.path().string());
            const std::string got = text(checked.problems);
            CAPTURE(got);
            CHECK(checked.problems.empty());
            CHECK(checked.kind == kind);
            ++files;
        }
        return files;
    };
    CHECK(all("hw_profiles/gpus", FileKind::Accelerator) >= 80);
    CHECK(all("hw_profiles/nodes", FileKind::Machine) >= 50);
    CHECK(all("hw_profiles/priors", FileKind::Calibration) >= 20);
    CHECK(all("models", FileKind::Model) >= 131);
    CHECK(all("resources/engines", FileKind::Engine) >= 11);
    CHECK(all("resources/scenarios", FileKind::Scenario) >= 6);
    for (const char* index : {"hw_profiles/index.yaml", "models/index.yaml", "resources/engines/index.yaml"})
        CHECK(checkFile(root / index).kind == FileKind::Index);
}

TEST_CASE("in the catalogue an id is the name of its file")
{
    const fs::path folder = fs::temp_directory_path() / "headroom-check-test" / "gpus";
    fs::create_directories(folder);
    fs::copy_file(HEADROOM_SOURCE_DIR "/hw_profiles/gpus/t4.yaml", folder / "t5.yaml",
                  fs::copy_options::overwrite_existing);
    const CheckedFile checked = checkFile(folder / "t5.yaml");
    fs::remove_all(folder.parent_path());
    REQUIRE(checked.problems.size() == 1);
    CHECK(checked.problems.front().what.english() == "'t4' is not the file's name");
}
