#include "app/desktop/views/probe_of_server.h"

#include "app/desktop/views/probe_view.h"

namespace headroom::app {

bool probesServers() { return true; }
View* makeProbeView(QWidget* parent) { return new ProbeView(parent); }

} // namespace headroom::app
