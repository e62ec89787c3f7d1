#pragma once

#include "model/base/estimate.h"
#include "model/cost/step_cost.h"
#include "model/deploy/deployment.h"
#include "model/memory/memory_plan.h"

namespace headroom {

// The load a deployment is predicted at.
struct Load {
    double batch = 1; // concurrent sequences in one replica
    double promptTokens = 1024;
    double outputTokens = 256;
    double prefixCached = 0;      // share of the prompt already cached
    double memoryFraction = 0;    // 0: the engine's
    double batchedTokens = 0;     // 0: the engine's
    int blockTokens = -1;         // -1: the engine's
    bool promptElsewhere = false; // another pool computes prompts: only decodes run here
    bool openLoop = false;        // requests come at a rate, whoever else is there

    friend bool operator==(const Load&, const Load&) = default;
};

struct Service {
    int gpus = 0;
    Estimate<TokensPerSecond> outputTokensPerSecond;
    Estimate<TokensPerSecond> totalTokensPerSecond;
    Estimate<Watts> power; // whole service at the wall of the server, without PUE
    DollarsPerSecond price;
    bool priceKnown = false;
    Estimate<Dollars> dollarsPerMillionOutputTokens;
    Estimate<Joules> joulesPerOutputToken;
};

// Users of a closed loop whom the steps before admission gather (gathered_users.h).
struct Gathered {
    double share = 0;         // of the time that all are
    Estimate<Seconds> period; // from one request of a user to his next
    Estimate<Seconds> tpot;
};

struct Prediction {
    MemoryPlan memory;
    StepCost prefill;                // of one prompt, alone
    StepCost decode;                 // at the stated batch and the mean context of the run
    Estimate<Seconds> ttft;          // queue-free
    Estimate<Seconds> tpot;          // time between a user's tokens at this batch, no prompt being prefilled
    Seconds admission;               // of the TTFT: what passes before the prompt is computed
    Estimate<Seconds> tpotUnderLoad; // the same while the prompts that keep the batch full are prefilled too
    Estimate<Seconds> inLine;        // where those fill all steps: until a request's prompt has its turn
    Gathered gathered;               // those two are of users who are not
    Estimate<TokensPerSecond> tokensPerSecondPerUser; // 1 / tpot
    Estimate<TokensPerSecond> tokensPerSecond;        // one replica
    Estimate<Seconds> latency;                        // of a request
    Estimate<TokensPerSecond> requestTokensPerSecond; // output tokens over latency
    Estimate<RequestsPerSecond> requestsPerSecond;    // whole service, steady
    double prefillComputeUtilisation = 0;             // MFU
    double prefillMemoryUtilisation = 0;              // MBU
    double decodeComputeUtilisation = 0;
    double decodeMemoryUtilisation = 0;
    Service service;
};

struct Turns; // prefill_mixing.h

// What a user waits for at some batch: the same fields of a prediction without the rest.
struct LoadTimes {
    Estimate<Seconds> ttft;
    Estimate<Seconds> tpot;
    Estimate<Seconds> tpotUnderLoad;
    Estimate<Seconds> inLine; // before the first
    Seconds admission;        // part of the first
    Gathered gathered;
};

// What a request of a full batch takes, its wait included: Little's law over this gives the throughput.
struct RequestCycle {
    Seconds admission;        // before anything is computed of it
    Estimate<Seconds> prompt; // its own; none where it is computed among others'
    Estimate<Seconds> inLine; // until it has its turn, where prompts fill all steps
    double beside = 0;        // of its tokens, those that take as long as the time under load
    double alone = 0;         // and those with no prompt beside them
    Estimate<Seconds> turn;   // all of it, as far as users are gathered: the others are of the rest
};
[[nodiscard]] RequestCycle requestCycle(const Prediction& prediction, const Deployment& deployment,
                                        const Load& load);

// The steps and the memory that a load makes a replica run and hold: what `predict` asks the cost model for.
[[nodiscard]] StepShape decodeStep(const Deployment& deployment, const Load& load);
[[nodiscard]] MemoryDemand memoryDemand(const Deployment& deployment, const Load& load);

// Tokens that one verified step yields for a sequence on average; 1 without speculation.
[[nodiscard]] double tokensPerStep(const SpeculativeDecoding& speculative);
// Time the draft needs before that step can be verified.
[[nodiscard]] Estimate<Seconds> draftTime(const Deployment& deployment, const StepShape& decode);

// Closed form, no allocation: a plan calls this a million times.
[[nodiscard]] Prediction predict(const Deployment& deployment, const Load& load);

// The same at one batch after the other: what does not depend on the batch is worked out once.
class Predictor {
public:
    Predictor(const Deployment& deployment, const Load& load)
        : m_timer(deployment), m_memory(deployment), m_load(load), m_prefill(promptAlone())
    {}
    Predictor(const Deployment& deployment, const Load& load, const MemoryPlanner& memory)
        : m_timer(deployment), m_memory(memory), m_load(load), m_prefill(promptAlone())
    {}

