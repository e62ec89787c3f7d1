#pragma once

#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "app/probe/curl_transport.h"
#include "app/probe/plan.h"
#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::cli {

// The flags of `probe` besides those of a scenario.
[[nodiscard]] std::span<const Flag> probeFlags();

// What was typed: whom to ask, how, and with which key. All mistakes at once, and no word of a key in them.
struct ProbeWish {
    probe::CurlOptions connection;
    probe::ProbePlan plan; // its prompts are written when the server is known
    double requestsPerSecond = 0;
    int users = 0; // one level of so many; 0: the most are looked for
    int most = 0;
    double sharedPart = 0; // of each prompt, common to all
};
[[nodiscard]] Result<ProbeWish> probeWish(const Arguments& arguments, const Scenario& scenario);

// Keys that were said and that no server can be asked for.
[[nodiscard]] std::vector<std::string> unusedKeys(const std::vector<std::string>& said);

} // namespace headroom::cli
