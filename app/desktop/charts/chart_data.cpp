#include "app/desktop/charts/chart_data.h"

#include "model/text/csv.h"

#include <QObject>

#include <algorithm>

namespace headroom::app {

namespace {

QString number(double value) { return QString::number(value, 'g', 7); }

QString header(const QString& title, const QString& unit)
{
    return unit.isEmpty() ? title : QStringLiteral("%1 [%2]").arg(title, unit);
}

QString position(const ChartAxis& axis, double at)
{
    const auto index = static_cast<qsizetype>(at + 0.5);
    return index >= 0 && index < axis.categories.size() ? axis.categories[index] : number(at);
}

// Points, spans and intervals carry more than one figure each: a long table, one row for each.
ChartTable longTable(const ChartData& data)
{
    const auto has = [&](auto member) {
        return std::any_of(data.series.begin(), data.series.end(),
                           [&](const ChartSeries& s) { return !(s.*member).isEmpty(); });
    };
    const bool labels = has(&ChartSeries::labels);
    const bool from = has(&ChartSeries::from);
    const bool interval = has(&ChartSeries::low);
    ChartTable table;
    table.headers << QObject::tr("Series");
    if (labels)
        table.headers << QObject::tr("Name");
    if (from)
        table.headers << header(QObject::tr("From"), data.x.unit);
    table.headers << header(from ? QObject::tr("To") : data.x.title, data.x.unit)
                  << header(data.y.title, data.y.unit);
    if (interval)
        table.headers << QStringLiteral("p10") << QStringLiteral("p90");
    for (const ChartSeries& s : data.series) {
        for (qsizetype i = 0; i < s.x.size(); ++i) {
            QStringList row{s.name};
            if (labels)
                row << s.labels.value(i);
            if (from)
                row << number(s.from.value(i));
            row << position(data.x, s.x[i]) << position(data.y, s.y[i]);
            if (interval)
                row << (i < s.low.size() ? number(s.low[i]) : QString())
                    << (i < s.high.size() ? number(s.high[i]) : QString());
            table.rows << row;
        }
    }
    return table;
}

ChartTable barTable(const ChartData& data)
{
    const ChartAxis& places = data.horizontal ? data.y : data.x;
    const ChartAxis& values = data.horizontal ? data.x : data.y;
    ChartTable table;
    table.headers << header(places.title, places.unit);
    QVector<double> keys;
    for (const ChartSeries& s : data.series) {
        table.headers << header(s.name, values.unit);
        for (const double key : s.x)
            if (!keys.contains(key))
                keys << key;
    }
    std::sort(keys.begin(), keys.end());
    for (const double key : keys) {
        QStringList row{position(places, key)};
        for (const ChartSeries& s : data.series) {
            const qsizetype at = s.x.indexOf(key);
            row << (at < 0 ? QString() : number(s.y[at]));
        }
        table.rows << row;
    }
    return table;
}

QString quoted(const QString& field) { return QString::fromStdString(csvCell(field.toStdString())); }

QString csvLine(const QStringList& fields)
{
    QStringList out;
    for (const QString& field : fields)
        out << quoted(field);
    return out.join(u',') + u'\n';
}

} // namespace

bool ChartData::isEmpty() const
{
    return std::all_of(series.begin(), series.end(), [](const ChartSeries& s) { return s.x.isEmpty(); });
}

ChartTable chartTable(const ChartData& data)
{
    const bool bars = !data.series.isEmpty()
        && std::all_of(data.series.begin(), data.series.end(),
                       [](const ChartSeries& s) { return s.kind == ChartSeries::Kind::Bars; });
    return bars ? barTable(data) : longTable(data);
}

QString chartCsv(const ChartData& data)
{
    const ChartTable table = chartTable(data);
    QString out = csvLine(table.headers);
    for (const QStringList& row : table.rows)
        out += csvLine(row);
    return out;
}

} // namespace headroom::app
