#include "app/cli/verbs.h"

#include <vector>

namespace headroom::cli {

std::span<const Verb> verbs()
{
    static const std::vector<Verb> all{
        askVerb(),    sizeVerb(),      predictVerb(),   simulateVerb(), sweepVerb(),    compareVerb(),
        fitVerb(),    launchVerb(),    reportVerb(),    listVerb(),     showVerb(),     checkVerb(),
        importVerb(), calibrateVerb(), fitEngineVerb(), probeVerb(),    validateVerb(),
    };
    return all;
}

} // namespace headroom::cli
