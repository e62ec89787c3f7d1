#include "app/cli/verbs.h"

namespace headroom::cli {

namespace {

Exit refuseProbe(const Arguments& /*arguments*/, Console& console)
{
    return console.refuse({{"probe", "this program was built without the probe of live servers (libcurl)",
                            "build it with HEADROOM_PROBE=ON"}});
}

} // namespace

Verb probeVerb()
{
    return {.name = "probe",
            .group = VerbGroup::Measure,
            .summary = "loads a live server: not in this build",
            .example = "probe http://localhost:8000",
            .run = refuseProbe,
            .scenario = true,
            .formats = true,
            .languages = true,
            .words = {"URL", "of the server", 0, -1}};
}

} // namespace headroom::cli
