#include "model/advise/plan_view.h"

#include "model/advise/size.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// How far curves go: beyond what fits, so that the limit is seen, but not beyond what any engine schedules.
constexpr double largestCurveBatch = 4096;
constexpr double beyondLimit = 1.6;

void addOperators(std::vector<OperatorFigure>& out, const Deployment& d, const PromptSteps& steps,
                  bool prefill)
{
    const std::size_t first = out.size();
    Seconds step;
    const StepTimer timer(d);
    for (Op& op : timer.operators(steps.each)) {
        op.count *= steps.count;
        OperatorFigure figure{.prefill = prefill, .op = op, .each = timer.timeOf(op)};
        figure.time = figure.each.total * op.count;
        const Bytes bytes = op.bytes();
        if (op.cls != OpClass::Collective && bytes.base() > 0 && figure.each.total.base() > 0) {
            figure.flopsPerByte = op.flops.base() / bytes.base();
            figure.achieved = op.flops / figure.each.total;
            figure.ceiling = std::min(d.gpu->peak(op.unit),
                                      FlopsPerSecond(figure.flopsPerByte * d.gpu->memoryBandwidth.base()));
        }
        step += figure.time;
        out.push_back(figure);
    }
    for (std::size_t i = first; i < out.size(); ++i)
        out[i].shareOfStep = step.base() > 0 ? out[i].time / step : 0;
}

// 1, 2, 3, 4, 6, 8, 12, … : three points an octave at most look like a curve.
std::vector<double> batchesUpTo(double last, double chosen)
{
    std::vector<double> batches{1, 2, 3};
    for (double b = 4; b <= last; b *= 2) {
        batches.push_back(b);
        if (b * 1.5 <= last)
            batches.push_back(b * 1.5);
    }
    if (std::find(batches.begin(), batches.end(), chosen) == batches.end())
        batches.push_back(chosen);
    std::sort(batches.begin(), batches.end());
    return batches;
}

} // namespace

std::vector<OperatorFigure> operatorFigures(const Deployment& deployment, const Load& load)
{
    std::vector<OperatorFigure> out;
    addOperators(out, deployment, promptSteps(deployment, load), true);
    addOperators(out, deployment, {decodeStep(deployment, load), 1}, false);
    return out;
}

std::vector<Ceiling> rooflineCeilings(const Deployment& deployment)
{
    std::vector<Ceiling> out;
    for (std::size_t i = 0; i < mathUnitCount; ++i)
        if (const auto unit = static_cast<MathUnit>(i); deployment.gpu->has(unit))
            out.push_back({unit, deployment.gpu->peak(unit)});
    std::stable_sort(out.begin(), out.end(),
                     [](const Ceiling& a, const Ceiling& b) { return a.peak > b.peak; });
    return out;
}

std::vector<BatchFigure> figuresByBatch(const Deployment& deployment, const Load& load)
{
    const Predictor predictor(deployment, load);
    const MemoryPlan memory = predictor.memoryAt(load.batch);
    const double last
        = std::clamp(std::max(memory.maxBatch, load.batch) * beyondLimit, 8.0, largestCurveBatch);
    std::vector<BatchFigure> out;
    for (const double batch : batchesUpTo(last, load.batch))
        out.push_back({batch, predictor.at(batch)});
    return out;
}

std::vector<ContextFigure> figuresByContext(const Deployment& deployment, const Load& load)
{
    const double chosen = load.promptTokens + load.outputTokens;
    const double last
        = deployment.llm->maxContext > 0 ? static_cast<double>(deployment.llm->maxContext) : chosen * 8;
    std::vector<double> contexts{chosen};
    for (double c = 1024; c < last; c *= 4)
        contexts.push_back(c);
    contexts.push_back(last);
    std::sort(contexts.begin(), contexts.end());
    contexts.erase(std::unique(contexts.begin(), contexts.end()), contexts.end());
    const MemoryPlanner planner(deployment);
    std::vector<ContextFigure> out;
    for (const double context : contexts) {
        MemoryDemand demand = memoryDemand(deployment, load);
        demand.meanContext = context;
        demand.maxContext = context;
        const MemoryPlan memory = planner.plan(demand);
        out.push_back({context, memory, memory.maxBatch});
    }
    return out;
}

namespace {

// The machine that the answer was found on, with the answer put in.
Resolved resolvedAnswer(const SizingPlan& sizing)
{
    const Candidate& answer = sizing.answer;
    Resolved out = *answer.machine;
    const Layout& layout = answer.deployment.layout;
    out.deployment = answer.deployment;
    out.load = answer.load;
    out.scenario.gpus = {answer.deployment.gpu->id};
    out.scenario.gpuCount = layout.gpus();
    out.scenario.tp = layout.tp;
    out.scenario.pp = layout.pp;
    out.scenario.ep = layout.ep;
    out.scenario.dp = layout.dp;
    out.scenario.redundantExperts = layout.redundantExperts;
    out.scenario.replicas = layout.replicas;
    out.scenario.weights = answer.deployment.weights;
    out.scenario.kv = answer.deployment.kv;
    out.scenario.compute = answer.deployment.compute;
    out.scenario.batch = answer.load.batch;
    return out;
}

} // namespace

Result<std::shared_ptr<const PlanView>> makePlanView(const std::shared_ptr<const Catalogue>& catalogue,
                                                     const Scenario& scenario, const TraceReader& readTrace,
                                                     const RunControl& control, PlanDepth depth)
{
    const SearchOptions options{.simulate = depth == PlanDepth::Replayed,
                                .explain = depth != PlanDepth::Answered,
                                .readTrace = readTrace};
    Result<std::shared_ptr<const SizingPlan>> sizing = size(scenario, *catalogue, options, control);
    if (!sizing)
        return refuse(std::move(sizing.error()));
    auto planView = std::make_shared<PlanView>();
    planView->catalogue = catalogue;
    planView->asked = scenario;
    planView->depth = depth;
    planView->sizing = std::move(*sizing);
    planView->resolved = resolvedAnswer(*planView->sizing);
    planView->prediction = planView->answer().point.prediction;
    const Deployment& d = planView->resolved.deployment;
    const Load& load = planView->resolved.load;
    planView->operators = operatorFigures(d, load);
    planView->ceilings = rooflineCeilings(d);
    planView->byBatch = figuresByBatch(d, load);
    planView->byContext = figuresByContext(d, load);
    return planView;
}

} // namespace headroom
