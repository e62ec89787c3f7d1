#pragma once

#include "model/base/result.h"
#include "model/deploy/deployment.h"

#include <string>
#include <string_view>

namespace headroom {

// What the key `spec-decode` says, the draft model still by its name.
struct SpeculationWords {
    SpeculativeDecoding::Kind kind = SpeculativeDecoding::Kind::None;
    std::string draft; // name of the draft model; other kinds: empty
    int draftTokens = 0;
    double acceptance = 0;
};

// The only reader of that key: "draft:llama-3.2-1b:g=4,a=0.7", "ngram:g=4,a=0.4" or "mtp:g=1,a=0.8". The
// problem's `where` is the caller's.
[[nodiscard]] Result<SpeculationWords> speculationWords(std::string_view text);

} // namespace headroom
