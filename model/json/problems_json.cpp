#include "model/json/problems_json.h"

#include "model/json/value_json.h"

namespace headroom {

std::string problemsJson(const Problems& problems)
{
    Json rows = Json::array();
    for (const Problem& problem : problems)
        rows.push_back({{"where", problem.where}, {"what", problem.what}, {"hint", problem.hint}});
    const Json document{{"schema", "headroom.error/1"}, {"problems", std::move(rows)}};
    return documentText(document);
}

} // namespace headroom
