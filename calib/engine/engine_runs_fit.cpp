#include "calib/engine/engine_runs_fit.h"

#include "calib/engine/kernel_numbers.h"
#include "model/cost/op_slot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace headroom {

namespace {

// What fitted forms still miss of a step, in ln; as in the fit of single kernels.
constexpr double modelSpread = 0.08;
constexpr std::size_t fewestPoints = 3;
constexpr std::size_t mostPoints = 2000; // beyond, a fit takes minutes and learns nothing: a dozen decide
// Up to so many points are left out one at a time; of more, a thirtieth at a time, to save fits.
constexpr std::size_t mostAlone = 60;
constexpr std::size_t foldsOfMany = 30;

// Operators that take a part of a point worth a number.
std::vector<FormSlot> timedSlots(const std::vector<EnginePoint>& points)
{
    std::vector<FormSlot> out;
    const auto keep = [&](const FormSlot& slot) {
        if (std::find(out.begin(), out.end(), slot) == out.end())
            out.push_back(slot);
    };
    for (const EnginePoint& point : points) {
        const Deployment& d = point.machine->deployment;
        const StepTimer timer(d);
        const double users = std::max(point.sequences, 1.0);
        std::vector<StepShape> steps;
        if (point.part != TimedPart::DecodeStep)
            steps.push_back({.prefillTokens = std::max(point.prompt, 1.0) * users,
                             .prefillSequences = users,
                             .prefillPast = point.cached,
                             .sampledRows = users});
        if (point.part != TimedPart::Prompts)
            steps.push_back({.decodeSequences = users,
                             .decodeContext = point.cached + point.prompt + point.output / 2,
                             .sampledRows = users});
        for (const StepShape& step : steps)
            for (const Op& op : timer.operators(step))
                keep(slotOf(op));
    }
    std::vector<FormSlot> ordered;
    for (const FormSlot& slot : allFormSlots())
        if (std::find(out.begin(), out.end(), slot) != out.end())
            ordered.push_back(slot);
    return ordered;
}

EngineState applied(const EngineState& known, const std::vector<KernelNumber>& numbers,
                    std::span<const double> values)
{
    EngineState out = known;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i].set(out, values[i]);
    return out;
}

double foretold(const EnginePoint& point, const EngineState& state)
{
    Deployment d = point.machine->deployment;
    d.efficiency = &state.efficiency;
    d.engine = &state.engine;
    const double seconds = predictedSeconds(point, d);
    constexpr double shortest = 1e-9;
    return std::isfinite(seconds) ? std::max(seconds, shortest) : shortest;
}

FitTask taskOf(const std::vector<EnginePoint>& points, const EngineState& known,
               const std::vector<KernelNumber>& numbers)
{
    FitTask task;
    for (const KernelNumber& number : numbers) {
        constexpr double mostTimes = 20;
        task.parameters.push_back({.name = number.name.english(),
                                   .prior = number.usual,
                                   .lnSpread = number.lnSpread,
                                   .low = std::max(number.least, number.usual / mostTimes),
                                   .high = number.usual * mostTimes});
    }
    for (const EnginePoint& point : points)
        task.lnMeasured.push_back(std::log(point.seconds));
    task.modelSpread = modelSpread;
    task.starts = 2; // what is known is near
    task.predictLn = [&points, known, numbers](std::span<const double> values, std::span<double> out) {
        const EngineState state = applied(known, numbers, values);
        for (std::size_t i = 0; i < points.size(); ++i)
            out[i] = std::log(foretold(points[i], state));
    };
    return task;
}

struct Variant {
    EngineState known;
    std::vector<KernelNumber> numbers;
    FitTask task;
    FitOutcome outcome;
};
Variant fitVariant(const std::vector<EnginePoint>& points, EngineState known,
                   const std::vector<FormSlot>& timed)
{
    Variant out{.known = std::move(known), .numbers = {}, .task = {}, .outcome = {}};
    out.numbers = kernelNumbers(out.known, timed);
    out.task = taskOf(points, out.known, out.numbers);
    out.outcome = fitRobustly(out.task);
    return out;
}

