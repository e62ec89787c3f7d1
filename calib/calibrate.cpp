#include "calib/calibrate.h"

#include "calib/calibrate_device.h"
#include "calib/calibration_device.h"
#include "calib/calibration_subject.h"
#include "calib/judge/judged_run.h"
#include "calib/judge/machine.h"
#include "calib/progress_teller.h"
#include "calib/run_files.h"
#include "model/resolve/calibrated.h"
#include "model/text/write_file.h"
#include "model/yaml/efficiency_yaml.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace headroom {

RunPolicy runPolicyFor(const CalibrationOptions& options, const std::string& deviceKind)
{
    RunPolicy policy;
    policy.seed = options.seed;
    const bool cpu = deviceKind == "cpu";
    constexpr double quick = 20;
    const double generic = cpu ? 90 : 75; // with warm-up and fits a minute and a half on a card
    constexpr double forModel = 10;
    const double usual = (options.quick ? quick : generic) + (options.model.empty() ? 0 : forModel);
    policy.budget = options.budget.value_or(Seconds(usual));
    policy.timing.sustained = Seconds(options.quick ? 0.05 : 0.2);
    // A processor is warm at once; an accelerator at rest needs a second to raise its clocks.
    policy.warmUp = Seconds(cpu ? 0.3 : 1.5);
    if (cpu) {
        policy.timing.kept = 0.5;
        return policy;
    }
    policy.timing.stretch
        = Seconds(1e-3); // half the heat of two, and a card's clock resolves half a microsecond
    policy.timing.longestRound = Seconds(0.06);
    policy.rest
        = [](Seconds time) { std::this_thread::sleep_for(std::chrono::duration<double>(time.base())); };
    return policy;
}

std::filesystem::path samplesBeside(const std::filesystem::path& file)
{
    std::filesystem::path out = file;
    return out.replace_extension(".samples.csv");
}

std::filesystem::path samplesOf(const CalibrationOptions& options)
{
    if (!options.refit.empty())
        return options.refit;
    std::filesystem::path out = options.file;
    return options.links ? out.replace_extension(".links.samples.csv") : samplesBeside(options.file);
}

Code calibrationStageName(CalibrationStage stage)
{
    constexpr std::array<Code, 4> names{"starting", "measuring", "fitting", "writing"};
    return names[static_cast<std::size_t>(stage)];
}

Problems calibrationObjections(const CalibrationOptions& options)
{
    Problems problems;
    if (options.file.empty())
        problems.push_back({"-o", "is missing", "the file to write: -o my-machine.yaml"});
    else if (options.file.extension() != ".yaml" && options.file.extension() != ".yml")
        problems.push_back({"-o", say("expected a .yaml file, got '{}'", options.file.string()), {}});
    if (options.budget && !(options.budget->base() > 0))
        problems.push_back({"--seconds", "expected a time above zero", {}});
    return problems;
}

Result<CalibrationReport> calibrateDevice(kernels::Device& device, const CalibrationSubject& subject,
                                          const CalibrationOptions& options, const RunPolicy& policy,
                                          const HostClock& clock, const RunControl& control,
                                          const CalibrationListener& listener)
{
    const std::filesystem::path samplesFile = samplesOf(options);
    const Result<std::optional<EfficiencySet>> older = olderCalibration(options.file, subject.gpu.id);
    if (!older)
        return refuse(older.error());
    const SamplesFacts facts = factsOf(device, subject.sweep, options);
    std::vector<Sample> known;
    if (options.resume) {
        Result<std::vector<Sample>> read = knownSamples(samplesFile, facts);
        if (!read)
            return refuse(read.error());
        known = std::move(*read);
    }
    ProgressTeller teller(control, listener, policy.budget);
    teller.stage(CalibrationStage::Starting, 0);
    SamplesWriter writer
        = options.resume ? SamplesWriter::resume(samplesFile) : SamplesWriter::create(samplesFile, facts);
    // Peaks are known after the first points, which are the machine's own.
    std::vector<Sample> seen = known;
    const auto machineNow = [&] {
        return machineFrom(device.facts(), subject.sweep,
                           tabulate(seen, subject.sweep.points.size(), countedLookOf(device.facts())));
    };
    MeasuredMachine machine = machineNow();
    const auto listen = [&](const RunEvent& event) {
        if (event.point != nullptr && event.point->kind == PointKind::Machine) {
            seen.push_back(*event.sample);
            machine = machineNow();
        }
        teller.event(event, machine);
    };
    const RunOutcome outcome = runSweep(device, subject.sweep, subject.anchors, policy, std::move(known),
                                        writer, clock, control.stop, listen);
    teller.stage(CalibrationStage::Fitting, 0.97);
    CalibrationReport report = judgeRun(outcome, subject, device.facts(), options);
    report.cancelled = outcome.cancelled;
    report.deadline = outcome.deadline;
    report.file = options.file;
    report.samples = samplesFile;
    // What a run goes on from was written by itself; links go into a file that tells more.
    if (*older && (!options.resume || options.links)) {
        report.set = mergeCalibrations(**older, report.set);
        report.notes.push_back(
            say("{} was there: forms that this run did not measure are kept from it", options.file.string()));
    }
    teller.stage(CalibrationStage::Writing, 0.99);
    try {
        writeFile(options.file, efficiencyYaml(report.set));
    } catch (const CannotWrite& broken) {
        throw CalibrationBroken(
            say("{}: could not be written: {}; the samples are kept in {}, --resume goes on from them",
                broken.file(), broken.reason(), samplesFile.string()));
    }
    teller.stage(CalibrationStage::Writing, 1);
    return report;
}

Result<CalibrationReport> calibrate(const CalibrationOptions& options, const Catalogue& catalogue,
                                    const RunControl& control, const CalibrationListener& listener)
{
    if (Problems problems = calibrationObjections(options); !problems.empty())
        return refuse(std::move(problems));
    const Result<std::unique_ptr<kernels::Device>> device = openDevice(options.device);
    if (!device)
        return refuse(device.error());
    const Result<CalibrationSubject> subject = subjectOf(**device, options, catalogue);
    if (!subject)
        return refuse(subject.error());
    return calibrateDevice(**device, *subject, options, runPolicyFor(options, (*device)->facts().kind),
                           steadyClock(), control, listener);
}

} // namespace headroom
