#include "model/json/validation_json.h"

#include "model/json/value_json.h"

namespace headroom {
namespace {

Json summaryJson(const ErrorSummary& s)
{
    return {{"rows", s.rows},
            {"used", s.used},
            {"median_abs_error", numberJson(s.medianAbsError)},
            {"mape", numberJson(s.mape)},
            {"p90_abs_error", numberJson(s.p90)},
            {"median_error", numberJson(s.medianError)},
            {"within_interval", numberJson(s.withinInterval)},
            {"within_interval_error", s.withinError > 0 ? numberJson(s.withinError) : Json()},
            {"mean_ln_width", numberJson(s.width)}};
}

Json orderJson(const OrderSummary& order)
{
    const auto pairs = [](const PairOrder& p) {
        return Json{
            {"pairs", p.pairs}, {"right", p.right}, {"share", p.pairs > 0 ? numberJson(p.share()) : Json()}};
    };
    return {{"within_vendor", pairs(order.within)}, {"across_vendors", pairs(order.across)}};
}

Json repeatsJson(const RepeatSpread& repeats)
{
    const bool any = repeats.pairs > 0;
    return {{"pairs", repeats.pairs},
            {"by_one_publisher", repeats.byOnePublisher},
            {"apart_by_more_than_a_fifth", repeats.overFifth},
            {"median_factor", any ? numberJson(repeats.median) : Json()},
            {"p90_factor", any ? numberJson(repeats.p90) : Json()}};
}

Json rowJson(const JudgedRow& row)
{
    Json out{{"id", row.row.id},     {"metric", row.quantity()}, {"measured", numberJson(row.row.value)},
             {"predicted", nullptr}, {"low", nullptr},           {"high", nullptr},
             {"error", nullptr},     {"used", row.used},         {"why_skipped", row.whySkipped.english()}};
    if (row.predicted.value > 0) {
        out["predicted"] = numberJson(row.predicted.value);
        out["low"] = numberJson(row.predicted.low);
        out["high"] = numberJson(row.predicted.high);
        out["error"] = numberJson(row.error());
        out["source"] = std::string(sourceName(row.predicted.source).text);
    }
    out["unit"] = row.operation.empty() ? std::string(metricUnit(row.row.metric)) : std::string("us");
    out["gpu"] = row.gpu;
    out["model"] = row.model;
    out["engine"] = row.engine;
    out["load"] = row.run;
    out["regime"] = row.regime;
    out["assumed"] = row.assumed.english();
    return out;
}

} // namespace

std::string validationJson(const ValidationReport& report, std::size_t worst)
{
    Json document{{"schema", "headroom.validate/1"}};
    Json rows = Json::array();
    Json impossible = Json::array();
    for (const JudgedRow& row : report.rows) {
        rows.push_back(rowJson(row));
        if (row.impossible)
            impossible.push_back(row.row.id);
    }
    document["rows"] = std::move(rows);
    Json summary = summaryJson(report.all);
    summary["repeated"] = report.repeated;
    for (const auto& [kind, names] : report.by)
        for (const auto& [name, errors] : names)
            summary["by"][kind][name] = summaryJson(errors);
    summary["order"] = orderJson(report.order);
    summary["one_set_up_twice"] = repeatsJson(report.order.repeats);
    document["summary"] = std::move(summary);
    for (const HeldOut& held : report.heldOut) {
        document["held_out"][held.left]["all"] = summaryJson(held.all);
        document["held_out"][held.left]["order"] = orderJson(held.order);
        Json& by = document["held_out"][held.left]["by"];
        for (const auto& [figure, errors] : held.byFigure)
            by["figure"][figure] = summaryJson(errors);
        for (const auto& [metric, errors] : held.byMetric)
            by["metric"][metric] = summaryJson(errors);
        for (const auto& [regime, errors] : held.byRegime)
            by["regime"][regime] = summaryJson(errors);
        for (const auto& [group, errors] : held.byGroup)
            by["left"][group] = summaryJson(errors);
    }
    for (const FittedEngine& engine : report.fitted) {
        document["fitted_rows"][engine.engine] = engine.rows;
        for (const FittedValue& value : engine.values)
            document["fitted"][engine.engine][value.name] = {{"unit", value.unit},
                                                             {"shipped", numberJson(value.shipped)},
                                                             {"fitted", numberJson(value.fitted)},
                                                             {"low", numberJson(value.low)},
                                                             {"high", numberJson(value.high)}};
    }
    document["impossible"] = std::move(impossible);
    Json worstRows = Json::array();
    for (const JudgedRow* row : report.worst(worst))
        worstRows.push_back({{"id", row->row.id},
                             {"error", numberJson(row->error())},
                             {"likely_cause", row->cause.english()}});
    document["worst"] = std::move(worstRows);
    return documentText(document);
}

} // namespace headroom
