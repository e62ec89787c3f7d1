#pragma once

#include "app/desktop/charts/chart_data.h"

#include <QDateTime>
#include <QString>

namespace headroom {
struct PlanView;
}

namespace headroom::app {

// What a calibration measured, as points under the roofline that it explains. Reads the samples beside the
// scenario's calibration once for each state of the file.
class MeasuredPoints {
public:
    void addTo(ChartData& roofline, const PlanView& planView);

private:
    void read(const QString& file);

    QString m_file;
    QDateTime m_changed;
    ChartSeries m_points;
};

} // namespace headroom::app
