#include "app/cli/verbs/probe_plan.h"

#include "app/cli/scenario_flags.h"
#include "app/probe/address.h"
#include "model/base/quantity_text.h"
#include "model/base/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>

namespace headroom::cli {

namespace {

// Real services batch fewer; more is asked for from several machines.
constexpr int mostUsers = 4096;
// Without targets there is nothing to stop at: enough to see the curve bend on one GPU.
constexpr int usersWithoutTargets = 64;
constexpr double longestDeadline = 86400; // s
constexpr std::size_t longestKey = 16384; // bytes; servers take heads of about this length at most

constexpr std::array wishFlags{
    Flag{"--header", "LINE", "a further HTTP header that is no secret, such as \"X-Team: planning\"", true},
    Flag{"--api-key-env", "NAME", "the environment variable that holds the API key"},
    Flag{"--api-key-file", "FILE", "a file whose first line is the API key"},
    Flag{"--api-key-header", "NAME",
         "the header that carries the key; default: Authorization, as \"Bearer KEY\""},
    Flag{"--ca-file", "FILE", "certificates (PEM) to trust instead of the system's"},
    Flag{"--max-concurrency", "N", "most users to try; default: 4096 with targets, 64 without"},
    Flag{"--silence-deadline", "SECONDS", "give up a request after this long without a token; default: 120"},
    Flag{"--request-deadline", "SECONDS", "give up a request after this long in all; default: 600"},
    Flag{"--level-deadline", "SECONDS", "end a level after this long; default: 3600"},
};

// Keys of a scenario that say what is asked of a server. The others say what it is made of.
constexpr std::array<std::string_view, 14> usedKeys{
    "model",   "prompt",     "output",      "prefix-cached", "tps",     "ttft",     "tpot",
    "latency", "percentile", "concurrency", "rps",           "traffic", "requests", "seed"};

bool isToken(std::string_view name)
{
    return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0
            || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

bool isLine(std::string_view text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; });
}

std::string lowered(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
    return text;
}

bool carriesSecrets(const std::string& header)
{
    const std::string name = lowered(header);
    constexpr std::array<std::string_view, 6> words{"auth", "key", "token", "secret", "cookie", "password"};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

// The words of one `probe`, read with all that is wrong with them.
class WishReader {
public:
    WishReader(const Arguments& arguments, const Scenario& scenario)
        : m_arguments(arguments), m_scenario(scenario)
    {}

    Result<ProbeWish> read()
    {
        Result<probe::Address> address = probe::addressFromText(m_arguments.words.front());
        if (address)
            m_wish.connection.address = std::move(*address);
        else
            m_problems = address.error();
        headers();
        key();
        caFile();
        load();
        deadlines();
        proxySecrets();
        if (!m_problems.empty())
            return refuse(std::move(m_problems));
        return std::move(m_wish);
    }

private:
    void wrong(std::string where, Message what, Message hint = {})
    {
        m_problems.push_back({std::move(where), std::move(what), std::move(hint)});
    }

    // What is wrong with a header is told without it: it may be a key in the wrong place.
    void headers()
    {
        for (const std::string& line : m_arguments.all("--header")) {
            const std::size_t colon = line.find(':');
            const std::string name = line.substr(0, std::min(colon, line.size()));
            if (colon == std::string::npos || !isToken(name) || !isLine(line)
                || line.find_first_not_of(' ', colon + 1) == std::string::npos)
                wrong("--header", "expected a header line such as 'X-Team: planning'");
            else if (carriesSecrets(name))
                wrong("--header",
                      say("'{}' carries a key, and every user of this machine sees the words of a command",
                          name),
                      "use --api-key-env NAME or --api-key-file FILE, with --api-key-header where it is not "
                      "Authorization");
            else
                m_wish.connection.headers.push_back(line);
        }
    }

    void key()
    {
        const auto variable = m_arguments.text("--api-key-env");
        const auto file = m_arguments.text("--api-key-file");
        const std::string header = m_arguments.text("--api-key-header").value_or("Authorization");
        if (variable && file)
            return wrong("--api-key-file", "there is a key of --api-key-env already", "give one of the two");
        if (!isToken(header))
            return wrong("--api-key-header", "expected the name of a header, such as 'api-key'");
        if (!variable && !file) {
            if (m_arguments.has("--api-key-header"))
                wrong("--api-key-header", "names the header of a key that is not given",
                      "add --api-key-env NAME or --api-key-file FILE");
            return;
        }
        const std::optional<std::string> key = variable ? keyOfVariable(*variable) : keyOfFile(*file);
        if (!key)
            return;
        const std::string where = variable ? "--api-key-env" : "--api-key-file";
        if (key->empty() || key->size() > longestKey || !isLine(*key))
            return wrong(where, "expected a key of one line");
        m_wish.plan.secrets.add(*key);
        m_wish.connection.headers.push_back(header + ": "
                                            + (lowered(header) == "authorization" ? "Bearer " : "") + *key);
    }

    std::optional<std::string> keyOfVariable(const std::string& name)
    {
        if (const char* const value = std::getenv(name.c_str())) // NOLINT: nobody sets variables here
            return std::string(value);
        // What is typed here by mistake may be the key itself.
        wrong("--api-key-env", "no environment variable has that name", "export it first");
        return std::nullopt;
    }

    std::optional<std::string> keyOfFile(const std::string& name)
    {
        std::ifstream in(name);
        std::string line;
        if (!std::getline(in, line)) {
            wrong("--api-key-file", "cannot be read, or is empty");
            return std::nullopt;
        }
        if (line.ends_with('\r'))
            line.pop_back();
        return line;
    }

    void caFile()
    {
        const auto file = m_arguments.text("--ca-file");
        if (!file)
            return;
        std::ifstream in(*file);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        if (text.find("-----BEGIN") == std::string::npos)
            return wrong("--ca-file", say("expected a file of certificates (PEM), got '{}'", *file));
        m_wish.connection.caFile = *file;
    }

    void load()
    {
        probe::ProbePlan& plan = m_wish.plan;
        plan.model = m_scenario.model;
        plan.prompt = m_scenario.prompt;
        plan.output = m_scenario.output;
        plan.targets = m_scenario.targets;
        plan.seed = m_scenario.seed;
        if (m_arguments.has("--requests"))
            plan.requests = int(std::min<std::int64_t>(m_scenario.requests, 1'000'000));
        m_wish.sharedPart = m_scenario.prefixCached;
        m_wish.most = whole("--max-concurrency", m_scenario.targets.any() ? mostUsers : usersWithoutTargets);
        plan.mostInFlight = m_arguments.has("--max-concurrency") ? m_wish.most : mostUsers;
        if (m_scenario.concurrency && m_scenario.requestsPerSecond)
            wrong(
                "--rps", "there are users of --concurrency already",
                "a probe has either users that wait for their answers or requests that arrive on their own");
        if (m_scenario.concurrency) {
            m_wish.users = int(std::min<double>(mostUsers, *m_scenario.concurrency));
            if (*m_scenario.concurrency > mostUsers)
                wrong("--concurrency", say("expected at most {} users", mostUsers),
                      "probe from several machines");
        }
        if (m_scenario.requestsPerSecond)
            rate(*m_scenario.requestsPerSecond);
    }

    void rate(double requestsPerSecond)
    {
        using Kind = serve::ArrivalShape::Kind;
        m_wish.requestsPerSecond = requestsPerSecond;
        const Result<serve::ArrivalShape> shape = serve::arrivalsFromText(m_scenario.traffic);
        if (!shape) {
            for (Problem problem : shape.error()) {
                problem.where = "--traffic";
                m_problems.push_back(std::move(problem));
            }
            return;
        }
        if (shape->kind == Kind::Closed || shape->kind == Kind::AtOnce || shape->peak != 1)
            wrong("--traffic", say("a probe holds one rate, got '{}'", m_scenario.traffic),
                  "one of poisson, constant, gamma:cv=N, weibull:cv=N; for users give --concurrency");
        m_wish.plan.arrivals = *shape;
    }

    void deadlines()
    {
        probe::Deadlines& all = m_wish.plan.deadlines;
        all.silence = seconds("--silence-deadline", all.silence);
        all.request = seconds("--request-deadline", all.request);
        all.level = seconds("--level-deadline", all.level);
    }

    double seconds(const char* flag, double otherwise)
    {
        const auto typed = m_arguments.text(flag);
        if (!typed)
            return otherwise;
        const Result<double> number = numberFromText(*typed);
        if (number && *number > 0 && *number <= longestDeadline)
            return *number;
        wrong(flag, say("expected seconds from above 0 to {:.0f}, got '{}'", longestDeadline, *typed));
        return otherwise;
    }

    int whole(const char* flag, int otherwise)
    {
        const auto typed = m_arguments.text(flag);
        if (!typed)
            return otherwise;
        const Result<double> number = numberFromText(*typed);
        if (number && *number >= 1 && *number <= mostUsers && *number == std::floor(*number))
            return static_cast<int>(*number);
        wrong(flag, say("expected a whole number from 1 to {}, got '{}'", mostUsers, *typed));
        return otherwise;
    }

    // A proxy's login stands in its variable, and curl's messages name proxies.
    void proxySecrets()
    {
        for (const char* const name :
             {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) {
            const char* const value = std::getenv(name); // NOLINT: as above
            const std::string_view text = value != nullptr ? value : "";
            const std::size_t at = text.rfind('@');
            if (at == std::string_view::npos)
                continue;
            const std::size_t scheme = text.find("://");
            const std::string_view login
                = text.substr(0, at).substr(scheme == std::string_view::npos ? 0 : scheme + 3);
            m_wish.plan.secrets.add(login);
            if (const std::size_t colon = login.find(':'); colon != std::string_view::npos)
                m_wish.plan.secrets.add(login.substr(colon + 1));
        }
    }

    const Arguments& m_arguments;
    const Scenario& m_scenario;
    ProbeWish m_wish;
    Problems m_problems;
};

} // namespace

std::span<const Flag> probeFlags() { return wishFlags; }

Result<ProbeWish> probeWish(const Arguments& arguments, const Scenario& scenario)
{
    return WishReader(arguments, scenario).read();
}

std::vector<std::string> unusedKeys(const std::vector<std::string>& said)
{
    std::vector<std::string> unused;
    std::copy_if(said.begin(), said.end(), std::back_inserter(unused), [](const std::string& key) {
        return key != "name" && std::find(usedKeys.begin(), usedKeys.end(), key) == usedKeys.end();
    });
    return unused;
}

} // namespace headroom::cli
