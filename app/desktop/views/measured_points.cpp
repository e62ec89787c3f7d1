#include "app/desktop/views/measured_points.h"

#include "calib/calibrate.h"
#include "model/advise/plan_view.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr double tera = 1e12;
constexpr std::uintmax_t longestFile = 64U << 20; // far above the largest sweep

// Points of a samples file that count and do arithmetic: what a roofline can show.
ChartSeries pointsIn(const std::string& text)
{
    ChartSeries points{.kind = ChartSeries::Kind::Points, .colour = 7};
    const std::size_t header = text.find("kind,");
    const Result<CsvTable> table = readCsvTable(
        header == std::string::npos ? std::string_view() : std::string_view(text).substr(header), "samples");
    if (!table)
        return points;
    for (const CsvRecord& record : table->records) {
        const auto cell = [&](std::string_view title) {
            const auto column = table->column(title);
            return column ? QString::fromStdString(record.cells[*column]) : QString();
        };
        const double flops = cell("flops").toDouble();
        const double bytes = cell("weight_bytes").toDouble() + cell("kv_bytes").toDouble()
            + cell("activation_bytes").toDouble();
        const double seconds = cell("time_us").toDouble() * 1e-6;
        if (cell("kind") != QStringLiteral("point") || !cell("refused").isEmpty() || !(flops > 0)
            || !(bytes > 0) || !(seconds > 0))
            continue;
        points.x << flops / bytes;
        points.y << flops / seconds / tera;
        points.labels << cell("what");
    }
    return points;
}

} // namespace

void MeasuredPoints::read(const QString& file)
{
    const QDateTime changed = QFileInfo(file).lastModified();
    if (file == m_file && changed == m_changed)
        return;
    m_file = file;
    m_changed = changed;
    const Result<std::string> text = readTextFile(file.toStdString(), longestFile);
    m_points = text ? pointsIn(*text) : ChartSeries();
}

void MeasuredPoints::addTo(ChartData& roofline, const PlanView& planView)
{
    if (planView.asked.calibration.empty())
        return;
    read(QString::fromStdString(samplesBeside(planView.asked.calibration).string()));
    if (m_points.x.isEmpty())
        return;
    const EfficiencySet& used = *planView.resolved.deployment.efficiency;
    m_points.name = used.calibration && !used.calibration->machine.name.empty()
        ? QCoreApplication::translate("headroom::app", "Measured on %1")
              .arg(QString::fromStdString(used.calibration->machine.name))
        : QCoreApplication::translate("headroom::app", "Measured on your machine");
    roofline.series << m_points;
}

} // namespace headroom::app
