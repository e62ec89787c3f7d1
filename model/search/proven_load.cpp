#include "model/search/proven_load.h"

#include "model/scenario/service_load.h"
#include "model/search/replay_ratio.h"
#include "model/search/replays.h"
#include "model/search/safe_confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

namespace headroom {

namespace {
constexpr int mostProofRuns = 12;
constexpr std::int64_t workOfAnAside = 1'500'000; // of replays

// What a candidate carries in closed form, in the kind of load that was stated.
class ClosedForm {
public:
    ClosedForm(const Candidate& c, const Scenario& scenario, bool sure)
        : m_curve(c.deployment, c.machine->load),
          m_working(std::max(1, c.deployment.layout.replicas - scenario.spares)),
          m_open(loadOf(scenario).requestsPerSecond > 0),
          m_targets(scenario.targets)
    {
        if (sure) // times may be as long as that
            m_targets = shrunk(m_targets, upperEnds(m_curve.timesAt(std::max(1.0, c.point.users))));
    }

    [[nodiscard]] bool open() const { return m_open; }
    // Its times stretched so.
    [[nodiscard]] double carries(const ReplayRatio& stretch) const
    {
        const double users = m_curve.capacity(shrunk(m_targets, stretch)).users;
        return users <= 0 ? 0 : m_open ? m_curve.rateAt(users) * m_working : std::floor(users * m_working);
    }
    [[nodiscard]] ServiceLoad load(double size) const
    {
        return m_open ? ServiceLoad{.requestsPerSecond = size} : ServiceLoad{.users = size};
    }
    // More users would wait until there is room for them.
    [[nodiscard]] double room() const { return std::floor(m_curve.capacity(Targets{}).users * m_working); }

private:
    ReplicaCurve m_curve;
    double m_working;
    bool m_open;
    Targets m_targets;
};

// Whoever asks for the most by name hears the verdict of a shorter run: fewer, where that says no.
void keepWhatIsSaidOfIt(ProvenLoad& most, Replays& replays, const Candidate& candidate,
                        const ClosedForm& closedForm)
{
    constexpr double less = 0.99;
    double size = closedForm.open() ? most.load.requestsPerSecond : most.load.users;
    while (size >= 1 && !replays.exhausted()) {
        const Candidate asked = replays.playedAsStated(candidate, closedForm.load(size));
        if (!asked.simulated)
            return;
        if (asked.meets) {
            most = {closedForm.load(size), asked.confidence, asked.simulated, {}};
            return;
        }
        size = closedForm.open() ? size * less : std::min(size - 1, std::floor(size * less));
    }
}

} // namespace

std::optional<ProvenLoad> mostThatStands(const Candidate& candidate, const Scenario& scenario,
                                         const RunControl& control, bool sure,
                                         std::shared_ptr<std::int64_t> work)
{
    constexpr double exact = 0.02;
    if (candidate.prompts)
        return std::nullopt;
    const ServiceLoad stated = loadOf(scenario);
    const ClosedForm closedForm(candidate, scenario, sure);
    const bool open = closedForm.open();
    const double room = closedForm.room();
    const std::optional<serve::Workload> none;
    if (!work)
        work = std::make_shared<std::int64_t>(workOfAnAside);
    Replays replays(scenario, none, control, mostProofRuns, std::move(work), {}, sure ? safeConfidence : 0);
    ProvenLoad most;
    double low = 0;
    if (candidate.simulated && stated.stated() && !sure) { // so much stood its own
        low = open ? stated.requestsPerSecond : stated.users;
        most = {stated, candidate.confidence, candidate.simulated, {}};
    }
    double next = std::max(low, closedForm.carries({}));
    double high = 0;     // fails; 0: nothing was seen to
    double step = exact; // of what stood, to what is tried next: longer each time that it stands
    bool halve = false;
    while (next > low && !replays.exhausted()) {
        const Candidate played = replays.playedWith(candidate, closedForm.load(next));
        if (!played.simulated && replays.exhausted())
            break;
        if (!played.simulated)
            return std::nullopt;
        const double before = high - low;
        if (played.meets) {
            low = next;
            most = {closedForm.load(next), played.confidence, played.simulated, {}};
        } else {
            high = next;
            if (low == 0)
                most.reason = played.reason;
        }
        const std::optional<ReplayRatio> stretch = replayRatioOf(played);
        const double said = stretch ? closedForm.carries(*stretch) : 0;
        if (high == 0 && !open && low < room) { // the closed form may say too little
            next = std::min(room, std::max(std::floor(low * (1 + step)) + 1, said));
            step *= 2;
            continue;
        }
        if (high == 0 || high - low <= std::max(open ? 0.0 : 1.0, exact * high))
            break;
        const double middle = (low + high) / 2;
        next = halve || said <= low || said >= high ? middle : said;
        if (!open)
            next = std::clamp(std::floor(next), low + 1, high - 1);
        halve = !halve && before > 0 && high - low > before / 2;
    }
    if (!stated.stated() && low > 0)
        keepWhatIsSaidOfIt(most, replays, candidate, closedForm);
    // The runs were spent before anything was known.
    return most.load.stated() || !most.reason.empty() ? std::optional(std::move(most)) : std::nullopt;
}

} // namespace headroom
