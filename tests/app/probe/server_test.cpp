#include "app/probe/server.h"
#include "tests/app/probe/scripted_transport.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace headroom;
using test::ScriptedTransport;
using Steps = std::vector<ScriptedTransport::Step>;

namespace {

// A tokenizer that begins each text with a mark and cuts "money" and "water" in two.
int tokensIn(const std::string& text)
{
    std::istringstream in(text);
    int tokens = 1;
    for (std::string word; in >> word;)
        tokens += word == "money" || word == "water" ? 2 : 1;
    return tokens;
}

Steps body(std::string text, int status = 200)
{
    Steps steps = test::headOf(status, "application/json");
    steps.push_back(test::pieceAt(0.001, std::move(text)));
    steps.push_back(test::endAt(0.001));
    return steps;
}

Steps listOf(int tokens, const char* before, const char* after)
{
    std::string list;
    for (int i = 0; i < tokens; ++i)
        list += (i == 0 ? "" : ",") + std::to_string(i);
    return body(before + list + after);
}

Steps completion(const nlohmann::json& request)
{
    Steps steps = test::headOf();
    const int prompt = tokensIn(request.at("prompt").get<std::string>());
    steps.push_back(test::pieceAt(0.001,
                                  test::tokenEvent() + test::finishEvent("length")
                                      + test::usageEvent("1", std::to_string(prompt)) + "data: [DONE]\n\n"));
    steps.push_back(test::endAt(0.001));
    return steps;
}

enum class Tokenizer { Vllm, LlamaCpp, Tgi, None };

ScriptedTransport serverWith(Tokenizer tokenizer, bool usage)
{
    return ScriptedTransport([=](const probe::Exchange& exchange, int) {
        if (exchange.path == "/v1/completions")
            return usage ? completion(nlohmann::json::parse(exchange.body)) : test::usualStream(1, 0.1, 0.1);
        if (exchange.path != "/tokenize")
            return body("not found", 404);
        const auto request = nlohmann::json::parse(exchange.body);
        if (tokenizer == Tokenizer::Vllm && request.contains("prompt"))
            return body(nlohmann::json{{"count", tokensIn(request["prompt"])}}.dump());
        if (tokenizer == Tokenizer::LlamaCpp)
            return listOf(request.contains("content") ? tokensIn(request["content"]) : 0, "{\"tokens\":[",
                          "]}");
        if (tokenizer == Tokenizer::Tgi && request.contains("inputs"))
            return listOf(tokensIn(request["inputs"]), "[", "]");
        return body("{}", 404);
    });
}

} // namespace

TEST_CASE("prompts have the exact length by the server's own tokenizer, be it vLLM's, llama.cpp's or TGI's")
{
    for (const Tokenizer tokenizer : {Tokenizer::Vllm, Tokenizer::LlamaCpp, Tokenizer::Tgi}) {
        ScriptedTransport transport = serverWith(tokenizer, false);
        const probe::Secrets secrets;
        const auto writer = probe::Server(transport, secrets, {}).prompts("toy", 0, 7);
        CHECK(writer.scale().counted == probe::WordsCounted::ByTokenizer);
        CHECK(writer.words().size() == probe::allWords().size() - 2); // those that it keeps whole
        for (const double tokens : {2.0, 17.0, 1024.0})
            CHECK(tokensIn(writer.prompt(tokens, 3)) == tokens);
    }
}

TEST_CASE("without a tokenizer prompts are as long as the server's counts of two prompts make them")
{
    ScriptedTransport transport = serverWith(Tokenizer::None, true);
    const probe::Secrets secrets;
    const auto writer = probe::Server(transport, secrets, {}).prompts("toy", 0, 7);
    CHECK(writer.scale().counted == probe::WordsCounted::ByUsage);
    CHECK(tokensIn(writer.prompt(2000, 3)) == doctest::Approx(2000).epsilon(0.03));
}

TEST_CASE("a server that counts nothing is asked for words")
{
    ScriptedTransport transport = serverWith(Tokenizer::None, false);
    const probe::Secrets secrets;
    const auto writer = probe::Server(transport, secrets, {}).prompts("toy", 0, 7);
    CHECK(writer.scale() == probe::PromptScale{});
}

TEST_CASE("no two prompts begin alike, in one run or in two, unless a share is asked to be common")
{
    const std::size_t prefix = 60; // a block of 16 tokens and less
    std::set<std::string> begins;
    for (const std::uint64_t nonce : {1U, 2U}) {
        const probe::PromptWriter writer(probe::allWords(), {}, 0, nonce);
        for (std::uint64_t i = 0; i < 1000; ++i)
            begins.insert(writer.prompt(64, i).substr(0, prefix));
    }
    CHECK(begins.size() == 2000);
    const probe::PromptWriter shared(probe::allWords(), {}, 0.5, 1);
    const std::string one = shared.prompt(64, 1);
    const std::string two = shared.prompt(64, 2);
    CHECK(std::count(one.begin(), one.end(), ' ') == std::count(two.begin(), two.end(), ' '));
    const auto common
        = std::size_t(std::mismatch(one.begin(), one.end(), two.begin(), two.end()).first - one.begin());
    const auto commonWords = std::count(one.begin(), one.begin() + std::ptrdiff_t(common), ' ');
    CHECK(commonWords >= 32);
    CHECK(commonWords <= 36);
}

TEST_CASE("the served model is the first of the list, and every refusal is told without what it echoes")
{
    probe::Secrets secrets;
    secrets.add("sk-secret");
    const auto modelOf = [&](Steps steps) {
        ScriptedTransport transport([&](const probe::Exchange&, int) { return steps; });
        return probe::Server(transport, secrets, {}).servedModel();
    };
    CHECK(*modelOf(body(R"({"data":[{"id":"a"},{"id":"b"}]})")) == "a");
    CHECK(modelOf(body("denied", 401)).error().front().hint.english().find("--api-key-env")
          != std::string::npos);
    for (const char* text : {"{}", "[]", "\x1b[2Jsk-secret", "{\"data\":[]}"}) {
        const auto refused = modelOf(body(text));
        REQUIRE_FALSE(refused);
        CHECK(refused.error().front().what.english().find_first_of("\x1b") == std::string::npos);
        CHECK(refused.error().front().what.english().find("sk-secret") == std::string::npos);
    }
    Steps silent = test::headOf();
    CHECK_FALSE(modelOf(silent)); // and the clock of the script says when it was given up
}
