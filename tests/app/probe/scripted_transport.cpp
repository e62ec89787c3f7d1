#include "tests/app/probe/scripted_transport.h"

#include <algorithm>

namespace headroom::test {

using Step = ScriptedTransport::Step;

probe::Transport::Ticket ScriptedTransport::start(probe::Exchange exchange, probe::Receiver& receiver)
{
    const Ticket ticket = m_next++;
    m_receivers[ticket] = &receiver;
    ++started;
    mostInFlight = std::max(mostInFlight, int(m_receivers.size()));
    for (Step& step : m_answer(exchange, int(m_receivers.size())))
        m_events.push({m_now + step.at, m_order++, ticket, std::move(step)});
    return ticket;
}

void ScriptedTransport::drop(Ticket ticket) { dropped += int(m_receivers.erase(ticket)); }

void ScriptedTransport::turn(double until)
{
    if (m_events.empty() || m_events.top().at > until) {
        m_now = std::max(m_now, until);
        return;
    }
    m_now = std::max(m_now, m_events.top().at);
    while (!m_events.empty() && m_events.top().at <= m_now) {
        const Event event = m_events.top();
        m_events.pop();
        const auto found = m_receivers.find(event.ticket);
        if (found == m_receivers.end())
            continue;
        probe::Receiver& receiver = *found->second;
        const bool last = event.step.kind == Step::Kind::End;
        if (last)
            m_receivers.erase(found);
        if (!deliver(receiver, event.step, m_now) && !last)
            m_receivers.erase(event.ticket);
    }
}

bool ScriptedTransport::deliver(probe::Receiver& receiver, const Step& step, double now)
{
    switch (step.kind) {
    case Step::Kind::Sent:
        receiver.sent();
        return true;
    case Step::Kind::Head:
        return receiver.head(step.head, now);
    case Step::Kind::Piece:
        return receiver.take(step.piece, now);
    case Step::Kind::End:
        break;
    }
    receiver.ended(step.failure);
    return false;
}

Step pieceAt(double at, std::string piece)
{
    return {.at = at, .kind = Step::Kind::Piece, .piece = std::move(piece)};
}

Step endAt(double at, probe::FailureKind failure)
{
    return {.at = at,
            .kind = Step::Kind::End,
            .piece = {},
            .head = {},
            .failure = {.kind = failure, .detail = {}}};
}

std::vector<Step> headOf(int status, std::string type)
{
    return {{.at = 0, .kind = Step::Kind::Sent},
            {.at = 0,
             .kind = Step::Kind::Head,
             .piece = {},
             .head = {.status = status, .contentType = std::move(type)}}};
}

std::vector<Step> usualStream(int tokens, double ttft, double tpot, double usage)
{
    std::vector<Step> steps = headOf();
    double at = ttft;
    for (int i = 0; i < tokens; ++i, at += tpot)
        steps.push_back(pieceAt(at, tokenEvent()));
    std::string last = finishEvent("length");
    if (usage >= 0)
        last += usageEvent(std::to_string(static_cast<long long>(usage)));
    steps.push_back(pieceAt(at - tpot, last + "data: [DONE]\n\n"));
    steps.push_back(endAt(at - tpot));
    return steps;
}

std::string tokenEvent(const std::string& text)
{
    return R"(data: {"choices":[{"index":0,"text":")" + text
        + "\",\"finish_reason\":null}],\"usage\":null}\n\n";
}

std::string usageEvent(const std::string& completionTokens, const std::string& promptTokens)
{
    return R"(data: {"choices":[],"usage":{"prompt_tokens":)" + promptTokens + R"(,"completion_tokens":)"
        + completionTokens + "}}\n\n";
}

std::string finishEvent(const std::string& reason)
{
    return R"(data: {"choices":[{"index":0,"text":"","finish_reason":")" + reason + "\"}]}\n\n";
}

} // namespace headroom::test
