#include "model/report/fitting_text.h"

#include "model/report/fitting_columns.h"
#include "model/report/text_page.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <string_view>

namespace headroom {

namespace {

class Fitting : TextPage {
public:
    explicit Fitting(ask::Language language) : TextPage(language) {}

    std::string page(const std::vector<FittingModel>& models, const Scenario& machine,
                     const ask::Question& question) &&
    {
        add(tell(fittingSentence(models, machine)));
        add("\n\n");
        reading(question);
        add("\n");
        add(textTable(fittingTable(models, false, false),
                      [this](const Message& words) { return tell(words); }));
        return std::move(*this).text();
    }
};

} // namespace

Table fittingTable(const std::vector<FittingModel>& models, bool all, bool reasons)
{
    std::vector<FittingModel> rows;
    std::copy_if(models.begin(), models.end(), std::back_inserter(rows),
                 [all](const FittingModel& model) { return all || model.meets; });
    Columns<FittingModel> shown = fittingColumns();
    if (!reasons)
        std::erase_if(shown, [](const auto& column) {
            return std::string_view(column.key) == "runs" || std::string_view(column.key) == "reason";
        });
    return tableOf(shown, rows);
}

Message fittingSentence(const std::vector<FittingModel>& models, const Scenario& machine)
{
    const auto running = std::count_if(models.begin(), models.end(), [](const auto& m) { return m.meets; });
    const bool loaded = machine.concurrency || machine.requestsPerSecond || machine.batch;
    const auto first = std::find_if(models.begin(), models.end(), [](const auto& m) { return m.meets; });
    const std::string gpu = first == models.end() ? machine.gpus.front() : first->best.deployment.gpu->name;
    const Message where
        = say("{} of {} models run on {} × {}", running, models.size(), machine.gpuCount.value_or(1), gpu);
    const Message load = loaded
        ? say("prompts of {} and answers of {} tokens", forPeople(machine.prompt.mean(), Measure::Whole),
              forPeople(machine.output.mean(), Measure::Whole))
        : say("prompts of {} and answers of {} tokens, one user at a time",
              forPeople(machine.prompt.mean(), Measure::Whole),
              forPeople(machine.output.mean(), Measure::Whole));
    // The engine that was asked for, else those that were taken.
    std::set<std::string> engines;
    if (!machine.engine.empty())
        engines.insert(machine.engine);
    else
        for (const FittingModel& model : models)
            if (model.meets)
                engines.insert(model.best.deployment.engine->name);
    return engines.empty()
        ? say("{}; {}", where, load)
        : say("{}; {}, engine {}", where, load, fmt::format("{}", fmt::join(engines, ", ")));
}

std::string fittingText(const std::vector<FittingModel>& models, const Scenario& machine,
                        const ask::Question& question, ask::Language language)
{
    return Fitting(language).page(models, machine, question);
}

} // namespace headroom
