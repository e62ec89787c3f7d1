#include "model/advise/other_choices.h"

#include "model/advise/choices.h"
#include "model/advise/well_known.h"
#include "model/search/finalists.h"
#include "model/search/ranking.h"
#include "model/search/replays.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace headroom {

namespace {

constexpr int mostPlayed = 4;                    // of those that hold in closed form
constexpr std::int64_t workOfOthers = 2'000'000; // of their replays

class OtherChoices {
public:
    OtherChoices(SizingPlan& plan, const Scenario& scenario, const Replanner& replanner, bool simulate,
                 const RunControl& control)
        : m_plan(plan),
          m_scenario(scenario),
          m_replanner(replanner),
          m_control(control),
          m_replays(simulate && trafficMatters(scenario))
    {}

    void cheapest()
    {
        if (m_plan.cheapest || m_scenario.gpus.size() == 1 || !growsWithGpus(m_scenario.objective))
            return;
        const auto costsLess = [&](const Candidate& c) {
            return priced(c) && better(c, m_plan.answer, Objective::CheapestHour);
        };
        m_plan.cheapest = firstThatStands(costsLess, Objective::CheapestHour);
    }

    // Where the answer rests on estimates: the best of what rests on timings of its own card.
    void surest()
    {
        if (m_plan.answer.evidence() <= Source::MeasuredPublished)
            return;
        m_plan.surest
            = firstThatStands([](const Candidate& c) { return c.evidence() <= Source::MeasuredPublished; },
                              m_scenario.objective);
    }

    // GPUs whose number was stated are there: others are not asked for.
    void elsewhere()
    {
        if (m_plan.surest || m_scenario.gpuCount || !growsWithGpus(m_scenario.objective))
            return;
        const auto another = [&](const Candidate& c) { return priced(c) && !onAnswersGpu(c); };
        m_plan.elsewhere
            = m_scenario.gpus.size() == 1 ? onWellKnown() : firstThatStands(another, Objective::CheapestHour);
    }

    void unpriced()
    {
        constexpr std::size_t most = 3;
        std::vector<Candidate> aside = std::exchange(m_plan.unpriced, {});
        if (m_scenario.gpus.size() == 1)
            return;
        aside.insert(aside.end(), m_plan.candidates.begin(), m_plan.candidates.end());
        for (const Candidate& c : aside) {
            const auto sameGpu
                = [&](const Candidate& other) { return other.deployment.gpu == c.deployment.gpu; };
            if (m_plan.unpriced.size() == most)
                return;
            if (!c.meets || priced(c) || onAnswersGpu(c)
                || std::any_of(m_plan.unpriced.begin(), m_plan.unpriced.end(), sameGpu))
                continue;
            if (Candidate stood = played(c); stood.meets)
                m_plan.unpriced.push_back(std::move(stood));
        }
    }

    // False where the runs ran out.
    [[nodiscard]] bool all() const { return *m_work > 0; }

private:
    [[nodiscard]] bool onAnswersGpu(const Candidate& c) const
    {
        return c.deployment.gpu->id == m_plan.answer.deployment.gpu->id;
    }

    [[nodiscard]] Candidate played(const Candidate& c) const
    {
        return m_replays && !c.simulated && !c.prompts ? simulated(c, m_scenario, m_control, m_work) : c;
    }

    template <typename Wanted>
    [[nodiscard]] std::optional<Candidate> firstThatStands(const Wanted& wanted, Objective objective) const
    {
        std::vector<Candidate> found;
        for (const Candidate& c : m_plan.candidates)
            if (c.meets && wanted(c))
                found.push_back(c);
        found = bestFirst(std::move(found), objective);
        std::optional<Candidate> best;
        for (int i = 0; i < std::min<int>(mostPlayed, static_cast<int>(found.size())); ++i) {
            const Candidate& c = found[static_cast<std::size_t>(i)];
            if (best && !better(c, *best, objective))
                break; // more replicas are no better
            Candidate stood = played(c);
            if (stood.meets && wanted(stood) && (!best || better(stood, *best, objective)))
                best = std::move(stood);
        }
        return best;
    }

    // Where one accelerator was named the others were not judged.
    [[nodiscard]] std::optional<Candidate> onWellKnown() const
    {
        std::vector<Candidate> found;
        for (const char* const id : wellKnownAccelerators) {
            if (id == m_plan.answer.deployment.gpu->id)
                continue;
            Scenario s = m_scenario;
            s.gpus = {id};
            s.node.clear();
            s.gpusPerBox.reset();
            if (std::optional<Candidate> best = m_replanner.best(s); best && best->meets && priced(*best))
                found.push_back(*std::move(best));
        }
        found = bestFirst(std::move(found), Objective::CheapestHour);
        for (const Candidate& c : found)
            if (Candidate stood = played(c); stood.meets)
                return stood;
        return std::nullopt;
    }

    SizingPlan& m_plan;
    const Scenario& m_scenario;
    const Replanner& m_replanner;
    const RunControl& m_control;
    bool m_replays;
    std::shared_ptr<std::int64_t> m_work = std::make_shared<std::int64_t>(workOfOthers);
};

} // namespace

void addOtherChoices(SizingPlan& plan, const Scenario& scenario, const Replanner& replanner, bool simulate,
                     const RunControl& control)
{
    if (!plan.meets)
        return;
    OtherChoices choices(plan, scenario, replanner, simulate, control);
    choices.cheapest();
    choices.surest();
    choices.elsewhere();
    choices.unpriced();
    if (!choices.all())
        plan.assumptions.push_back(say("not every other choice was tried: {}", runsSpent()));
}

} // namespace headroom
