#include "calib/measure/sweep_run.h"

#include "calib/calibrate.h"
#include "calib/measure/run_anchors.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace headroom {

namespace {

class Run {
public:
    Run(kernels::Device& device, const Sweep& sweep, const std::vector<kernels::Task>& anchors,
        const RunPolicy& policy, std::vector<Sample> known, SamplesWriter& writer, const HostClock& clock,
        std::stop_token stop, const RunListener& listener)
        : m_device(device),
          m_sweep(sweep),
          m_policy(policy),
          m_writer(writer),
          m_clock(clock),
          m_stop(std::move(stop)),
          m_listener(listener),
          m_meter(device, policy.timing, policy.seed),
          m_start(clock()),
          m_done(sweep.points.size()),
          m_leftOut(sweep.points.size()),
          m_anchors(device, anchors, policy.timing, policy.seed,
                    [this](Message text) { note(std::move(text)); })
    {
        for (const Sample& sample : known) {
            m_block = std::max(m_block, sample.block + 1);
            if (sample.kind == SampleKind::Point && sample.index < m_done.size())
                m_done[sample.index] = true;
        }
        m_outcome.samples = std::move(known);
    }

    [[nodiscard]] RunOutcome take()
    {
        if (next(0) == m_done.size())
            return std::move(m_outcome); // a finished sweep was resumed: nothing is left to do
        warmUp();
        while (!over()) {
            const std::vector<std::size_t> block = nextBlock();
            if (block.empty())
                break;
            measureBlock(block);
            ++m_block;
        }
        sayLeftOut();
        m_outcome.cancelled = m_stop.stop_requested();
        m_outcome.deadline
            = !m_outcome.cancelled && std::find(m_done.begin(), m_done.end(), false) != m_done.end();
        return std::move(m_outcome);
    }

private:
    [[nodiscard]] Seconds spent() const { return m_clock() - m_start; }
    // The machine's own bandwidth and rates come first and take the time they need: nothing is fitted
    // without.
    [[nodiscard]] bool ownOf(std::size_t point) const
    {
        return point < m_done.size() && m_sweep.points[point].kind == PointKind::Machine;
    }
    [[nodiscard]] bool over() const
    {
        return m_stop.stop_requested() || (spent() >= m_policy.budget && !ownOf(next(0)));
    }
    [[nodiscard]] Measured timed(std::size_t index)
    {
        constexpr Seconds asLongAsNeeded(1e9);
        return m_meter.measure(m_sweep.points[index], index,
                               [&] { return ownOf(index) ? asLongAsNeeded : m_policy.budget - spent(); });
    }
    [[nodiscard]] std::size_t next(std::size_t from) const
    {
        while (from < m_done.size() && (m_done[from] || m_leftOut[from]))
            ++from;
        return from;
    }
    [[nodiscard]] std::vector<std::size_t> nextBlock() const
    {
        std::vector<std::size_t> block;
        for (std::size_t i = next(0);
             i < m_done.size() && block.size() < static_cast<std::size_t>(m_policy.blockPoints);
             i = next(i + 1))
            block.push_back(i);
        return block;
    }

    void note(Message text)
    {
        m_outcome.notes.push_back(text);
        tell({.note = std::move(text)});
    }
    void tell(RunEvent event) const
    {
        if (!m_listener)
            return;
        event.planned = m_done.size();
        event.finished = static_cast<std::size_t>(std::count(m_done.begin(), m_done.end(), true));
        event.spent = spent();
        const double before
            = double(std::max<std::size_t>(event.finished, 1) - std::min(m_known, event.finished));
        const double rest
            = double(event.planned - event.finished) * event.spent.base() / std::max(before, 1.0);
        event.left = Seconds(std::max(0.0, std::min(rest, (m_policy.budget - event.spent).base())));
        m_listener(event);
    }
    void keep(Sample sample, const SweepPoint& point, bool shown)
    {
        sample.block = m_block;
        sample.attempt = m_attempt;
        m_writer.append(sample, point);
        m_outcome.samples.push_back(std::move(sample));
        if (shown)
            tell({.sample = &m_outcome.samples.back(), .point = &point});
    }

    // A power limit keeps clocks down for a while after long work: what is timed next would be slow.
    void rest(Seconds worked) const
    {
        constexpr Seconds longest(0.5);
        if (m_policy.rest && worked > m_policy.restAfter)
            m_policy.rest(std::min(worked / 2, longest));
    }

    [[nodiscard]] Seconds workOf(const Sample& sample) const
    {
        const Timing& timing = sample.timing;
        const int replays = replaysFor(m_policy.timing, timing.perLaunch * double(timing.launches));
        return timing.perLaunch * double(timing.launches * timing.rounds * replays);
    }
    // Whether the clocks were low while it was timed, and not by its own work.
    [[nodiscard]] bool pulledDown(const Sample& sample) const
    {
        constexpr double much = 0.96;
        return m_policy.rest && sample.refused.empty() && sample.state.coreClockHz > 0
            && sample.state.coreClockHz < much * m_highestClock && workOf(sample) <= m_policy.restAfter
            && spent() + m_policy.recovery < m_policy.budget;
    }

    // Raises the clocks, then asks the device's own clock whether it can be believed.
    void warmUp()
    {
        m_known = static_cast<std::size_t>(std::count(m_done.begin(), m_done.end(), true));
        if (m_anchors.empty())
            return note("no anchor runs here: neither the device's clock nor its drift was looked at");
        const Seconds once
            = m_anchors.warmUp(m_policy.warmUp, m_clock, [&] { return m_stop.stop_requested(); });
        // The machine's own clock is not held against itself: what differs then is what else runs.
        if (!m_device.facts().timedByHost)
            if (const Message why = m_anchors.clockObjectionNow(once, m_clock); !why.empty())
                throw CalibrationBroken(why);
        rest(m_policy.warmUp);
        (void)m_anchors.look(m_policy.allowedDrift); // what the first block's are held against
        m_start = m_clock();                         // the budget is for measuring
    }

