#include "app/cli/probe/load.h"

#include "model/json/completion_json.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <random>
#include <string_view>
#include <thread>

namespace headroom::cli {

namespace {

using Clock = std::chrono::steady_clock;

double secondsBetween(Clock::time_point from, Clock::time_point to)
{
    return std::chrono::duration<double>(to - from).count();
}

// Short words that usual tokenisers keep whole; drawn anew for each prompt, so that no prefix cache knows it.
constexpr std::array<std::string_view, 32> words{
    "time",  "year", "day",   "way",   "man",  "thing", "life", "hand", "part",  "eye",   "place",
    "work",  "week", "case",  "point", "home", "water", "room", "area", "money", "story", "fact",
    "month", "lot",  "right", "study", "book", "word",  "side", "kind", "head",  "house"};

std::string promptOf(double tokens, std::mt19937_64& random)
{
    std::string prompt;
    for (double i = 0; i < tokens; ++i) {
        prompt += i == 0 ? "" : " ";
        prompt += words[random() % words.size()];
    }
    return prompt;
}

// Server-sent events: "data: …" lines, whatever pieces they come in.
class EventReader {
public:
    explicit EventReader(ProbeCall& call) : m_call(call) {}

    void add(std::string_view piece)
    {
        m_pending += piece;
        for (std::size_t end = m_pending.find('\n'); end != std::string::npos; end = m_pending.find('\n')) {
            line(std::string_view(m_pending).substr(0, end));
            m_pending.erase(0, end + 1);
        }
    }

    void finish(Clock::time_point begin)
    {
        if (!m_call.failure.empty())
            return;
        if (!m_first) {
            m_call.failure = "an answer without text";
            return;
        }
        m_call.counted = m_counted.has_value();
        m_call.outputTokens = m_counted.value_or(m_textEvents);
        m_call.ttft = secondsBetween(begin, *m_first);
        m_call.latency = secondsBetween(begin, m_last);
        if (m_call.outputTokens > 1)
            m_call.tpot = secondsBetween(*m_first, m_last) / (m_call.outputTokens - 1);
    }

private:
    void line(std::string_view text)
    {
        constexpr std::string_view field = "data:";
        if (!text.starts_with(field))
            return;
        text.remove_prefix(field.size());
        while (text.starts_with(' '))
            text.remove_prefix(1);
        while (text.ends_with('\r'))
            text.remove_suffix(1);
        if (text.empty() || text == "[DONE]")
            return;
        const auto now = Clock::now();
        const Result<CompletionChunk> chunk = readCompletionChunk(text);
        if (!chunk) {
            if (m_call.failure.empty())
                m_call.failure = chunk.error().front().what;
            return;
        }
        if (chunk->hasText) {
            ++m_textEvents;
            m_first = m_first ? m_first : now;
            m_last = now;
        }
        if (chunk->promptTokens)
            m_call.promptTokens = *chunk->promptTokens;
        if (chunk->outputTokens)
            m_counted = *chunk->outputTokens;
    }

