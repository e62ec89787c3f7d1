#pragma once

#include "app/desktop/charts/chart_data.h"

#include <QSharedPointer>

class QCPAxisTicker;

namespace headroom::app {

// Where an axis has its numbers, and how short they are written.
[[nodiscard]] QSharedPointer<QCPAxisTicker> tickerFor(const ChartAxis& axis);

} // namespace headroom::app
