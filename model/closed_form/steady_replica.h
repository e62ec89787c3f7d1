#pragma once

#include "model/closed_form/steady_state.h"

namespace headroom::serve {

// One replica, or one lane of a pipeline, in its steady states. Internal to model/closed_form; refers to what
// it is made of.
class SteadyReplica {
public:
    struct Lanes {
        double stages = 1; // of the pipeline that this is one lane of
        double busy = 1;   // lanes
    };
    SteadyReplica(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                  Lanes lanes);

    // Sequences that slots and cache allow at once.
    [[nodiscard]] double roomFor() const { return m_room; }
    [[nodiscard]] SteadyLimit roomLimit() const { return m_roomLimit; }
    // With `running` sequences at once, always.
    [[nodiscard]] SteadyState at(double running) const;

private:
    [[nodiscard]] double stepSeconds(double promptTokens, double prompts, double decodes) const;
    [[nodiscard]] double promptBudget(double decodes) const;
    // Steps that carry so many parts of prompts beside `decodes` running ones, together.
    [[nodiscard]] double promptSteps(double parts, double decodes) const;
    // Of whole prompts.
    [[nodiscard]] double wholePrompts(double prompts, double decodes) const
    {
        return promptSteps(prompts * m_parts, decodes);
    }
    // Mean time between two steps of a decoding sequence.
    [[nodiscard]] double gap(double decodes) const;
    [[nodiscard]] double gapAmongLanes(double decodes) const;
    // From being scheduled to the first token.
    [[nodiscard]] double promptPass(double decodes) const;
    [[nodiscard]] SteadyState atStatic(double running) const;
    template <class Value>
    [[nodiscard]] double overPrompts(double mean, Value value) const;

    const StepTime& m_stepTime;
    const Scheduling& m_scheduling;
    SteadyLoad m_load;
    bool m_mixed;
    double m_lanes; // that are busy of the pipeline that this is one of
    double m_stages;
    double m_decodeSteps; // of one request
    double m_budget;
    double m_parts; // of a prompt that is longer than what one of several ranks takes in a step
    double m_room = 0;
    SteadyLimit m_roomLimit = SteadyLimit::Slots;
};

} // namespace headroom::serve
