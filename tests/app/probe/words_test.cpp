#include "app/probe/address.h"
#include "app/probe/event_lines.h"
#include "app/probe/failure.h"
#include "app/probe/server_metrics.h"
#include "app/probe/shown_text.h"

#include <doctest/doctest.h>

#include <set>

using namespace headroom;
using probe::addressFromText;

TEST_CASE("addresses are taken apart, other schemes refused")
{
    CHECK(*addressFromText("http://localhost:8000") == probe::Address{"http", "localhost", "8000", ""});
    CHECK(*addressFromText("http://10.0.0.7/api/v1/") == probe::Address{"http", "10.0.0.7", "80", "/api"});
    CHECK(*addressFromText("http://[::1]:30000/") == probe::Address{"http", "::1", "30000", ""});
    CHECK(*addressFromText("https://host/v1") == probe::Address{"https", "host", "443", ""});
    CHECK(addressFromText("http://[::1]:30000/")->text() == "http://[::1]:30000");
    CHECK(addressFromText("https://host/x")->text() == "https://host:443/x");
    for (const char* text : {"", "localhost:8000", "http://", "http://a:0", "http://a:99999", "http://a:b",
                             "http://a b", "ftp://a", "file:///etc/passwd", "http://a?key=1", "http://a#b",
                             "http://a\nb", "gopher://a", "http://\x1b[2J"}) {
        CAPTURE(text);
        CHECK_FALSE(addressFromText(text));
    }
}

TEST_CASE("a login in an address is refused and not repeated")
{
    for (const char* text :
         {"http://user:hunter2@host:8000", "http://user:hunter2@", "https://:hunter2@h:99999"}) {
        const auto address = addressFromText(text);
        CAPTURE(text);
        REQUIRE_FALSE(address);
        for (const Problem& problem : address.error())
            CHECK((problem.what.english() + problem.hint.english()).find("hunter2") == std::string::npos);
    }
}

