#include "calib/measure/run_anchors.h"

#include "calib/calibrate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

RunAnchors::RunAnchors(kernels::Device& device, const std::vector<kernels::Task>& tasks,
                       const TimingPolicy& policy, std::uint64_t seed, Teller note)
    : m_device(device), m_policy(policy), m_note(std::move(note))
{
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (const Message why = device.obstacle(tasks[i]); !why.empty())
            m_note(say("{} is no anchor here: {}", kernels::describe(tasks[i]), why));
        else
            m_anchors.push_back({.index = i, .task = tasks[i], .operands = nullptr, .last = 0});
    }
    onEach([&](Anchor& anchor) { anchor.operands = device.prepare(anchor.task, seed, 0); });
}

void RunAnchors::onEach(const std::function<void(Anchor&)>& work)
{
    for (std::size_t i = 0; i < m_anchors.size();) {
        try {
            work(m_anchors[i]);
            ++i;
            continue;
        } catch (const CalibrationBroken&) {
            throw;
        } catch (const std::exception& failure) {
            m_note(say("{} is no anchor any more: {}", kernels::describe(m_anchors[i].task),
                       asIs(failure.what())));
        }
        m_anchors.erase(m_anchors.begin() + static_cast<std::ptrdiff_t>(i));
        if (const std::string why = m_device.lost(); !why.empty())
            throw CalibrationBroken(say("{}; the points before are kept, --resume goes on from them", why));
    }
}

Seconds RunAnchors::warmUp(Seconds time, const HostClock& clock, const std::function<bool()>& over)
{
    Seconds once;
    const Seconds until = clock() + time;
    bool warm = false;
    onEach([&](Anchor& anchor) {
        if (std::exchange(warm, true))
            return; // the first one that runs is enough
        once = m_device.time(*anchor.operands, 1).perLaunch;
        do
            once = m_device.time(*anchor.operands, launchesFor(m_policy, once)).perLaunch;
        while (clock() < until && !over());
    });
    return once;
}

Message RunAnchors::clockObjectionNow(Seconds once, const HostClock& clock)
{
    constexpr double stretches = 5; // ten milliseconds: far above any clock's grain
    constexpr int attempts = 5;
    int launches = launchesFor(m_policy, once / stretches);
    Message why;
    bool asked = false;
    onEach([&](Anchor& anchor) {
        if (std::exchange(asked, true))
            return;
        // A machine that is busy elsewhere gets more chances, each over stretches long enough to even out
        // what interrupts them; a clock that lies does so at any length.
        for (int attempt = 0; attempt < attempts; ++attempt, launches *= 2) {
            why = clockObjection(readClocks(m_device, *anchor.operands, launches, clock));
            if (why.empty())
                return;
        }
    });
    return why;
}

Sample RunAnchors::timed(Anchor& anchor)
{
    const Seconds once = m_device.time(*anchor.operands, 1).perLaunch;
    const int launches = launchesFor(m_policy, once);
    StoppingRule rule(m_policy);
    do
        rule.add(m_device.time(*anchor.operands, launches).perLaunch);
    while (!rule.enough());
    Sample sample{.kind = SampleKind::Anchor, .index = anchor.index, .what = kernels::describe(anchor.task)};
    sample.timing = rule.timing(launches);
    sample.state = m_device.state();
    const double now = sample.timing.perLaunch.base();
    if (!(now > 0) || !std::isfinite(now))
        throw CalibrationBroken(say("the device's clock gave {} s for {}", now, sample.what));
    return sample;
}

RunAnchors::Look RunAnchors::look(double allowed)
{
    Look out;
    onEach([&](Anchor& anchor) {
        const auto moved = [&](const Sample& sample) {
            return anchor.last > 0 ? std::abs(std::log(sample.timing.perLaunch.base() / anchor.last)) : 0;
        };
        Sample sample = timed(anchor);
        if (moved(sample) > allowed)
            if (Sample again = timed(anchor); moved(again) < moved(sample))
                sample = std::move(again);
        out.drift = std::max(out.drift, moved(sample));
        anchor.last = sample.timing.perLaunch.base();
        out.samples.push_back(std::move(sample));
        out.tasks.push_back(anchor.task);
    });
    return out;
}

} // namespace headroom
