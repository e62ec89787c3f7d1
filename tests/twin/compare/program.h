#pragma once

#include "model/deploy/deployment.h"
#include "tests/twin/pipeline/pipeline.h"
#include "tests/twin/pipeline/ranks.h"

#include <memory>
#include <string>
#include <vector>

namespace headroom::twin {

// A service and its load, in words that both sides understand.
struct Question {
    std::string model, gpu, engine;
    DType weights = DType::Fp8;
    int tp = 1, pp = 1;
    int dp = 1; // attention ranks that share experts
    int users = 1;
    std::int64_t prompt = 1024, output = 256;
    std::int64_t requests = 100;
    int admissionSteps = 0; // of attention ranks
    std::uint64_t seed = 1;
    int draws = 1;    // runs, each with lengths of its own: who shares a pass at the start may do so for good
    std::string load; // what kind of load it is

    [[nodiscard]] std::string words() const;
};

// The deployment with everything switched off that is no question of composition: no host times, no looks,
// no cache limits, no prefix cache. Owns what it changed.
class Subject {
public:
    explicit Subject(const Question& question);

    [[nodiscard]] const Deployment& deployment() const { return m_deployment; }
    [[nodiscard]] bool possible() const { return m_possible; }
    [[nodiscard]] int boxes() const;
    [[nodiscard]] std::int64_t budget() const { return m_budget; }
    [[nodiscard]] std::int64_t maxSequences() const { return m_maxSequences; }

    // Of one stage alone and of the way to the next, asked from the program's own cost model.
    [[nodiscard]] StageTime stageTime() const;
    [[nodiscard]] HopTime hopTime() const;
    // Of a step of all ranks, as long as the slowest.
    [[nodiscard]] RanksTime ranksTime() const;
    [[nodiscard]] PipelineRules rules() const; // of its engine

private:
    [[nodiscard]] PipelineRules rulesOfEngine() const;

    std::shared_ptr<Engine> m_engine;
    Deployment m_deployment;
    bool m_possible = false;
    std::int64_t m_budget = 0, m_maxSequences = 0;
};

[[nodiscard]] std::vector<Request> requestsOf(const Question& question, int draw = 0);

struct Compared {
    Steady twin, simulator;                                // of all draws together
    double closedRate = 0, closedTpot = 0, closedTtft = 0; // the closed form of `predict`
};
[[nodiscard]] Compared compare(const Question& question, const Subject& subject);

} // namespace headroom::twin
