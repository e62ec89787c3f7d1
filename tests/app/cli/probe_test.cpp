#include "tests/app/cli/fake_server.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

using namespace headroom;
using test::FakeServer;

namespace {

// Whoever tests behind a proxy does not ask it for this machine.
[[maybe_unused]] const int direct = ::setenv("no_proxy", "127.0.0.1", 1);

constexpr const char* key = "sk-very-secret-key";

std::vector<std::string> plain(int status, const std::string& body)
{
    return {"HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size())
            + "\r\n\r\n" + body};
}

// A list of one model, answers of as many tokens as asked for, and nothing else.
std::vector<std::string> goodAnswer(const std::string& request)
{
    if (request.starts_with("GET /v1/models"))
        return test::modelList("toy");
    if (!request.starts_with("POST /v1/completions"))
        return plain(404, "not found");
    const auto body = nlohmann::json::parse(request.substr(request.find("\r\n\r\n") + 4));
    return test::tokenStream(body.at("max_tokens").get<int>(), true);
}

} // namespace

TEST_CASE("the program probes a server and prints one document")
{
    const FakeServer server(goodAnswer);
    const auto done = test::headroomProgram({"probe", server.url(), "--max-concurrency", "2", "--requests",
                                             "4", "--output", "8", "--gpu", "h100-sxm-80gb", "--json"});
    REQUIRE(done.exitCode == 0);
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("schema") == "headroom.probe/1");
    CHECK(document.at("model") == "toy");
    CHECK(document.at("highest_concurrency") == 2);
    CHECK(document.at("limited_by") == "most-asked");
    CHECK(document.at("partial") == false);
    CHECK(document.at("problems").empty());
    CHECK(document.at("levels").size() == 2);
    CHECK(document["levels"][0].at("failed") == 0);
    CHECK(document["levels"][0].at("requests") == 4);
    CHECK(document["levels"][0].at("end") == "complete");
    CHECK(document["levels"][0].at("failures").empty());
    CHECK(document["levels"][0].at("output_tokens") == 8);
    CHECK(document["levels"][0].contains("ttft_p50_low_s"));
    // A word that says nothing to a server is told, not swallowed.
    CHECK(document.at("notes").dump().find("gpu") != std::string::npos);
    CHECK(test::headroomProgram({"probe", server.url(), "--output", "4", "--ttft", "1e-9"}).exitCode == 1);
    const auto open = test::headroomProgram({"probe", server.url(), "--output", "4", "--requests", "8",
                                             "--rps", "1000", "--traffic", "constant", "--json"});
    REQUIRE(open.exitCode == 0);
    CHECK(nlohmann::json::parse(open.out)["levels"][0].at("rate_asked") == 1000);
}

TEST_CASE("what is typed wrong is told at once, and no key with it")
{
    const std::string url = "http://127.0.0.1:1";
    const std::vector<std::vector<std::string>> wrong{
        {"probe"},
        {"probe", "nonsense"},
        {"probe", url, "--header", "no colon, but sk-very-secret-key"},
        {"probe", url, "--header", "Authorization: Bearer sk-very-secret-key"},
        {"probe", url, "--header", "X-Api-Key: sk-very-secret-key"},
        {"probe", url, "--header", "Bad Name: sk-very-secret-key"},
        {"probe", url, "--header", "X: a\nInjected: sk-very-secret-key"},
        {"probe", "http://user:sk-very-secret-key@127.0.0.1:1"},
        {"probe", url, "--api-key-env", "sk-very-secret-key"},
        {"probe", url, "--api-key-env", "HEADROOM_NO_SUCH_VARIABLE"},
        {"probe", url, "--api-key-file", "/nonexistent"},
        {"probe", url, "--api-key-header", "api-key"},
        {"probe", url, "--ca-file", "/dev/null"},
        {"probe", url, "--max-concurrency", "0"},
        {"probe", url, "--max-concurrency", "1e9"},
        {"probe", url, "--silence-deadline", "-1"},
        {"probe", url, "--concurrency", "4", "--rps", "1"},
        {"probe", url, "--rps", "1", "--traffic", "closed"},
    };
    for (const auto& words : wrong) {
        const auto done = test::headroomProgram(words);
        CAPTURE(words.back());
        CHECK(done.exitCode == 2);
        CHECK((done.out + done.err).find(key) == std::string::npos);
    }
}

