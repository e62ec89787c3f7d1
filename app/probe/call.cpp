#include "app/probe/call.h"

#include "model/base/figure_text.h"
#include "model/base/message.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom::probe {

namespace {

constexpr double leastShare = 0.9; // of the tokens asked for that make a request count
// Tokenisers and servers may differ by a token or two on where an answer begins and ends.
constexpr double slackShare = 0.02;
constexpr double slackTokens = 2;
constexpr std::size_t mostRefusal = 4096;   // bytes of an error that are read
constexpr std::size_t mostSaid = 180;       // bytes of an error in the stream that are told
constexpr double mostBytesPerToken = 1024;  // no vocabulary holds longer ones
constexpr double mostTemplateTokens = 1024; // that a server puts around a prompt

double withSlack(double tokens) { return tokens * (1 + slackShare) + slackTokens; }

Message tokens(double count) { return counted(count, "{} token", "{} tokens"); }

bool startsWithStream(const std::string& type)
{
    return type.empty() || type.find("text/event-stream") != std::string::npos;
}

} // namespace

bool meets(const CallResult& call, const Targets& targets)
{
    const double speed = call.tpot > 0 ? 1 / call.tpot : 0;
    return !call.failure && (!targets.ttft || call.ttft <= targets.ttft->base())
        && (!targets.tpot || call.tpot <= targets.tpot->base())
        && (!targets.latency || call.latency <= targets.latency->base())
        && (!targets.tokensPerSecond || call.tpot <= 0 || speed >= *targets.tokensPerSecond);
}

Call::Call(const Asked& asked, const Secrets& secrets, double due, std::function<void(Call&)> onDone)
    : m_asked(asked), m_secrets(secrets), m_due(due), m_onDone(std::move(onDone)), m_progress(due)
{}

bool Call::head(const Head& head, double now)
{
    m_status = head.status;
    m_statusAt = now;
    m_headBegun = true;
    if (head.status >= 300 && head.status < 400)
        finish({FailureKind::Redirect, head.status,
                head.location.empty() ? say("nowhere")
                                      : say("to {}, which is not followed: give the address that answers",
                                            m_secrets.shown(head.location))});
    else if (head.status >= 400)
        return true; // its words are worth hearing
    else if (!head.contentEncoding.empty() && head.contentEncoding != "identity")
        return fail(FailureKind::Compressed,
                    say("the answer is packed with {}, which was not asked for", head.contentEncoding));
    else if (!startsWithStream(head.contentType))
        return fail(FailureKind::WrongType, say("{} instead of text/event-stream", head.contentType));
    return !m_done;
}

bool Call::take(std::string_view piece, double now)
{
    if (m_status >= 400)
        return refusalPiece(piece);
    if (!m_lines.add(piece, [&](std::string_view text) { return line(text, now); }) && !m_done)
        return fail(FailureKind::LongLine,
                    say("a line of more than {} bytes", groupedDigits(EventLines::longest)));
    return !m_done;
}

bool Call::refusalPiece(std::string_view piece)
{
    m_refusal += piece.substr(0, mostRefusal - m_refusal.size());
    if (m_refusal.size() >= mostRefusal)
        finish(statusFailure());
    return !m_done;
}

Failure Call::statusFailure() const
{
    const std::string words = m_secrets.shown(m_refusal);
    return {FailureKind::Status, m_status,
            words.empty() ? say("answered with status {}", m_status)
                          : say("answered with status {}: {}", m_status, words)};
}

void Call::ended(const Failure& failure)
{
    if (m_done)
        return;
    if (m_status >= 400)
        finish(statusFailure());
    else if (failure)
        finish({failure.kind, failure.status, m_secrets.shown(failure.detail)});
    else
        finish(judged(true));
}

bool Call::line(std::string_view text, double now)
{
    constexpr std::string_view field = "data:";
    if (!text.starts_with(field)) {
        m_signs += text.empty() ? 0 : 1; // a comment keeps the connection open and says nothing
        return true;
    }
    text.remove_prefix(field.size());
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty())
        return true;
    if (text == "[DONE]") {
        m_said = true;
        finish(judged(false));
        return false;
    }
    return event(text, now);
}

bool Call::event(std::string_view text, double now)
{
    const Result<CompletionChunk> chunk = readCompletionChunk(text);
    if (!chunk)
        return isUtf8(text) ? fail(FailureKind::BadEvent, chunk.error().front().what)
                            : fail(FailureKind::NotUtf8, "an event that is not UTF-8");
    if (!chunk->serverError.empty())
        return fail(FailureKind::ServerError,
                    say("the server says: {}", m_secrets.shown(chunk->serverError, mostSaid)));
    if (!addUsage(*chunk))
        return false;
    if (chunk->hasChoice) {
        m_progress = now;
        m_signs = 0;
    } else {
        ++m_signs;
    }
    if (!chunk->finish.empty())
        m_finish = chunk->finish;
    if (!chunk->hasText) {
        m_emptyPieces += chunk->hasChoice ? 1 : 0;
        return m_emptyPieces <= 2 * withSlack(m_asked.outputTokens)
            || fail(FailureKind::TooLong, "pieces without text, and no end");
    }
    m_textBytes += double(chunk->textBytes);
    if (++m_textPieces == 1) {
        m_first = now;
        m_firstBytes = m_textBytes;
    }
    m_last = now;
    if (m_textPieces > withSlack(m_asked.outputTokens)
        || m_textBytes > withSlack(m_asked.outputTokens) * mostBytesPerToken)
        return fail(FailureKind::TooLong,
                    say("{} asked for, and more come without an end", tokens(m_asked.outputTokens)));
    return true;
}

