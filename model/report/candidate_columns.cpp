#include "model/report/candidate_columns.h"

#include "model/report/layout_text.h"

namespace headroom {

const Columns<Candidate>& candidateColumns()
{
    using C = Candidate;
    static const Columns<Candidate> columns{
        {{"meets", "meets"}, [](const C& c) { return c.meets; }},
        {{"gpus", "GPUs", Measure::Whole}, [](const C& c) { return double(c.gpus()); }},
        {{"gpu", "GPU"}, [](const C& c) { return c.deployment.gpu->name; }},
        {{"layout", "layout"}, [](const C& c) { return layoutText(c); }},
        {{"weights", "weights"}, [](const C& c) { return std::string(name(c.deployment.weights)); }},
        {{"kv", "KV"}, [](const C& c) { return std::string(name(c.deployment.kv)); }},
        {{"tokens_per_s_per_user", "per user", Measure::TokenRate, true},
         [](const C& c) { return intervalOf(c.point.tokensPerSecondPerUser); }},
        {{"ttft_s", "TTFT", Measure::Time, true}, [](const C& c) { return intervalOf(c.point.ttft); }},
        {{"max_concurrency", "users at most", Measure::Whole},
         [](const C& c) { return c.maximumKnown ? Cell(c.maxConcurrency) : Cell(); }},
        {{"usd_per_hour", "cost", Measure::HourlyPrice},
         [](const C& c) {
             const Service& service = c.point.prediction.service;
             return service.priceKnown ? Cell(perHour(service.price)) : Cell();
         }},
        {{"usd_per_million_output_tokens", "per 1M tokens", Measure::MillionPrice, true},
         [](const C& c) {
             const Service& service = c.point.prediction.service;
             return service.priceKnown ? Cell(intervalOf(service.dollarsPerMillionOutputTokens)) : Cell();
         }},
        {{"confidence", "confidence", Measure::Share}, [](const C& c) { return c.confidence; }},
        {{"limited_by", "limited by"}, [](const C& c) { return c.limitedBy(); }},
        {{"reason", "why not"}, [](const C& c) { return c.reason.empty() ? Cell() : Cell(c.reason); }},
    };
    return columns;
}

} // namespace headroom
