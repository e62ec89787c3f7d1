#include "app/desktop/views/error_groups.h"

#include <QCoreApplication>

#include <algorithm>
#include <tuple>

namespace headroom::app {

namespace {

QString kindTitle(std::string_view kind)
{
    for (const auto& [name, title] :
         {std::pair("metric", QT_TRANSLATE_NOOP("headroom::app", "figure")),
          std::pair("engine", QT_TRANSLATE_NOOP("headroom::app", "engine")),
          std::pair("gpu", QT_TRANSLATE_NOOP("headroom::app", "GPU")),
          std::pair("vendor", QT_TRANSLATE_NOOP("headroom::app", "maker")),
          std::pair("generation", QT_TRANSLATE_NOOP("headroom::app", "generation")),
          std::pair("model", QT_TRANSLATE_NOOP("headroom::app", "model")),
          std::pair("load", QT_TRANSLATE_NOOP("headroom::app", "load")),
          std::pair("source", QT_TRANSLATE_NOOP("headroom::app", "source"))})
        if (kind == name)
            return QCoreApplication::translate("headroom::app", title);
    return QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size()));
}

} // namespace

const Columns<ErrorGroup>& errorGroupColumns()
{
    using G = ErrorGroup;
    static const Columns<ErrorGroup> columns{
        {{"kind", "grouped by"}, [](const G& g) { return kindTitle(g.kind).toStdString(); }},
        {{"name", "group"},
         [](const G& g) { return g.kind == "metric" ? metricTitle(g.name).toStdString() : g.name; }},
        {{"used", "rows", Measure::Whole}, [](const G& g) { return double(g.errors.used); }},
        {{"median", "median error", Measure::Share}, [](const G& g) { return g.errors.medianAbsError; }},
        {{"p90", "nine in ten within", Measure::Share}, [](const G& g) { return g.errors.p90; }},
        {{"bias", "bias", Measure::Share}, [](const G& g) { return g.errors.medianError; }},
        {{"within", "in interval", Measure::Share}, [](const G& g) { return g.errors.withinInterval; }},
    };
    return columns;
}

// "ttft_ms p95": a metric, and its percentile where it is not a mean.
QString metricTitle(std::string_view quantity)
{
    const std::size_t space = std::min(quantity.find(' '), quantity.size());
    const std::string_view metric = quantity.substr(0, space);
    const std::string_view statistic = quantity.substr(std::min(space + 1, quantity.size()));
    const QString percentile = statistic.empty() ? QString()
                                                 : QStringLiteral(", ")
            + QString::fromUtf8(statistic.data(), static_cast<qsizetype>(statistic.size()));
    const auto tr = [](const char* text) { return QCoreApplication::translate("headroom::app", text); };
    for (const auto& [name, title] :
         {std::pair("output_throughput_tok_s_total", QT_TRANSLATE_NOOP("headroom::app", "Output (tok/s)")),
          std::pair("total_throughput_tok_s", QT_TRANSLATE_NOOP("headroom::app", "All tokens (tok/s)")),
          std::pair("decode_tok_s_per_user", QT_TRANSLATE_NOOP("headroom::app", "Speed for a user (tok/s)")),
          std::pair("ttft_ms", QT_TRANSLATE_NOOP("headroom::app", "First token (ms)")),
          std::pair("tpot_ms", QT_TRANSLATE_NOOP("headroom::app", "Between tokens (ms)")),
          std::pair("itl_ms", QT_TRANSLATE_NOOP("headroom::app", "Inter-token latency (ms)")),
          std::pair("e2e_s", QT_TRANSLATE_NOOP("headroom::app", "Whole answer (s)")),
          std::pair("requests_per_s", QT_TRANSLATE_NOOP("headroom::app", "Requests (per s)"))})
        if (metric == name)
            return tr(title) + percentile;
    return QString::fromUtf8(quantity.data(), static_cast<qsizetype>(quantity.size()));
}

std::vector<ErrorGroup> errorGroups(const ValidationReport& report)
{
    std::vector<ErrorGroup> out;
    for (const auto& [kind, groups] : report.by)
        for (const auto& [name, errors] : groups)
            if (errors.used > 0)
                out.push_back({kind, name, errors});
    // What was measured comes first, then by what, on what, of what.
    const auto place = [](const ErrorGroup& group) { return std::pair(group.kind != "metric", group.kind); };
    std::stable_sort(out.begin(), out.end(), [&](const ErrorGroup& a, const ErrorGroup& b) {
        return place(a) != place(b) ? place(a) < place(b) : a.errors.used > b.errors.used;
    });
    return out;
}

} // namespace headroom::app