TEST_CASE("text of a stranger neither steers a terminal nor breaks a document")
{
    CHECK(probe::printable("caf\xC3\xA9 \xE4\xB8\xAD") == "caf\xC3\xA9 \xE4\xB8\xAD");
    CHECK(probe::printable("\x1b[31mred\x1b[0m\r\nnext\x07") == " [31mred [0m  next ");
    CHECK(probe::printable("a\xC2\x9B"
                           "b")
          == "a b"); // C1 of eight-bit terminals
    CHECK(probe::printable("a\xE2\x80\xAE"
                           "b")
          == "a b"); // right to left from here
    CHECK(probe::printable("\xFF\xC0\xAF\xED\xA0\x80")
          == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
             "\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK(probe::printable("\xE4\xB8") == "\xEF\xBF\xBD\xEF\xBF\xBD"); // cut inside a letter
    CHECK(probe::printable(std::string(1000, 'x')).size() == 200 + 3);
    CHECK(probe::isUtf8("\xF0\x9F\x98\x80"));
    CHECK_FALSE(probe::isUtf8("\xF0\x9F\x98"));
    CHECK_FALSE(probe::isUtf8("\xC0\x80"));
    CHECK_FALSE(probe::isUtf8("\xED\xA0\x80"));
    CHECK_FALSE(probe::isUtf8("\xF4\x90\x80\x80"));
}

TEST_CASE("a key is found however it is written, and before anything is cut")
{
    probe::Secrets secrets;
    secrets.add("sk-Ab/c\"9+z");
    for (const char* text :
         {"bad key sk-Ab/c\"9+z!", "SK-AB/C\"9+Z", "{\"key\":\"sk-Ab/c\\\"9+z\"}",
          "{\"key\":\"sk-Ab\\/c\\\"9+z\"}", "?key=sk-Ab%2Fc%229%2Bz", "c2stQWIvYyI5K3o="}) {
        CAPTURE(text);
        const std::string shown = secrets.shown(text);
        CHECK(shown.find("[redacted]") != std::string::npos);
        CHECK(shown.find("9") == std::string::npos);
    }
    const std::string cut = secrets.shown(std::string(195, 'x') + "sk-Ab/c\"9+z", 200);
    CHECK(cut.find("sk-") == std::string::npos);
    secrets.add("ab"); // too short to be one
    CHECK(secrets.redacted("about") == "about");
}

TEST_CASE("lines are put together from any pieces and have a longest length")
{
    probe::EventLines lines;
    std::vector<std::string> seen;
    const auto take = [&](std::string_view line) {
        seen.emplace_back(line);
        return true;
    };
    for (const char* piece : {"a", "b\r", "\nc\n\nd", "e"})
        CHECK(lines.add(piece, take));
    CHECK(seen == std::vector<std::string>{"ab", "c", ""});
    const std::string half(probe::EventLines::longest / 2, 'x');
    probe::EventLines longer;
    CHECK(longer.add(half, take));
    CHECK(longer.add(half, take));
    CHECK_FALSE(longer.add("x", take));
    // Each byte is looked at once: a line that comes a byte at a time would else take hours.
    probe::EventLines slow;
    bool fits = true;
    for (std::size_t i = 1; i < probe::EventLines::longest; ++i)
        fits = fits && slow.add("x", take);
    CHECK(fits);
    CHECK(slow.add("\n", take));
    CHECK(seen.back().size() == probe::EventLines::longest - 1);
}

TEST_CASE("every failure has a name of its own")
{
    std::set<std::string_view> names;
    constexpr int kinds = int(probe::FailureKind::ClientMemory) + 1;
    for (int kind = 0; kind < kinds; ++kind)
        names.insert(probe::failureName(probe::FailureKind(kind)));
    CHECK(names.size() == kinds);
    CHECK(probe::failureName(probe::FailureKind::ClientMemory) == "client-memory");
    CHECK(probe::failureName(probe::FailureKind::SlowHeaders) == "slow-headers");
    CHECK(probe::failureName(probe::FailureKind::UsageTooLow) == "usage-too-low");
    CHECK(probe::Failure{.kind = probe::FailureKind::Status, .status = 429, .detail = {}}.name()
          == "status-429");
}

TEST_CASE("the counters of four engines are read, and of nobody else")
{
    using probe::ServerKind;
    const auto vllm = probe::readServerMetrics(
        "# HELP vllm:generation_tokens_total Number of generation tokens processed.\n"
        "# TYPE vllm:generation_tokens_total counter\n"
        "vllm:generation_tokens_total{engine=\"0\",model_name=\"a } b\"} 1.5e+02\n"
        "vllm:generation_tokens_total{engine=\"1\",model_name=\"a } b\"} 50.0 1700000000\n"
        "vllm:num_preemptions_total{engine=\"0\"} 3\n"
        "vllm:kv_cache_usage_perc{engine=\"0\"} 0.25\nvllm:kv_cache_usage_perc{engine=\"1\"} 0.75\n"
        "vllm:prefix_cache_hits_total 10\nvllm:prefix_cache_queries_total 40");
    REQUIRE(vllm);
    CHECK(vllm->kind == ServerKind::Vllm);
    CHECK(vllm->outputTokens == 200);
    CHECK(vllm->preemptions == 3);
    CHECK(vllm->kvUsed == 0.75);
    CHECK(vllm->prefixHits == 10);
    CHECK_FALSE(vllm->promptTokens);
    const auto sglang
        = probe::readServerMetrics("sglang:prompt_tokens_total{model_name=\"m\"} 8.128902e+06\n");
    REQUIRE(sglang);
    CHECK(sglang->promptTokens == 8128902);
    CHECK(probe::readServerMetrics("llamacpp:tokens_predicted_total 3469\n")->outputTokens == 3469);
    const auto tgi = probe::readServerMetrics("tgi_request_generated_tokens_sum 77\ntgi_queue_size 2\n");
    CHECK(tgi->kind == ServerKind::Tgi);
    CHECK(tgi->waiting == 2);
    for (const char* text : {"", "go_goroutines 8\n", "vllm:generation_tokens_total NaN\n", "<html>",
                             "vllm:generation_tokens_total{ 1\n", "vllm:generation_tokens_total -5\n"})
        CHECK_FALSE(probe::readServerMetrics(text));
    const auto more = probe::between({.kind = ServerKind::Vllm, .outputTokens = 50}, *vllm);
    CHECK(more->outputTokens == 150);
    CHECK(more->kvUsed == 0.75);
    CHECK_FALSE(probe::between(*vllm, {.kind = ServerKind::Vllm, .outputTokens = 5})); // started anew
}
