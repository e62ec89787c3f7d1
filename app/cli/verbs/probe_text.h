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
    std::vector<Message> notes;
    Message broken; // why the levels are no answer; empty: they are
};

// "users 8: 32 of 32 requests answered", as a level ends.
[[nodiscard]] Message levelSentence(const probe::ProbeLevel& level);
// What the levels come to, whole sentences.
[[nodiscard]] std::vector<Message> verdictOf(const ProbeOutcome& outcome);
// What a reader must know about how the figures were made.
[[nodiscard]] std::vector<Message> notesOf(const ProbeOutcome& outcome);

// The whole answer in such a format; documents for programs are in English.
[[nodiscard]] std::string probeText(const ProbeOutcome& outcome, Format format, ask::Language language);

} // namespace headroom::cli
