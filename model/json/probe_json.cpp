#include "model/json/probe_json.h"

#include "model/json/table_json.h"
#include "model/json/value_json.h"

namespace headroom {

std::string probeJson(const ProbeSummary& summary, const Table& levels)
{
    return documentText({{"schema", "headroom.probe/1"},
                         {"url", summary.url},
                         {"model", summary.model},
                         {"targets", summary.targets},
                         {"highest_concurrency", summary.highestConcurrency},
                         {"levels", rowsJson(levels)}});
}

} // namespace headroom
