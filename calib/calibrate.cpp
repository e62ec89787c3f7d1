#include "calib/calibrate.h"

#include "calib/calibrate_device.h"
#include "calib/calibration_device.h"
#include "calib/judge/gates.h"
#include "calib/judge/hold_out.h"
#include "calib/judge/machine.h"
#include "calib/judge/sample_fit.h"
#include "model/catalogue/form_gates.h"
#include "model/json/text_file.h"
#include "model/plan/calibrated.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"
#include "model/yaml/tree.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

constexpr std::uintmax_t longestCalibration = 4U << 20;

// What tells one run's samples from another's.
SamplesFacts factsOf(const kernels::Device& device, const Sweep& sweep, const CalibrationOptions& options)
{
    const kernels::DeviceFacts& facts = device.facts();
    // FNV-1a over the points' lines: the same points in the same order.
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const SweepPoint& point : sweep.points)
        for (const char c : point.what + '\n')
            hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return {{"device", facts.name + (facts.uuidHash.empty() ? "" : " " + facts.uuidHash)},
            {"units", fmt::format("{}", facts.units)},
            {"driver", facts.driver},
            {"libraries", facts.libraries},
            {"memory_bytes", fmt::format("{:.0f}", facts.memory.base())},
            {"seed", fmt::format("{}", options.seed)},
            {"sweep", fmt::format("{:016x} of {} points", hash, sweep.points.size())},
            {"tool", "headroom " + options.toolVersion},
            {"created", options.created}};
}

Result<std::vector<Sample>> knownSamples(const std::filesystem::path& file, const SamplesFacts& mine)
{
    Result<SamplesFile> old = readSamples(file);
    if (!old)
        return refuse(old.error());
    Problems problems;
    for (const std::string key : {"device", "units", "driver", "seed", "sweep", "tool"})
        if (old->facts[key] != mine.at(key))
            problems.push_back(
                {file.string(),
                 fmt::format("its {} is '{}', this run's is '{}'", key, old->facts[key], mine.at(key)),
                 "without --resume a new file is begun and this one is kept under another name"});
    if (!problems.empty())
        return refuse(std::move(problems));
    return std::move(old->samples);
}

// The calibration that stands in the way, to be merged with; nothing when there is none.
Result<std::optional<EfficiencySet>> olderCalibration(const std::filesystem::path& file,
                                                      const std::string& gpu)
{
    std::error_code missing;
    if (!std::filesystem::exists(file, missing))
        return std::optional<EfficiencySet>{};
    const Result<std::string> text = readTextFile(file, longestCalibration);
    if (!text)
        return refuse(text.error());
    Result<EfficiencySet> older = readEfficiencySet(*text, file.string());
    if (!older)
        return refuse(older.error());
    if (older->gpu != gpu)
        return refuse(file.string(),
                      fmt::format("is a calibration of {}, this device is {}", older->gpu, gpu),
                      "give another file with -o");
    return std::optional(std::move(*older));
}

CalibrationPoint pointOf(const RunEvent& event, const MeasuredMachine& machine)
{
    const Sample& sample = *event.sample;
    const Achieved achieved = achievedBy(*event.point, sample.timing.perLaunch, machine);
    CalibrationPoint point{.what = sample.what,
                           .form = "held out",
                           .time = sample.timing.perLaunch,
                           .lnSpread = sample.timing.lnSpread,
                           .intensity = achieved.intensity,
                           .ofPeak = achieved.ofPeak,
                           .memoryBound = achieved.memoryBound,
                           .noisy = sample.timing.noisy,
                           .refused = sample.refused};
    if (event.point->kind == PointKind::Machine)
        point.form = "machine";
    else if (event.point->kind != PointKind::Layer)
        point.form = slotName(slotOf(kernels::workOf(event.point->tasks.front())));
    return point;
}

CalibrationRun runRecord(const RunOutcome& outcome, const SampleTable& table,
                         const CalibrationOptions& options)
{
    CalibrationRun run{.created = options.created,
                       .tool = "headroom " + options.toolVersion,
                       .mode = !options.model.empty() ? options.model
                           : options.quick            ? "quick"
                                                      : "generic",
                       .seed = static_cast<std::int64_t>(options.seed),
                       .planned = static_cast<std::int64_t>(table.points.size())};
    for (const std::optional<Sample>& sample : table.points) {
        if (!sample)
            continue;
        ++(sample->refused.empty() ? run.samples : run.refused);
        run.noisy += sample->timing.noisy && sample->refused.empty() ? 1 : 0;
    }
    for (const double drift : table.drifts)
        run.anchorDrift = std::max(run.anchorDrift, drift);
    for (const Sample& sample : outcome.samples) {
        const double clock = sample.state.coreClockHz;
        if (clock > 0) {
            run.coreClockLow = run.coreClockLow > 0 ? std::min(run.coreClockLow, clock) : clock;
            run.coreClockHigh = std::max(run.coreClockHigh, clock);
        }
        if (!sample.state.throttle.empty() && run.throttle.find(sample.state.throttle) == std::string::npos)
            run.throttle += (run.throttle.empty() ? "" : ", ") + sample.state.throttle;
    }
    return run;
}

