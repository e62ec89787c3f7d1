#pragma once

#include "model/plan/candidate.h"
#include "model/plan/money.h"
#include "model/plan/scenario.h"
#include "model/result.h"
#include "model/run_control.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

class Catalogue;

// A small change of the question that would have an answer, and the answer.
struct Remedy {
    std::string change; // "fp8 KV cache"
    std::string effect; // "2 x H100 at 31 tokens/s"
    double size = 0;    // how far it goes from the question: the order they are offered in
    Scenario scenario;  // changed
    Candidate answer;
    // More of something that was limited: how much is what the answer takes.
    enum class Amount : std::uint8_t { None, HourlyBudget, PurchaseBudget, Gpus };
    Amount amount = Amount::None;
};

// What one input does to the answer when it is halved, doubled or known less well.
struct Sensitivity {
    std::string input;   // "prompt tokens"
    std::string lowText; // "512"
    std::string highText;
    int gpusLow = 0; // 0: nothing meets the targets there
    int gpusHigh = 0;
    double speedLow = 0; // tokens/s for each user on the answer as it stands
    double speedHigh = 0;
};

// "above 3,100 prompt tokens 4 are needed".
struct BreakPoint {
    std::string input;
    double from = 0; // first value at which the answer changes
    int gpus = 0;    // needed there; 0: nothing meets the targets
};

struct ParetoPoint {
    Layout layout;
    double users = 1; // of one replica
    double tokensPerSecondPerUser = 0;
    double tokensPerSecondPerGpu = 0;
};

struct YearOfGrowth {
    int year = 0;
    int gpus = 0;
    double usdPerHour = 0;
};

// How the load moves: its mean in equal stretches of a day or of a trace.
struct LoadCurve {
    Seconds stretch;
    std::vector<double> requestsPerSecond;

    [[nodiscard]] double mean() const;
    [[nodiscard]] double peak() const;
};

// A fleet of the size that the peak takes, running all day, beside one that follows the load.
struct FleetDay {
    LoadCurve curve;
    std::vector<int> gpus;     // needed in each stretch, spares included
    double gpuHoursStatic = 0; // in a day
    double gpuHoursFollowing = 0;
    std::optional<double> usdStatic; // in a day
    std::optional<double> usdFollowing;

    [[nodiscard]] double wasted() const
    {
        return gpuHoursStatic > 0 ? 1 - gpuHoursFollowing / gpuHoursStatic : 0;
    }
};

// The answer to a sizing question. Immutable; valid as long as the catalogue lives.
struct SizingPlan {
    Scenario scenario; // ids in place of names
    bool meets = false;
    std::string reason;                // why nothing meets
    Candidate answer;                  // the best, or the nearest miss
    std::optional<Candidate> safe;     // when being nine in ten sure takes another service
    std::optional<double> safeUsers;   // no load was stated: as many the answer carries nine in ten sure
    std::vector<Candidate> candidates; // best first, the answer among them
    std::vector<Remedy> remedies;
    std::vector<Sensitivity> sensitivity;
    std::vector<BreakPoint> breakPoints;
    std::vector<ParetoPoint> pareto;
    std::vector<YearOfGrowth> growth;
    std::optional<RentOrOwn> rentOrOwn; // of the answer's GPUs, where both prices are known
    std::optional<FleetDay> day;        // of a load that is not the same all day
    std::vector<std::string> assumptions;
    std::vector<std::string> warnings;
    std::size_t evaluated = 0; // layouts that were judged
};

struct SearchOptions {
    bool prune
        = true; // leave out layouts that cannot be better; false: judge every one (the twin in the tests)
    bool simulate = true; // replay the traffic on the finalists when percentiles or traffic matter
    bool explain = true;  // remedies, sensitivity, break points, Pareto set, growth
};

// Fewest, cheapest, … as the scenario's objective says, over one accelerator type or all of them.
[[nodiscard]] Result<std::shared_ptr<const SizingPlan>> size(const Scenario& scenario,
                                                             const Catalogue& catalogue,
                                                             const SearchOptions& options = {},
                                                             const RunControl& control = {});

// What goes beyond the answer, of a plan that was made without it for the same question.
[[nodiscard]] Result<void> explainAnswer(SizingPlan& plan, const Scenario& asked, const Catalogue& catalogue,
                                         const SearchOptions& options, const RunControl& control);

// The search itself, over machines that are resolved already.
[[nodiscard]] std::vector<Candidate>
searchMachines(const std::vector<std::shared_ptr<const Resolved>>& machines, const Scenario& scenario,
               bool prune);

// The load that must be carried: peak factor and growth put in.
struct ServiceLoad {
    double users = 0;             // 0: none stated
    double requestsPerSecond = 0; // 0: none stated
    [[nodiscard]] bool stated() const { return users > 0 || requestsPerSecond > 0; }
};
[[nodiscard]] ServiceLoad loadOf(const Scenario& scenario, double years = 0);

} // namespace headroom
