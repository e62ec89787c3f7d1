#pragma once

#include "model/base/joined_names.h"
#include "model/base/kinds_with_rows.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom {

// How requests become batches; each is a policy in serve/policy.cpp.
enum class SchedulerKind : std::uint8_t {
    Static,        // wait for the longest of the batch
    PrefillFirst,  // iteration level, new prompts before running decodes (Orca, early vLLM, TGI)
    ChunkedPrefill // token budget, decode first, prompts in chunks (SplitFuse, vLLM v1, SGLang, TensorRT-LLM)
};

// All that the rest of the program asks of a kind, a row for each: a kind without one does not compile.
struct SchedulerRow {
    std::string_view name;     // in scenarios, flags and lists
    std::string_view inFile;   // of an engine
    bool keepsBatch = false;   // nobody joins or leaves before its longest ends
    bool mixesPrompts = false; // decodes and chunks of prompts share a step, within a budget of tokens
};

constexpr std::optional<SchedulerRow> schedulerRow(SchedulerKind kind)
{
    switch (kind) {
    case SchedulerKind::Static:
        return SchedulerRow{.name = "static", .inFile = "static", .keepsBatch = true};
    case SchedulerKind::PrefillFirst:
        return SchedulerRow{.name = "prefill-first", .inFile = "prefill_first"};
    case SchedulerKind::ChunkedPrefill:
        return SchedulerRow{.name = "chunked-prefill", .inFile = "chunked_prefill", .mixesPrompts = true};
    }
    return std::nullopt; // no such kind: where a walk over all of them ends
}

constexpr bool keepsBatch(SchedulerKind kind) { return schedulerRow(kind)->keepsBatch; }
constexpr bool mixesPrompts(SchedulerKind kind) { return schedulerRow(kind)->mixesPrompts; }
constexpr std::string_view schedulerName(SchedulerKind kind) { return schedulerRow(kind)->name; }

inline constexpr auto allSchedulers = kindsWithRows<schedulerRow>;

// "static, prefill-first …": for refusals, and with bars for help texts.
inline constexpr auto schedulerNames = joinedNames(allSchedulers, schedulerName, ", ");
inline constexpr auto schedulerChoices = joinedNames(allSchedulers, schedulerName, "|");

constexpr std::optional<SchedulerKind> schedulerNamed(std::string_view name)
{
    return kindNamed(allSchedulers, schedulerName, name);
}

} // namespace headroom
