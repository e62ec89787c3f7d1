#include "app/cli/resolved.h"

#include "app/cli/scenario_flags.h"
#include "model/report/text_page.h"
#include "model/yaml/catalogue.h"

#include <memory>

namespace headroom::cli {

Result<Resolved> resolvedFrom(const Arguments& arguments, Console& console)
{
    const Result<Scenario> scenario = singleScenarioFrom(arguments, console);
    if (!scenario)
        return refuse(scenario.error());
    return console.catalogue().and_then(
        [&](const std::shared_ptr<const Catalogue>& catalogue) { return resolve(*scenario, *catalogue); });
}

Figures figuresOf(const Resolved& resolved, const Prediction& prediction, std::string label)
{
    return {.label = std::move(label),
            .deployment = resolved.deployment,
            .load = resolved.load,
            .prediction = prediction,
            .whyNot = {}};
}

std::string inFormat(const Table& table, Format format, ask::Language language)
{
    const auto tell = TextPage(language).teller();
    switch (format) {
    case Format::Csv:
        return csvTable(table);
    case Format::Markdown:
        return markdownTable(table, tell);
    default:
        return textTable(table, tell);
    }
}

} // namespace headroom::cli
