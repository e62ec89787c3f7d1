#pragma once

class QWidget;

namespace headroom::app {

class View;

// Whether this program was built with what speaks to servers, and the view that does.
[[nodiscard]] bool probesServers();
[[nodiscard]] View* makeProbeView(QWidget* parent);

} // namespace headroom::app
