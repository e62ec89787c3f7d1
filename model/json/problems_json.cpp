#include "model/json/problems_json.h"

#include "model/base/told_problems.h"
#include "model/json/value_json.h"

namespace headroom {

Json problemRows(const Problems& problems)
{
    Json rows = Json::array();
    for (const Problem& problem : toldProblems(problems))
        rows.push_back(
            {{"where", problem.where}, {"what", problem.what.english()}, {"hint", problem.hint.english()}});
    return rows;
}

std::string problemsJson(const Problems& problems)
{
    const Json document{{"schema", "headroom.error/1"}, {"problems", problemRows(problems)}};
    return documentText(document);
}

} // namespace headroom
