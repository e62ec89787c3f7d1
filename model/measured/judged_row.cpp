#include "model/measured/judged_row.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace headroom {
namespace {

double quantile(std::vector<double> values, double fraction)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    const double place = fraction * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (values[above] - values[below]) * (place - static_cast<double>(below));
}

double lnError(const JudgedRow& row) { return std::abs(std::log(row.predicted.value / row.row.value)); }

using Configuration = std::tuple<std::string_view, std::string_view, std::string_view>;

// Of a share that is the mean over rows that come in clusters.
double standardError(const std::vector<const JudgedRow*>& rows, double share, double count)
{
    std::map<Configuration, double> excess;
    for (const JudgedRow* row : rows)
        if (row->used)
            excess[{row->engine, row->gpu, row->model}] += (row->within() ? 1 : 0) - share;
    const double clusters = static_cast<double>(excess.size());
    if (clusters < 2)
        return 0;
    double squares = 0;
    for (const auto& [configuration, sum] : excess)
        squares += sum * sum;
    return std::sqrt(squares * clusters / (clusters - 1)) / count;
}

} // namespace

ErrorSummary summarise(const std::vector<const JudgedRow*>& rows)
{
    ErrorSummary out{.rows = rows.size()};
    std::vector<double> absolute;
    std::vector<double> signedErrors;
    double within = 0;
    double sum = 0;
    double width = 0;
    for (const JudgedRow* row : rows) {
        if (!row->used)
            continue;
        absolute.push_back(std::abs(row->error()));
        signedErrors.push_back(row->error());
        sum += absolute.back();
        within += row->within() ? 1 : 0;
        if (row->predicted.low > 0)
            width += std::log(row->predicted.high / row->predicted.low) / 2;
    }
    out.used = absolute.size();
    if (out.used == 0)
        return out;
    const double count = static_cast<double>(out.used);
    out.mape = sum / count;
    out.withinInterval = within / count;
    out.width = width / count;
    out.withinError = standardError(rows, out.withinInterval, count);
    out.medianError = quantile(std::move(signedErrors), 0.5);
    out.medianAbsError = quantile(absolute, 0.5);
    out.p90 = quantile(std::move(absolute), 0.9);
    return out;
}

std::vector<const JudgedRow*> ValidationReport::worst(std::size_t count) const
{
    std::vector<const JudgedRow*> out;
    for (const JudgedRow& row : rows)
        if (row.used)
            out.push_back(&row);
    std::stable_sort(out.begin(), out.end(),
                     [](const JudgedRow* a, const JudgedRow* b) { return lnError(*a) > lnError(*b); });
    if (out.size() > count)
        out.resize(count);
    return out;
}

namespace {

// The time to the first token of few users is that of a prompt and its way; of many it is mostly a queue: in
// a loop of users who wait for their answers what is left of a round when decodes are taken out, so that an
// error of a tenth in the whole is one of the whole in it.
std::string quantityOf(const JudgedRow& row)
{
    constexpr double few = 8; // as public collections of such runs draw the line
    const MeasuredLoad load = readLoad(row.row.load);
    const bool together = load.kind == LoadKind::Concurrency || load.kind == LoadKind::Burst;
    const bool lone = row.row.metric == Metric::Ttft && together && load.amount <= few;
    return row.quantity() + (lone ? " of few users" : "");
}

} // namespace

ValidationReport reportOf(std::vector<JudgedRow> rows)
{
    ValidationReport report{.rows = std::move(rows), .all = {}, .by = {}};
    std::vector<const JudgedRow*> everything;
    std::map<std::string, std::map<std::string, std::vector<const JudgedRow*>>> groups;
    std::map<Metric, std::vector<const JudgedRow*>> ofMetric;
    for (const JudgedRow& row : report.rows) {
        everything.push_back(&row);
        const auto put = [&](const char* kind, const std::string& id, const std::string& typed) {
            groups[kind][id.empty() ? typed : id].push_back(&row);
        };
        put("metric", "", row.quantity());
        ofMetric[row.row.metric].push_back(&row);
        put("engine", row.engine, row.row.engine);
        put("gpu", row.gpu, row.row.gpu);
        put("vendor", row.vendor, "not known");
        put("generation", row.generation, "not known");
        put("model", row.model, row.row.model);
        put("load", row.run, "not stated");
        put("figure", row.operation.empty() ? std::string(figureKind(row.row.metric)) : row.operation, "");
        put("regime", row.regime.empty() ? "" : row.regime + ", " + quantityOf(row), "not known");
        if (!row.regime.empty())
            put("regime", row.regime + ", every quantity", "");
        put("source", "", row.row.source);
    }
    // Of a metric with percentiles all of them together, too.
    for (auto& [metric, members] : ofMetric) {
        const std::string name(metricName(metric));
        const auto isMean = [](const JudgedRow* row) { return row->row.statistic == Statistic::Mean; };
        if (!std::all_of(members.begin(), members.end(), isMean))
            groups["metric"][name + ", all"] = std::move(members);
    }
    report.all = summarise(everything);
    report.order = orderOf(report.rows);
    for (const auto& [kind, names] : groups)
        for (const auto& [name, members] : names)
            report.by[kind][name] = summarise(members);
    return report;
}

} // namespace headroom
