#include "app/cli/sizing.h"

#include "app/cli/resolved.h"
#include "model/advise/first_enabling_remedy.h"
#include "model/advise/fitting_models.h"
#include "model/advise/memory_need.h"
#include "model/advise/size.h"
#include "model/import/trace.h"
#include "model/json/sizing_json.h"
#include "model/json/table_json.h"
#include "model/report/fitting_text.h"
#include "model/report/memory_text.h"
#include "model/report/sizing_table.h"
#include "model/report/sizing_text.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>

namespace headroom::cli {

namespace {

Exit printTable(const SizingPlan& plan, Console& console)
{
    console.out() << inFormat(sizingTable(plan), console);
    return plan.meets ? Exit::Done : Exit::No;
}

Exit printModels(Scenario scenario, const ask::Question& question, const Catalogue& catalogue,
                 Console& console)
{
    scenario.gpuCount = scenario.gpuCount.value_or(1);
    const auto models = modelsThatFit(scenario, catalogue, readTraceFile);
    if (!models)
        return console.refuse(models.error());
    if (console.format == Format::Text)
        console.out() << fittingText(*models, scenario, question, console.language);
    else if (console.format == Format::Json)
        console.out() << tableJson("headroom.fit/1", fittingTable(*models, false, true)) << '\n';
    else
        console.out() << inFormat(fittingTable(*models, false, false), console);
    const bool any = std::any_of(models->begin(), models->end(), [](const auto& m) { return m.meets; });
    return any ? Exit::Done : Exit::No;
}

Exit printMemory(const Scenario& scenario, const ask::Question& question, const Catalogue& catalogue,
                 Console& console)
{
    const auto need = memoryNeed(scenario, catalogue);
    if (!need)
        return console.refuse(need.error());
    if (console.format == Format::Text) {
        console.out() << memoryText(*need, question, console.language);
        return need->holds() ? Exit::Done : Exit::No;
    }
    const auto plan = size(scenario, catalogue, {.readTrace = readTraceFile});
    if (!plan)
        return console.refuse(plan.error());
    if (console.format == Format::Json)
        console.out() << sizingJson(**plan, question, {.memory = &*need}) << '\n';
    else
        (void)printTable(**plan, console);
    return need->holds() ? Exit::Done : Exit::No; // the answer is about memory, in every format
}

} // namespace

Exit printSizing(const SizingPlan& plan, Console& console)
{
    if (console.format == Format::Csv || console.format == Format::Markdown)
        return printTable(plan, console);
    if (console.format == Format::Json)
        console.out() << sizingJson(plan) << '\n';
    else
        console.out() << sizingText(plan, nullptr, console.language);
    return plan.meets ? Exit::Done : Exit::No;
}

Exit printAnswer(const Scenario& scenario, const ask::Question& question, const Catalogue& catalogue,
                 Console& console)
{
    if (question.kind == ask::QuestionKind::Memory)
        return printMemory(scenario, question, catalogue, console);
    if (question.kind == ask::QuestionKind::Models)
        return printModels(scenario, question, catalogue, console);
    auto plan = size(scenario, catalogue, {.readTrace = readTraceFile});
    if (!plan)
        return console.refuse(plan.error());
    if (console.format == Format::Csv || console.format == Format::Markdown)
        return printTable(**plan, console);
    const Remedy* const with
        = question.kind == ask::QuestionKind::Fit ? firstEnablingRemedy(**plan, scenario) : nullptr;
    if (console.format == Format::Json) {
        console.out() << sizingJson(**plan, question, {.firstEnablingRemedy = with}) << '\n';
    } else {
        const auto changed
            = with != nullptr ? size(with->scenario, catalogue, {.readTrace = readTraceFile}) : plan;
        if (!changed)
            return console.refuse(changed.error());
        console.out() << sizingText(**changed, &question, console.language,
                                    with != nullptr
                                        ? ChangedQuestion{.change = with->change, .why = (*plan)->reason}
                                        : ChangedQuestion{});
    }
    return (*plan)->meets ? Exit::Done : Exit::No; // of what was asked, whatever a change would do
}

} // namespace headroom::cli
