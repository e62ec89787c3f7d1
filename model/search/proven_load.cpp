#include "model/search/proven_load.h"

#include "model/scenario/service_load.h"
#include "model/search/replay_ratio.h"
#include "model/search/replays.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {

namespace {
constexpr int mostProofRuns = 12;
}

std::optional<ProvenLoad> mostThatStands(const Candidate& candidate, const Scenario& asked,
                                         const RunControl& control, bool sure)
{
    constexpr double exact = 0.02;
    if (candidate.prompts)
        return std::nullopt;
    const ServiceLoad stated = loadOf(asked);
    const bool open = stated.requestsPerSecond > 0;
    const ReplicaCurve curve(candidate.deployment, candidate.machine->load);
    const double working = std::max(1, candidate.deployment.layout.replicas - asked.spares);
    // What the closed form says that the service carries, its times stretched so.
    Scenario scenario = asked;
    if (sure)
        scenario.targets
            = shrunk(asked.targets, upperEnds(curve.timesAt(std::max(1.0, candidate.point.users))));
    const auto carries = [&](const ReplayRatio& stretch) {
        const double users = curve.capacity(shrunk(scenario.targets, stretch)).users;
        return users <= 0 ? 0 : open ? curve.rateAt(users) * working : std::floor(users * working);
    };
    const auto loadOfSize = [open](double size) {
        return open ? ServiceLoad{.requestsPerSecond = size} : ServiceLoad{.users = size};
    };
    // More would wait until there is room for them.
    const double room = std::floor(curve.capacity(Targets{}).users * working);
    const std::optional<serve::Workload> none;
    Replays replays(scenario, none, control, mostProofRuns);
    ProvenLoad most;
    double low = 0;
    if (candidate.simulated && stated.stated()) { // so much stood its own
        low = open ? stated.requestsPerSecond : stated.users;
        most = {stated, candidate.confidence, candidate.simulated, {}};
    }
    double next = std::max(low, carries({}));
    double high = 0;     // fails; 0: nothing was seen to
    double step = exact; // of what stood, to what is tried next: longer each time that it stands
    bool halve = false;
    while (next > low && !replays.exhausted()) {
        const Candidate played = replays.playedWith(candidate, loadOfSize(next));
        if (!played.simulated)
            return std::nullopt;
        const double before = high - low;
        if (played.meets) {
            low = next;
            most = {loadOfSize(next), played.confidence, played.simulated, {}};
        } else {
            high = next;
            if (low == 0)
                most.reason = played.reason;
        }
        const std::optional<ReplayRatio> stretch = replayRatioOf(played);
        const double said = stretch ? carries(*stretch) : 0;
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
    return most;
}

} // namespace headroom
