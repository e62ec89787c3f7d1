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

TEST_CASE("a key that was said where no verb takes one is not repeated")
{
    const std::string key = "sk-very-secret-key-123";
    const std::vector<std::vector<std::string>> all{
        {"probe", "http://127.0.0.1:1", "--api-key", key},
        {"probe", "http://127.0.0.1:1", "--api-key=" + key},
        {"probe", "http://127.0.0.1:1", "--api-key:" + key},
        {"probe", "http://127.0.0.1:1", "--token", "-" + key},
        {"probe", "http://127.0.0.1:1", "--api-key", key, "--users"}, // a flag without its value, too
        {"probe", "http://127.0.0.1:1", "-k", key},
        {"probe", "http://127.0.0.1:1", key},
        {"predict", "--hf-token", "secret-without-a-mark", "--model", key, "--gpu", "l40s"},
        {"--api-key", key, "probe", "http://127.0.0.1:1"},
        {key},
    };
    for (std::vector<std::string> words : all)
        for (const bool json : {false, true}) {
            if (json)
                words.emplace_back("--json");
            const Finished done = headroomProgram(words);
            CAPTURE(words.back());
            CAPTURE(done.err);
            CHECK(done.exitCode == 2);
            CHECK(done.err.find("headroom: ") == 0);
            for (const std::string& said : {done.out, done.err}) {
                CHECK(said.find("very-secret") == std::string::npos);
                CHECK(said.find("without-a-mark") == std::string::npos);
            }
        }
    // Other words are, so that a mistake is seen.
    CHECK(headroomProgram({"predict", "--model", "task-sk-1", "--gpu", "l40s"}).err.find("task-sk-1")
          != std::string::npos);
}

TEST_CASE("with --json what breaks is one JSON document on standard output, as what is refused is")
{
    const Finished done = headroomProgram({"predict", "--model", "llama-3.1-8b", "--gpu", "l40s", "--json",
                                           "-o", "/proc/no/such/folder/x.json"});
    CHECK(done.exitCode == 3);
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("schema") == "headroom.error/1");
    CHECK(document.at("problems").at(0).at("where") == "/proc/no/such/folder/x.json");
    CHECK(done.err.find(document["problems"][0].at("what").get<std::string>()) != std::string::npos);
}

TEST_CASE(
    "a flag without its value, one that stands twice and a switch with a value are told, and hide nothing")
{
    struct Row {
        std::vector<std::string> more;
        const char* where;
        const char* what;
    };
    const std::vector<Row> rows{
        {{"--trace", "--tp", "1"}, "--trace", "its value is missing, another flag follows"},
        {{"--weights", "--no-such-flag", "1"}, "--weights", "its value is missing, another flag follows"},
        {{"--output-file", "-o", "x"}, "--output-file", "its value is missing, another flag follows"},
        {{"--tp"}, "--tp", "its value is missing"},
        {{"--tp", "1", "--tp", "2"}, "--tp", "is given twice"},
        {{"--tp=1", "--tp=1"}, "--tp", "is given twice"},
        {{"--json=false"}, "--json", "takes no value"},
    };
    for (const Row& row : rows) {
        std::vector<std::string> words{"predict",      "--json", "--model",
                                       "llama-3.1-8b", "--gpu",  "no-such-gpu"};
        words.insert(words.end(), row.more.begin(), row.more.end());
        const Finished done = headroomProgram(words);
        CAPTURE(done.err);
        CHECK(done.exitCode == 2);
        const auto document = nlohmann::json::parse(done.out);
        CHECK(document.at("problems").at(0).at("where") == row.where);
        CHECK(document["problems"][0].at("what") == row.what);
        CHECK(done.err.find("no-such-gpu") != std::string::npos);
    }
    // --json where a value should be is no name of a file.
    const Finished swallowed
        = headroomProgram({"predict", "--model", "llama-3.1-8b", "--gpu", "l40s", "--trace", "--json"});
    CHECK(swallowed.exitCode == 2);
    CHECK(nlohmann::json::parse(swallowed.out).at("problems").at(0).at("where") == "--trace");
}

TEST_CASE("what stands behind -- is a word of the verb, and not lost")
{
    CHECK(headroomProgram({"show", "--json", "gpu", "--", "l40s"}).exitCode == 0);
    const Finished done = headroomProgram({"show", "gpu", "l40s", "--", "--markdown"});
    CHECK(done.exitCode == 2);
    CHECK(done.err.find("does not know what to do with '--markdown'") != std::string::npos);
}
