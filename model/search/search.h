#pragma once

#include "model/base/result.h"
#include "model/base/run_control.h"
#include "model/scenario/request.h"
#include "model/search/deciding_load.h"
#include "model/search/sizing_plan.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

class Catalogue;
class PlayedLoads;

struct SearchOptions {
    bool prune
        = true; // leave out layouts that cannot be better; false: judge every one (the twin in the tests)
    bool onlyBest = false;    // nobody looks at what stands beside the answer
    bool simulate = true;     // replay the traffic on the finalists when percentiles or traffic matter
    bool explain = true;      // remedies, sensitivity, break points, Pareto set, growth
    bool safer = false;       // look for a safe answer even without what `explain` adds
    bool onlyGambles = false; // and then only in place of one that is a gamble
    bool likely = true;       // where a safe one stands in place of a gamble, look for one between them
    bool most = true;         // look for the most that the answer carries where a load was stated
    bool safeUsers = true;    // and, where no load was stated, how many of them safely
    int mostRuns = 160;       // of the simulator, before those that make sure of the best
    // What these runs may still take, in steps of one sequence, shared by several searches; none: as much as
    // one answer may.
    std::shared_ptr<std::int64_t> work{};
    std::shared_ptr<PlayedLoads>
        played{}; // of the same question, remembered; none: as long as it is answered
    // Where the best that is left is not worth it nothing is: the answer is then no.
    std::function<bool(const Candidate&)> worth{};
    TraceReader readTrace{}; // refused without one: a scenario that names a trace
};

// The best service and what was judged beside it, over one accelerator type or all of them. `load` is the
// deciding load of `asked`. What goes beyond the answer is left to advise/size.h, whatever `explain` says.
[[nodiscard]] Result<std::shared_ptr<SizingPlan>> findAnswer(const Scenario& asked, const BusiestLoad& load,
                                                             const Catalogue& catalogue,
                                                             const SearchOptions& options,
                                                             const RunControl& control);

// How much is worked out of a candidate.
enum class Depth : std::uint8_t {
    Verdict, // whether it meets and what users feel; the most it carries only as far as the load asks
    Whole    // and what a table shows beside it
};

// The search itself, over machines that are resolved already.
// The result is the same for any number of threads.
[[nodiscard]] std::vector<Candidate>
searchMachines(const std::vector<std::shared_ptr<const Resolved>>& machines, const Scenario& scenario,
               bool prune, Depth depth = Depth::Whole, std::size_t threads = 1);

} // namespace headroom