// Gives one row a kernel of its own where that explains more than its extra numbers would by chance (Bayesian
// information criterion).
Variant bestVariant(const std::vector<EnginePoint>& points, const EngineState& known,
                    const std::vector<FormSlot>& timed)
{
    Variant plain = fitVariant(points, known, timed);
    EngineState split = known;
    splitOneRow(split.efficiency, timed);
    if (split.efficiency == known.efficiency)
        return plain;
    Variant stepped = fitVariant(points, split, timed);
    const double more = double(stepped.numbers.size()) - double(plain.numbers.size());
    const double gain = plain.outcome.cost - stepped.outcome.cost; // of squares
    return gain > more * std::log(double(points.size())) ? stepped : plain;
}

// How far a fit to one model's runs misses the runs of another, in ln: llama.cpp on a processor, a fit to one
// shape held to five others in three types (docs/executor.md, section 7), root mean square of the means of a
// file.
constexpr double amongModels = 0.1;

// The spread of prompts, or of everything else: what the fit still misses of its points, for as many as they
// are beyond the numbers that they decide, and what another model adds. What is known of such fits counts as
// a few points more, for a dozen says little of its own spread. Points left out say it worse: where one point
// decides a number, leaving it out only shows what was known before.
double spreadOf(const std::vector<EnginePoint>& points, const FitOutcome& fit,
                const std::vector<FitParameter>& parameters, bool prefill)
{
    double decided = 0; // how many numbers the points decide, in all
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double open = fit.lnDeviation[i] / parameters[i].lnSpread;
        decided += std::max(1 - open * open, 0.0);
    }
    const double free = std::max(1 - decided / double(points.size()), 0.0); // of each point
    constexpr double known = 4;                                             // points, of modelSpread each
    constexpr double longest
        = 3 * modelSpread; // a point further off is the machine's doing, as the fit itself takes it
    double sum = known * modelSpread * modelSpread;
    double count = known;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points[i].prefill() == prefill) {
            const double missed = std::clamp(fit.residuals[i], -longest, longest);
            sum += missed * missed;
            count += free;
        }
    return std::hypot(std::sqrt(sum / count), amongModels);
}

Problems objections(const std::vector<EnginePoint>& points)
{
    if (points.size() < fewestPoints)
        return {{"runs",
                 say("{} figures say something of kernels, {} are needed", points.size(), fewestPoints),
                 "runs of different lengths and different numbers of users"}};
    if (points.size() > mostPoints)
        return {{"runs",
                 say("{} figures say something of kernels, at most {} are fitted", points.size(), mostPoints),
                 "a dozen runs of different lengths and numbers of users are enough"}};
    const Deployment& first = points.front().machine->deployment;
    for (const EnginePoint& point : points) {
        const Deployment& d = point.machine->deployment;
        if (d.gpu->id != first.gpu->id || d.engine->id != first.engine->id)
            return {{"runs",
                     say("are of {} on {} and of {} on {}", first.engine->id, first.gpu->id, d.engine->id,
                         d.gpu->id),
                     "fit one at a time"}};
    }
    return {};
}

// What the machine's own calibration cites, each once: published forms have files of their own.
void keepOnlyMachine(std::vector<Citation>& citations)
{
    constexpr std::array<std::string_view, 5> own{"overheads", "machine", "run", "hold_out", "links"};
    std::vector<Citation> kept;
    for (const std::string_view key : own) {
        const auto last = std::find_if(citations.rbegin(), citations.rend(),
                                       [&](const Citation& c) { return c.key == key; });
        if (last != citations.rend())
            kept.push_back(*last);
    }
    citations = std::move(kept);
}

