#include "model/report/judged_columns.h"

namespace headroom {

const Columns<JudgedRow>& judgedColumns()
{
    using J = JudgedRow;
    const auto orRaw
        = [](const std::string& known, const std::string& raw) { return known.empty() ? raw : known; };
    static const Columns<JudgedRow> columns{
        {{"metric", "metric"}, [](const J& j) { return std::string(metricName(j.row.metric)); }},
        {{"measured", "measured"}, [](const J& j) { return j.row.value; }},
        {{"predicted", "predicted", Measure::Count, true},
         [](const J& j) {
             return j.predicted.value > 0
                 ? Cell(Interval{j.predicted.value, j.predicted.low, j.predicted.high, j.predicted.source})
                 : Cell();
         }},
        {{"error", "error", Measure::Share}, [](const J& j) { return j.used ? Cell(j.error()) : Cell(); }},
        {{"within", "in interval"}, [](const J& j) { return j.used ? Cell(j.within()) : Cell(); }},
        {{"engine", "engine"}, [orRaw](const J& j) { return orRaw(j.engine, j.row.engine); }},
        {{"model", "model"}, [orRaw](const J& j) { return orRaw(j.model, j.row.model); }},
        {{"gpu", "GPU"}, [orRaw](const J& j) { return orRaw(j.gpu, j.row.gpu); }},
        {{"load", "load"}, [](const J& j) { return j.row.load; }},
        {{"source", "source"}, [](const J& j) { return j.row.source; }},
        {{"why_skipped", "why not used"},
         [](const J& j) { return j.whySkipped.empty() ? Cell() : Cell(j.whySkipped); }},
        {{"cause", "likely cause"}, [](const J& j) { return j.cause.empty() ? Cell() : Cell(j.cause); }},
        {{"id", "row"}, [](const J& j) { return j.row.id; }},
    };
    return columns;
}

} // namespace headroom
