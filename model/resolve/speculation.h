#pragma once

#include "model/base/result.h"
#include "model/deploy/deployment.h"

#include <string_view>

namespace headroom {

class Catalogue;

// "draft:llama-3.2-1b:g=4,a=0.7", "ngram:g=4,a=0.4" or "mtp:g=1,a=0.8": g tokens drafted before each
// verifying step, each accepted with probability a. The problem's `where` is the caller's unless a draft
// model is unknown.
[[nodiscard]] Result<SpeculativeDecoding> speculationFromText(std::string_view text,
                                                              const Catalogue& catalogue);

} // namespace headroom
