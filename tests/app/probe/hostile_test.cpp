#include "app/probe/curl_transport.h"
#include "app/probe/level.h"
#include "tests/app/probe/hostile_server.h"
#include "tests/app/probe/scripted_transport.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdio>

using namespace headroom;
using test::chunkOf;
using test::finishEvent;
using test::Peer;
using test::plainAnswer;
using test::tokenEvent;
using test::usageEvent;

namespace {

constexpr int asked = 16;
constexpr const char* doneEvent = "data: [DONE]\n\n";
constexpr const char* key = "sk-very-secret-key";
const std::string streamHead
    = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

// Time passes where a script says so: a test of deadlines neither waits nor depends on how busy a machine is.
class World {
public:
    // Once the client has had two turns to hear what was sent: each asks the clock three times at least.
    void pass(double seconds)
    {
        constexpr int callsOfTwoTurns = 9;
        const int before = m_calls;
        for (int seen = m_calls; seen < before + callsOfTwoTurns; seen = m_calls)
            m_calls.wait(seen);
        m_clock = m_clock + seconds; // one script at a time runs
    }
    double now()
    {
        ++m_calls;
        m_calls.notify_all();
        return m_clock;
    }

private:
    std::atomic<double> m_clock = 0;
    std::atomic<int> m_calls = 0;
};

// What a server does with a request for a completion.
struct Mode {
    const char* name;    // what a reader of the list understands
    const char* failure; // the name it must end under; empty: a good answer
    std::function<void(Peer&, World&)> act;
};

std::string tokens(int count)
{
    std::string text;
    for (int i = 0; i < count; ++i)
        text += tokenEvent();
    return text;
}

// A stream whose events are these.
Mode stream(const char* name, const char* failure, std::string events)
{
    return {name, failure, [events = std::move(events)](Peer& peer, World&) { peer.sendStream({events}); }};
}

// Exactly these bytes, then the end of the connection.
Mode raw(const char* name, const char* failure, std::string bytes)
{
    return {name, failure, [bytes = std::move(bytes)](Peer& peer, World&) { peer.send(bytes); }};
}

// Something for ever, until nobody listens.
Mode endless(const char* name, const char* failure, std::string before, std::string again)
{
    return {name, failure, [before = std::move(before), again = std::move(again)](Peer& peer, World&) {
                bool heard = peer.send(before);
                while (heard)
                    heard = peer.send(again);
            }};
}

// So much, then silence for longer than silence may last.
Mode silent(const char* name, const char* failure, std::string before)
{
    return {name, failure, [before = std::move(before)](Peer& peer, World& world) {
                peer.send(before);
                world.pass(130);
                peer.waitUntilClosed();
            }};
}

std::vector<Mode> answersThatAreNone()
{
    return {
        raw("closes at once", "no-answer", ""),
        raw("closes inside the first line", "no-answer", "HTTP/1.1 2"),
        {"resets at once", "reset", [](Peer& peer, World&) { peer.reset(); }},
        raw("speaks SSH", "no-http", "SSH-2.0-OpenSSH_9.2\r\n\r\n"),
        raw("speaks TLS where none is", "no-http", std::string("\x15\x03\x01\x00\x02\x02\x28", 7)),
        raw("speaks HTTP/0.9", "no-http", "<html>hello</html>"),
        silent("says nothing", "silence", ""),
        silent("never ends its head", "slow-headers",
               "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-A"),
        endless("sends header lines for ever", "huge-headers", "HTTP/1.1 200 OK\r\n", "X-More: and more\r\n"),
        raw("has a header line of 200 KB", "huge-headers",
            "HTTP/1.1 200 OK\r\nX-Long: " + std::string(200'000, 'x') + "\r\n\r\n"),
        endless("interim answers for ever", "huge-headers", "",
                "HTTP/1.1 102 Processing\r\nX-Wait: more\r\n\r\n"),
        raw("overloaded", "status-503", plainAnswer(503, "text/plain", "overloaded")),
        raw("too many requests", "status-429",
            plainAnswer(429, "application/json", "{}", "Retry-After: 9\r\n")),
        raw("echoes the key", "status-401", plainAnswer(401, "text/plain", std::string("bad key ") + key)),
        raw("echoes the key in its headers", "status-403",
            plainAnswer(403, "text/plain", "no", std::string("X-Echo: ") + key + "\r\n")),
        raw("an error with escape codes", "status-500",
            plainAnswer(500, "text/plain", "\x1b]0;owned\x07\x1b[2J\xFF")),
        endless("an error without an end", "status-500", "HTTP/1.1 500 X\r\nContent-Type: text/plain\r\n\r\n",
                "and on and on "),
        silent("an error that falls silent", "status-502",
               "HTTP/1.1 502 X\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nhalf"),
        raw("redirects", "redirect-302",
            plainAnswer(302, "text/html", "", "Location: http://127.0.0.1:1/v1\r\n")),
        raw("redirects to a file", "redirect-308",
            plainAnswer(308, "text/html", "", "Location: file:///etc/passwd\r\n")),
        raw("redirects with the key", "redirect-307",
            plainAnswer(307, "text/html", "", std::string("Location: http://x/?k=") + key + "\r\n")),
        raw("redirects nowhere", "redirect-301", plainAnswer(301, "text/html", "")),
        raw("compresses", "compressed",
            plainAnswer(200, "text/event-stream", "\x1f\x8b\x08", "Content-Encoding: gzip\r\n")),
        raw("compresses otherwise", "compressed",
            plainAnswer(200, "text/event-stream", "\x0b\x02", "Content-Encoding: br\r\n")),
        raw("a page instead", "no-event-stream", plainAnswer(200, "text/html", "<html>log in</html>")),
        raw("does not stream", "no-event-stream",
            plainAnswer(200, "application/json", R"({"choices":[{"text":"all at once"}]})")),
    };
}

std::vector<Mode> streamsThatAreNone()
{
    return {
        raw("a chunk without a size", "malformed", streamHead + "zzz\r\n"),
        raw("a chunk of absurd size", "malformed", streamHead + "ffffffffffffffffffffffff\r\n"),
        raw("a body that breaks off", "half-stream",
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 5000\r\n\r\n" + tokens(2)),
        raw("chunks that break off", "half-stream", streamHead + chunkOf(tokens(2))),
        stream("ends after two tokens without a word", "half-stream", tokens(2)),
        stream("all tokens, but no end", "half-stream", tokens(asked)),
        {"resets in the middle", "reset",
         [](Peer& peer, World&) {
             peer.send(streamHead + chunkOf(tokens(2)));
             peer.reset();
         }},
        silent("falls silent after two tokens", "silence", streamHead + chunkOf(tokens(2))),
        silent("falls silent inside an event", "slow-body", streamHead + chunkOf(tokens(2) + "data: {\"cho")),
        silent("only pings", "only-pings", streamHead + chunkOf(": ping\n\n: ping\n\n")),
        silent("pings after two tokens", "only-pings", streamHead + chunkOf(tokens(2) + "event: ping\n\n")),
        {"a token now and then, for ever", "request-deadline",
         [](Peer& peer, World& world) {
             peer.send(streamHead);
             for (int i = 0; i < 7; ++i) {
                 peer.send(chunkOf(tokenEvent()));
                 world.pass(100);
             }
             peer.waitUntilClosed();
         }},
        endless("tokens without an end", "too-long", streamHead, chunkOf(tokenEvent())),
        endless("pieces without text, without an end", "too-long", streamHead, chunkOf(tokenEvent(""))),
        endless("a line without an end", "long-line", streamHead + chunkOf("data: "),
                chunkOf(std::string(65536, 'x'))),
        raw("a comment of 2 MiB", "long-line",
            streamHead + chunkOf(": " + std::string(2U << 20U, 'x') + "\n\n")),
        stream("no UTF-8", "not-utf-8", "data: {\"choices\":[{\"text\":\"\xFF\xFE\"}]}\n\n"),
        stream("half a letter", "not-utf-8", "data: {\"choices\":[{\"text\":\"\xE4\xB8\"}]}\n\n"),
        stream("no JSON", "bad-event", "data: {[bad\n\n"),
        stream("JSON that is deep", "bad-event", "data: " + std::string(100'000, '[') + "\n\n"),
        stream("JSON with a key twice", "bad-event", "data: {\"choices\":[],\"choices\":[]}\n\n"),
        stream("an error as an event", "server-error",
               "data: {\"error\":{\"message\":\"out of memory\"}}\n\n"),
        stream("an error that echoes the key", "server-error",
               std::string("data: {\"error\":{\"message\":\"\\u001b[2J ") + key + "\"}}\n\n"),
        stream("no text", "no-text", std::string(doneEvent)),
        stream("nothing but empty lines", "no-text", std::string(100'000, '\n') + doneEvent),
        stream("two tokens of sixteen", "too-short", tokens(2) + finishEvent("stop") + doneEvent),
        stream("two tokens, said to be sixteen", "usage-too-high",
               tokens(2) + finishEvent("length") + usageEvent("16") + doneEvent),
        stream("two tokens at full length, it says", "too-short",
               tokens(2) + finishEvent("length") + doneEvent),
        stream("a negative count", "wrong-usage", tokens(asked) + usageEvent("-7") + doneEvent),
        stream("a count that is text", "wrong-usage", tokens(asked) + usageEvent("\"16\"") + doneEvent),
        stream("a count that falls", "wrong-usage",
               tokens(asked) + usageEvent("16") + usageEvent("3") + doneEvent),
        stream("an absurd count", "usage-too-high", tokens(asked) + usageEvent("1000000000") + doneEvent),
        stream("an absurd prompt", "usage-too-high",
               tokens(asked) + usageEvent("16", "1000000000000") + doneEvent),
        stream("a count too low", "usage-too-low", tokens(asked) + usageEvent("3") + doneEvent),
    };
}

std::vector<Mode> streamsThatAreGood()
{
    const std::string good = tokens(asked) + finishEvent("length") + usageEvent("16") + doneEvent;
    return {
        stream("as it should be", "", good),
        stream("with pings between", "",
               ": ping\n\n" + tokens(asked) + ": ping\n\n" + usageEvent("16") + doneEvent),
        stream("with the line ends of another system", "",
               "event: message\r\n" + tokens(asked) + finishEvent("length") + "data: [DONE]\r\n\r\n"),
        endless("pings after the end", "", streamHead + chunkOf(good), chunkOf(": ping\n\n")),
        endless("tokens after the end", "", streamHead + chunkOf(good), chunkOf(tokenEvent())),
        {"open and silent after the end", "",
         [good](Peer& peer, World&) {
             peer.send(streamHead + chunkOf(good));
             peer.waitUntilClosed();
         }},
        {"a byte at a time", "",
         [good](Peer& peer, World&) {
             peer.send(streamHead);
             for (const char c : good)
                 peer.send(chunkOf({&c, 1}));
             peer.send("0\r\n\r\n");
         }},
    };
}

probe::ProbePlan planFor()
{
    probe::ProbePlan plan{.model = "toy"};
    plan.prompt = LengthDistribution::of(8);
    plan.output = LengthDistribution::of(asked);
    plan.requests = 2;
    plan.secrets.add(key);
    return plan;
}

std::string allWordsOf(const probe::ProbeLevel& level)
{
    std::string text;
    for (const probe::FailureCount& failure : level.failures)
        text += failure.name + ' ' + failure.example.english() + '\n';
    return text;
}

void check(const Mode& mode, const test::Certificate* certificate)
{
    CAPTURE(mode.name);
    World world;
    const test::HostileServer server(
        [&](Peer& peer, const std::string&) {
            mode.act(peer, world);
            return false;
        },
        certificate);
    probe::CurlTransport transport({.address = *probe::addressFromText(server.url()),
                                    .headers = {std::string("Authorization: Bearer ") + key},
                                    .caFile = certificate != nullptr ? certificate->file() : std::string()},
                                   [&world] { return world.now(); });
    // That this returns at all is the test of the deadlines: no script ends by itself what has none.
    const probe::ProbeLevel level = probe::runLevel(transport, planFor(), {.users = 1}, probe::Settle::No);
    CAPTURE(allWordsOf(level));
    if (*mode.failure == '\0') {
        CHECK(level.failed == 0);
        CHECK(level.requests == 2);
        CHECK(level.meanOutputTokens == asked);
        return;
    }
    CHECK(level.failed == level.requests);
    REQUIRE(level.failures.size() == 1);
    CHECK(level.failures.front().name == mode.failure);
    CHECK_FALSE(level.meets);
    const std::string words = allWordsOf(level);
    CHECK(words.find(key) == std::string::npos);
    CHECK(words.find('\x1b') == std::string::npos);
    CHECK(probe::isUtf8(words));
}

} // namespace

TEST_CASE("answers that are none end under a name of their own")
{
    for (const Mode& mode : answersThatAreNone())
        check(mode, nullptr);
}

TEST_CASE("streams that are none end under a name of their own")
{
    for (const Mode& mode : streamsThatAreNone())
        check(mode, nullptr);
}

TEST_CASE("what servers do without harm does none")
{
    for (const Mode& mode : streamsThatAreGood())
        check(mode, nullptr);
}

TEST_CASE("over TLS all of them end under the same names")
{
    const test::Certificate certificate;
    for (const auto& modes : {streamsThatAreNone(), streamsThatAreGood()})
        for (const Mode& mode : modes)
            if (std::string_view(mode.failure)
                != "reset") // TLS has words of its own for an end without a goodbye
                check(mode, &certificate);
}
