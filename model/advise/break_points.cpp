#include "model/advise/explain_plan.h"
#include "model/advise/inputs.h"
#include "model/search/finalists.h"
#include "model/search/replay_ratio.h"
#include "model/search/replays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>

namespace headroom {

namespace {

constexpr std::int64_t workOfBreakPoints = 1'500'000; // of replays: more is not waited for

// How far an input may go before the answer, as it is, misses what was asked. The closed form, stretched as
// the answer's own replay stretched it, says where to look; a replay there says whether it holds.
class BreakPoints {
public:
    BreakPoints(const SizingPlan& plan, const Scenario& scenario, const Replanner& replanner, bool simulate,
                const RunControl& control)
        : m_plan(plan),
          m_base(onAnswer(plan, scenario)),
          m_replanner(replanner),
          m_control(control),
          m_replays(simulate && trafficMatters(scenario) && plan.answer.simulated)
    {
        if (m_replays)
            m_stretch = replayRatioOf(plan.answer).value_or(ReplayRatio{});
    }

    FoundBreakPoints all()
    {
        FoundBreakPoints out;
        for (const Input& input : inputsOf(m_base)) {
            // Of GPUs whose number was stated another layout may carry more: what this one carries is told.
            if (input.load && m_plan.answer.maximumKnown && m_base.gpuCount)
                continue;
            const std::optional<BreakPoint> point = *m_work > 0 ? pointOf(input) : std::nullopt;
            if (point)
                out.points.push_back(*point);
            else if (*m_work <= 0) // they may have been spent within it
                out.notSought.push_back(input.name);
        }
        return out;
    }

private:
    // None where the answer stays as it is.
    [[nodiscard]] std::optional<BreakPoint> pointOf(const Input& input) const
    {
        // How much is carried is told of the answer already.
        const std::optional<double> last
            = input.load && m_plan.answer.maximumKnown ? carried(input) : lastThatHolds(input);
        if (!last || (m_replays && *m_work <= 0)) // or the runs were spent on the way
            return std::nullopt;
        const double beyond
            = input.whole ? std::max(std::floor(*last) + 1, std::round(*last * 1.1)) : *last * 1.1;
        const std::optional<int> gpus = neededAt(input.with(beyond));
        const bool more = gpus && (*gpus == 0 || *gpus > m_plan.answer.gpus());
        return more ? std::optional(BreakPoint{input.name, *last, *gpus}) : std::nullopt;
    }

    // Users or requests a second, as they are stated: without the peak.
    [[nodiscard]] std::optional<double> carried(const Input& input) const
    {
        const double most = input.whole ? m_plan.answer.maxConcurrency : m_plan.answer.maxRequestsPerSecond;
        return std::max(input.value, most / m_plan.answer.machine->scenario.peakFactor);
    }

    [[nodiscard]] bool holds(const Scenario& changed) const
    {
        Scenario stretched = changed;
        stretched.targets = shrunk(changed.targets, m_stretch);
        const std::optional<Candidate> same = m_replanner.asIs(m_plan.answer, stretched);
        return same && same->meets;
    }

    [[nodiscard]] bool stands(const Scenario& changed) const
    {
        const std::optional<Candidate> same = m_replanner.asIs(m_plan.answer, changed);
        if (!same)
            return false;
        const std::optional<serve::Workload> none;
        Replays replays(changed, none, m_control, 1, m_work);
        const Candidate played = replays.played(*same, same->deployment.layout.replicas);
        return played.simulated && played.meets;
    }

    // None where the answer holds as far as is looked.
    [[nodiscard]] std::optional<double> lastThatHolds(const Input& input) const
    {
        const auto holdsAt = [&](double value) { return holds(input.with(value)); };
        double low = input.value;
        double high = std::max(input.most, input.value * 2);
        double probe = low * 2;
        while (probe < high && holdsAt(probe)) {
            low = probe;
            probe *= 2;
        }
        high = std::min(probe, high);
        if (holdsAt(high))
            return std::nullopt;
        while (high - low > std::max(0.01 * low, input.whole ? 1.0 : 1e-9)) {
            const double middle = input.whole ? std::floor((low + high) / 2) : (low + high) / 2;
            (holdsAt(middle) ? low : high) = middle;
        }
        return m_replays ? replayed(input, low) : low;
    }

    // About where the closed form said, to within a tenth: what stands a replay.
    [[nodiscard]] double replayed(const Input& input, double said) const
    {
        const auto at = [&](double value) { return input.whole ? std::floor(value) : value; };
        const auto standsAt = [&](double value) { return stands(input.with(at(value))); };
        if (standsAt(said))
            return standsAt(said * 1.1) ? at(said * 1.1) : at(said);
        for (const double share : {0.9, 0.75})
            if (said * share > input.value && standsAt(said * share))
                return at(said * share);
        return input.value; // so much stood the answer's own replay
    }

    // 0: nothing meets the targets. None where the runs were spent before that was known.
    [[nodiscard]] std::optional<int> neededAt(const Scenario& changed) const
    {
        std::optional<Candidate> best = m_replanner.best(changed);
        if (best && best->meets && m_replays)
            best = simulated(*best, changed, m_control, m_work);
        if (best && best->meets)
            return best->gpus();
        return m_replays && *m_work <= 0 ? std::nullopt : std::optional(0);
    }

    const SizingPlan& m_plan;
    Scenario m_base;
    const Replanner& m_replanner;
    const RunControl& m_control;
    bool m_replays;
    ReplayRatio m_stretch;
    std::shared_ptr<std::int64_t> m_work = std::make_shared<std::int64_t>(workOfBreakPoints);
};

} // namespace

FoundBreakPoints breakPointsOf(const SizingPlan& plan, const Scenario& scenario, const Replanner& replanner,
                               bool simulate, const RunControl& control)
{
    if (!plan.meets)
        return {};
    return BreakPoints(plan, scenario, replanner, simulate, control).all();
}

} // namespace headroom