    [[nodiscard]] Prediction at(double batch) const { return at(batch, deployment().layout.replicas); }
    // Of a service of that many such replicas.
    [[nodiscard]] Prediction at(double batch, int replicas) const;
    [[nodiscard]] LoadTimes timesAt(double batch) const;
    // From one request of a user to his next: Little's law over this gives the throughput.
    [[nodiscard]] Estimate<Seconds> period(const LoadTimes& times, double batch) const;
    [[nodiscard]] MemoryPlan memoryAt(double batch) const;
    [[nodiscard]] const StepCost& prefill() const { return m_prefill; } // of one prompt, alone
    [[nodiscard]] const Deployment& deployment() const { return m_timer.deployment(); }
    [[nodiscard]] const Load& load() const { return m_load; }

private:
    [[nodiscard]] Load loadAt(double batch) const;
    [[nodiscard]] StepCost promptAlone() const;
    [[nodiscard]] LoadTimes times(const Load& load, const Turns& turns, const StepShape& decode,
                                  const Estimate<Seconds>& decodeRate) const;
    // What a full batch does all the time.
    struct Steady {
        const Load& load;
        const StepShape& decode;
        const Estimate<Seconds>& decodeRate; // no prompt beside it
        const Estimate<Seconds>& draft;
        double yield = 1; // tokens of a step
        double users = 1;
        double rounds = 1; // of a request
        double waited = 0; // before it, in tokens as those are
        double lanes = 1;  // that are busy
        Seconds host;      // reads a request before the engine sees it
        double unseen = 0; // steps until the engine looks then

        [[nodiscard]] double arriving() const
        {
            return users / (rounds + waited) * yield;
        } // prompts for each step
    };
    struct UnderLoad {
        Estimate<Seconds> tpot;
        Estimate<Seconds> inLine;
    };
    [[nodiscard]] UnderLoad besideChunks(const Steady& steady) const;
    [[nodiscard]] UnderLoad besideHeld(const Steady& steady) const;
    [[nodiscard]] UnderLoad whereAllCompute(const Steady& steady) const;
    [[nodiscard]] UnderLoad besidePasses(const Steady& steady) const;
    [[nodiscard]] Gathered inTurns(const Load& load, const StepShape& decode, const Estimate<Seconds>& token,
                                   double share) const;
    struct Decoding {
        StepShape shape;
        Estimate<Seconds> rate;
    };
    [[nodiscard]] Decoding inFullestLane(const Steady& steady, double filled) const;
    [[nodiscard]] Seconds besideLanes(const Load& load, double together, double arriving, double lanes) const;
    [[nodiscard]] Estimate<Seconds> besideRanks(const Steady& steady) const;
    // Steps whose prompts begin in the same one, where ranks share experts.
    [[nodiscard]] double gatheredBy(const Steady& steady) const;

    StepTimer m_timer;
    MemoryPlanner m_memory;
    Load m_load;
    StepCost m_prefill;
};

} // namespace headroom
