#include "model/json/problems_json.h"

#include <nlohmann/json.hpp>

namespace headroom {

std::string problemsJson(const Problems& problems)
{
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const Problem& problem : problems)
        rows.push_back({{"where", problem.where}, {"what", problem.what}, {"hint", problem.hint}});
    const nlohmann::ordered_json document{{"schema", "headroom.error/1"}, {"problems", std::move(rows)}};
    // What a user typed may be no UTF-8 at all; the document must be.
    return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace headroom
