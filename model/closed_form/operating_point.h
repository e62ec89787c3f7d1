#pragma once

#include "model/closed_form/prediction.h"
#include "model/scenario/scenario.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headroom {

enum class TargetKind : std::uint8_t { None, Speed, Ttft, Tpot, Latency };

// Requests at a rate do not pile up if, with as many at once as the replica may hold, one of them takes no
// longer (`time`) than as many take to arrive (`limit`). A machine may be slower than is most likely by what
// is between the two.
struct KeepsUp {
    Estimate<Seconds> time;
    Seconds limit;
};

// What a user of one replica feels beside a stated number of others, their prompts included.
struct UserTimes {
    double users = 1; // at once in the replica
    Estimate<Seconds> ttft;
    Estimate<Seconds> tpot;
    Estimate<Seconds> linePerToken; // his time in line for the first token, spread over the others
    Estimate<Seconds> latency;
    Estimate<TokensPerSecond> tokensPerSecondPerUser;
    std::optional<KeepsUp> keepsUp;       // of requests that come at a stated rate
    std::optional<KeepsUp> promptsKeepUp; // and of the pool beside it that computes their prompts

    // What speeds are judged by: more users than prompts are computed for wait longer and decode no slower,
    // and that serves no more of them.
    [[nodiscard]] Estimate<Seconds> pace() const { return sum(tpot, linePerToken); }

    [[nodiscard]] double requestsPerSecond() const
    {
        return latency.value.base() > 0 ? users / latency.value.base() : 0;
    }
};
// The same with everything that is predicted there.
struct OperatingPoint : UserTimes {
    Prediction prediction;
};
[[nodiscard]] OperatingPoint operateAt(const Deployment& deployment, Load load, double users);

// The target that is missed by most, None when all are met; `sure`: at the 90th percentile of the estimates
// instead of the most likely value.
[[nodiscard]] TargetKind missedTarget(const UserTimes& point, const Targets& targets, bool sure = false);

// How many times too long the time is that misses its target by most; at most 1 when all are met, 0 without
// targets.
[[nodiscard]] double worstExcess(const UserTimes& point, const Targets& targets, bool sure = false);

// Probability that all targets are met, and that requests are answered as fast as they come, given the
// intervals. Errors of decode speed (which TPS, TPOT and latency share) and of prefill (TTFT) are taken as
// independent of each other.
[[nodiscard]] double confidenceOf(const UserTimes& point, const Targets& targets);

// Probability that a positive quantity, known as a 10th to 90th percentile, is at most `limit`: log-normal,
// the two halves by their own spread.
[[nodiscard]] double probabilityAtMost(const Estimate<Seconds>& estimate, Seconds limit);

// Most users one replica carries with all targets met, and what stops it.
struct Capacity {
    double users = 0; // 0: not even one; of requests that come on their own it may be part of one
    enum class Limit : std::uint8_t { Targets, Memory, EngineSequences } limit = Limit::Targets;
};
// Requests that the engine runs at once in one replica, whatever the memory; infinite where it knows no
// limit.
[[nodiscard]] double engineSlots(const Deployment& deployment);
// `enough`: looking stops there, when more need not be known.
[[nodiscard]] Capacity capacityOf(const Deployment& deployment, const Load& load, const Targets& targets,
                                  bool sure = false, double enough = 1e18);

// What users of a replica that only decodes feel of the pool that computes their prompts.
struct PromptsElsewhere {
    StepCost step;          // one prompt, alone
    Estimate<Seconds> ttft; // the wait for a free replica included
    Seconds handOver;       // until who decodes has the request and its cache: he shows the first token
};

// A replica that only decodes. Its times at a number of users do not depend on the prefill pool beside it, so
// they are computed once and kept. Not for several threads at once.
class DecodingReplica {
public:
    DecodingReplica(const Deployment& deployment, const Load& load);

    [[nodiscard]] const Predictor& predictor() const { return m_predictor; }
    [[nodiscard]] const LoadTimes& timesAt(double users) const;
    [[nodiscard]] const Prediction& at(double users, int replicas) const;
    // Of it beside such a prefill pool; of those that its users feel alike it is worked out once.
    [[nodiscard]] Capacity capacityBeside(const PromptsElsewhere& prompts, const Targets& targets,
                                          bool sure) const;

private:
    struct Known {
        PromptsElsewhere prompts;
        Targets targets;
        bool sure = false;
        Capacity capacity;
    };

    Predictor m_predictor;
    mutable std::vector<Known> m_capacities;
    mutable std::map<double, LoadTimes> m_times;
    mutable std::map<std::pair<double, int>, Prediction> m_predictions;
};

// One replica at any number of users: both of the above, asked again and again; its times are kept. Not for
// several threads at once.
class ReplicaCurve {
public:
    ReplicaCurve(const Deployment& deployment, const Load& load)
        : m_own(std::in_place, deployment, load), m_predictor(&*m_own)
    {}
    ReplicaCurve(const Deployment& deployment, const Load& load, const MemoryPlanner& memory)
        : m_own(std::in_place, deployment, load, memory), m_predictor(&*m_own)
    {}
    ReplicaCurve(std::shared_ptr<const DecodingReplica> decodes, const PromptsElsewhere& prompts);
    ReplicaCurve(const ReplicaCurve&) = delete;
    ReplicaCurve& operator=(const ReplicaCurve&) = delete;

    // Of a service of that many such replicas.
    [[nodiscard]] OperatingPoint at(double users, int replicas) const;
    [[nodiscard]] UserTimes timesAt(double users) const;
    [[nodiscard]] MemoryPlan memoryAt(double users) const { return m_predictor->memoryAt(users); }
    [[nodiscard]] Capacity capacity(const Targets& targets, bool sure = false, double enough = 1e18) const;
    // Requests a second at that many users.
    [[nodiscard]] double rateAt(double users) const;
    // `users`: so many are there at that rate, most likely. On a slower machine there are more, and each of
    // their steps is longer. The result is of the most users at which tokens and whole answers still keep
    // their targets, on a machine as slow as brings that many.
    [[nodiscard]] KeepsUp keepsUpWith(double requestsPerSecond, double users, const Targets& targets) const;

private:
    [[nodiscard]] UserTimes felt(const LoadTimes& times, double users) const;
    // The users that memory and the engine hold at once, and which of both says so.
    [[nodiscard]] Capacity room() const;

    std::optional<Predictor> m_own;
    std::shared_ptr<const DecodingReplica> m_decodes; // none: its prompts are its own
    const Predictor* m_predictor;                     // of either
    std::optional<PromptsElsewhere> m_prompts;
    mutable std::vector<UserTimes> m_times; // that were asked for
};

} // namespace headroom