TEST_CASE("a key comes from the environment or a file, reaches the server, and stands nowhere else")
{
    std::mutex mutex;
    std::string heads;
    const FakeServer server([&](const std::string& request) {
        const std::lock_guard lock(mutex);
        heads += request.substr(0, request.find("\r\n\r\n")) + '\n';
        if (heads.find("echo") != std::string::npos)
            return plain(401, std::string("\x1b[31mno such key: ") + key);
        return goodAnswer(request);
    });
    const auto file = std::filesystem::temp_directory_path() / ("headroom-key-" + std::to_string(::rand()));
    std::ofstream(file) << key << '\n';
    const test::Variable variable("HEADROOM_TEST_KEY", key);
    const std::vector<std::string> common{"probe",    server.url(), "--max-concurrency", "1",
                                          "--output", "4",          "--model",           "toy"};
    const auto run = [&](std::vector<std::string> more) {
        heads.clear();
        std::vector<std::string> words = common;
        words.insert(words.end(), more.begin(), more.end());
        return test::headroomProgram(words);
    };
    // A machine too busy to ask answers "no"; the key has reached the server all the same.
    const auto asked = [&](std::vector<std::string> more) {
        const int code = run(std::move(more)).exitCode;
        return code == 0 || code == 1;
    };
    CHECK(asked({"--api-key-env", "HEADROOM_TEST_KEY"}));
    CHECK(heads.find(std::string("Authorization: Bearer ") + key) != std::string::npos);
    CHECK(asked({"--api-key-file", file.string(), "--api-key-header", "api-key"}));
    CHECK(heads.find(std::string("api-key: ") + key) != std::string::npos);
    for (const char* format : {"", "--json", "--csv", "--markdown"}) {
        std::vector<std::string> more{"--api-key-env", "HEADROOM_TEST_KEY", "--header", "X-Do: echo"};
        if (*format != '\0')
            more.emplace_back(format);
        const auto echoed = run(more);
        CAPTURE(format);
        CHECK(echoed.exitCode == 3);
        CHECK(echoed.err.find("status-401") != std::string::npos);
        if (std::string_view(format) == "--json") // the levels, and why they are no answer
            CHECK(nlohmann::json::parse(echoed.out)
                      .at("problems")
                      .at(0)
                      .at("what")
                      .get<std::string>()
                      .starts_with("the server answered no request"));
        CHECK((echoed.out + echoed.err).find(key) == std::string::npos);
        CHECK((echoed.out + echoed.err).find('\x1b') == std::string::npos);
    }
    std::filesystem::remove(file);
}

TEST_CASE("results that cannot be written stand on standard error, and the program says so")
{
    const FakeServer server(goodAnswer);
    const auto done = test::headroomProgram(
        {"probe", server.url(), "--max-concurrency", "1", "--output", "4", "--json"}, "/dev/full");
    CHECK(done.exitCode == 3);
    CHECK(done.err.find("cannot be written") != std::string::npos);
    CHECK(done.err.find("TTFT") != std::string::npos);
}

TEST_CASE("where the files of the machine run out, that is the answer")
{
    const FakeServer server(goodAnswer);
    const auto done = test::headroomProgram(
        {"probe", server.url(), "--output", "4", "--requests", "4", "--ttft", "3600", "--json"}, {}, 80);
    REQUIRE(done.exitCode == 0);
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("limited_by") == "client-files");
    CHECK(document.at("highest_concurrency") == 16); // of 80, 64 are for everything that is no connection
    CHECK(document.at("highest_high").is_null());
}

TEST_CASE("Ctrl-C loses no level that ended")
{
    std::atomic<int> program = 0;
    std::atomic<int> asked = 0;
    const FakeServer server([&](const std::string& request) {
        // The first level has one user and four requests behind his warm-up: this is in the second or third.
        constexpr int later = 12;
        if (request.starts_with("POST /v1/completions") && ++asked == later) {
            program.wait(0);
            ::kill(program, SIGINT);
        }
        return goodAnswer(request);
    });
    const auto done = test::headroomProgram(
        {"probe", server.url(), "--output", "4", "--requests", "4", "--model", "toy", "--json"}, {}, 0,
        [&](int started) {
            program = started;
            program.notify_all();
        });
    CAPTURE(done.err);
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("partial") == true);
    CHECK(document.at("limited_by") == "interrupted");
    CHECK(document.at("highest_concurrency") >= 1);
    REQUIRE_FALSE(document.at("levels").empty());
    CHECK(document["levels"][0].at("end") == "complete");
    CHECK(document["levels"][0].at("requests") == 4);
}