bool Call::addUsage(const CompletionChunk& chunk)
{
    if (!chunk.wrongUsage.empty())
        return fail(FailureKind::WrongUsage, say("no count of tokens: {}", chunk.wrongUsage));
    if (chunk.outputTokens && m_usage && *chunk.outputTokens < *m_usage)
        return fail(FailureKind::WrongUsage,
                    say("completion_tokens falls from {} to {}", *m_usage, *chunk.outputTokens));
    m_usage = chunk.outputTokens ? chunk.outputTokens : m_usage;
    m_promptUsage = chunk.promptTokens ? chunk.promptTokens : m_promptUsage;
    return true;
}

// Every token but special ones, which show nothing, is at least a byte; every piece of text at least a token.
Failure Call::wrongUsage() const
{
    const auto told = [](FailureKind kind, double claimed, const Message& against) {
        return Failure{kind, 0, say("{} counted by the server, {}", tokens(claimed), against)};
    };
    if (m_promptUsage && double(*m_promptUsage) > m_asked.promptBytes + mostTemplateTokens)
        return told(FailureKind::UsageTooHigh, double(*m_promptUsage),
                    say("in a prompt of {} bytes", groupedDigits(m_asked.promptBytes)));
    if (m_promptUsage && *m_promptUsage == 0)
        return told(FailureKind::UsageTooLow, 0, "in a prompt with text");
    if (!m_usage)
        return {};
    const auto claimed = double(*m_usage);
    if (claimed > withSlack(m_asked.outputTokens))
        return told(FailureKind::UsageTooHigh, claimed,
                    say("{} asked for", groupedDigits(m_asked.outputTokens)));
    if (claimed > withSlack(mostSeen()))
        return told(FailureKind::UsageTooHigh, claimed,
                    say("{} bytes of text seen", groupedDigits(m_textBytes)));
    if (withSlack(claimed) < m_textPieces)
        return told(FailureKind::UsageTooLow, claimed,
                    say("{} pieces of text seen", groupedDigits(m_textPieces)));
    return {};
}

void Call::count()
{
    m_result.promptTokens = double(m_promptUsage.value_or(0));
    const bool byLength = m_finish == "length" && m_asked.outputTokens <= withSlack(mostSeen());
    m_result.countedBy = m_usage ? CountedBy::Usage : byLength ? CountedBy::Length : CountedBy::Pieces;
    m_result.outputTokens = m_usage ? double(*m_usage) : byLength ? m_asked.outputTokens : m_textPieces;
    m_result.ttft = m_first - m_due;
    m_result.latency = m_last - m_due;
    // Tokens that come in one piece with the first are waited for with it; their share is that of the text.
    const bool severalInPieces = m_result.outputTokens > withSlack(m_textPieces);
    const double withFirst
        = severalInPieces ? std::max(1.0, std::round(m_result.outputTokens * m_firstBytes / m_textBytes)) : 1;
    if (m_textPieces > 1 && m_result.outputTokens > withFirst)
        m_result.tpot = (m_last - m_first) / (m_result.outputTokens - withFirst);
}

Failure Call::judged(bool cleanEnd)
{
    if (m_textPieces == 0)
        return {FailureKind::NoText, 0, "an answer without text"};
    if (!m_said && (!cleanEnd || m_finish.empty()))
        return {FailureKind::HalfStream, 0, "the stream ends without saying that it is complete"};
    if (Failure wrong = wrongUsage())
        return wrong;
    count();
    if (m_result.outputTokens < leastShare * m_asked.outputTokens)
        return {FailureKind::TooShort, 0,
                m_finish.empty()
                    ? say("{} of {}", groupedDigits(m_result.outputTokens), tokens(m_asked.outputTokens))
                    : say("{} of {} (finish_reason {})", groupedDigits(m_result.outputTokens),
                          tokens(m_asked.outputTokens), m_secrets.shown(m_finish, 40))};
    return {};
}

Failure Call::silenceName(double seconds) const
{
    const auto after = [&](FailureKind kind, Code what) {
        return Failure{kind, 0, say("{} after {:g} s", what, seconds)};
    };
    if (!m_sent)
        return after(FailureKind::SlowConnect, "no connection");
    if (m_status == 0 && m_headBegun)
        return after(FailureKind::SlowHeaders, "the head of the answer is not complete");
    if (m_signs > 0)
        return after(FailureKind::OnlyPings, "signs of life, but no token");
    if (m_lines.insideLine())
        return after(FailureKind::SlowBody, "bytes, but no whole event");
    return after(FailureKind::Silence, "no token");
}

Failure Call::overdue(double now, const Deadlines& deadlines) const
{
    if (m_done)
        return {};
    if (m_status >= 400 && now - m_statusAt > deadlines.refusal)
        return statusFailure();
    if (now - m_progress > deadlines.silence)
        return m_status >= 400 ? statusFailure() : silenceName(deadlines.silence);
    if (now - m_due > deadlines.request)
        return {FailureKind::RequestDeadline, 0,
                say("{} after {:g} s, and no end", counted(m_textPieces, "{} piece", "{} pieces"),
                    deadlines.request)};
    return {};
}

bool Call::fail(FailureKind kind, const Message& detail)
{
    finish({kind, 0, m_secrets.shown(detail)});
    return false;
}

void Call::finish(Failure failure)
{
    if (m_done)
        return;
    m_done = true;
    m_result.failure = std::move(failure);
    m_onDone(*this);
}

} // namespace headroom::probe