// As a file that tells of this machine, this engine's kernels and nothing else.
EfficiencySet written(const EngineState& state, const Deployment& d, const std::vector<FormSlot>& timed,
                      const EngineRunsAbout& about)
{
    EfficiencySet set = state.efficiency;
    set.id = fmt::format("{} on {}", d.engine->id, d.gpu->name);
    set.gpu = d.gpu->id;
    set.family = d.gpu->family;
    set.origins.clear();
    // What is open after the fit is open of whole steps, and stands with the engine.
    constexpr double ofForms = 0.02;
    for (const FormSlot& slot : timed) {
        Uncertainty& uncertainty = uncertaintyOf(set, slot);
        std::erase_if(set.records, [&](const FormRecord& r) { return r.form == slotName(slot); });
        if (slot.cls == OpClass::Collective)
            continue;
        uncertainty = {.lnBias = uncertainty.lnBias, .lnSpread = ofForms, .source = Source::MeasuredHere};
    }
    const std::string from
        = fmt::format("runs of {} read from {}", d.engine->name, fmt::join(about.files, ", "));
    keepOnlyMachine(set.citations);
    set.citations.push_back({.key = "engine_runs", .text = from, .confidence = Confidence::High});
    return set;
}

} // namespace

Result<EngineRunsFit> fitEngineRuns(const std::vector<EnginePoint>& points, const EngineRunsAbout& about)
{
    if (Problems problems = objections(points); !problems.empty())
        return refuse(std::move(problems));
    const Deployment& d = points.front().machine->deployment;
    EngineState known{.efficiency = *d.efficiency,
                      .engine = *d.engine,
                      .mostShare = d.gpu->platform == Platform::Cpu ? 2.0 : 1.0};
    known.engine.hostOverlap = 0; // what a run shows is what is left
    known.efficiency.engineRuns.reset();
    const std::vector<FormSlot> timed = timedSlots(points);
    const Variant best = bestVariant(points, known, timed);
    const EngineState after = applied(best.known, best.numbers, best.outcome.values);

    EngineRunsFit out;
    out.stepBetweenKernels = !(best.known.efficiency == known.efficiency);
    std::vector<int> folds;
    std::vector<double> lnBefore;
    for (std::size_t i = 0; i < points.size(); ++i) {
        folds.push_back(static_cast<int>(points.size() > mostAlone ? i % foldsOfMany : i));
        lnBefore.push_back(std::log(points[i].seconds / foretold(points[i], known)));
    }
    out.before = summarise(lnBefore);
    out.leftOut = crossValidate(best.task, best.outcome, folds);
    for (std::size_t i = 0; i < points.size(); ++i)
        out.points.push_back({.what = points[i].what,
                              .measured = points[i].seconds,
                              .before = foretold(points[i], known),
                              .fitted = foretold(points[i], after),
                              .leftOut = points[i].seconds / std::exp(out.leftOut.lnErrors[i])});
    for (std::size_t i = 0; i < best.numbers.size(); ++i)
        out.numbers.push_back({.name = best.numbers[i].name,
                               .before = best.numbers[i].usual,
                               .after = best.outcome.values[i],
                               .lnDeviation = best.outcome.lnDeviation[i]});
    out.set = written(after, d, timed, about);
    out.set.engineRuns
        = EngineRecord{.engine = d.engine->id,
                       .created = about.created,
                       .tool = about.tool,
                       .runs = about.files,
                       .points = static_cast<std::int64_t>(points.size()),
                       .perStep = after.engine.stepHostTime,
                       .perStepAndSequence = after.engine.stepHostTimePerSequence,
                       .lnSpreadPrefill = spreadOf(points, best.outcome, best.task.parameters, true),
                       .lnSpreadDecode = spreadOf(points, best.outcome, best.task.parameters, false),
                       .medianError = out.leftOut.median,
                       .p90Error = out.leftOut.p90};
    return out;
}

} // namespace headroom
