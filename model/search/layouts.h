#pragma once

#include "model/deploy/deployment.h"
#include "model/scenario/scenario.h"

#include <string>
#include <vector>

namespace headroom {

struct Resolved;

// GPUs of the largest replica a search tries: 16 boxes of 8.
constexpr int mostGpusPerReplica = 128;

// Every way one replica can be spread that the scenario, the model and the engine allow, fewest GPUs first;
// `replicas` is left at one. Tensor parallel groups stay within a box unless the user says otherwise or
// data-parallel attention spreads experts over boxes.
[[nodiscard]] std::vector<Layout> possibleLayouts(const Deployment& machine, const Scenario& scenario);
// The same without what its usual, smaller machine holds.
[[nodiscard]] std::vector<Layout> possibleLayouts(const Resolved& machine, const Scenario& scenario);

// Whether a replica that does not fit into one box takes whole ones: nobody rents nine GPUs of two switched
// boxes of eight. Not where the user says how many there are or how they are split.
[[nodiscard]] bool takesWholeBoxes(const Deployment& machine, const Scenario& scenario);

// Why not even one GPU of this kind can run the model so; empty when some layout exists.
[[nodiscard]] Message whyNoLayout(const Deployment& machine, const Scenario& scenario);

} // namespace headroom
