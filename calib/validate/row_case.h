#pragma once

#include "calib/validate/launch_options.h"
#include "model/measured/measured_row.h"
#include "model/memory/memory_plan.h"
#include "model/plan/deployment.h"
#include "model/plan/length_distribution.h"
#include "model/result.h"
#include "model/yaml/catalogue.h"

#include <memory>
#include <string>
#include <variant>

namespace headroom {

// How the requests of a measured run came.
enum class RunKind : std::uint8_t {
    Static,     // one batch, all prompts together, nobody joins
    ClosedLoop, // so many users, each asks again when answered
    Burst,      // a finite number at once; the ramp-down counts
    Saturated,  // more at once than fit, for long
    OpenLoop    // arrivals at a rate
};
[[nodiscard]] std::string_view runName(RunKind kind);

// A measured row in the model's own terms: what was run, and how.
struct RowCase {
    Deployment deployment;
    RunKind kind = RunKind::ClosedLoop;
    double amount = 1;         // sequences, users, requests or requests a second of the whole set-up
    double finiteRequests = 0; // how many the run had; 0: not said
    LengthDistribution prompt = LengthDistribution::of(1024);
    LengthDistribution output = LengthDistribution::of(256);
    bool lengthsGuessed = false;    // of real texts only the mean is stated
    const Engine* preset = nullptr; // the catalogue's
    LaunchOptions options;
    std::shared_ptr<const Engine> launched; // the engine with these options, where there are any
    std::string assumed;                    // what the row leaves out and was taken to be usual
    bool rateIncludesPrefill = false;       // the row's "per user" rate divides by the whole time
    double bytesPerWeight = 2;              // for the physical limit
};

// Memory of one replica with so many requests of the run's mean lengths.
[[nodiscard]] MemoryPlan memoryOf(const RowCase& run, double sequences);

// The case, or why this row cannot be predicted.
[[nodiscard]] std::variant<RowCase, std::string> caseOf(const MeasuredRow& row, const Catalogue& catalogue);

// The engine preset that a name and a version mean: the longest leading part of the version that the
// catalogue knows
// ("vLLM 0.11.2", "vLLM 0.11", "vLLM").
[[nodiscard]] Result<const Engine*> engineOf(const Catalogue& catalogue, const std::string& name,
                                             const std::string& version);

// The type that a cell such as "fp16/bf16 (doc: Mixed)", "gptq-int4" or "awq" names.
[[nodiscard]] std::optional<DType> storedTypeOf(std::string_view cell);

} // namespace headroom
