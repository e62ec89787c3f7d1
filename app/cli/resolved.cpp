#include "app/cli/resolved.h"

#include "app/cli/scenario_flags.h"
#include "model/yaml/catalogue.h"

#include <optional>
#include <utility>

namespace headroom::cli {

Result<Resolved> resolvedFrom(const Arguments& arguments, Console& console)
{
    const Result<Scenario> scenario = scenarioFrom(arguments);
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return refuse(catalogue.error());
    if (scenario)
        return resolve(*scenario, **catalogue);
    // The names are looked up all the same, so that a wrong one is told together with the wrong values.
    Problems problems = scenario.error();
    const auto lookUp
        = [&problems](const std::optional<std::string>& typed, const auto& find, const char* flag) {
              if (!typed)
                  return;
              const Result<NameMatch> match = find(*typed);
              if (!match)
                  for (const Problem& problem : match.error())
                      problems.push_back({flag, problem.what, problem.hint});
          };
    const Catalogue& c = **catalogue;
    lookUp(
        arguments.text("--model"), [&c](const std::string& text) { return c.findModel(text); }, "--model");
    lookUp(
        arguments.text("--gpu"), [&c](const std::string& text) { return c.findGpu(text); }, "--gpu");
    lookUp(
        arguments.text("--engine"), [&c](const std::string& text) { return c.findEngine(text); }, "--engine");
    return refuse(std::move(problems));
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
