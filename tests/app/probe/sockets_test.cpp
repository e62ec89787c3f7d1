#include "app/probe/curl_transport.h"
#include "app/probe/search.h"
#include "app/probe/server.h"
#include "tests/app/probe/hostile_server.h"
#include "tests/app/probe/scripted_transport.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

using namespace headroom;
using test::Certificate;
using test::HostileServer;
using test::Peer;

namespace {

// As many tokens as are asked for; a refusal above so many at once.
class Served {
public:
    explicit Served(int most) : m_most(most) {}

    bool operator()(Peer& peer, const std::string& request)
    {
        const std::size_t body = request.find("\r\n\r\n") + 4;
        const int wanted = nlohmann::json::parse(request.substr(body)).at("max_tokens").get<int>();
        const int now = ++m_now;
        m_peak = std::max(m_peak.load(), now);
        // Together they hold the load until all that may come are there: no clock decides what "at once" is.
        const bool refused = now > m_most;
        bool good = true;
        if (refused) {
            good = peer.send(test::plainAnswer(503, "text/plain", "full"));
        } else {
            std::vector<std::string> pieces(std::size_t(wanted), test::tokenEvent());
            pieces.push_back(test::finishEvent("length") + test::usageEvent(std::to_string(wanted))
                             + "data: [DONE]\n\n");
            good = peer.sendStream(pieces);
        }
        --m_now;
        return good;
    }
    [[nodiscard]] int peak() const { return m_peak; }

private:
    int m_most;
    std::atomic<int> m_now = 0, m_peak = 0;
};

probe::ProbePlan planOf(int requests)
{
    probe::ProbePlan plan{.model = "toy"};
    plan.prompt = LengthDistribution::of(8);
    plan.output = LengthDistribution::of(4);
    plan.requests = requests;
    return plan;
}

probe::CurlOptions optionsFor(const HostileServer& server, const std::string& caFile = {})
{
    return {.address = *probe::addressFromText(server.url()), .headers = {}, .caFile = caFile};
}

std::string failureOf(probe::CurlOptions options)
{
    probe::CurlTransport transport(std::move(options));
    const auto level = probe::runLevel(transport, planOf(1), {.users = 1}, probe::Settle::No);
    return level.failures.empty() ? "" : level.failures.front().name;
}

} // namespace

TEST_CASE("many users are served over connections that are used again, plain and over TLS")
{
    const Certificate certificate;
    for (const bool tls : {false, true}) {
        CAPTURE(tls);
        Served served(1000);
        const HostileServer server([&](Peer& peer, const std::string& r) { return served(peer, r); },
                                   tls ? &certificate : nullptr);
        probe::CurlTransport transport(optionsFor(server, tls ? certificate.file() : ""));
        const auto level = probe::runLevel(transport, planOf(400), {.users = 20}, probe::Settle::No);
        CHECK(level.requests == 400);
        CHECK(level.failed == 0);
        CHECK(level.meanOutputTokens == 4);
        CHECK(server.requests() >= 420);
        // A stream that is read to [DONE] is done; a connection whose end is still on its way is not waited
        // for, so now and then there is one more than there are users.
        CHECK(server.connections() <= 100);
        if (tls)
            CHECK(server.offered() == "h2 http/1.1"); // HTTP/2 where the server can
    }
}

TEST_CASE("the search runs over real connections, plain and over TLS")
{
    const Certificate certificate;
    for (const bool tls : {false, true}) {
        CAPTURE(tls);
        Served served(1000);
        const HostileServer server([&](Peer& peer, const std::string& r) { return served(peer, r); },
                                   tls ? &certificate : nullptr);
        probe::CurlTransport transport(optionsFor(server, tls ? certificate.file() : ""));
        probe::ProbePlan plan = planOf(16);
        std::vector<int> tried;
        const probe::ProbeHooks hooks{.counters = {},
                                      .onLevel
                                      = [&](const probe::ProbeLevel& l) { tried.push_back(l.concurrency); },
                                      .stop = {}};
        const auto all = probe::probeUpTo(transport, plan, 12, hooks);
        CHECK(tried == std::vector<int>{1, 2, 4, 8, 12});
        CHECK(all.highest == 12);
        CHECK(all.limitedBy == probe::LimitedBy::MostAsked);
        plan.targets.ttft = Seconds(1e-9); // nothing is that fast
        const auto none = probe::probeUpTo(transport, plan, 12, {});
        CHECK(none.highest == 0);
        CHECK(none.limitedBy == probe::LimitedBy::Targets);
    }
}

