#pragma once

class QWidget;

namespace headroom::app {

class Pins;
class View;

// The views that are charts of one plan view.
[[nodiscard]] View* makeMemoryView(QWidget* parent);
[[nodiscard]] View*
makeRooflineView(QWidget* parent); // with what was measured, when the scenario is calibrated
[[nodiscard]] View* makeBatchView(QWidget* parent, Pins& pins); // with the curves of what is pinned
// Speed for a user against what a GPU gives and what it costs: the layouts that no other beats in both.
[[nodiscard]] View* makeTradeoffView(QWidget* parent);

} // namespace headroom::app
