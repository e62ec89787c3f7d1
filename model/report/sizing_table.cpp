#include "model/report/sizing_table.h"

#include "model/report/layout_text.h"

namespace headroom {

namespace {

Columns<Candidate> printedColumns()
{
    const auto interval = [](const auto& estimate) { return Cell(intervalOf(estimate)); };
    return {
        {{"gpus", "GPUs", Measure::Whole}, [](const Candidate& c) { return Cell(double(c.gpus())); }},
        {{"gpu", "accelerator"}, [](const Candidate& c) { return Cell(c.deployment.gpu->id); }},
        {{"layout", "layout"}, [](const Candidate& c) { return Cell(layoutText(c)); }},
        {{"meets", "meets"}, [](const Candidate& c) { return Cell(c.meets); }},
        {{"confidence", "confidence", Measure::Share}, [](const Candidate& c) { return Cell(c.confidence); }},
        {{"tokens_per_s_per_user", "for each user", Measure::TokenRate, true},
         [=](const Candidate& c) { return interval(c.point.tokensPerSecondPerUser); }},
        {{"ttft_s", "TTFT", Measure::Time, true}, [=](const Candidate& c) { return interval(c.point.ttft); }},
        {{"tpot_s", "TPOT", Measure::Time, true}, [=](const Candidate& c) { return interval(c.point.tpot); }},
        {{"max_concurrency", "users at most", Measure::Whole},
         [](const Candidate& c) { return c.maximumKnown ? Cell(c.maxConcurrency) : Cell(); }},
        {{"usd_per_hour", "an hour", Measure::HourlyPrice},
         [](const Candidate& c) {
             const Service& s = c.point.prediction.service;
             return s.priceKnown ? Cell(perHour(s.price)) : Cell();
         }},
        {{"reason", "why not"}, [](const Candidate& c) { return Cell(c.reason); }},
    };
}

} // namespace

Table sizingTable(const SizingPlan& plan) { return tableOf(printedColumns(), plan.candidates); }

} // namespace headroom
