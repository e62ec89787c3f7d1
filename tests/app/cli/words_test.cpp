#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using headroom::test::Finished;
using headroom::test::headroomProgram;

TEST_CASE("without a word the program shows its help and calls it bad usage")
{
    const Finished done = headroomProgram({});
    CHECK(done.exitCode == 2);
    CHECK(done.out.empty());
    CHECK(done.err.find("headroom ask") != std::string::npos);
}

TEST_CASE("asked for help it prints help on standard output")
{
    const Finished done = headroomProgram({"--help"});
    CHECK(done.exitCode == 0);
    CHECK(done.err.empty());
    CHECK(done.out.find("--version") != std::string::npos);
}

TEST_CASE("an unknown verb is refused")
{
    const Finished done = headroomProgram({"qqqqqq"});
    CHECK(done.exitCode == 2);
    CHECK(done.out.empty());
    CHECK(done.err.find("unknown verb 'qqqqqq'") != std::string::npos);
}

TEST_CASE("with --json a refusal is one JSON document on standard output")
{
    const Finished done = headroomProgram({"qqqqqq", "--json"});
    CHECK(done.exitCode == 2);
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("schema") == "headroom.error/1");
    REQUIRE(document.at("problems").size() == 1);
    CHECK(document["problems"][0].at("what") == "unknown verb 'qqqqqq'");
}
