#include "calib/fit/form_fit.h"

#include "calib/fit/form_knobs.h"
#include "calib/fit/form_starts.h"
#include "model/cost/forms.h"
#include "model/cost/op_slot.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <random>

namespace headroom {
namespace {

std::vector<OpSample> thinned(const std::vector<OpSample>& samples, std::size_t most)
{
    if (samples.size() <= most)
        return samples;
    std::vector<OpSample> shuffled = samples;
    std::mt19937_64 random(7); // fixed: the same table always gives the same fit
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    shuffled.resize(most);
    return shuffled;
}

FitTask taskOf(const EfficiencySet& start, const std::vector<Knob>& knobs,
               const std::vector<OpSample>& samples, const Gpu& gpu, const Node& node)
{
    FitTask task;
    for (const Knob& knob : knobs)
        task.parameters.push_back({.name = knob.name,
                                   .prior = std::clamp(knob.read(start), knob.low, knob.high),
                                   .lnSpread = knob.lnSpread,
                                   .low = knob.low,
                                   .high = knob.high});
    for (const OpSample& sample : samples) {
        task.lnMeasured.push_back(std::log(sample.time.base()));
        task.lnSpread.push_back(sample.lnSpread);
    }
    constexpr std::size_t few = 500; // between the ways of an exchange lie many valleys, and they cost little
    task.starts = samples.size() <= few ? 12 : 4;
    task.predictLn = [&knobs, &samples, &gpu, &node, set = start](std::span<const double> values,
                                                                  std::span<double> out) mutable {
        for (std::size_t j = 0; j < knobs.size(); ++j)
            knobs[j].write(set, values[j]);
        for (std::size_t i = 0; i < samples.size(); ++i)
            out[i] = std::log(timeOp(samples[i].op, gpu, node, set).total.base());
    };
    return task;
}

// The best of a fit from each start.
struct BestStart {
    EfficiencySet set;
    FitOutcome outcome;
    std::vector<Knob> knobs;
};
BestStart bestOfStarts(const EfficiencySet& start, const FormSlot& slot, const std::vector<OpSample>& used,
                       const Gpu& gpu, const Node& node, double priorSpread)
{
    BestStart best{.set = start, .outcome = {}, .knobs = {}};
    // A form of more figures must be worth them (the Bayesian information criterion).
    const double figures = std::log(static_cast<double>(used.size()));
    const auto costOf = [&](const FitOutcome& of, const std::vector<Knob>& its) {
        return of.cost + figures * static_cast<double>(its.size());
    };
    for (EfficiencySet& from : startsOf(start, slot, gpu)) {
        std::vector<Knob> own = knobsOf(from, slot);
        for (Knob& knob : own)
            knob.lnSpread *= priorSpread;
        FitOutcome outcome = fitRobustly(taskOf(from, own, used, gpu, node));
        if (best.knobs.empty() || costOf(outcome, own) < costOf(best.outcome, best.knobs))
            best = {from, std::move(outcome), std::move(own)};
    }
    return best;
}

// How well the form says what it was not fitted to, and how sure it is therefore.
Uncertainty judge(FormFit& fit, const FitTask& task, const std::vector<OpSample>& used, std::size_t knobs,
                  const FormFitOptions& options)
{
    std::vector<std::string> groups;
    for (const OpSample& sample : used)
        groups.push_back(sample.group);
    std::vector<std::string> distinct = groups;
    std::sort(distinct.begin(), distinct.end());
    const auto count = static_cast<int>(std::unique(distinct.begin(), distinct.end()) - distinct.begin());
    // Few groups are left out one by one, which leaves most data in each fit. A single group cannot be left
    // out: its residuals are taken, widened for the few points.
    const int folds = count <= 2 * options.folds ? count : options.folds;
    fit.crossValidated = count > 1 ? crossValidate(task, fit.outcome, dealFolds(groups, folds))
                                   : summarise(fit.outcome.residuals);
    fit.groups = static_cast<std::size_t>(count);
    const double n = static_cast<double>(used.size());
    const double widening = std::sqrt(1 + static_cast<double>(knobs) / n);
    return {.lnBias = 0,
            .lnSpread = std::max(count > 1 ? coveringSpread(fit.crossValidated.lnErrors, widening)
                                           : lnSpreadOf(fit.crossValidated.lnErrors) * widening,
                                 0.01),
            .source = options.source,
            .trusted = true};
}

} // namespace

FormFit fitForm(EfficiencySet& set, const FormSlot& slot, const std::vector<OpSample>& samples,
                const Gpu& gpu, const Node& node, const FormFitOptions& options)
{
    assert(
        std::all_of(samples.begin(), samples.end(), [&](const OpSample& s) { return slotOf(s.op) == slot; }));
    FormFit fit{.slot = slot,
                .outcome = {},
                .parameters = {},
                .crossValidated = {},
                .samples = samples.size(),
                .groups = 0};
    if (samples.empty())
        return fit;
    const std::vector<OpSample> used = thinned(samples, options.most);
    EfficiencySet start = set;
    uncertaintyOf(start, slot).lnBias = 0;              // measured anew
    uncertaintyOf(start, slot).source = options.source; // a form that is measured speaks for itself
    BestStart best = bestOfStarts(start, slot, used, gpu, node, options.priorSpread);
    fit.outcome = std::move(best.outcome);
    const FitTask task = taskOf(best.set, best.knobs, used, gpu, node);
    set = best.set;
    for (std::size_t j = 0; j < best.knobs.size(); ++j) {
        fit.parameters.push_back(best.knobs[j].name);
        best.knobs[j].write(set, fit.outcome.values[j]);
    }
    uncertaintyOf(set, slot) = judge(fit, task, used, best.knobs.size(), options);
    return fit;
}

} // namespace headroom
