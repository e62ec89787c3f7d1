#pragma once

class QCustomPlot;

namespace headroom::app {

// Puts the legend above the picture, so that it never hides a point, and keeps its entries whole: as many
// beside each other as the width of the plot allows, whenever it changes.
void addLegend(QCustomPlot& plot);
// For the width as it is now; a plot that is painted without being shown needs it said.
void fitLegend(QCustomPlot& plot);

} // namespace headroom::app
