#include "calib/judge/sample_fit.h"

#include "calib/judge/form_record.h"
#include "model/cost/forms.h"
#include "model/cost/op_slot.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace headroom {

namespace {

struct Gathered {
    FormSlot slot;
    std::vector<OpSample> samples;
};

bool counts(const SweepPoint& point, const std::optional<Sample>& sample)
{
    const bool fitted = point.kind == PointKind::Operator || point.kind == PointKind::ThisModel;
    return fitted && sample && sample->refused.empty();
}

std::vector<Gathered> bySlot(const Sweep& sweep, const SampleTable& table)
{
    std::vector<Gathered> out;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const SweepPoint& point = sweep.points[i];
        if (!counts(point, table.points[i]))
            continue;
        const kernels::Task& task = point.tasks.front();
        const Timing& timing = table.points[i]->timing;
        OpSample sample{.op = kernels::workOf(task),
                        .time = timing.perLaunch,
                        .lnSpread = timing.lnSpread,
                        .group = kernels::groupOf(task)};
        const FormSlot slot = slotOf(sample.op);
        auto found = std::find_if(out.begin(), out.end(), [&](const Gathered& g) { return g.slot == slot; });
        if (found == out.end())
            found = out.insert(out.end(), {.slot = slot, .samples = {}});
        found->samples.push_back(std::move(sample));
    }
    // An exchange over several machines is foretold with the form of those inside one, which is fitted
    // before.
    std::stable_partition(out.begin(), out.end(), [](const Gathered& g) { return !g.slot.betweenNodes; });
    return out;
}

// What is believed before the fit: the family's priors, with the cost of a launch as it was measured here.
EfficiencySet startFrom(const EfficiencySet& prior, const MeasuredMachine& machine)
{
    EfficiencySet set = prior;
    if (machine.emptyLaunch.base() <= 0)
        return set;
    for (const FormSlot& slot : allFormSlots())
        visitForm(set, slot, [&](auto& form) {
            if constexpr (requires { form.launch; })
                form.launch = std::max(form.launch, machine.emptyLaunch);
            if constexpr (requires { form.floor; })
                form.floor = std::max(form.floor, machine.emptyLaunch);
        });
    return set;
}

// What a form misses at one (n, k), row by row; and the mean error when each inner row is foretold from its
// neighbours.
double addExactShapes(EfficiencySet& set, const Sweep& sweep, const SampleTable& table, const Gpu& gpu)
{
    std::map<std::tuple<GemmClass, std::int64_t, std::int64_t>, std::map<double, double>> shapes;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const SweepPoint& point = sweep.points[i];
        if (point.kind != PointKind::ThisModel || !counts(point, table.points[i]))
            continue;
        const kernels::Task& task = point.tasks.front();
        const Op op = kernels::workOf(task);
        const double predicted = timeOp(op, gpu, {}, set).total.base();
        shapes[{op.gemm, task.n, task.k}][std::log(op.m)]
            = std::log(table.points[i]->timing.perLaunch.base() / predicted);
    }
    double error = 0;
    int judged = 0;
    constexpr std::size_t fewestRows = 3;
    for (const auto& [key, rows] : shapes) {
        if (rows.size() < fewestRows)
            continue;
        ExactShape shape;
        std::tie(shape.gemm, shape.n, shape.k) = key;
        for (const auto& [lnRows, residual] : rows) {
            shape.lnRows.push_back(lnRows);
            shape.lnResidual.push_back(residual);
        }
        for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
            const double part
                = (shape.lnRows[i] - shape.lnRows[i - 1]) / (shape.lnRows[i + 1] - shape.lnRows[i - 1]);
            const double foretold = shape.lnResidual[i - 1] * (1 - part) + shape.lnResidual[i + 1] * part;
            error += std::abs(std::expm1(foretold - shape.lnResidual[i]));
            ++judged;
        }
        set.exactShapes.push_back(std::move(shape));
    }
    return judged > 0 ? error / judged : 0;
}

} // namespace

SampleFit fitSamples(const Sweep& sweep, const SampleTable& table, const MeasuredMachine& machine,
                     const Gpu& gpu, const Node& node, const EfficiencySet& prior)
{
    // A processor's priors were found on accelerators: they say little of it.
    constexpr double unlike = 5;
    const FormFitOptions options{.source = Source::MeasuredHere,
                                 .priorSpread = machine.kind == "cpu" ? unlike : 1.0};
    const JudgedBy by = machine.kind == "cpu" ? JudgedBy::Layers : JudgedBy::Shapes;
    SampleFit out{.set = startFrom(prior, machine), .forms = {}, .exactError = 0, .notes = {}};
    out.set.exactShapes.clear();
    out.set.records.clear();
    for (const Gathered& gathered : bySlot(sweep, table)) {
        constexpr std::size_t fewest = 6; // with priors, a form of five numbers is safe from about twelve
        const std::string name = slotName(gathered.slot);
        if (gathered.samples.size() < fewest) {
            out.notes.push_back(
                say("{}: {} samples are too few, it stays as it was", name, gathered.samples.size()));
            continue;
        }
        FormFit fit = fitForm(out.set, gathered.slot, gathered.samples, gpu, node, options);
        out.set.records.push_back(recordForm(out.set, fit, gathered.samples, "measured by headroom", by));
        out.forms.push_back(std::move(fit));
    }
    out.exactError = addExactShapes(out.set, sweep, table, gpu);
    // Forms nobody measured are not this file's: they come from the catalogue when it is used.
    for (const FormSlot& slot : allFormSlots())
        if (uncertaintyOf(out.set, slot).source != Source::MeasuredHere)
            uncertaintyOf(out.set, slot).source = Source::Prior;
    return out;
}

} // namespace headroom
