#include "model/resolve/layout_ranges.h"

#include "model/base/estimate.h"
#include "model/cost/spread_among.h"

#include <cmath>

namespace headroom {

std::vector<Message> rangesOfLayout(const Deployment& deployment)
{
    const auto times
        = [&](bool decodes) { return std::exp(deviationsToNinetieth * lnSpreadAmong(deployment, decodes)); };
    if (deployment.layout.pp > 1)
        return {
            say("ranges allow for how well the stages of a pipeline keep each other busy, up to {:.2f} times "
                "either way for prompts and {:.2f} for decodes",
                times(false), times(true))};
    if (spansBoxes(deployment))
        return {say("ranges of prompts allow for how boxes and their network are set up, up to {:.2f} times "
                    "either way",
                    times(false))};
    return {};
}

} // namespace headroom
