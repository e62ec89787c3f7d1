#include "model/resolve/resolve.h"
#include "model/resolve/speculation.h"
#include "model/resolve/used_calibration.h"
#include "model/yaml/catalogue.h"

#include <utility>

namespace headroom {

namespace {

template <typename T>
void append(Problems& all, const Result<T>& judged, std::string_view key)
{
    if (judged)
        return;
    for (const Problem& problem : judged.error())
        all.push_back({problem.where.empty() ? std::string(key) : problem.where, problem.what, problem.hint});
}

} // namespace

Problems wrongNames(const Scenario& scenario, const Catalogue& catalogue)
{
    Problems problems;
    const auto judge = [&](std::string_view key, const std::string& typed, auto find, auto read) {
        if (typed.empty())
            return;
        if (namesFile(typed))
            append(problems, (catalogue.*read)(typed), key);
        else
            append(problems, (catalogue.*find)(typed), key);
    };
    judge("model", scenario.model, &Catalogue::findModel, &Catalogue::model);
    for (const std::string& gpu : scenario.gpus)
        judge("gpu", gpu, &Catalogue::findGpu, &Catalogue::gpu);
    judge("node", scenario.node, &Catalogue::findNode, &Catalogue::node);
    judge("engine", scenario.engine, &Catalogue::findEngine, &Catalogue::engine);
    if (namesCalibration(scenario.calibration))
        append(problems, catalogue.calibration(scenario.calibration), "calibration");
    if (!scenario.speculation.empty())
        append(problems, speculationFromText(scenario.speculation, catalogue), "spec-decode");
    return problems;
}

} // namespace headroom
