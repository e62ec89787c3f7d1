#pragma once

#include "model/base/units.h"
#include "model/closed_form/operating_point.h"
#include "model/closed_form/prediction.h"

namespace headroom {

// Requests that come at a rate are served at that rate, however long each takes, as long as the service keeps
// up with them (`point`). So throughput and what a token costs are given by the rate, and unsure only where a
// slower machine would not keep up. False where it does not keep up as it is: the prediction stays, that of a
// full batch.
bool serveOffered(Prediction& prediction, RequestsPerSecond offered, const UserTimes& point);

} // namespace headroom
