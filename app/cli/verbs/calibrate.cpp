#include "calib/calibrate.h"

#include "app/cli/interrupt.h"
#include "app/cli/progress_bar.h"
#include "app/cli/today.h"
#include "app/cli/verbs.h"
#include "calib/links/calibrate_links.h"
#include "calib/refit.h"
#include "headroom_version.h"
#include "model/base/quantity_text.h"
#include "model/json/calibration_json.h"
#include "model/yaml/own_calibrations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <ostream>

namespace headroom::cli {

namespace {

constexpr std::array calibrateFlags{
    Flag{"--device", "cpu|cuda:N", "what to measure; default: cpu, or with --links the GPUs"},
    Flag{"--quick", "", "take 20 seconds instead of a minute and a half"},
    Flag{"--model", "ID",
         "also measure the matrices of this model, each at every number of rows that matters"},
    Flag{"--gpu", "ID", "which accelerator of the catalogue the device is, if its name does not say"},
    Flag{"--links", "",
         "measure only the links between GPUs; under mpirun or srun, one process per GPU, also those between "
         "machines"},
    Flag{"--node", "ID", "the machine whose links they are; default: the usual one for the accelerator"},
    Flag{"--meet", "HOST:PORT|FILE",
         "where the processes of --links meet; default: a file beside the calibration"},
    Flag{"--seconds", "S",
         "time to spend on measuring; bandwidth and rates of the machine are measured however short it is"},
    Flag{"--seed", "N", "seed of the order of the points and of the data; default: 7"},
    Flag{"--resume", "", "go on from the samples beside FILE, after Ctrl-C, a deadline or a crash"},
    Flag{"--refit", "SAMPLES",
         "measure nothing: fit the samples of an earlier run again, such as with a newer version"},
    Flag{"-o,--out,--output-file", "FILE",
         "the calibration to write, a .yaml, with its samples beside it; default: where plans for this "
         "machine find it"},
};

// Where plans for this machine look for it; empty where there is no home.
std::filesystem::path ownCalibrationFile(std::string device)
{
    const std::filesystem::path folder = OwnCalibrations::folderToWrite();
    if (folder.empty())
        return {};
    std::replace(device.begin(), device.end(), ':', '-');
    return folder / (device + ".yaml");
}

Result<CalibrationOptions> optionsFrom(const Arguments& arguments)
{
    Problems problems;
    const auto number = [&](const char* flag) -> std::optional<double> {
        const auto text = arguments.text(flag);
        if (!text)
            return std::nullopt;
        const Result<double> value = numberFromText(*text);
        if (value)
            return *value;
        for (const Problem& problem : value.error())
            problems.push_back({flag, problem.what, problem.hint});
        return std::nullopt;
    };
    CalibrationOptions options{
        .device = arguments.text("--device").value_or(arguments.has("--links") ? "cuda" : "cpu"),
        .gpu = arguments.text("--gpu").value_or(""),
        .node = arguments.text("--node").value_or(""),
        .links = arguments.has("--links"),
        .meet = arguments.text("--meet").value_or(""),
        .quick = arguments.has("--quick"),
        .model = arguments.text("--model").value_or(""),
        .resume = arguments.has("--resume"),
        .refit = arguments.text("--refit").value_or(""),
        .file = arguments.text("--out").value_or(""),
        .toolVersion = HEADROOM_VERSION,
        .created = today()};
    if (!options.refit.empty() && options.file.empty())
        problems.push_back({"-o", "is missing", "the calibration to write: -o my-machine.yaml"});
    for (const char* const flag :
         {"--device", "--links", "--meet", "--quick", "--seconds", "--seed", "--resume"})
        if (!options.refit.empty() && arguments.has(flag))
            problems.push_back({flag, "says how to measure, and --refit measures nothing", {}});
    if (options.file.empty() && !options.links)
        options.file = ownCalibrationFile(options.device);
    if (const auto seconds = number("--seconds"))
        options.budget = Seconds(*seconds);
    if (const auto seed = number("--seed")) {
        constexpr double most = 9007199254740992.0; // every whole number below is exact
        if (*seed < 0 || *seed > most || *seed != std::floor(*seed))
            problems.push_back({"--seed", "expected a whole number from 0", {}});
        else
            options.seed = static_cast<std::uint64_t>(*seed);
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return options;
}

CalibrationSummary summaryOf(const CalibrationReport& report)
{
    constexpr double ninetyPercent = 1.6448536269514722; // half width of a normal's 90 % interval
    CalibrationSummary out{.file = report.file.string(),
                           .samples = report.samples.string(),
                           .cancelled = report.cancelled,
                           .deadline = report.deadline,
                           .measured = report.measured,
                           .planned = report.planned,
                           .layers = {},
                           .refused = report.refused,
                           .notes = report.notes};
    for (const LayerError& layer : report.layers) {
        const double factor = std::exp(ninetyPercent * layer.lnSpread);
        out.layers.push_back({.what = layer.what,
                              .measured = layer.measured,
                              .predicted = layer.predicted,
                              .low = layer.predicted / factor,
                              .high = layer.predicted * factor});
    }
    return out;
}

Result<std::vector<CalibrationReport>> measured(const CalibrationOptions& options, const Catalogue& catalogue,
                                                const RunControl& control,
                                                const CalibrationListener& listener)
{
    if (!options.refit.empty()) {
        Result<CalibrationReport> report = refitSamples(options, catalogue);
        if (!report)
            return refuse(report.error());
        return std::vector{std::move(*report)};
    }
    if (options.links)
        return calibrateLinks(options, catalogue, control, listener);
    Result<CalibrationReport> report = calibrate(options, catalogue, control, listener);
    if (!report)
        return refuse(report.error());
    return std::vector{std::move(*report)};
}

Exit runCalibrate(const Arguments& arguments, Console& console)
{
    const Result<CalibrationOptions> options = optionsFrom(arguments);
    if (!options)
        return console.refuse(options.error());
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    InterruptStops interrupt;
    Result<std::vector<CalibrationReport>> reports = refuse("", "");
    try {
        ProgressBar bar(console);
        const CalibrationListener listener = [&](const CalibrationProgress& progress) {
            interrupt.poll();
            const std::string what = progress.point
                ? console.told(
                    say("{} of {} points: {}", progress.finished, progress.planned, progress.point->what))
                : console.told(calibrationStageName(progress.stage));
            bar.show(progress.fraction, what);
        };
        reports = measured(*options, **catalogue, {.stop = interrupt.token()}, listener);
    } catch (const CalibrationBroken& broken) {
        return console.breakOff({{}, broken.sentence, {}});
    }
    if (!reports)
        return console.refuse(reports.error());
    for (const CalibrationReport& report : *reports) {
        const CalibrationSummary summary = summaryOf(report);
        console.out() << (console.format == Format::Json
                              ? calibrationJson(report.set, summary) + '\n'
                              : calibrationText(report.set, summary, console.language));
    }
    return Exit::Done;
}

} // namespace

Verb calibrateVerb()
{
    return {.name = "calibrate",
            .group = VerbGroup::Measure,
            .summary = "measures this machine with real transformer layers and writes a calibration",
            .example = "calibrate --device cuda:0",
            .run = runCalibrate,
            .formats = true,
            .languages = true,
            .flags = calibrateFlags};
}

} // namespace headroom::cli
