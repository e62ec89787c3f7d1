#include "model/advise/fitting_models.h"

#include "model/advise/narrower_types.h"
#include "model/advise/size.h"
#include "model/base/quantity_text.h"
#include "model/count/parameters.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace headroom {

namespace {

// The scenario with the model, as it is published or in the widest type that meets.
FittingModel judged(const Llm& llm, Scenario scenario, const Catalogue& catalogue,
                    const SearchOptions& closedForm)
{
    const ParameterCount count = countParameters(llm);
    FittingModel out{
        .llm = &llm, .parameters = double(count.total), .activeParameters = double(count.active)};
    scenario.model = llm.id;
    std::vector<DType> narrower; // that its engine runs: known once it was tried
    const DType published = llm.nativeQuantization ? llm.nativeQuantization->type : llm.nativeType;
    const auto tried = [&](const Scenario& one) {
        const auto plan = size(one, catalogue, closedForm);
        if (!plan) {
            if (out.reason.empty())
                out.reason = plan.error().front().what;
            return false;
        }
        narrower = narrowerWeights(*(*plan)->answer.deployment.engine, published);
        out.meets = (*plan)->meets;
        if (out.meets)
            out.best = (*plan)->answer;
        else if (out.reason.empty())
            out.reason = (*plan)->reason;
        return out.meets;
    };
    if (tried(scenario) || scenario.weights)
        return out;
    for (const DType type : std::vector(narrower)) { // a copy: each try sets it anew
        scenario.weights = type;
        if (tried(scenario))
            break;
    }
    return out;
}

// Of "2025-08": "2024-08".
std::string yearBefore(const std::string& month)
{
    const Result<double> year = numberFromText(std::string_view(month).substr(0, month.find('-')));
    return year ? fmt::format("{:.0f}{}", *year - 1, month.substr(std::min(month.find('-'), month.size())))
                : month;
}

} // namespace

Result<std::vector<FittingModel>> modelsThatFit(const Scenario& machine, const Catalogue& catalogue,
                                                const TraceReader& readTrace, const RunControl& control)
{
    const SearchOptions closedForm{.simulate = false, .explain = false, .readTrace = readTrace};
    std::vector<FittingModel> out;
    const std::vector<std::string>& ids = catalogue.modelIds();
    // What is wrong with the machine is wrong for every model: told once.
    Scenario first = machine;
    first.model = ids.front();
    if (Problems names = wrongNames(first, catalogue); !names.empty())
        return refuse(std::move(names));
    for (std::size_t i = 0; i < ids.size() && !control.stop.stop_requested(); ++i) {
        const auto llm = catalogue.model(ids[i]);
        if (!llm)
            return refuse(llm.error());
        out.push_back(judged(**llm, machine, catalogue, closedForm));
        control.progress(double(i + 1) / double(ids.size()), ids[i]);
    }
    std::stable_sort(out.begin(), out.end(), [](const FittingModel& a, const FittingModel& b) {
        return std::pair(!a.meets, -a.parameters) < std::pair(!b.meets, -b.parameters);
    });
    return out;
}

const FittingModel* largestRecent(const std::vector<FittingModel>& models)
{
    const auto ageOf = [](const FittingModel& m) { return m.llm->released; }; // "2025-08": orders as text
    std::string newest;
    for (const FittingModel& model : models)
        if (model.meets)
            newest = std::max(newest, ageOf(model));
    const FittingModel* largest = nullptr;
    for (const FittingModel& model : models)
        if (model.meets && ageOf(model) >= yearBefore(newest)
            && (largest == nullptr || model.parameters > largest->parameters))
            largest = &model;
    return largest;
}

Scenario withModel(Scenario machine, const FittingModel& chosen)
{
    machine.model = chosen.llm->id;
    const DType published
        = chosen.llm->nativeQuantization ? chosen.llm->nativeQuantization->type : chosen.llm->nativeType;
    if (chosen.meets && bytesPerElement(chosen.best.deployment.weights) < bytesPerElement(published))
        machine.weights = chosen.best.deployment.weights;
    return machine;
}

} // namespace headroom
