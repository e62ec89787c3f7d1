#pragma once

#include "calib/validate/run_figures.h"

#include <string>
#include <vector>

namespace headroom {

// A row that was predicted without the group it is of.
struct SpreadEvidence {
    std::string engine;
    std::string group; // what was left out
    bool firstToken = false;
    bool stranger = false; // nothing of its engine was left to fit to
    double lnError = 0;    // of measured over predicted
    double lnSpread = 0;   // that operators and guesses answer for
    double ofSide = 1;     // how far its range reaches to the side it errs to, in what it would reach evenly
    double lnSpreadOfSide = 0; // and what that side has besides
    double prefillShare = 0;
    double ofFirstToken = 1; // partOfFirstToken of its metric and run
    double ofDecodes = 1;    // and partOfDecodes
};

// How wide intervals of an engine must be, beside its operators, to hold four errors of five of a group that
// the fit never saw. Groups count, not rows: a source of a thousand rows is one stranger. What the engine's
// own groups say is drawn to what its family's say, and that to what all say, as if the parent were 60 groups
// more.
// An engine that is a `stranger`, of whose runs none was there to fit to, is off by more: what other
// strangers needed stands above it, drawn to what all say. Of their errors, too, what operators answer for is
// taken off, whether anybody timed these or whole runs told of them: a range has the spread of its own row's
// operators besides, and an error that counts in both is there twice: ranges of first tokens whose vendor was
// left out hold 84 % so, and 87 % with their whole error, at a worse score (width and ten times what lies
// beyond).
[[nodiscard]] EngineSpread neededSpread(const std::vector<SpreadEvidence>& evidence,
                                        const std::string& engine, bool stranger = false);

// The engine that a version class is of: "vllm-v0", "vllm-2025" and "vllm" are one.
[[nodiscard]] std::string_view familyOf(std::string_view engine);

} // namespace headroom
