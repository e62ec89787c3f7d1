#include "model/json/compare_json.h"

#include "model/json/prediction_json.h"
#include "model/json/scenario_json.h"

namespace headroom {

std::string compareJson(const std::vector<Compared>& compared)
{
    Json candidates = Json::array();
    for (const Compared& one : compared) {
        Json candidate{{"label", one.label}, {"scenario", scenarioJson(one.resolved)}};
        candidate.update(predictionJson(one.resolved.deployment, one.prediction));
        if (!one.whyNot.empty()) // targets were asked for, and no number of these reaches them
            candidate["reason"] = one.whyNot.english();
        candidate["assumptions"] = inEnglish(textsOf(one.resolved.assumptions));
        candidate["warnings"] = inEnglish(textsOf(one.resolved.warnings));
        candidates.push_back(std::move(candidate));
    }
    return documentText({{"schema", "headroom.compare/1"}, {"candidates", std::move(candidates)}});
}

} // namespace headroom
