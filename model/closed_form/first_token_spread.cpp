#include "model/closed_form/first_token_spread.h"

#include <algorithm>
#include <cmath>

namespace headroom {

Estimate<Seconds> promptOfFirstToken(const Estimate<Seconds>& prompt, const Deployment& d, const Load& load)
{
    const bool fewWait = load.openLoop || load.batch <= 1;
    const double whole
        = prompt.value > Seconds() ? std::log(prompt.high / prompt.value) / deviationsToNinetieth : 0;
    if (!fewWait || whole <= 0)
        return prompt;
    const double engine
        = std::min(whole, std::hypot(d.engine->lnSpreadPrefill, d.engine->lnSpreadSourcePrefill));
    const double operators = std::sqrt(whole * whole - engine * engine);
    const double part = std::hypot(operators, engine * d.engine->partWhereFewWait) / whole;
    return {prompt.value, prompt.value * std::pow(prompt.low / prompt.value, part),
            prompt.value * std::pow(prompt.high / prompt.value, part), prompt.source};
}

} // namespace headroom
