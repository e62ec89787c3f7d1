#include "model/report/fitting_columns.h"

#include "model/base/dtype.h"
#include "model/report/layout_text.h"

namespace headroom {

const Columns<FittingModel>& fittingColumns()
{
    using M = FittingModel;
    const auto ofBest = [](auto figure) {
        return [figure](const M& m) { return m.meets ? Cell(figure(m.best)) : Cell(); };
    };
    static const Columns<M> all{
        {{"model", "model"}, [](const M& m) { return m.llm->id; }},
        {{"params_total", "parameters", Measure::Whole}, [](const M& m) { return m.parameters; }},
        {{"params_active", "active", Measure::Whole}, [](const M& m) { return m.activeParameters; }},
        {{"released", "released"}, [](const M& m) { return m.llm->released; }},
        {{"runs", "runs"}, [](const M& m) { return m.meets; }},
        {{"gpus", "GPUs", Measure::Whole}, ofBest([](const Candidate& c) { return double(c.gpus()); })},
        {{"layout", "layout"}, ofBest([](const Candidate& c) { return layoutText(c); })},
        {{"weights", "weights"},
         ofBest([](const Candidate& c) { return std::string(name(c.deployment.weights)); })},
        {{"memory", "memory used", Measure::Share}, ofBest([](const Candidate& c) {
             const GpuMemory& gpu = c.point.prediction.memory.perGpu;
             return gpu.used / gpu.usable;
         })},
        {{"tokens_per_s_per_user", "per user", Measure::TokenRate, true},
         ofBest([](const Candidate& c) { return intervalOf(c.point.tokensPerSecondPerUser); })},
        {{"ttft_s", "TTFT", Measure::Time, true},
         ofBest([](const Candidate& c) { return intervalOf(c.point.ttft); })},
        {{"max_concurrency", "users at most", Measure::Whole},
         ofBest([](const Candidate& c) { return c.maxConcurrency; })},
        {{"reason", "why not"}, [](const M& m) { return m.meets ? Cell() : Cell(m.reason); }},
    };
    return all;
}

} // namespace headroom
