#pragma once

#include "model/closed_form/prediction.h"
#include "model/deploy/deployment.h"

#include <string>
#include <vector>

namespace headroom {

// A sentence for each kind of step of which a good part is timed by forms that missed a condition of their
// calibration, and by how much: such figures are measured, and still less sure than most.
[[nodiscard]] std::vector<Message> untrustedTimes(const Deployment& deployment, const Load& load);

} // namespace headroom
