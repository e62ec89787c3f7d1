#pragma once

#include "app/probe/level.h"
#include "app/probe/plan.h"

#include <functional>
#include <memory>
#include <random>
#include <vector>

namespace headroom::probe {

// One level while it runs. Warm-up: each user sends one request of its own length, which spreads the users
// over their answers as hours of work would. Then come the measured requests. Until the last of them is
// answered, further requests keep up the load and are not measured.
class LevelRun {
public:
    LevelRun(Transport& transport, const ProbePlan& plan, const Load& load, Settle settle, StopAsked stop);
    ~LevelRun();
    LevelRun(const LevelRun&) = delete;
    LevelRun& operator=(const LevelRun&) = delete;

    void run();
    [[nodiscard]] ProbeLevel measured() const;

private:
    enum class Role : std::uint8_t { WarmUp, Measured, Filler };
    struct Running {
        std::unique_ptr<Call> call;
        Transport::Ticket ticket = 0;
        Role role = Role::WarmUp;
        double piecesBefore = 0; // the window
    };

    [[nodiscard]] bool open() const { return m_load.requestsPerSecond > 0; }
    [[nodiscard]] bool over() const;
    void issue();
    void begin(double due);
    [[nodiscard]] double nextArrival() const;
    void openWindow();
    void reap();
    void record(const Running& running);
    void recordFailure(const Failure& failure);
    void check(double now);
    void settleOrEnd();
    void end(LevelEnd why);
    void countWindow(const Running& running);
    void fillTimes(ProbeLevel& level) const;
    void judge(ProbeLevel& level) const;

    Transport& m_transport;
    const ProbePlan& m_plan;
    Load m_load;
    Settle m_settle;
    StopAsked m_stop;

    std::vector<Running> m_slots; // of a call each, or free
    std::vector<std::size_t> m_free, m_done;
    int m_inFlight = 0, m_peak = 0;
    std::vector<double> m_arrivals; // of an open loop, from its beginning
    int m_started = 0, m_warmUps = 0, m_wanted = 0, m_measuredStarted = 0, m_measuredDone = 0;
    double m_began = 0, m_windowBegan = 0, m_windowEnded = 0, m_nextCheck = 0;
    bool m_windowOpen = false;
    double m_windowPieces = 0;    // of text, seen in the window
    ClientUse m_useBefore, m_use; // over the level
    std::vector<CallResult> m_calls;
    double m_pieces = 0, m_tokens = 0; // of the answers that are complete
    std::string m_lastFailure;
    int m_equalFailures = 0;
    LevelEnd m_end = LevelEnd::Complete;
    bool m_ended = false;
    Failure m_clientFailure;
};

} // namespace headroom::probe