// Without these two nothing can be said of any form.
void demandPeaks(const MeasuredMachine& machine)
{
    const bool multiplies = std::any_of(machine.sustained.begin(), machine.sustained.end(),
                                        [](FlopsPerSecond rate) { return rate.base() > 0; });
    if (machine.read.base() > 0 && multiplies)
        return;
    throw CalibrationBroken(
        "stopped before the machine's own bandwidth and rates were measured: nothing to fit "
        "yet; --resume goes on");
}

CalibrationReport judge(const RunOutcome& outcome, const CalibrationSubject& subject,
                        const kernels::DeviceFacts& facts, const CalibrationOptions& options)
{
    const SampleTable table = tabulate(outcome.samples, subject.sweep.points.size());
    const MeasuredMachine machine = machineFrom(facts, subject.sweep, table);
    demandPeaks(machine);
    const Gpu gpu = measuredGpu(subject.gpu, machine);
    SampleFit fit = fitSamples(subject.sweep, table, machine, gpu, subject.prior);
    CalibrationReport report;
    report.layers = judgeLayers(subject.sweep, table, gpu, fit.set);
    CalibrationRecord record{.machine = machine,
                             .run = runRecord(outcome, table, options),
                             .holdOut = summarise(report.layers),
                             .gates = {}};
    record.gates = gatesOf(fit, table, record.holdOut, facts.kind);
    EfficiencySet& set = fit.set;
    set.id = options.file.stem().string();
    set.gpu = gpu.id;
    set.family = gpu.family;
    set.implementation = "headroom";
    set.failedGates = failedGates(record.gates);
    set.trusted = set.failedGates.empty();
    // Times of operators in a graph hold the gap between them.
    set.graphNode = {};
    set.eagerLaunch = facts.kind == "cpu" ? Seconds{} : subject.prior.eagerLaunch;
    set.citations.clear();
    for (const std::string group : {"overheads", "machine", "run", "hold_out"})
        set.citations.push_back({.key = group,
                                 .text = fmt::format("measured on {} by headroom {} on {}; samples in {}",
                                                     machine.name, options.toolVersion, options.created,
                                                     samplesBeside(options.file).filename().string()),
                                 .confidence = Confidence::High});
    if (record.holdOut.layers == 0)
        set.citations.pop_back();
    set.calibration = std::move(record);
    report.set = std::move(set);
    report.measured = table.finished();
    report.planned = table.points.size();
    for (const std::optional<Sample>& sample : table.points)
        if (sample && !sample->refused.empty())
            report.refused.push_back(sample->what + ": " + sample->refused);
    report.notes = outcome.notes;
    report.notes.insert(report.notes.end(), fit.notes.begin(), fit.notes.end());
    report.notes.insert(report.notes.end(), subject.sweep.leftOut.begin(), subject.sweep.leftOut.end());
    return report;
}

class Teller {
public:
    Teller(const RunControl& control, const CalibrationListener& listener, Seconds budget)
        : m_control(control), m_listener(listener), m_budget(budget)
    {}

    void stage(CalibrationStage stage, double fraction)
    {
        m_last.stage = stage;
        m_last.fraction = std::max(m_last.fraction, fraction);
        m_last.point.reset();
        m_last.note.clear();
        tell();
    }
    void event(const RunEvent& event, const MeasuredMachine& machine)
    {
        m_last.stage = CalibrationStage::Measuring;
        m_last.finished = event.finished;
        m_last.planned = event.planned;
        m_last.spent = event.spent;
        m_last.left = event.left;
        const double points = double(event.finished) / double(std::max<std::size_t>(event.planned, 1));
        constexpr double measuring = 0.97; // the fit takes the rest
        m_last.fraction
            = measuring * std::clamp(std::max(points, event.spent.base() / m_budget.base()), 0.0, 1.0);
        m_last.point.reset();
        if (event.sample != nullptr && event.point != nullptr)
            m_last.point = pointOf(event, machine);
        m_last.note = event.note;
        tell();
    }

private:
    void tell() const
    {
        if (m_control.progress)
            m_control.progress(m_last.fraction, calibrationStageName(m_last.stage));
        if (m_listener)
            m_listener(m_last);
    }

