#include "app/cli/resolved.h"

#include "app/cli/scenario_flags.h"
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

std::string inFormat(const Table& table, Format format)
{
    if (format == Format::Csv)
        return csvTable(table);
    return format == Format::Markdown ? markdownTable(table) : textTable(table);
}

} // namespace headroom::cli
