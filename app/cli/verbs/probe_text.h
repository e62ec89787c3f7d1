#pragma once

#include "app/cli/console.h"
#include "app/probe/search.h"
#include "model/json/probe_json.h"
#include "model/report/columns.h"

#include <string>
#include <vector>

namespace headroom::cli {

// What a probe is told with besides its levels.
struct ProbeOutcome {
    std::string url;
    probe::ProbePlan plan;
    probe::ProbeReport report;
    std::vector<std::string> notes;
    std::string broken; // why the levels are no answer; empty: they are
};

// "users 8: 32 of 32 requests answered", as a level ends.
[[nodiscard]] std::string levelSentence(const probe::ProbeLevel& level);
// What the levels come to, a sentence a line.
[[nodiscard]] std::string verdictText(const ProbeOutcome& outcome);
// What a reader must know about how the figures were made.
[[nodiscard]] std::vector<std::string> notesOf(const ProbeOutcome& outcome);

// The whole answer in the console's format.
[[nodiscard]] std::string probeText(const ProbeOutcome& outcome, Format format);

} // namespace headroom::cli
