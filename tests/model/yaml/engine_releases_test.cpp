// When an engine's versions came out, as its file says it.
#include "model/yaml/engine_yaml.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <string>

namespace headroom::tests {
namespace {

// The file of a preset whose versions these are.
std::string presetWith(const std::string& versions)
{
    const Result<const Engine*> shippedOne = shipped().engine("vllm-2026-08");
    REQUIRE(shippedOne.has_value());
    std::string text = writeEngine(**shippedOne);
    const std::size_t from = text.find("\n  versions:");
    const std::size_t to = text.find("\n  source:", from);
    REQUIRE(from != std::string::npos);
    REQUIRE(to != std::string::npos);
    return text.replace(from, to - from, versions);
}

std::string problemIn(const std::string& versions)
{
    const Result<Engine> read = readEngine(presetWith(versions), "own.yaml");
    return read ? "" : read.error().front().what.english();
}

} // namespace

TEST_CASE("an engine's file says in which month a version came out, the oldest first")
{
    const Result<Engine> read = readEngine(presetWith("\n  versions:"
                                                      "\n    - version: \"0.5\"\n      month: 2025-09"
                                                      "\n    - version: \"0.10\"\n      month: 2025-11"),
                                           "own.yaml");
    REQUIRE(read.has_value());
    REQUIRE(read->releases.size() == 2);
    CHECK(read->releases[0] == EngineRelease{"0.5", "2025-09"});
    CHECK(read->releases[1] == EngineRelease{"0.10", "2025-11"}); // a text, not the number 0.1
    CHECK(readEngine(writeEngine(*read), "own.yaml").value() == *read);
}

TEST_CASE("months that are none, or out of order, are refused, and so is a list without versions")
{
    CHECK(problemIn("\n  versions:\n    - version: \"1\"\n      month: 2025-13") == "'2025-13' is no month");
    CHECK(problemIn("\n  versions:\n    - version: \"1\"\n      month: \"2025\"") == "'2025' is no month");
    CHECK(problemIn("\n  versions:\n    - version: \"2\"\n      month: 2025-05"
                    "\n    - version: \"1\"\n      month: 2025-04")
          == "comes after a younger version: the oldest stands first");
    CHECK(problemIn("") == "lists no version");
}

} // namespace headroom::tests
