#pragma once

#include "model/base/result.h"
#include "model/scenario/request.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headroom {

// Recorded requests, shifted to start at 0 s, in the order of their arrival. Told apart by what they look
// like:
//   - CSV with `arrival_s,prompt_tokens,output_tokens[,class,session,prefix_tokens]`; `prefix_tokens` repeat
//   the
//     session so far or, without a session, what the class shares. The column names of Vidur, LLMServingSim
//     and APEX traces are read too;
//     With `first_token_s` and `last_token_s`, what was really measured stands beside the simulation;
//   - the Azure LLM inference traces, `TIMESTAMP,ContextTokens,GeneratedTokens`;
//   - Mooncake JSON lines: `timestamp` in ms, `input_length`, `output_length`, `hash_ids` of blocks of 512
//   tokens.
// Everything wrong is reported with its line.
[[nodiscard]] Result<serve::Workload> readTrace(std::string_view text, const std::string& name);
[[nodiscard]] Result<serve::Workload> readTraceFile(const std::filesystem::path& file);

} // namespace headroom