    const RunControl& m_control;
    const CalibrationListener& m_listener;
    Seconds m_budget;
    CalibrationProgress m_last;
};

Result<CalibrationSubject> subjectOf(const kernels::Device& device, const CalibrationOptions& options,
                                     const Catalogue& catalogue)
{
    const kernels::DeviceFacts& facts = device.facts();
    const bool cpu = facts.kind == "cpu";
    const Result<NameMatch> match = catalogue.findGpu(!options.gpu.empty() ? options.gpu
                                                          : cpu            ? "cpu"
                                                                           : facts.name);
    if (!match) {
        Problems problems = match.error();
        problems.push_back({"--gpu", "the catalogue does not know " + facts.name,
                            "name the accelerator with --gpu ID, or describe it in a file like those of "
                            "hw_profiles/gpus"});
        return refuse(std::move(problems));
    }
    const Result<const Gpu*> gpu = catalogue.gpu(match->id);
    if (!gpu)
        return refuse(gpu.error());
    const Result<EfficiencySet> prior = readPrior(Catalogue::defaultRoot(), (*gpu)->family);
    if (!prior)
        return refuse(prior.error());
    SweepRequest request{.deviceKind = facts.kind,
                         .holdOut = holdOutLayers(catalogue, facts.kind),
                         .model = nullptr,
                         .seed = options.seed};
    if (!options.model.empty()) {
        const Result<NameMatch> model = catalogue.findModel(options.model);
        if (!model)
            return refuse(model.error());
        const Result<const Llm*> llm = catalogue.model(model->id);
        if (!llm)
            return refuse(llm.error());
        if (matricesOf(**llm, 1).empty())
            return refuse("--model", (*llm)->name + " has layers that no kernel here executes",
                          "models of plain attention with dense or routed MLPs are measured");
        request.model = *llm;
    }
    return CalibrationSubject{.gpu = **gpu,
                              .prior = *prior,
                              .sweep = sweepFor(device, request),
                              .anchors = anchorTasks(facts.kind)};
}

RunPolicy policyFor(const CalibrationOptions& options, const std::string& deviceKind)
{
    RunPolicy policy;
    policy.seed = options.seed;
    constexpr double quick = 20;
    constexpr double generic = 90;
    constexpr double forModel = 10;
    const double usual = (options.quick ? quick : generic) + (options.model.empty() ? 0 : forModel);
    policy.budget = options.budget.value_or(Seconds(usual));
    // A processor is warm at once; an accelerator at rest needs seconds to raise its clocks.
    constexpr double cpuWarmUp = 0.3;
    constexpr double quickWarmUp = 1.5;
    if (deviceKind == "cpu")
        policy.warmUp = Seconds(cpuWarmUp);
    else if (options.quick)
        policy.warmUp = Seconds(quickWarmUp);
    policy.timing.sustained = Seconds(options.quick ? 0.05 : 0.2);
    return policy;
}

Problems objections(const CalibrationOptions& options)
{
    Problems problems;
    if (options.file.empty())
        problems.push_back({"-o", "is missing", "the file to write: -o my-machine.yaml"});
    else if (options.file.extension() != ".yaml" && options.file.extension() != ".yml")
        problems.push_back({"-o", "expected a .yaml file, got '" + options.file.string() + "'", {}});
    if (options.budget && !(options.budget->base() > 0))
        problems.push_back({"--seconds", "expected a time above zero", {}});
    return problems;
}

} // namespace

std::filesystem::path samplesBeside(const std::filesystem::path& file)
{
    std::filesystem::path out = file;
    return out.replace_extension(".samples.csv");
}

std::string_view calibrationStageName(CalibrationStage stage)
{
    constexpr std::array<std::string_view, 4> names{"starting", "measuring", "fitting", "writing"};
    return names[static_cast<std::size_t>(stage)];
}

