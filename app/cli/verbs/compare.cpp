#include "app/cli/resolved.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/json/compare_json.h"
#include "model/plan/one_machine.h"
#include "model/report/comparison.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>
#include <utility>

namespace headroom::cli {

namespace {

struct Candidate {
    std::string label;
    ScenarioReading said;
};

// One candidate for each scenario file and each accelerator named; flags apply to all of them.
std::vector<Candidate> candidatesFrom(const Arguments& arguments)
{
    std::vector<Candidate> out;
    const auto add = [&](const std::string& label, const ScenarioReading& said) {
        const bool twice = !countedTwice(said.scenario).empty(); // refused as one
        if (said.scenario.gpus.size() < 2 || !said.problems.empty() || twice) {
            out.push_back({label, said});
            return;
        }
        for (std::size_t i = 0; i < said.scenario.gpus.size(); ++i) {
            const std::vector<int>& counts = said.scenario.gpuCounts;
            const std::string gpu = i < counts.size()
                ? fmt::format("{} x {}", counts[i], said.scenario.gpus[i])
                : said.scenario.gpus[i];
            out.push_back({label.empty() ? gpu : label + ", " + gpu, said});
            out.back().said.scenario = ofOneMachine(said.scenario, i);
        }
    };
    for (const std::string& file : arguments.words) {
        Arguments withFile = arguments;
        withFile.flags["--scenario"] = {file};
        add(file, saidScenario(withFile));
    }
    if (arguments.words.empty())
        add({}, saidScenario(arguments));
    return out;
}

// What is wrong with any of them, each thing once: flags are shared.
void addEachOnce(Problems& all, const Problems& more)
{
    for (const Problem& problem : more)
        if (std::find(all.begin(), all.end(), problem) == all.end())
            all.push_back(problem);
}

Exit run(const Arguments& arguments, Console& console)
{
    const std::vector<Candidate> candidates = candidatesFrom(arguments);
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    std::vector<Compared> compared;
    Problems problems;
    bool anyFits = false;
    for (const Candidate& candidate : candidates) {
        if (!candidate.said.problems.empty()) {
            addEachOnce(problems, problemsOf(candidate.said, console));
            continue;
        }
        Result<Resolved> resolved = resolve(candidate.said.scenario, **catalogue);
        if (!resolved) {
            addEachOnce(problems, placed(resolved.error(), candidate.said.places));
            continue;
        }
        const Prediction prediction = predict(resolved->deployment, resolved->load);
        anyFits = anyFits || prediction.memory.fits;
        std::string label = candidate.label.empty() ? resolved->deployment.gpu->id : candidate.label;
        compared.push_back({std::move(label), std::move(*resolved), prediction});
    }
    if (candidates.size() < 2 && problems.empty())
        problems.push_back({"compare", "needs at least two candidates",
                            "several accelerators (--gpu a100-sxm-80gb,h100-sxm-80gb) or scenario files"});
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
            .money = true,
            .formats = true,
            .words = {"[FILE…]", "scenario files; without them, the accelerators of --gpu A,B", 0, -1}};
}

} // namespace headroom::cli
