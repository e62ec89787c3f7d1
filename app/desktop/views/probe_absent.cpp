// Built without libcurl: no server can be asked.
#include "app/desktop/views/probe_of_server.h"

namespace headroom::app {

bool probesServers() { return false; }
View* makeProbeView(QWidget*) { return nullptr; }

} // namespace headroom::app
