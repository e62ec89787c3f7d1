#pragma once

#include "model/base/code.h"

#include <string_view>

namespace headroom {

// Changes that are offered both beside an answer and where there is none.

// Layers of its own that predict a further token: of those of DeepSeek V3 85 to 90 % are accepted (its
// report, arXiv 2412.19437, section 5.4.3). Drafts of another model or out of the prompt hang on both and on
// what is asked: nobody can promise those.
constexpr std::string_view ownDrafts = "mtp:g=1,a=0.85";
constexpr Code ownDraftsText = "drafts by the model's own layers, 85 % of them accepted";
constexpr Code ownPromptsText = "prompts on GPUs of their own";

} // namespace headroom
