#include "app/probe/server.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::probe {

namespace {

constexpr std::size_t largestBody = 4U << 20U; // lists of models and counters are far below
constexpr double tick = 0.05;                  // s
constexpr double mostPatience = 30;            // s, for a question that costs the server nothing
// Lengths that tell what a word costs from what stands around a prompt.
constexpr int fewWords = 16;
constexpr int manyWords = 272;

class Listener : public Receiver {
public:
    explicit Listener(double begun) : m_progress(begun) {}

    void sent() override {}
    void headBegins() override {}
    bool head(const Head& head, double now) override
    {
        answer.status = head.status;
        m_progress = now;
        return true;
    }
    bool take(std::string_view piece, double /*now*/) override
    {
        answer.body += piece.substr(0, largestBody - answer.body.size());
        done = answer.body.size() >= largestBody;
        return !done;
    }
    void ended(const Failure& failure) override
    {
        answer.failure = failure;
        done = true;
    }
    [[nodiscard]] double progress() const { return m_progress; }

    Answer answer;
    bool done = false;

private:
    double m_progress; // a body that never ends is no progress
};

} // namespace

Answer Server::ask(const Exchange& exchange)
{
    const double patience = std::min(m_deadlines.silence, mostPatience);
    Listener listener(m_transport.now());
    const Transport::Ticket ticket = m_transport.start(exchange, listener);
    while (!listener.done) {
        m_transport.turn(m_transport.now() + tick);
        const bool late = m_transport.now() - listener.progress() > patience;
        if (listener.done || (!late && !(m_stop && m_stop())))
            continue;
        m_transport.drop(ticket);
        listener.ended({FailureKind::Silence, 0, say("{} is not answered", exchange.path)});
    }
    return std::move(listener.answer);
}

Result<std::string> Server::servedModel()
{
    const Answer answer = ask({.path = "/v1/models", .body = {}});
    if (answer.failure)
        return refuse("URL", m_secrets.shown(answer.failure.sentence()),
                      "is the server running, and is this its address?");
    if (answer.status >= 300)
        return refuse("URL", say("GET /v1/models is answered with status {}", answer.status),
                      answer.status == 401 || answer.status == 403
                          ? say("give the key with --api-key-env NAME or --api-key-file FILE")
                          : say("name the model with --model"));
    const Result<std::vector<std::string>> ids = readServedModels(answer.body);
    if (ids)
        return ids->front();
    Problems problems = ids.error();
    for (Problem& problem : problems)
        problem.what = m_secrets.shown(problem.what);
    return refuse(std::move(problems));
}

std::optional<ServerCounters> Server::counters()
{
    const Answer answer = ask({.path = "/metrics", .body = {}});
    return answer.failure || answer.status != 200 ? std::nullopt : readServerMetrics(answer.body);
}

std::optional<double> Server::tokensOf(TokenizerForm form, const std::string& model, const std::string& text)
{
    const Answer answer = ask({.path = "/tokenize", .body = tokenizeRequestJson(form, model, text)});
    if (answer.failure || answer.status != 200)
        return std::nullopt;
    const Result<std::int64_t> count = readTokenCount(form, answer.body);
    // A tokenizer that counts nothing, or more than the text has bytes, is none.
    return count && double(*count) <= double(text.size()) + 1024 ? std::optional(double(*count))
                                                                 : std::nullopt;
}

std::optional<TokenizerForm> Server::tokenizer(const std::string& model)
{
    for (const TokenizerForm form : {TokenizerForm::Prompt, TokenizerForm::Content, TokenizerForm::Inputs})
        if (tokensOf(form, model, "time year day"))
            return form;
    return std::nullopt;
}

// Looks for words that are one token each wherever they stand. A text of n such words is n tokens long, plus
// the tokens that the server puts around it.
std::optional<PromptWriter> Server::byTokenizer(const std::string& model, double sharedPart,
                                                std::uint64_t nonce)
{
    const std::optional<TokenizerForm> form = tokenizer(model);
    if (!form)
        return std::nullopt;
    std::vector<std::string_view> words;
    for (const std::string_view word : allWords()) {
        const std::string once(word);
        const auto one = tokensOf(*form, model, once);
        const auto three = tokensOf(*form, model, once + ' ' + once + ' ' + once);
        if (one && three && *three - *one == 2)
            words.push_back(word);
    }
    constexpr std::size_t fewestWords = 8; // of which 16 in a row are still a text of their own
    if (words.size() < fewestWords)
        return std::nullopt;
    const PromptWriter writer(words, {}, sharedPart, nonce);
    const auto few = tokensOf(*form, model, writer.sample(fewWords, 1));
    const auto many = tokensOf(*form, model, writer.sample(manyWords, 2));
    if (!few || !many || *many - *few != manyWords - fewWords)
        return std::nullopt;
    return PromptWriter(words,
                        {.overhead = *few - fewWords, .perWord = 1, .counted = WordsCounted::ByTokenizer},
                        sharedPart, nonce);
}

std::optional<double> Server::tokensByUsage(const std::string& model, const std::string& prompt)
{
    const Asked asked{.promptTokens = 1, .promptBytes = double(prompt.size()), .outputTokens = 1};
    Call call(asked, m_secrets, m_transport.now(), [](Call&) {});
    const Transport::Ticket ticket = m_transport.start(
        {.path = "/v1/completions", .body = completionRequestJson(model, prompt, 1)}, call);
    while (!call.done()) {
        m_transport.turn(m_transport.now() + tick);
        const Failure late = call.overdue(m_transport.now(), m_deadlines);
        if (call.done() || (!late && !(m_stop && m_stop())))
            continue;
        m_transport.drop(ticket);
        call.giveUp(late);
        return std::nullopt;
    }
    const CallResult& result = call.result();
    return !result.failure && result.promptTokens > 0 ? std::optional(result.promptTokens) : std::nullopt;
}

PromptWriter Server::prompts(const std::string& model, double sharedPart, std::uint64_t nonce)
{
    if (const auto exact = byTokenizer(model, sharedPart, nonce))
        return *exact;
    const PromptWriter plain(allWords(), {}, sharedPart, nonce);
    const auto few = tokensByUsage(model, plain.prompt(fewWords, 1));
    const auto many = few ? tokensByUsage(model, plain.prompt(manyWords, 2)) : std::nullopt;
    if (!few || !many || *many <= *few)
        return plain;
    const double perWord = (*many - *few) / (manyWords - fewWords);
    return {allWords(),
            {.overhead = *few - fewWords * perWord, .perWord = perWord, .counted = WordsCounted::ByUsage},
            sharedPart,
            nonce};
}

} // namespace headroom::probe
