#include "model/report/figures.h"

#include "model/closed_form/token_time.h"
#include "model/report/layout_text.h"

namespace headroom {

namespace {

template <typename F>
std::function<Cell(const Figures&)> ofPrediction(F figure)
{
    return [figure](const Figures& row) { return row.prediction ? Cell(figure(*row.prediction)) : Cell(); };
}

// The prompts of the other users in a replica among the tokens.
Estimate<Seconds> tpotAtLoad(const Figures& row)
{
    return tokenTimeBeside(row.deployment, row.load, row.load.batch, row.prediction->tpot,
                           row.prediction->tpotUnderLoad, row.prediction->gathered);
}

} // namespace

const Columns<Figures>& figureColumns()
{
    using P = Prediction;
    static const Columns<Figures> columns{
        {{"gpus", "GPUs", Measure::Whole}, ofPrediction([](const P& p) { return double(p.service.gpus); })},
        {{"layout", "layout"},
         [](const Figures& r) { return r.prediction ? Cell(layoutText(r.deployment.layout)) : Cell(); }},
        {{"batch", "batch", Measure::Whole},
         [](const Figures& r) { return r.prediction ? Cell(r.load.batch) : Cell(); }},
        {{"fits", "fits"}, ofPrediction([](const P& p) { return p.memory.fits; })},
        {{"ttft_s", "TTFT", Measure::Time, true},
         ofPrediction([](const P& p) { return intervalOf(p.ttft); })},
        {{"tpot_s", "TPOT", Measure::Time, true},
         ofPrediction([](const P& p) { return intervalOf(p.tpot); })},
        {{"tokens_per_s_per_user", "per user", Measure::TokenRate, true},
         ofPrediction([](const P& p) { return intervalOf(p.tokensPerSecondPerUser); })},
        {{"tpot_at_load_s", "TPOT at this load", Measure::Time, true},
         [](const Figures& r) { return r.prediction ? Cell(intervalOf(tpotAtLoad(r))) : Cell(); }},
        {{"tokens_per_s_per_user_at_load", "per user at this load", Measure::TokenRate, true},
         [](const Figures& r) {
             if (!r.prediction)
                 return Cell();
             const Estimate<Seconds> tpot = tpotAtLoad(r);
             const auto rate = [](Seconds time) { return time.base() > 0 ? 1 / time.base() : 0; };
             return Cell(Interval{rate(tpot.value), rate(tpot.high), rate(tpot.low), tpot.source});
         }},
        {{"output_tokens_per_s", "service", Measure::TokenRate, true},
         ofPrediction([](const P& p) { return intervalOf(p.service.outputTokensPerSecond); })},
        {{"latency_s", "request", Measure::Time, true},
         ofPrediction([](const P& p) { return intervalOf(p.latency); })},
        {{"requests_per_s", "requests", Measure::RequestRate, true},
         ofPrediction([](const P& p) { return intervalOf(p.requestsPerSecond); })},
        {{"used_bytes", "memory used", Measure::Storage},
         ofPrediction([](const P& p) { return p.memory.perGpu.used.base(); })},
        {{"usable_bytes", "usable", Measure::Storage},
         ofPrediction([](const P& p) { return p.memory.perGpu.usable.base(); })},
        {{"max_batch", "max batch", Measure::Whole},
         ofPrediction([](const P& p) { return p.memory.maxBatch; })},
        {{"kv_capacity_tokens", "KV capacity", Measure::Length},
         ofPrediction([](const P& p) { return p.memory.kvCapacityTokens; })},
        {{"decode_bound", "bound by"},
         ofPrediction([](const P& p) { return Message(boundName(p.decode.bound)); })},
        {{"usd_per_hour", "cost", Measure::HourlyPrice}, ofPrediction([](const P& p) {
             return p.service.priceKnown ? Cell(perHour(p.service.price)) : Cell();
         })},
        {{"usd_per_million_output_tokens", "per 1M tokens", Measure::MillionPrice, true},
         ofPrediction([](const P& p) {
             return p.service.priceKnown ? Cell(intervalOf(p.service.dollarsPerMillionOutputTokens)) : Cell();
         })},
        {{"power_w", "power", Measure::Power, true}, ofPrediction([](const P& p) {
             return p.service.power.value > Watts() ? Cell(intervalOf(p.service.power)) : Cell();
         })},
        {{"why_not", "why not"}, [](const Figures& r) { return r.whyNot.empty() ? Cell() : Cell(r.whyNot); }},
    };
    return columns;
}

} // namespace headroom
