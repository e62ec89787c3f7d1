#pragma once

#include "calib/validate/engine_builds.h"
#include "calib/validate/engine_refit.h"

#include <map>
#include <string>

namespace headroom {

using Fits = std::map<std::string, EngineRefit>;    // by engine
using Numbers = std::map<std::string, EngineTimes>; // by engine

// The build whose numbers are wanted. No run of it need be published.
struct EngineBuild {
    std::string name;
    const Engine* engine = nullptr;
    Platform platform = Platform::Other;
    bool serves = true;     // requests come to a server
    std::string generation; // of accelerators that it is for; empty where it is for several
};

// What a step takes whatever its batch has all that is known of the platform: the engine's other classes,
// other engines, other generations of accelerators, hosts of another kind, each as it would be in the build's
// year (likelyIn). Where none of them is of the engine, what is likely of any counts as one engine more. The
// other numbers have the nearest relatives among those that are known: of the same version class on
// accelerators that the same software programs (an engine's builds for CUDA and for ROCm are other code), of
// the engine's other classes there, else of the same class elsewhere, of the engine at all, else of all
// engines; so has a step where nothing is known of the platform. How requests are taken in is told by all
// engines that were run alike, behind a server or in a program's own process: the less, the more classes lie
// between, for another engine, another platform and so on. A build for one family on a platform that others
// share has a host of its own (GB10's) and stands elsewhere. How far all engines are from one another says
// how far this one may be from them, of experts those that ran some. The time of experts is a ratio to
// kernels that were timed with one version of one engine. A relative's ratio says nothing of this engine's,
// so it is one where no run tells it. What the host needs for a step, a build that shares it has from the
// engine elsewhere.
[[nodiscard]] UsualTimes timesOfOthers(const EngineBuild& build, const Numbers& known, const Fits& engines);

} // namespace headroom
