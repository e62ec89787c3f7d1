#include "app/cli/resolved.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/advise/size.h"
#include "model/import/trace.h"
#include "model/json/compare_json.h"
#include "model/report/comparison.h"
#include "model/resolve/predict_scenario.h"
#include "model/scenario/alternatives.h"
#include "model/scenario/stated_layout.h"
#include "model/search/search.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ostream>
#include <utility>

namespace headroom::cli {

namespace {

struct Named {
    std::string label;
    ScenarioReading said;
};

// One candidate for each scenario file and each accelerator named; flags apply to all of them.
std::vector<Named> candidatesFrom(const Arguments& arguments)
{
    std::vector<Named> out;
    const auto add = [&](const std::string& label, const ScenarioReading& said) {
        const bool twice = !statedTwice(said.scenario).empty(); // refused as one
        const std::vector<std::string>& gpus = said.scenario.gpus;
        const std::vector<StatedLayout>& layouts = said.scenario.layouts;
        const std::vector<DType>& types = said.scenario.weightTypes;
        if ((gpus.size() < 2 && layouts.empty() && types.empty()) || !said.problems.empty() || twice) {
            out.push_back({label, said});
            return;
        }
        for (std::size_t i = 0; i < std::max<std::size_t>(1, gpus.size()); ++i) {
            const std::vector<int>& counts = said.scenario.gpuCounts;
            std::vector<std::string> parts{label,
                                           gpus.size() < 2 ? std::string()
                                               : i < counts.size()
                                               ? fmt::format("{} x {}", counts[i], gpus[i])
                                               : gpus[i]};
            const std::vector<Scenario> each = alternativesOf(ofOneMachine(said.scenario, i));
            for (std::size_t j = 0; j < each.size(); ++j) {
                std::vector<std::string> all = parts;
                const std::size_t ofEach = std::max<std::size_t>(1, types.size());
                all.push_back(layouts.empty() ? std::string() : titleOf(layouts[j / ofEach]));
                if (i < said.scenario.gpuLayouts.size())
                    all.push_back(titleOf(said.scenario.gpuLayouts[i]));
                all.push_back(types.empty() ? std::string() : std::string(name(types[j % ofEach])));
                std::erase(all, std::string());
                out.push_back({fmt::format("{}", fmt::join(all, ", ")), said});
                out.back().said.scenario = each[j];
            }
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

bool layoutStated(const Scenario& s) { return s.tp || s.pp || s.dp || s.ep || s.replicas || s.batch; }

// With targets and no layout, each candidate is sized for the targets. Otherwise it runs in the stated
// layout, or in the smallest one that holds the model.
Result<Compared> judged(const Named& candidate, const Catalogue& catalogue)
{
    const Scenario& asked = candidate.said.scenario;
    const auto labelled
        = [&](const Deployment& d) { return candidate.label.empty() ? d.gpu->id : candidate.label; };
    const bool pools = asked.prefill.pools != Disaggregation::No; // a pool of prompts has no column here
    if (asked.targets.any() && !layoutStated(asked) && !pools) {
        SearchOptions search;
        search.explain = false;
        search.readTrace = readTraceFile;
        return size(asked, catalogue, search).transform([&](const auto& plan) {
            const auto& answer = plan->answer;
            Resolved sized = *answer.machine;
            sized.deployment = answer.deployment;
            sized.load = answer.load;
            return Compared{labelled(sized.deployment), std::move(sized), answer.point.prediction,
                            plan->reason};
        });
    }
    return resolve(asked, catalogue).transform([&](Resolved resolved) {
        const Prediction prediction = predictScenario(resolved);
        std::string label = labelled(resolved.deployment);
        return Compared{std::move(label), std::move(resolved), prediction, {}};
    });
}

// What is wrong with any of them, each thing once: flags are shared.
void addEachOnce(Problems& all, const Problems& more)
{
    for (const Problem& problem : more)
        if (std::find(all.begin(), all.end(), problem) == all.end())
            all.push_back(problem);
}

Exit runCompare(const Arguments& arguments, Console& console)
{
    const std::vector<Named> candidates = candidatesFrom(arguments);
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    std::vector<Compared> compared;
    Problems problems;
    bool anyFits = false;
    for (const Named& candidate : candidates) {
        if (!candidate.said.problems.empty()) {
            addEachOnce(problems, problemsOf(candidate.said, console));
            continue;
        }
        Result<Compared> one = judged(candidate, **catalogue);
        if (!one) {
            addEachOnce(problems, placed(one.error(), candidate.said.places));
            continue;
        }
        anyFits = anyFits || (one->prediction.memory.fits && one->whyNot.empty());
        compared.push_back(*std::move(one));
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
    case Format::Text:
        console.out() << inFormat(sideBySide(compared), console);
        break;
    }
    return anyFits ? Exit::Done : Exit::No;
}

} // namespace

Verb compareVerb()
{
    return {.name = "compare",
            .summary = "sets several accelerators or scenarios side by side",
            .example = "compare --model llama-3.1-70b --gpu a100-sxm-80gb,h100-sxm-80gb --tps 20",
            .run = runCompare,
            .scenario = true,
            .money = true,
            .formats = true,
            .languages = true,
            .words
            = {"[FILE…]", "scenario files; without any, the accelerators of --gpu A,B are compared", 0, -1}};
}

} // namespace headroom::cli
