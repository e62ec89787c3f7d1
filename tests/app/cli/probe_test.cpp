#include "app/cli/probe/load.h"
#include "tests/app/cli/fake_server.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

using namespace headroom;
using headroom::cli::ProbePlan;
using headroom::test::FakeServer;

namespace {

std::vector<std::string> goodAnswer(const std::string& request)
{
    return request.starts_with("GET") ? test::modelList("toy") : test::tokenStream(5, true);
}

ProbePlan planFor(const FakeServer& server)
{
    ProbePlan plan{.url = *cli::urlFromText(server.url()), .model = "toy"};
    plan.requests = 8;
    return plan;
}

} // namespace

TEST_CASE("addresses are taken apart, other schemes refused")
{
    CHECK(*cli::urlFromText("http://localhost:8000") == cli::Url{"localhost", "8000", ""});
    CHECK(*cli::urlFromText("http://10.0.0.7/api/v1/") == cli::Url{"10.0.0.7", "80", "/api"});
    CHECK(*cli::urlFromText("http://[::1]:30000/") == cli::Url{"::1", "30000", ""});
    for (const char* text : {"", "localhost:8000", "https://localhost", "http://", "http://a:0",
                             "http://a:99999", "http://a:b", "http://a b", "ftp://a"}) {
        CAPTURE(text);
        CHECK_FALSE(cli::urlFromText(text));
    }
}

TEST_CASE("every request is answered and counted as the server counts")
{
    const FakeServer server(goodAnswer);
    const cli::ProbeLevel level = cli::probeLevel(planFor(server), 3);
    CHECK(level.requests == 8);
    CHECK(level.failed == 0);
    CHECK(server.requests() == 8);
    CHECK(level.countedByServer);
    CHECK(level.meanPromptTokens == 12);
    CHECK(level.meanOutputTokens == 10); // two tokens in each of the five events, by the server's own count
    CHECK(level.ttft.count == 8);
    CHECK(level.ttft.p50 <= level.ttft.p99);
    CHECK(level.ttft.p99 <= level.latency.p99);
    CHECK(level.meets);
}

TEST_CASE("without the server's count, events with text are tokens")
{
    const FakeServer server([](const std::string&) { return test::tokenStream(5, false); });
    const cli::ProbeLevel level = cli::probeLevel(planFor(server), 1);
    CHECK_FALSE(level.countedByServer);
    CHECK(level.meanOutputTokens == 5);
}

TEST_CASE("the request asks for a stream of the wanted length and carries the header lines")
{
    std::string seen;
    const FakeServer server([&seen](const std::string& request) {
        seen = request;
        return test::tokenStream(1, false);
    });
    ProbePlan plan = planFor(server);
    plan.requests = 1;
    plan.header = "Authorization: Bearer key\r\n";
    plan.output = LengthDistribution::of(77);
    plan.prompt = LengthDistribution::of(3);
    CHECK(cli::probeLevel(plan, 1).failed == 0);
    CHECK(seen.starts_with("POST /v1/completions HTTP/1.1\r\n"));
    CHECK(seen.find("Authorization: Bearer key\r\n") != std::string::npos);
    const auto body = nlohmann::json::parse(seen.substr(seen.find("\r\n\r\n") + 4));
    CHECK(body.at("model") == "toy");
    CHECK(body.at("max_tokens") == 77);
    CHECK(body.at("stream") == true);
}

TEST_CASE("answers that are errors, cut off or no HTTP are failures with a reason")
{
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{"HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops"}, "500"},
        {{"SSH-2.0-OpenSSH\r\n\r\n"}, "HTTP"},
        {{}, "without an answer"},
        {{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzzz\r\n"}, "malformed"},
        {{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n"}, "malformed"},
        {{"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\ndata: {[bad\n"}, ""},
        {{"HTTP/1.1 200 OK\r\n\r\ndata: {\"error\":{\"message\":\"out of memory\"}}\n"}, "out of memory"},
        {{"HTTP/1.1 200 OK\r\n\r\ndata: [DONE]\n"}, "without text"},
    };
    for (const auto& [pieces, reason] : cases) {
        CAPTURE(reason);
        const FakeServer server([&pieces = pieces](const std::string&) { return pieces; });
        ProbePlan plan = planFor(server);
        plan.requests = 2;
        const cli::ProbeLevel level = cli::probeLevel(plan, 1);
        CHECK(level.failed == 2);
        CHECK_FALSE(level.meets);
        CHECK_FALSE(level.firstFailure.empty());
        CHECK(level.firstFailure.find(reason) != std::string::npos);
    }
}

TEST_CASE("users double until the targets are missed, then the highest that meets them is closed in on")
{
    // by clock.
    const FakeServer server(goodAnswer);
    ProbePlan plan = planFor(server);
    std::vector<int> tried;
    const auto none = cli::probeUpTo(
        plan, 4, [&tried](const cli::ProbeLevel& level) { tried.push_back(level.concurrency); });
    CHECK(tried == std::vector<int>{1, 2, 4});
    CHECK(none.highest == 4);

    plan.targets.ttft = Seconds(1e-9); // nothing is that fast
    tried.clear();
    const auto missed = cli::probeUpTo(
        plan, 4, [&tried](const cli::ProbeLevel& level) { tried.push_back(level.concurrency); });
    CHECK(tried == std::vector<int>{1});
    CHECK(missed.highest == 0);
}

TEST_CASE("the program probes a server and prints one document")
{
    const FakeServer server(goodAnswer);
    const auto done = test::headroomProgram(
        {"probe", server.url(), "--max-concurrency", "2", "--requests", "4", "--json"});
    REQUIRE(done.exitCode == 0);
    const auto document = nlohmann::json::parse(done.out);
    CHECK(document.at("schema") == "headroom.probe/1");
    CHECK(document.at("model") == "toy");
    CHECK(document.at("highest_concurrency") == 2);
    CHECK(document.at("levels").size() == 2);
    CHECK(document["levels"][0].at("failed") == 0);
    CHECK(test::headroomProgram({"probe", server.url(), "--ttft", "1e-9"}).exitCode == 1);
    CHECK(test::headroomProgram({"probe", "nonsense"}).exitCode == 2);
    CHECK(test::headroomProgram({"probe"}).exitCode == 2);
    CHECK(test::headroomProgram({"probe", server.url(), "--header", "no colon"}).exitCode == 2);
}