    ProbeCall& m_call;
    std::string m_pending;
    std::optional<Clock::time_point> m_first;
    Clock::time_point m_last;
    double m_textEvents = 0;
    std::optional<double> m_counted;
};

ProbeCall callOnce(const ProbePlan& plan, std::uint64_t number)
{
    std::mt19937_64 random(plan.seed * 1'000'003 + number);
    const double promptTokens = plan.prompt.sample(random);
    const double outputTokens = plan.output.sample(random);
    ProbeCall call;
    EventReader events(call);
    HttpRequest request{.method = "POST", .path = "/v1/completions", .header = plan.header};
    request.body
        = completionRequestJson(plan.model, promptOf(promptTokens, random), std::int64_t(outputTokens));
    const auto begin = Clock::now();
    const HttpAnswer answer
        = httpExchange(plan.url, request, [&events](std::string_view piece) { events.add(piece); });
    if (!answer.failure.empty())
        call.failure = answer.failure;
    else if (answer.status >= 300)
        call.failure = "HTTP status " + std::to_string(answer.status) + ": " + answer.body.substr(0, 200);
    events.finish(begin);
    return call;
}

bool meetsTargets(const ProbeCall& call, const Targets& targets)
{
    const auto within
        = [](double figure, const std::optional<Seconds>& most) { return !most || figure <= most->base(); };
    const bool fastEnough
        = !targets.tokensPerSecond || call.tpot == 0 || 1 / call.tpot >= *targets.tokensPerSecond;
    return call.failure.empty() && fastEnough && within(call.ttft, targets.ttft)
        && within(call.tpot, targets.tpot) && within(call.latency, targets.latency);
}

ProbeLevel measured(const ProbePlan& plan, int concurrency, const std::vector<ProbeCall>& calls,
                    double seconds)
{
    ProbeLevel level{.concurrency = concurrency, .requests = int(calls.size()), .seconds = seconds};
    std::vector<double> ttft, tpot, latency;
    double output = 0;
    double prompt = 0;
    double met = 0;
    for (const ProbeCall& call : calls) {
        met += meetsTargets(call, plan.targets) ? 1 : 0;
        if (!call.failure.empty()) {
            ++level.failed;
            if (level.firstFailure.empty())
                level.firstFailure = call.failure;
            continue;
        }
        ttft.push_back(call.ttft);
        latency.push_back(call.latency);
        if (call.tpot > 0)
            tpot.push_back(call.tpot);
        output += call.outputTokens;
        prompt += call.promptTokens;
        level.countedByServer = level.countedByServer && call.counted;
    }
    const double answered = double(ttft.size());
    level.ttft = serve::spreadOf(std::move(ttft));
    level.tpot = serve::spreadOf(std::move(tpot));
    level.latency = serve::spreadOf(std::move(latency));
    if (answered > 0) {
        level.meanOutputTokens = output / answered;
        level.meanPromptTokens = prompt / answered;
    }
    if (seconds > 0) {
        level.outputTokensPerSecond = output / seconds;
        level.requestsPerSecond = answered / seconds;
    }
    level.attainment = calls.empty() ? 0 : met / double(calls.size());
    level.meets
        = answered > 0 && level.attainment * 100 >= (plan.targets.any() ? plan.targets.percentile : 100);
    return level;
}

} // namespace

Result<std::string> servedModel(const Url& url, const std::string& header)
{
    const HttpAnswer answer = httpExchange(url, {.path = "/v1/models", .header = header});
    if (!answer.failure.empty())
        return refuse("URL", answer.failure, "is the server running, and is this its address?");
    if (answer.status >= 300)
        return refuse("URL", "GET /v1/models is answered with status " + std::to_string(answer.status),
                      answer.status == 401 ? "give --header \"Authorization: Bearer …\""
                                           : "name the model with --model");
    return readServedModels(answer.body).map([](const std::vector<std::string>& ids) { return ids.front(); });
}

ProbeLevel probeLevel(const ProbePlan& plan, int concurrency)
{
    constexpr int requestsPerUser = 4;
    constexpr int leastRequests = 16;
    const int total = plan.requests > 0 ? std::max(plan.requests, concurrency)
                                        : std::max(leastRequests, requestsPerUser * concurrency);
    std::vector<ProbeCall> calls(static_cast<std::size_t>(total));
    std::atomic<int> next = 0;
    const auto begin = Clock::now();
    {
        std::vector<std::jthread> users;
        for (int user = 0; user < concurrency; ++user)
            users.emplace_back([&] {
                for (int i = next++; i < total; i = next++)
                    calls[std::size_t(i)]
                        = callOnce(plan, std::uint64_t(i) + (std::uint64_t(concurrency) << 32U));
            });
    }
    return measured(plan, concurrency, calls, secondsBetween(begin, Clock::now()));
}

ProbeReport probeUpTo(const ProbePlan& plan, int most, const std::function<void(const ProbeLevel&)>& onLevel)
{
    ProbeReport report;
    const auto meets = [&](int concurrency) {
        report.levels.push_back(probeLevel(plan, concurrency));
        const ProbeLevel& level = report.levels.back();
        onLevel(level);
        if (level.meets)
            report.highest = std::max(report.highest, concurrency);
        return level.meets;
    };
    int good = 0;
    int bad = 0;
    for (int concurrency = 1; concurrency <= most && bad == 0; concurrency *= 2)
        (meets(concurrency) ? good : bad) = concurrency;
    // Within an eighth: the next run of the same load differs by as much.
    while (bad > 0 && good > 0 && bad - good > std::max(1, good / 8)) {
        const int middle = (good + bad) / 2;
        (meets(middle) ? good : bad) = middle;
    }
    return report;
}

} // namespace headroom::cli
