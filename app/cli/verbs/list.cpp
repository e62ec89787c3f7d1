#include "app/cli/resolved.h"
#include "app/cli/verbs.h"
#include "model/base/spelling.h"
#include "model/json/table_json.h"
#include "model/report/calibration_text.h"
#include "model/report/catalogue_rows.h"
#include "model/yaml/catalogue.h"

#include <ostream>

namespace headroom::cli {

namespace {

const std::vector<std::string> listedKinds{"models", "gpus", "engines", "nodes", "calibrations"};

Exit print(const Table& table, Console& console)
{
    console.out() << (console.format == Format::Json ? tableJson("headroom.list/1", table) + '\n'
                                                     : inFormat(table, console));
    return Exit::Done;
}

// Everything of one kind that matches the words, or what is wrong with its files.
template <typename T>
Exit print(const Columns<const T*>& columns, const std::vector<std::string>& ids, const auto& open,
           Console& console)
{
    std::vector<const T*> rows;
    Problems problems;
    for (const std::string& id : ids) {
        const Result<const T*> one = open(id);
        if (one)
            rows.push_back(*one);
        else
            problems.insert(problems.end(), one.error().begin(), one.error().end());
    }
    if (!problems.empty())
        return console.refuse(problems);
    return print(tableOf(columns, rows), console);
}

Exit printCalibrations(const Catalogue& catalogue, Console& console)
{
    const Result<std::vector<EfficiencySet>> sets = catalogue.publishedCalibrations();
    return sets ? print(calibratedForms(*sets), console) : console.refuse(sets.error());
}

Exit runList(const Arguments& arguments, Console& console)
{
    const std::string& kind = arguments.words.front();
    const auto opened = console.catalogue();
    if (!opened)
        return console.refuse(opened.error());
    const Catalogue& c = **opened;
    if (kind == "models")
        return print<Llm>(
            llmColumns(), c.modelIds(), [&](const auto& id) { return c.model(id); }, console);
    if (kind == "gpus")
        return print<Gpu>(
            gpuColumns(), c.gpuIds(), [&](const auto& id) { return c.gpu(id); }, console);
    if (kind == "engines")
        return print<Engine>(
            engineColumns(), c.engineIds(), [&](const auto& id) { return c.engine(id); }, console);
    if (kind == "nodes")
        return print<Node>(
            nodeColumns(), c.nodeIds(), [&](const auto& id) { return c.node(id); }, console);
    if (kind == "calibrations")
        return printCalibrations(c, console);
    Message hint = spellingHint(kind, listedKinds);
    return console.refuse(
        {{"list", say("knows no '{}'", kind),
          hint.empty() ? say("one of {}", joinedNames(listedKinds, ", ")) : std::move(hint)}});
}

} // namespace

Verb listVerb()
{
    return {.name = "list",
            .group = VerbGroup::Catalogue,
            .summary = "lists the catalogue: models, gpus, engines, nodes or calibrations",
            .example = "list gpus",
            .run = runList,
            .money = true,
            .formats = true,
            .languages = true,
            .words = {"models|gpus|engines|nodes|calibrations", "what to list", 1, 1}};
}

} // namespace headroom::cli
