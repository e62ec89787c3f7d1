#include "app/cli/verbs.h"

#include <vector>

namespace headroom::cli {

std::span<const Verb> verbs()
{
    static const std::vector<Verb> all{
        askVerb(),    sizeVerb(),     predictVerb(),   simulateVerb(),  sweepVerb(),  compareVerb(),
        fitVerb(),    listVerb(),     showVerb(),      checkVerb(),     importVerb(), probeVerb(),
        launchVerb(), validateVerb(), calibrateVerb(), fitEngineVerb(), reportVerb(),
    };
    return all;
}

} // namespace headroom::cli