std::vector<LayerCase> holdOutLayers(const Catalogue& catalogue, const std::string& deviceKind)
{
    struct Step {
        bool decode;
        std::int64_t sequences;
        std::int64_t tokens;
        std::int64_t past;
    };
    constexpr std::array cpuSteps{Step{true, 1, 1, 128}, Step{true, 4, 1, 384}, Step{true, 16, 1, 200},
                                  Step{false, 1, 32, 0}, Step{false, 2, 24, 64}};
    constexpr std::array cudaSteps{
        Step{true, 1, 1, 1024}, Step{true, 8, 1, 2048},  Step{true, 32, 1, 1536}, Step{true, 128, 1, 700},
        Step{false, 1, 512, 0}, Step{false, 1, 2048, 0}, Step{false, 4, 768, 0},  Step{false, 1, 1024, 8192}};
    struct Subject {
        std::string id;
        int tp;
        std::vector<DType> weights;
    };
    const bool cpu = deviceKind == "cpu";
    const std::vector<DType> stored{DType::Bf16, DType::Int8, DType::Int4};
    const std::vector<Subject> subjects = cpu
        ? std::vector<Subject>{{"smollm2-135m", 1, {DType::Bf16, DType::Int8, DType::Fp32}},
                               {"smollm2-360m", 1, {DType::Bf16, DType::Int4}},
                               {"qwen2.5-0.5b", 1, stored}}
        : std::vector<Subject>{{"llama-3.1-8b", 1, {DType::Bf16, DType::Fp8}},
                               {"llama-3.1-70b", 8, {DType::Bf16, DType::Fp8}},
                               {"qwen3-30b-a3b", 1, {DType::Bf16}}};
    std::vector<LayerCase> out;
    for (const Subject& subject : subjects) {
        const Result<const Llm*> llm = catalogue.model(subject.id);
        if (!llm)
            continue;
        for (const DType weights : subject.weights)
            for (const Step& step : cpu ? std::vector<Step>(cpuSteps.begin(), cpuSteps.end())
                                        : std::vector<Step>(cudaSteps.begin(), cudaSteps.end()))
                out.push_back({.llm = *llm,
                               .tp = subject.tp,
                               .weights = weights,
                               .activations = cpu          ? DType::Fp32
                                   : weights == DType::Fp8 ? DType::Fp8
                                                           : DType::Bf16,
                               .kv = DType::Bf16,
                               .decode = step.decode,
                               .sequences = step.sequences,
                               .queryTokens = step.tokens,
                               .past = step.past});
    }
    return out;
}

Result<CalibrationReport> calibrateDevice(kernels::Device& device, const CalibrationSubject& subject,
                                          const CalibrationOptions& options, const RunPolicy& policy,
                                          const HostClock& clock, const RunControl& control,
                                          const CalibrationListener& listener)
{
    const std::filesystem::path samplesFile = samplesBeside(options.file);
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
    Teller teller(control, listener, policy.budget);
    teller.stage(CalibrationStage::Starting, 0);
    SamplesWriter writer
        = options.resume ? SamplesWriter::resume(samplesFile) : SamplesWriter::create(samplesFile, facts);
    // Peaks are known after the first points, which are the machine's own.
    std::vector<Sample> seen = known;
    const auto machineNow = [&] {
        return machineFrom(device.facts(), subject.sweep, tabulate(seen, subject.sweep.points.size()));
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
    CalibrationReport report = judge(outcome, subject, device.facts(), options);
    report.cancelled = outcome.cancelled;
    report.deadline = outcome.deadline;
    report.file = options.file;
    report.samples = samplesFile;
    if (*older && !options.resume) {
        report.set = mergeCalibrations(**older, report.set);
        report.notes.push_back(options.file.string()
                               + " was there: forms that this run did not measure are kept from it");
    }
    teller.stage(CalibrationStage::Writing, 0.99);
    const Result<bool> written = writeTextFile(options.file, efficiencyYaml(report.set));
    if (!written)
        throw CalibrationBroken(fmt::format("{} {}; the samples are kept in {}, --resume goes on from them",
                                            options.file.string(), written.error().front().what,
                                            samplesFile.string()));
    teller.stage(CalibrationStage::Writing, 1);
    return report;
}

Result<CalibrationReport> calibrate(const CalibrationOptions& options, const Catalogue& catalogue,
                                    const RunControl& control, const CalibrationListener& listener)
{
    if (Problems problems = objections(options); !problems.empty())
        return refuse(std::move(problems));
    const Result<std::unique_ptr<kernels::Device>> device = openDevice(options.device);
    if (!device)
        return refuse(device.error());
    const Result<CalibrationSubject> subject = subjectOf(**device, options, catalogue);
    if (!subject)
        return refuse(subject.error());
    return calibrateDevice(**device, *subject, options, policyFor(options, (*device)->facts().kind),
                           steadyClock(), control, listener);
}

} // namespace headroom
