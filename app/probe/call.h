#pragma once

#include "app/probe/event_lines.h"
#include "app/probe/shown_text.h"
#include "app/probe/transport.h"
#include "model/json/completion_json.h"
#include "model/scenario/scenario.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace headroom::probe {

// Seconds after which a request or a level is given up. The defaults wait for what a busy server may do, and
// for nothing else.
struct Deadlines {
    double silence = 120; // without a token
    double request = 600; // from its beginning to its last token
    double level = 3600;  // all of its requests
    double refusal = 2;   // for the words of an error, once its status is known
};

// What a request asked for.
struct Asked {
    double promptTokens = 1;
    double promptBytes = 1;
    double outputTokens = 1;
};

// Where a number of tokens comes from.
enum class CountedBy : std::uint8_t {
    Usage,  // the server's count, held against what was seen
    Length, // finish_reason "length": as many as were asked for
    Pieces, // pieces with text; too few where a piece holds several tokens
};

// One request as its sender saw it.
struct CallResult {
    Failure failure; // none: complete, with at least 90 % of the tokens asked for
    double ttft = 0;
    double tpot = 0; // 0 with one piece of text
    double latency = 0;
    double promptTokens = 0; // as the server counts them; 0 where it does not
    double outputTokens = 0;
    CountedBy countedBy = CountedBy::Pieces;
};

// Whether it met all of the targets; a failed one met none.
[[nodiscard]] bool meets(const CallResult& call, const Targets& targets);

// Listens to one request, and judges it when it ends.
class Call : public Receiver {
public:
    // `due`: when it should have been sent, from which its times count. `onDone` is called once.
    Call(const Asked& asked, const Secrets& secrets, double due, std::function<void(Call&)> onDone);

    void sent() override { m_sent = true; }
    void headBegins() override { m_headBegun = true; }
    bool head(const Head& head, double now) override;
    bool take(std::string_view piece, double now) override;
    void ended(const Failure& failure) override;

    [[nodiscard]] bool done() const { return m_done; }
    [[nodiscard]] const CallResult& result() const { return m_result; }
    // What it has waited too long for, by name; nothing while it has not.
    [[nodiscard]] Failure overdue(double now, const Deadlines& deadlines) const;
    // Ends it with that failure.
    void giveUp(Failure failure) { finish(std::move(failure)); }

    [[nodiscard]] double piecesSoFar() const { return m_textPieces; }
    [[nodiscard]] double due() const { return m_due; }

private:
    bool refusalPiece(std::string_view piece);
    bool line(std::string_view text, double now);
    bool event(std::string_view text, double now);
    bool addUsage(const CompletionChunk& chunk);
    [[nodiscard]] Failure silenceName(double seconds) const;
    [[nodiscard]] Failure statusFailure() const;
    [[nodiscard]] Failure wrongUsage() const;
    [[nodiscard]] Failure judged(bool cleanEnd);
    void count();
    // Tokens that the text and the pieces without text can be at most.
    [[nodiscard]] double mostSeen() const { return m_textBytes + m_emptyPieces; }
    bool fail(FailureKind kind, const Message& detail);
    void finish(Failure failure);

    Asked m_asked;
    const Secrets& m_secrets;
    double m_due;
    std::function<void(Call&)> m_onDone;

    bool m_sent = false, m_headBegun = false, m_done = false, m_said = false;
    int m_status = 0;
    double m_statusAt = 0;
    std::string m_refusal; // the words of an error
    EventLines m_lines;
    double m_signs = 0; // lines since then that are no token
    double m_progress;  // when the last token came
    double m_textPieces = 0, m_emptyPieces = 0, m_textBytes = 0, m_firstBytes = 0;
    double m_first = 0, m_last = 0;
    std::string m_finish;
    std::optional<std::int64_t> m_usage, m_promptUsage;
    CallResult m_result;
};

} // namespace headroom::probe
