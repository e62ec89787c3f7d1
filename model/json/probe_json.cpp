#include "model/json/probe_json.h"

#include "model/json/table_json.h"
#include "model/json/value_json.h"

namespace headroom {

namespace {

template <typename T>
Json knownOrNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

void addDetail(Json& level, const ProbeLevelDetail& detail)
{
    Json failures = Json::array();
    for (const ProbeLevelDetail::Failure& failure : detail.failures)
        failures.push_back({{"name", failure.name}, {"count", failure.count}, {"example", failure.example}});
    level["failures"] = std::move(failures);
    Json server;
    for (const auto& [name, count] : detail.server)
        server[name] = numberJson(count);
    level["server"] = std::move(server);
}

} // namespace

std::string probeJson(const ProbeSummary& summary, const Table& levels,
                      const std::vector<ProbeLevelDetail>& details)
{
    Json rows = rowsJson(levels);
    for (std::size_t i = 0; i < rows.size() && i < details.size(); ++i)
        addDetail(rows[i], details[i]);
    return documentText(
        {{"schema", "headroom.probe/1"},
         {"url", summary.url},
         {"model", summary.model},
         {"targets", summary.targets},
         {"highest_concurrency", summary.highestConcurrency},
         {"highest_low", knownOrNull(summary.highestLow)},
         {"highest_high", knownOrNull(summary.highestHigh)},
         {"limited_by", summary.limitedBy},
         {"partial", summary.partial},
         {"server", summary.server},
         {"prompts_counted_by", summary.promptsCountedBy},
         {"notes", summary.notes},
         {"problems",
          problemRows(summary.broken.empty() ? Problems()
                                             : Problems{{summary.url, asIs(summary.broken), {}}})},
         {"levels", std::move(rows)}});
}

} // namespace headroom
