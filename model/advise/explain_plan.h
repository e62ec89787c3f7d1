#pragma once

#include "model/search/search.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

// Fills in what goes beyond the answer: the surer answer, remedies, sensitivity, break points, Pareto set,
// growth. `simulate`: remedies stand the replay of the traffic too, where the answer had to.
void explain(SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue, bool simulate,
             const RunControl& control);

// The best service for a changed question on one accelerator type, the first of `gpus`; on any of the
// catalogue where none is named. Empty when it cannot even be resolved (the engine lacks the type).
class Replanner {
public:
    explicit Replanner(const Catalogue& catalogue) : m_catalogue(catalogue) {}
    [[nodiscard]] std::optional<Candidate> best(const Scenario& scenario, bool sure = false) const;
    // A service as it is, asked a changed question: in closed form. None where it cannot be asked of it.
    [[nodiscard]] std::optional<Candidate> asIs(const Candidate& service, const Scenario& changed) const;

private:
    const Catalogue& m_catalogue;
};

// Changes under which a question that has no answer has one, the nearest first, replayed with `simulate`.
struct FoundRemedies {
    std::vector<Remedy> remedies;
    bool all = true; // false: the runs that they may take were spent before every way out was tried
};
[[nodiscard]] FoundRemedies remediesFor(const SizingPlan& plan, const Scenario& scenario,
                                        const Catalogue& catalogue, const Replanner& replanner, bool simulate,
                                        const RunControl& control);
// The remedy's question with no limit of its amount, and the amount that an answer to it takes.
[[nodiscard]] Scenario withoutLimit(Scenario scenario, Remedy::Amount amount);
[[nodiscard]] Remedy asMuchAs(const Candidate& answer, Remedy::Amount amount, const Scenario& asked);
[[nodiscard]] std::vector<Sensitivity> sensitivityOf(const SizingPlan& plan, const Scenario& scenario,
                                                     const Replanner& replanner);
// What the answer, as it is, still carries, and how many GPUs are needed beyond; replayed with `simulate`.
struct FoundBreakPoints {
    std::vector<BreakPoint> points;
    std::vector<Message> notSought; // inputs that the runs which they may take did not reach
};
[[nodiscard]] FoundBreakPoints breakPointsOf(const SizingPlan& plan, const Scenario& scenario,
                                             const Replanner& replanner, bool simulate,
                                             const RunControl& control);
[[nodiscard]] std::vector<ParetoPoint> paretoOf(const Resolved& machine, const Scenario& scenario);

} // namespace headroom