TEST_CASE("nobody who is not who he says he is hears the key")
{
    const Certificate ours;
    const Certificate stranger;
    const Certificate elsewhere("DNS:elsewhere.example");
    std::atomic<int> heard = 0;
    const auto listen = [&](Peer&, const std::string&) {
        ++heard;
        return false;
    };
    {
        const HostileServer server(listen, &ours);
        CHECK(failureOf(optionsFor(server, stranger.file())) == "tls");
        CHECK(failureOf(optionsFor(server)) == "tls"); // the system does not trust it
    }
    {
        const HostileServer server(listen, &elsewhere);
        CHECK(failureOf(optionsFor(server, elsewhere.file())) == "tls");
    }
    CHECK(heard == 0);
}

TEST_CASE("TLS where there is none, none where there is TLS, and nobody at all")
{
    const Certificate certificate;
    {
        const HostileServer plain(
            [](Peer& peer, const std::string&) {
                peer.send("HTTP/1.1 200 OK\r\n\r\n");
                return false;
            },
            nullptr, {});
        probe::CurlOptions options = optionsFor(plain, certificate.file());
        options.address.scheme = "https";
        // The server waits for the end of a head that never comes, as what it hears is no HTTP.
        std::atomic<double> clock = 0;
        probe::CurlTransport transport(std::move(options), [&clock] { return clock = clock + 1; });
        const auto level = probe::runLevel(transport, planOf(1), {.users = 1}, probe::Settle::No);
        CHECK(level.failures.front().name == "slow-connect");
    }
    {
        const HostileServer tls([](Peer&, const std::string&) { return false; }, &certificate);
        probe::CurlOptions options = optionsFor(tls);
        options.address.scheme = "http";
        const std::string name = failureOf(std::move(options));
        CHECK((name == "no-http" || name == "reset" || name == "no-answer"));
    }
    probe::Address nobody;
    {
        const HostileServer gone([](Peer&, const std::string&) { return false; });
        nobody = *probe::addressFromText(gone.url());
    }
    CHECK(failureOf({.address = nobody, .headers = {}, .caFile = {}}) == "not-connected");
}

TEST_CASE("a server that takes connections and never shakes hands is too slow to connect")
{
    const Certificate certificate;
    std::atomic<double> clock = 0;
    const HostileServer server([](Peer&, const std::string&) { return false; }, &certificate,
                               [&clock] {
                                   clock = clock + 130;
                                   return false;
                               });
    probe::CurlTransport transport(optionsFor(server, certificate.file()), [&clock] { return clock.load(); });
    const auto level = probe::runLevel(transport, planOf(1), {.users = 1}, probe::Settle::No);
    CHECK(level.failures.front().name == "slow-connect");
}

TEST_CASE("a proxy of the environment is asked, and how it fails does not tell its login")
{
    std::mutex mutex;
    std::string seen;
    const HostileServer proxy([&](Peer& peer, const std::string& request) {
        const std::lock_guard lock(mutex);
        seen = request;
        return peer.send(test::plainAnswer(407, "text/plain", "who are you?"));
    });
    const std::string login = "http://someone:hunter2secret@127.0.0.1:" + std::to_string(proxy.port());
    ::setenv("http_proxy", login.c_str(), 1);
    probe::CurlTransport transport(
        {.address = *probe::addressFromText("http://model.invalid:8000"), .headers = {}, .caFile = {}});
    const auto level = probe::runLevel(transport, planOf(1), {.users = 1}, probe::Settle::No);
    ::unsetenv("http_proxy");
    CHECK(level.failures.front().name == "status-407");
    CHECK(level.failures.front().example.english().find("hunter2secret") == std::string::npos);
    CHECK(seen.starts_with("POST http://model.invalid:8000/v1/completions HTTP/1.1\r\n"));
}

TEST_CASE("a request carries its header lines, no wish for compression, and a prompt of its own")
{
    std::mutex mutex;
    std::vector<std::string> seen;
    Served served(100);
    const HostileServer server([&](Peer& peer, const std::string& request) {
        {
            const std::lock_guard lock(mutex);
            seen.push_back(request);
        }
        return served(peer, request);
    });
    probe::CurlOptions options = optionsFor(server);
    options.headers = {"Authorization: Bearer key", "X-Team: planning"};
    probe::CurlTransport transport(std::move(options));
    CHECK(probe::runLevel(transport, planOf(8), {.users = 2}, probe::Settle::No).failed == 0);
    std::set<std::string> prompts;
    for (const std::string& request : seen) {
        CHECK(request.starts_with("POST /v1/completions HTTP/1.1\r\n"));
        CHECK(request.find("Authorization: Bearer key\r\n") != std::string::npos);
        CHECK(request.find("X-Team: planning\r\n") != std::string::npos);
        CHECK(request.find("Accept-Encoding") == std::string::npos);
        CHECK(request.find("Expect") == std::string::npos);
        const auto body = nlohmann::json::parse(request.substr(request.find("\r\n\r\n") + 4));
        CHECK(body.at("model") == "toy");
        CHECK(body.at("stream") == true);
        prompts.insert(body.at("prompt").get<std::string>());
    }
    CHECK(prompts.size() == seen.size());
}
