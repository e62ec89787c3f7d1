#include "app/cli/resolved.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/today.h"
#include "app/cli/verbs.h"
#include "calib/engine/engine_runs_fit.h"
#include "headroom_version.h"
#include "model/base/figure_text.h"
#include "model/base/told_problems.h"
#include "model/import/bench_import.h"
#include "model/json/table_json.h"
#include "model/report/columns.h"
#include "model/text/write_file.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <ostream>

namespace headroom::cli {

namespace {

constexpr std::array fitEngineFlags{
    Flag{"-o,--out,--output-file", "FILE",
         "where to write the engine's calibration, a .yaml; default: where plans for this machine find it"},
    Flag{"--points", "", "print every figure beside its prediction, and no constants"},
    Flag{
        "--check", "",
        "fit and write nothing: hold the figures against what is known already, or what --calibration knows"},
};

// What files do not say is taken from the scenario's flags.
MeasuredRow givenBy(const Scenario& scenario, const Arguments& arguments)
{
    MeasuredRow given;
    given.model = scenario.model;
    given.engine = scenario.engine;
    if (!scenario.gpus.empty())
        given.gpu = scenario.gpus.front();
    if (arguments.has("--weights") && scenario.weights)
        given.weightDtype = std::string(name(*scenario.weights));
    if (arguments.has("--prompt"))
        given.inputLength = arguments.text("--prompt").value_or("");
    if (arguments.has("--output"))
        given.outputLength = arguments.text("--output").value_or("");
    if (arguments.has("--concurrency"))
        given.load = arguments.text("--concurrency").value_or("");
    if (given.load.empty() && arguments.has("--batch"))
        given.load = arguments.text("--batch").value_or("");
    return given;
}

Result<std::vector<ImportedBench>> readFiles(const std::vector<std::string>& files, const MeasuredRow& given,
                                             Console& console)
{
    std::vector<ImportedBench> out;
    Problems problems;
    for (const std::string& file : files) {
        Result<ImportedBench> bench = importBench(std::filesystem::path(file), given);
        if (!bench) {
            problems.insert(problems.end(), bench.error().begin(), bench.error().end());
            continue;
        }
        for (const Message& warning : bench->warnings)
            console.note(say("{}: {}", file, warning));
        out.push_back(std::move(*bench));
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return out;
}

// Alike ones once.
void tellSkipped(const std::vector<Message>& skipped, Console& console)
{
    std::map<std::string, std::pair<Message, std::size_t>> byEnglish;
    for (const Message& each : skipped) {
        auto& [why, times] = byEnglish[each.english()];
        why = each;
        ++times;
    }
    std::size_t told = 0;
    for (const auto& [english, counted] : byEnglish) {
        if (++told > mostProblemsTold)
            return console.note(say("and {} more kinds were skipped", byEnglish.size() - mostProblemsTold));
        const auto& [why, times] = counted;
        console.note(times > 1 ? say("skipped {} ({} times)", why, times) : say("skipped {}", why));
    }
}

Table numbersTable(const EngineRunsFit& fit)
{
    static const Columns<FittedKernelNumber> columns{
        {{"number", ""}, [](const FittedKernelNumber& n) { return Cell(n.name); }},
        {{"before", "known", Measure::Count}, [](const FittedKernelNumber& n) { return n.before; }},
        {{"after", "fitted", Measure::Count}, [](const FittedKernelNumber& n) { return n.after; }},
        {{"ln_deviation", "open, ln", Measure::Count},
         [](const FittedKernelNumber& n) { return n.lnDeviation; }}};
    return tableOf(columns, fit.numbers);
}

Table pointsTable(const EngineRunsFit& fit)
{
    static const Columns<JudgedPoint> columns{
        {{"what", ""}, [](const JudgedPoint& p) { return Cell(p.what); }},
        {{"measured_s", "measured", Measure::Time}, [](const JudgedPoint& p) { return p.measured; }},
        {{"known_s", "known", Measure::Time}, [](const JudgedPoint& p) { return p.before; }},
        {{"fitted_s", "fitted", Measure::Time}, [](const JudgedPoint& p) { return p.fitted; }},
        {{"left_out_s", "without it", Measure::Time}, [](const JudgedPoint& p) { return p.leftOut; }}};
    return tableOf(columns, fit.points);
}

std::string ownFile(const EngineRunsFit& fit)
{
    const std::filesystem::path folder = OwnCalibrations::folderToWrite();
    if (folder.empty())
        return {};
    return (folder / fmt::format("{}-{}.yaml", fit.set.gpu, fit.set.engineRuns->engine)).string();
}

void tell(const EngineRunsFit& fit, bool points, Console& console)
{
    const Table table = points ? pointsTable(fit) : numbersTable(fit);
    if (console.format == Format::Json)
        console.out() << tableJson("headroom.fit_engine/1", table) << '\n';
    else
        console.out() << inFormat(table, console);
    if (!console.tellsPeople())
        return;
    console.out() << '\n'
                  << console.told(
                         say("{} figures; median error {:.1f} % before, {:.1f} % of figures left out "
                             "of the fit (90th percentile {:.1f} %)",
                             fit.points.size(), 100 * fit.before.median, 100 * fit.leftOut.median,
                             100 * fit.leftOut.p90))
                  << '\n';
    if (fit.stepBetweenKernels)
        console.out() << console.told("One row has a kernel of its own: the time steps up with the second.")
                      << '\n';
}

// A figure beside what is foretold of it.
struct CheckedPoint {
    const EnginePoint* point = nullptr;
    Estimate<double> predicted;

    [[nodiscard]] double error() const { return std::abs(predicted.value / point->seconds - 1); }
    [[nodiscard]] bool inside() const
    {
        return predicted.low <= point->seconds && point->seconds <= predicted.high;
    }
};

// Of prompts, or of everything else.
Message checkedText(const std::vector<CheckedPoint>& all, bool prefill)
{
    std::vector<double> errors;
    std::size_t inside = 0;
    for (const CheckedPoint& each : all)
        if (each.point->prefill() == prefill) {
            errors.push_back(each.error());
            inside += each.inside() ? 1U : 0U;
        }
    if (errors.empty())
        return {};
    std::sort(errors.begin(), errors.end());
    const auto at = [&](double share) {
        return errors[static_cast<std::size_t>(std::ceil(share * double(errors.size()))) - 1];
    };
    return say("{}: {} figures, median error {:.1f} %, 95th percentile {:.1f} %, {:.0f} % inside the "
               "10-90 % range",
               prefill ? say("prompts") : say("decodes"), errors.size(), 100 * at(0.5), 100 * at(0.95),
               100 * double(inside) / double(errors.size()));
}

Exit check(const std::vector<EnginePoint>& points, Console& console)
{
    std::vector<CheckedPoint> all;
    for (const EnginePoint& point : points)
        all.push_back({&point, predictedTime(point, point.machine->deployment)});
    static const Columns<CheckedPoint> columns{
        {{"what", ""}, [](const CheckedPoint& c) { return Cell(c.point->what); }},
        {{"measured_s", "measured", Measure::Time}, [](const CheckedPoint& c) { return c.point->seconds; }},
        {{"predicted_s", "predicted", Measure::Time},
         [](const CheckedPoint& c) { return c.predicted.value; }},
        {{"low_s", "10 %", Measure::Time}, [](const CheckedPoint& c) { return c.predicted.low; }},
        {{"high_s", "90 %", Measure::Time}, [](const CheckedPoint& c) { return c.predicted.high; }},
        {{"error", "error", Measure::Share},
         [](const CheckedPoint& c) { return c.predicted.value / c.point->seconds - 1; }},
        {{"inside", "inside"}, [](const CheckedPoint& c) { return c.inside(); }}};
    const Table table = tableOf(columns, all);
    if (console.format == Format::Json)
        console.out() << tableJson("headroom.fit_engine_check/1", table) << '\n';
    else
        console.out() << inFormat(table, console);
    if (console.tellsPeople()) {
        console.out() << '\n';
        for (const bool prefill : {true, false})
            if (const Message told = checkedText(all, prefill); !told.empty())
                console.out() << console.told(told) << '\n';
    }
    return Exit::Done;
}

Exit runFitEngine(const Arguments& arguments, Console& console)
{
    Result<Scenario> scenario = singleScenarioFrom(arguments, console);
    if (!scenario)
        return console.refuse(scenario.error());
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const MeasuredRow given = givenBy(*scenario, arguments);
    const Result<std::vector<ImportedBench>> files = readFiles(arguments.words, given, console);
    if (!files)
        return console.refuse(files.error());
    const Result<EnginePoints> points = enginePoints(*files, *scenario, **catalogue);
    if (!points)
        return console.refuse(points.error());
    tellSkipped(points->skipped, console);
    if (arguments.has("--check") && points->points.empty())
        return console.refuse({{"runs", "no figure of them says anything of kernels",
                                "runs of one batch, or of users who ask again when they are answered"}});
    if (arguments.has("--check"))
        return check(points->points, console);
    EngineRunsAbout about{.files = {}, .created = today(), .tool = "headroom " HEADROOM_VERSION};
    for (const std::string& file : arguments.words)
        about.files.push_back(std::filesystem::path(file).filename().string());
    const Result<EngineRunsFit> fit = fitEngineRuns(points->points, about);
    if (!fit)
        return console.refuse(fit.error());
    const std::string target = arguments.text("--out").value_or(ownFile(*fit));
    if (target.empty())
        return console.refuse({{"-o", "is missing", "the file to write: -o my-engine.yaml"}});
    tell(*fit, arguments.has("--points"), console);
    writeFile(target, efficiencyYaml(fit->set));
    console.note(say("{} is written; --calibration {} uses it", target, target));
    return Exit::Done;
}

} // namespace

Verb fitEngineVerb()
{
    return {.name = "fit-engine",
            .group = VerbGroup::Measure,
            .summary = "makes a calibration of an engine on this machine from its own benchmark results",
            .example = "fit-engine llama-bench.json --gpu rtx-4090-24gb --engine llama-cpp",
            .run = runFitEngine,
            .scenario = true,
            .formats = true,
            .languages = true,
            .flags = fitEngineFlags,
            .words
            = {"FILE…",
               "results of llama-bench, llama-batched-bench, vllm bench, SGLang, trtllm-bench or probe "
               "--json",
               1, -1}};
}

} // namespace headroom::cli
