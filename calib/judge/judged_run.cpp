#include "calib/judge/judged_run.h"

#include "calib/judge/gates.h"
#include "calib/judge/hold_out.h"
#include "calib/judge/machine.h"
#include "calib/judge/sample_fit.h"
#include "model/efficiency/form_gates.h"
#include "model/resolve/calibrated.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

namespace {

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

// How the exchanges among the points were measured; empty when none was.
std::optional<LinksRecord> linksRecord(const LinksSubject& links, const Sweep& sweep,
                                       const SampleTable& table, const kernels::DeviceFacts& facts,
                                       const CalibrationOptions& options)
{
    LinksRecord record{.created = options.created,
                       .tool = "headroom " + options.toolVersion,
                       .node = links.node.id,
                       .device = facts.name,
                       .driver = facts.driver,
                       .library = links.library,
                       .ranks = links.ranks,
                       .nodes = links.nodes};
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        if (sweep.points[i].kind == PointKind::Layer
            || !kernels::isCollective(sweep.points[i].tasks.front().kernel))
            continue;
        ++record.planned;
        if (table.points[i])
            ++(table.points[i]->refused.empty() ? record.samples : record.refused);
    }
    return record.samples > 0 ? std::optional(record) : std::nullopt;
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

// Everything but the links: held-out layers, gates, and forms at the clocks that the card keeps.
std::vector<LayerError> judgeDevice(SampleFit& fit, const MeasuredMachine& machine, const SampleTable& table,
                                    const RunOutcome& outcome, const CalibrationSubject& subject,
                                    const kernels::DeviceFacts& facts, const CalibrationOptions& options,
                                    const Gpu& gpu)
{
    EfficiencySet& set = fit.set;
    auto layers = judgeLayers(subject.sweep, table, gpu, set);
    CalibrationRecord record{.machine = machine,
                             .run = runRecord(outcome, table, options),
                             .holdOut = summarise(layers),
                             .gates = {}};
    record.gates = gatesOf(fit, table, record.holdOut, facts.kind);
    set.failedGates = failedGates(record.gates);
    set.trusted = set.failedGates.empty();
    // Times of operators in a graph hold the gap between them.
    set.graphNode = {};
    const Seconds eager = eagerLaunchFrom(subject.sweep, table);
    set.eagerLaunch = facts.kind == "cpu" || eager.base() > 0 ? eager : subject.prior.eagerLaunch;
    set.calibration = std::move(record);
    return layers;
}

void cite(EfficiencySet& set, bool heldOut, const kernels::DeviceFacts& facts,
          const CalibrationOptions& options)
{
    std::vector<std::string> told;
    if (set.calibration)
        told = {"overheads", "machine", "run"};
    if (heldOut)
        told.emplace_back("hold_out");
    if (set.links)
        told.emplace_back("links");
    for (const std::string& group : told)
        set.citations.push_back({.key = group,
                                 .text = fmt::format("measured on {} by headroom {} on {}; samples in {}",
                                                     facts.name, options.toolVersion, options.created,
                                                     samplesOf(options).filename().string()),
                                 .confidence = Confidence::High});
}

} // namespace

CalibrationReport judgeRun(const RunOutcome& outcome, const CalibrationSubject& subject,
                           const kernels::DeviceFacts& facts, const CalibrationOptions& options)
{
    const SampleTable table = tabulate(outcome.samples, subject.sweep.points.size(), countedLookOf(facts));
    const MeasuredMachine machine = machineFrom(facts, subject.sweep, table);
    const bool linksAlone = subject.links && subject.links->alone;
    if (!linksAlone)
        demandPeaks(machine);
    const Gpu gpu = linksAlone ? subject.gpu : measuredGpu(subject.gpu, machine);
    SampleFit fit = fitSamples(subject.sweep, table, machine, gpu,
                               subject.links ? subject.links->node : Node{}, subject.prior);
    CalibrationReport report;
    EfficiencySet& set = fit.set;
    set.id = options.file.stem().string();
    set.gpu = gpu.id;
    set.family = gpu.family;
    set.implementation = "headroom";
    set.citations.clear();
    if (!linksAlone)
        report.layers = judgeDevice(fit, machine, table, outcome, subject, facts, options, gpu);
    if (subject.links)
        set.links = linksRecord(*subject.links, subject.sweep, table, facts, options);
    if (linksAlone && !set.links)
        throw CalibrationBroken(
            "stopped before an exchange was measured: nothing to fit yet; --resume goes on");
    cite(set, !report.layers.empty(), facts, options);
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

} // namespace headroom