    // Times the anchors; the largest change since the last look.
    double lookAtAnchors()
    {
        RunAnchors::Look look = m_anchors.look(m_policy.allowedDrift);
        for (std::size_t i = 0; i < look.samples.size(); ++i)
            keep(std::move(look.samples[i]),
                 {.kind = PointKind::Machine, .tasks = {look.tasks[i]}, .what = {}}, false);
        return look.drift;
    }

    void measureBlock(const std::vector<std::size_t>& block)
    {
        for (m_attempt = 0; m_attempt < 2 && !over(); ++m_attempt) {
            (void)lookAtAnchors();
            const Seconds began = m_clock();
            measurePoints(block);
            const double drift = lookAtAnchors();
            if (drift <= m_policy.allowedDrift)
                break;
            const Seconds needed = m_clock() - began;
            const bool again
                = m_attempt == 0 && !m_stop.stop_requested() && spent() + needed < m_policy.budget;
            note(say("an anchor drifted by {:.1f} % over block {}: {}", 100 * std::expm1(drift), m_block + 1,
                     again ? say("it is measured again") : say("its points are kept as they are")));
            if (!again)
                break;
        }
        m_attempt = 0;
    }

    void measurePoints(const std::vector<std::size_t>& block)
    {
        const std::size_t every = std::max<std::size_t>(
            block.size() / static_cast<std::size_t>(std::max(m_policy.looksAgain, 1)), 1);
        std::vector<std::size_t> again;
        for (std::size_t i = 0; i < block.size() && !over(); ++i) {
            measure(block[i], SampleKind::Point);
            if (m_policy.looksAgain > 0 && i % every == every / 2)
                again.push_back(block[i]);
        }
        // In the opposite order, so that a slow drift shows.
        for (auto point = again.rbegin(); point != again.rend() && !over(); ++point)
            measure(*point, SampleKind::Repeat);
    }

    void measure(std::size_t index, SampleKind kind)
    {
        const SweepPoint& point = m_sweep.points[index];
        Measured measured = timed(index);
        if (!measured.sample) {
            m_leftOut[index] = m_leftOut[index] || kind == SampleKind::Point;
            if (measured.needed > m_longest.needed)
                m_longest = {.needed = measured.needed, .what = point.what};
            return;
        }
        Sample& sample = *measured.sample;
        if (pulledDown(sample)) {
            m_policy.rest(m_policy.recovery);
            Measured again = timed(index);
            if (again.sample && again.sample->refused.empty())
                sample = std::move(*again.sample);
            ++m_again;
        }
        m_highestClock = std::max(m_highestClock, sample.state.coreClockHz);
        sample.kind = kind;
        if (kind == SampleKind::Point)
            m_done[index] = true;
        rest(workOf(sample));
        const std::string refused = sample.refused;
        keep(std::move(sample), point, kind == SampleKind::Point);
        if (measured.failed)
            goOnAfter(refused);
        else
            m_failures = 0;
    }

    // A point that failed stands among the samples as refused. The run ends only where the device answers no
    // more, or where nothing has worked for long: then the next ones would be refused for nothing.
    void goOnAfter(const std::string& failure)
    {
        constexpr int mostFailures = 20;
        if (const std::string why = m_device.lost(); !why.empty())
            throw CalibrationBroken(
                say("{} ({}); the points before are kept, --resume goes on from them", why, failure));
        if (++m_failures >= mostFailures)
            throw CalibrationBroken(say("{} points in a row failed, the last with: {}; the points before are "
                                        "kept, --resume goes on from them",
                                        m_failures, failure));
    }

    void sayLeftOut()
    {
        if (m_again > 0)
            note(say("{} points were timed again after a rest: work before them had pulled the clocks down",
                     m_again));
        const auto count = std::count(m_leftOut.begin(), m_leftOut.end(), true);
        if (count > 0)
            note(say("{} did not fit the time that was left; the longest, {}, takes {:.2g} s",
                     counted(double(count), "{} point", "{} points"), m_longest.what,
                     m_longest.needed.base()));
    }

    RunOutcome m_outcome;
    kernels::Device& m_device;
    const Sweep& m_sweep;
    RunPolicy m_policy;
    SamplesWriter& m_writer;
    const HostClock& m_clock;
    std::stop_token m_stop;
    const RunListener& m_listener;
    PointMeter m_meter;
    Seconds m_start;
    std::vector<bool> m_done;
    std::vector<bool> m_leftOut; // longer than the time that was left
    struct {
        Seconds needed;
        std::string what;
    } m_longest;
    std::size_t m_known = 0;
    int m_failures = 0; // in a row
    int m_again = 0;    // points timed at low clocks
    double m_highestClock = 0;
    int m_block = 0;
    int m_attempt = 0;
    RunAnchors m_anchors; // last: they tell what is wrong with them
};

} // namespace

RunOutcome runSweep(kernels::Device& device, const Sweep& sweep, const std::vector<kernels::Task>& anchors,
                    const RunPolicy& policy, std::vector<Sample> known, SamplesWriter& writer,
                    const HostClock& clock, std::stop_token stop, const RunListener& listener)
{
    try {
        Run run(device, sweep, anchors, policy, std::move(known), writer, clock, std::move(stop), listener);
        return run.take();
    } catch (const CalibrationBroken&) {
        throw;
    } catch (const kernels::DeviceFailure& failure) {
        throw CalibrationBroken(
            say("{}; the points before are kept, --resume goes on from them", asIs(failure.what())));
    }
}

} // namespace headroom
