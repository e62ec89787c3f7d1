#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/charts/chart_theme.h"

class QPainter;
class QRectF;

namespace headroom::app {

// The picture as vectors on any painter; for reports and exports.
void paintChart(QPainter& painter, const QRectF& area, const ChartData& data, const ChartTheme& theme);

// By the suffix: .svg, .pdf, .csv, else a picture of dots. Returns why it could not be written, or nothing.
[[nodiscard]] QString saveChart(const ChartData& data, const QString& path);

} // namespace headroom::app
