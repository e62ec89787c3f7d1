#pragma once

#include "app/desktop/charts/chart_theme.h"

#include <QString>

namespace headroom::app {

// A figure that is read before the charts under it: "12 %", "of the requests kept the targets".
struct KeyFigure {
    QString value;
    QString title;
    Tone tone = Tone::Plain;

    friend bool operator==(const KeyFigure&, const KeyFigure&) = default;
};

} // namespace headroom::app
