#pragma once

#include "model/report/explain.h"

#include <QString>

#include <memory>
#include <vector>

namespace headroom::app {

// A figure that someone wants to understand, and whose it is.
struct ExplainRequest {
    QString figure; // one of explainedFigures(), or "assumptions"
    QString of;     // whose, where it is not the answer's: "8 sequences in one replica"
    std::shared_ptr<const Resolved> resolved; // the same; null: the answer's
    std::vector<Explanation> explanations;    // of what no prediction alone has: an operator, a percentile
};

} // namespace headroom::app
