#include "model/json/explanation_json.h"

#include "model/json/value_json.h"

namespace headroom {

std::string explanationsJson(const std::vector<Explanation>& explanations)
{
    Json rows = Json::array();
    for (const Explanation& e : explanations) {
        Json numbers = Json::array();
        for (const ExplainedNumber& number : e.numbers)
            numbers.push_back({{"symbol", number.symbol.english()},
                               {"value", numberJson(number.value)},
                               {"unit", std::string(baseUnit(number.measure))},
                               {"source", number.source.english()}});
        rows.push_back({{"figure", e.figure},
                        {"title", e.title.english()},
                        {"formula", e.formula.english()},
                        {"worked", e.worked.english()},
                        {"value", numberJson(e.result)},
                        {"unit", std::string(baseUnit(e.measure))},
                        {"numbers", std::move(numbers)},
                        {"notes", inEnglish(e.notes)}});
    }
    return documentText({{"schema", "headroom.explain/1"}, {"explanations", std::move(rows)}});
}

} // namespace headroom
