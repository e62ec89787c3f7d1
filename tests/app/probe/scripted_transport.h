#pragma once

#include "app/probe/transport.h"

#include <queue>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace headroom::test {

// A server in a script, with a clock of its own that jumps from event to event: no test waits.
class ScriptedTransport : public probe::Transport {
public:
    // One thing that happens, so many seconds after the request began.
    struct Step {
        enum class Kind { Sent, Head, Piece, End };
        double at = 0;
        Kind kind = Kind::Piece;
        std::string piece;
        probe::Head head{};
        probe::Failure failure{};
    };
    // What a request is answered with; `inFlight` counts itself.
    using Answer = std::function<std::vector<Step>(const probe::Exchange&, int inFlight)>;

    explicit ScriptedTransport(Answer answer) : m_answer(std::move(answer)) {}

    [[nodiscard]] double now() const override { return m_now; }
    Ticket start(probe::Exchange exchange, probe::Receiver& receiver) override;
    void drop(Ticket ticket) override;
    void turn(double until) override;
    [[nodiscard]] probe::ClientUse use() override { return {m_now * processorShare, lag}; }
    [[nodiscard]] int mostStreams() const override { return files; }

    double processorShare = 0;
    double lag = 0;
    int files = 100'000;
    int started = 0;
    int dropped = 0;
    int mostInFlight = 0;

private:
    struct Event {
        double at = 0;
        std::uint64_t order = 0;
        Ticket ticket = 0;
        Step step;
        friend bool operator<(const Event& a, const Event& b)
        {
            return a.at != b.at ? a.at > b.at : a.order > b.order; // the earliest on top
        }
    };
    [[nodiscard]] static bool deliver(probe::Receiver& receiver, const Step& step, double now);

    Answer m_answer;
    double m_now = 0;
    std::uint64_t m_order = 0;
    Ticket m_next = 1;
    std::map<Ticket, probe::Receiver*> m_receivers;
    std::priority_queue<Event> m_events;
};

// The steps of a usual stream: the head, then so many tokens, the first after `ttft`, one each `tpot`, then
// the count and [DONE]. `usage`: what the server says it counted; below zero: nothing.
[[nodiscard]] std::vector<ScriptedTransport::Step> usualStream(int tokens, double ttft, double tpot,
                                                               double usage = -1);
[[nodiscard]] ScriptedTransport::Step pieceAt(double at, std::string piece);
[[nodiscard]] ScriptedTransport::Step endAt(double at, probe::FailureKind failure = probe::FailureKind::None);
// What every answer begins with.
[[nodiscard]] std::vector<ScriptedTransport::Step> headOf(int status = 200,
                                                          std::string type = "text/event-stream");

[[nodiscard]] std::string tokenEvent(const std::string& text = " a");
[[nodiscard]] std::string usageEvent(const std::string& completionTokens,
                                     const std::string& promptTokens = "12");
[[nodiscard]] std::string finishEvent(const std::string& reason);

} // namespace headroom::test
