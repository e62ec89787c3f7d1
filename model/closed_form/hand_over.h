#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"

#include <cmath>

namespace headroom {

// Steps of those who decode until a prompt that another pool computed is among them: both servers look once a
// step at what has come and what has gone. No engine publishes how many. First tokens of 42 public services
// in two pools that no line delays (InferenceX, 1 to 2,048 users at 6 to 45 ms a step) come 10 such steps
// later, in the middle, than prompt, transfer and both servers' intake take: of SGLang 13, half of them 7 to
// 19; of TensorRT-LLM 9, half of them 6 to 27. As many for one user as for many.
constexpr double handOverSteps = 10;
constexpr double lnSpreadOfHandOver = 0.7;

// Those steps, where a token takes so long.
[[nodiscard]] inline Estimate<Seconds> waitForHandOver(const Estimate<Seconds>& token)
{
    const double unsure = std::exp(deviationsToNinetieth * lnSpreadOfHandOver);
    return {token.value * handOverSteps, token.low * (handOverSteps / unsure),
            token.high * (handOverSteps * unsure), token.source};
}

} // namespace headroom
