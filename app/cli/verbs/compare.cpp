#include "app/cli/resolved.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/json/compare_json.h"
#include "model/report/comparison.h"
#include "model/yaml/catalogue.h"

#include <ostream>
#include <utility>

namespace headroom::cli {

namespace {

struct Candidate {
    std::string label;
    Scenario scenario;
};

// One candidate for each scenario file and each accelerator named; flags apply to all of them.
Result<std::vector<Candidate>> candidatesFrom(const Arguments& arguments)
{
    std::vector<Candidate> out;
    Problems problems;
    const auto add = [&](const std::string& label, Result<Scenario> scenario) {
        if (!scenario) {
            problems.insert(problems.end(), scenario.error().begin(), scenario.error().end());
            return;
        }
        if (scenario->gpus.size() < 2) {
            out.push_back({label, std::move(*scenario)});
            return;
        }
        for (const std::string& gpu : scenario->gpus) {
            Scenario one = *scenario;
            one.gpus = {gpu};
            out.push_back({label.empty() ? gpu : label + ", " + gpu, std::move(one)});
        }
    };
    for (const std::string& file : arguments.words) {
        Arguments withFile = arguments;
        withFile.flags["--scenario"] = {file};
        add(file, scenarioFrom(withFile));
    }
    if (arguments.words.empty())
        add({}, scenarioFrom(arguments));
    if (problems.empty() && out.size() < 2)
        problems.push_back({"compare", "needs at least two candidates",
                            "several accelerators (--gpu a100-sxm-80gb,h100-sxm-80gb) or scenario files"});
    if (!problems.empty())
        return refuse(std::move(problems));
    return out;
}

Exit run(const Arguments& arguments, Console& console)
{
    const Result<std::vector<Candidate>> candidates = candidatesFrom(arguments);
    if (!candidates)
        return console.refuse(candidates.error());
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    std::vector<Compared> compared;
    Problems problems;
    bool anyFits = false;
    for (const Candidate& candidate : *candidates) {
        Result<Resolved> resolved = resolve(candidate.scenario, **catalogue);
        if (!resolved) {
            for (Problem& problem : resolved.error())
                problems.push_back(
                    {candidate.label.empty() ? problem.where : candidate.label + ": " + problem.where,
                     std::move(problem.what), std::move(problem.hint)});
            continue;
        }
        const Prediction prediction = predict(resolved->deployment, resolved->load);
        anyFits = anyFits || prediction.memory.fits;
        std::string label = candidate.label.empty() ? resolved->deployment.gpu->id : candidate.label;
        compared.push_back({std::move(label), std::move(*resolved), prediction});
    }
    if (!problems.empty())
        return console.refuse(problems);
    switch (console.format) {
    case Format::Json:
        console.out() << compareJson(compared) << '\n';
        break;
    case Format::Csv:
        console.out() << csvTable(comparisonRows(compared));
        break;
    case Format::Markdown:
        console.out() << markdownTable(sideBySide(compared));
        break;
    case Format::Text:
        console.out() << textTable(sideBySide(compared));
        break;
    }
    return anyFits ? Exit::Done : Exit::No;
}

} // namespace

Verb compareVerb()
{
    return {.name = "compare",
            .summary = "several accelerators or scenarios side by side",
            .run = run,
            .scenario = true,
            .formats = true,
            .words = {"[FILE…]", "scenario files; without them, the accelerators of --gpu A,B", 0, -1}};
}

} // namespace headroom::cli
