#pragma once

#include "model/base/result.h"
#include "model/memory/memory_plan.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

class Catalogue;

// A machine and what the model takes of it.
struct MemoryHolder {
    std::shared_ptr<const Resolved> machine; // keeps what `deployment` points to
    Deployment deployment;                   // one replica that has all the users
    MemoryPlan plan;
    double longestContext = 0; // of each user, with as many at once; 0: none
};

// The same model in a narrower type.
struct NarrowerWeights {
    DType type = DType::Fp8;
    Bytes weights;
};

// What a model takes in memory, whatever its speed, and the fewest GPUs that hold it.
struct MemoryNeed {
    std::shared_ptr<const Resolved> machine; // whose engine and types are meant
    DType weightType = DType::Bf16;
    DType kvType = DType::Bf16;
    double users = 1;   // at once
    double context = 0; // of each: prompt and answer, at its end
    // On one GPU as large as it takes.
    Bytes weights;
    Bytes kvOfToken; // of one more token while every layer keeps it
    Bytes kvOfUser;
    int windowedLayers = 0;  // that keep only the last tokens
    std::int64_t window = 0; // tokens that these keep, of the widest
    Bytes kvOfTokenBeyond;   // of one more token that is in no window: what the others add
    Bytes kv;
    Bytes activation;
    Bytes runtime;
    bool machineStated = false;         // then `holders` has it, whether it holds the model or not
    std::vector<MemoryHolder> holders;  // fewest GPUs first
    std::vector<NarrowerWeights> other; // that the engine runs, widest first
    std::vector<Message> warnings;      // of the machine that was stated, or of the one that is meant

    [[nodiscard]] const Llm& llm() const { return *machine->deployment.llm; }
    [[nodiscard]] const Engine& engine() const { return *machine->deployment.engine; }
    [[nodiscard]] Bytes total() const { return weights + kv + activation + runtime; }
    [[nodiscard]] bool holds() const; // on what was asked about
};

// Of the accelerators the scenario names, as many as it says or the fewest that hold the model; of usual ones
// where it names none.
[[nodiscard]] Result<MemoryNeed> memoryNeed(const Scenario& scenario, const Catalogue& catalogue);

} // namespace headroom
