#pragma once

#include "model/base/code.h"

#include <array>
#include <string_view>

namespace headroom {

// Changes that are offered both beside an answer and where there is none.

// Layers of its own that predict a further token: of those of DeepSeek V3 85 to 90 % are accepted (its
// report, arXiv 2412.19437, section 5.4.3). Drafts of another model or out of the prompt hang on both and on
// what is asked: nobody can promise those.
constexpr std::string_view ownDrafts = "mtp:g=1,a=0.85";
constexpr Code ownDraftsText = "drafts by the model's own layers, 85 % of them accepted";
constexpr Code ownPromptsText = "prompts on GPUs of their own";

// Steps that people state targets in.
constexpr std::array usualSpeeds{200.0, 150.0, 100.0, 80.0, 60.0, 50.0, 40.0,
                                 30.0,  25.0,  20.0,  15.0, 10.0, 5.0};
constexpr std::array usualTimes{0.01, 0.02, 0.03, 0.05, 0.1,  0.2,  0.3,  0.5,  1.0,
                                2.0,  3.0,  5.0,  10.0, 20.0, 30.0, 60.0, 120.0};

} // namespace headroom
