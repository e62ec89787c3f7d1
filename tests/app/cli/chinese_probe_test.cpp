// What a probe tells in Chinese: levels as they end, the table, the verdict, what it refuses.
#include "tests/app/cli/chinese_words.h"
#include "tests/app/cli/fake_server.h"
#include "tests/app/cli/predict_words.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace headroom::test;

namespace {

std::vector<std::string> statusOnly(int status, const std::string& body)
{
    return {"HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size())
            + "\r\n\r\n" + body};
}

// A server of one model whose completions are what `answer` makes of the number of tokens asked for.
std::function<std::vector<std::string>(const std::string&)>
serverOf(std::function<std::vector<std::string>(int)> answer)
{
    return [answer](const std::string& request) {
        if (request.starts_with("GET /v1/models"))
            return modelList("toy");
        if (!request.starts_with("POST /v1/completions"))
            return statusOnly(404, "");
        const auto body = nlohmann::json::parse(request.substr(request.find("\r\n\r\n") + 4));
        return answer(body.at("max_tokens").get<int>());
    };
}

std::vector<std::string> probeOf(const FakeServer& server)
{
    return {"probe", server.url(), "--max-concurrency", "2", "--requests", "4", "--output", "8"};
}

} // namespace

TEST_CASE("a probe tells its levels and its verdict in Chinese")
{
    const FakeServer counts(serverOf([](int tokens) { return tokenStream(tokens, true); }));
    checkChinese(with(probeOf(counts), {"--tps", "1", "--ttft", "30"}), 0);
    checkChinese(with(probeOf(counts), {"--ttft", "0.000001"}), 1);
    checkChinese(with(probeOf(counts), {"--markdown"}), 0);
    checkChinese({"probe", counts.url(), "--rps", "50", "--requests", "4", "--output", "8", "--ttft", "30",
                  "--gpu", "l4"},
                 0);
    const FakeServer silent(serverOf([](int tokens) { return tokenStream(tokens, false); }));
    checkChinese(with(probeOf(silent), {"--tps", "1"}), 0);
}

TEST_CASE("what a server does wrong is told in Chinese, and programs read it in English")
{
    const FakeServer busy(serverOf([](int) { return statusOnly(429, ""); }));
    checkChinese(probeOf(busy), 3);
    const FakeServer shortens(serverOf([](int) { return tokenStream(2, true); }));
    checkChinese(probeOf(shortens), 3);
    const FakeServer packed(serverOf([](int) {
        return std::vector<std::string>{
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx"};
    }));
    checkChinese(probeOf(packed), 3);
    const Finished document = headroomProgram(with(probeOf(packed), {"--json", "--lang", "zh"}));
    CHECK(document.out.find("the answer is packed with gzip, which was not asked for") != std::string::npos);
    CHECK(document.out.find("压缩") == std::string::npos);
}

TEST_CASE("what a probe refuses is told in Chinese")
{
    const FakeServer nothing([](const std::string&) { return statusOnly(404, ""); });
    const FakeServer noModels([](const std::string&) { return statusOnly(200, R"({"data": []})"); });
    const FakeServer noList([](const std::string&) { return statusOnly(200, "{"); });
    for (const FakeServer* server : {&nothing, &noModels, &noList})
        checkSaysChinese({"probe", server->url()}, 2);
    checkSaysChinese({"probe", "http://127.0.0.1:1", "--silence-deadline", "x"}, 2);
    checkSaysChinese({"probe", "localhost", "--api-key-file", "/nowhere", "--header", "X-Key: abc",
                      "--ca-file", "/nowhere", "--max-concurrency", "0", "--request-deadline", "-1"},
                     2);
    checkSaysChinese({"probe", "http://a:b@localhost", "--api-key-env", "HEADROOM_NO_SUCH_NAME", "--header",
                      "x", "--concurrency", "9999", "--rps", "1", "--traffic", "burst"},
                     2);
    checkSaysChinese({"probe", "http://localhost?x=1", "--api-key-header", "a b", "--rps", "1", "--traffic",
                      "diurnal:peak=3"},
                     2);
    checkSaysChinese({"probe"}, 2);
}
