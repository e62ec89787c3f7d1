#pragma once

#include "model/base/remark.h"
#include "model/base/result.h"
#include "model/closed_form/prediction.h"
#include "model/deploy/deployment.h"
#include "model/scenario/scenario.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

class Catalogue;

// A scenario with every name looked up and every open choice made. Valid as long as the catalogue lives.
struct Resolved {
    Scenario scenario; // ids in place of names, every choice filled in
    Deployment deployment;
    Load load;
    std::optional<RequestsPerSecond> offered; // what keeps so many at once there, where no batch was stated
    std::vector<Remark> assumptions;          // one sentence for each choice the user did not make
    std::vector<Remark> warnings;
    int deviations = 0; // of the types and settings a search was allowed to change, how many it did
    // GPUs of the usual machine where this one is a larger: replicas that fit there stand there.
    int smallerBox = 0;
    int wholeBox = 0; // GPUs that the box is made for, where another number of them stands in it

    // Where the user changed a price, a storage or an engine's setting, or brought a calibration: what
    // `deployment` then points to.
    std::shared_ptr<const EfficiencySet> ownEfficiency;
    std::shared_ptr<const Gpu> ownGpu;
    std::shared_ptr<const Node> ownNode;
    std::shared_ptr<const Engine> ownEngine;
    std::shared_ptr<const Llm> ownLlm; // as a GGUF file stores it
};

// Model, machine, engine, types and load; of the layout only what the user fixed. What a search starts from.
[[nodiscard]] Result<Resolved> resolveMachine(const Scenario& scenario, const Catalogue& catalogue);

// Names that nothing answers to, files that cannot be read, a draft that nothing is known of: each told by
// its key. For a scenario that is refused anyway, so that one round tells everything.
[[nodiscard]] Problems wrongNames(const Scenario& scenario, const Catalogue& catalogue);

// The same with a layout: the user's, completed by the smallest power of two of GPUs that holds the model and
// the batch. Refused, with every reason at once, is what cannot run at all; what does not fit is no error.
[[nodiscard]] Result<Resolved> resolve(const Scenario& scenario, const Catalogue& catalogue);

// Where the user stated how fast weights are read, the machine stands in a box of that storage.
void standInOwnStorage(Resolved& machine);

// Completes the layout of what `resolveMachine` gave.
[[nodiscard]] Result<Resolved> chooseLayout(Resolved machine);

// Everything that speaks against a layout, the model's shape and the engine's abilities both; empty when it
// can run.
[[nodiscard]] Problems layoutProblems(const Deployment& deployment);

// A name that is a file of the user's own, and not of the catalogue.
[[nodiscard]] bool namesFile(std::string_view name);

} // namespace headroom
