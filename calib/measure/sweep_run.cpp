#include "calib/measure/sweep_run.h"

#include "calib/calibrate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

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
          m_start(clock())
    {
        for (const kernels::Task& task : anchors)
            m_anchors.push_back({.task = task, .operands = device.prepare(task, policy.seed, 0)});
        m_done.resize(sweep.points.size());
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
        m_outcome.cancelled = m_stop.stop_requested();
        m_outcome.deadline = !m_outcome.cancelled && next(0) < m_done.size();
        return std::move(m_outcome);
    }

private:
    struct Anchor {
        kernels::Task task;
        std::unique_ptr<kernels::Prepared> operands;
        double last = 0;
    };

    [[nodiscard]] Seconds spent() const { return m_clock() - m_start; }
    [[nodiscard]] bool over() const { return m_stop.stop_requested() || spent() >= m_policy.budget; }
    [[nodiscard]] std::size_t next(std::size_t from) const
    {
        while (from < m_done.size() && m_done[from])
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

    void note(std::string text)
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

    // Raises the clocks, then asks the device's own clock whether it can be believed.
    void warmUp()
    {
        m_known = static_cast<std::size_t>(std::count(m_done.begin(), m_done.end(), true));
        Anchor& anchor = m_anchors.front();
        const Seconds until = m_clock() + m_policy.warmUp;
        Seconds once = m_device.time(*anchor.operands, 1).perLaunch;
        do
            once = m_device.time(*anchor.operands, launchesFor(m_policy.timing, once)).perLaunch;
        while (m_clock() < until && !m_stop.stop_requested());
        believeClock(once);
        m_start = m_clock(); // the budget is for measuring
    }
    void believeClock(Seconds once)
    {
        constexpr double stretches = 5; // ten milliseconds: far above any clock's grain
        constexpr int attempts = 5;
        int launches = launchesFor(m_policy.timing, once / stretches);
        std::string why;
        // A machine that is busy elsewhere gets more chances, each over stretches long enough to even out
        // what interrupts them; a clock that lies does so at any length.
        for (int attempt = 0; attempt < attempts; ++attempt, launches *= 2) {
            why = clockObjection(readClocks(m_device, *m_anchors.front().operands, launches, m_clock));
            if (why.empty())
                return;
        }
        throw CalibrationBroken(why);
    }

    // Times the anchors; the largest change since the last look.
    double lookAtAnchors()
    {
        double drift = 0;
        for (std::size_t i = 0; i < m_anchors.size(); ++i) {
            Anchor& anchor = m_anchors[i];
            const Seconds once = m_device.time(*anchor.operands, 1).perLaunch;
            const int launches = launchesFor(m_policy.timing, once);
            StoppingRule rule(m_policy.timing);
            do
                rule.add(m_device.time(*anchor.operands, launches).perLaunch);
            while (!rule.enough());
            Sample sample{.kind = SampleKind::Anchor, .index = i, .what = kernels::describe(anchor.task)};
            sample.timing = rule.timing(launches);
            sample.state = m_device.state();
            const double now = sample.timing.perLaunch.base();
            if (!(now > 0) || !std::isfinite(now))
                throw CalibrationBroken(fmt::format("the device's clock gave {} s for {}", now, sample.what));
            if (anchor.last > 0)
                drift = std::max(drift, std::abs(std::log(now / anchor.last)));
            anchor.last = now;
            keep(std::move(sample), {.kind = PointKind::Machine, .tasks = {anchor.task}, .what = {}}, false);
        }
        return drift;
    }

    void measureBlock(const std::vector<std::size_t>& block)
    {
        for (m_attempt = 0; m_attempt < 2 && !over(); ++m_attempt) {
            for (Anchor& anchor : m_anchors)
                anchor.last = 0;
            (void)lookAtAnchors();
            const Seconds began = m_clock();
            measurePoints(block);
            const double drift = lookAtAnchors();
            if (drift <= m_policy.allowedDrift)
                break;
            const Seconds needed = m_clock() - began;
            const bool again
                = m_attempt == 0 && !m_stop.stop_requested() && spent() + needed < m_policy.budget;
            note(fmt::format("an anchor drifted by {:.1f} % over block {}: {}", 100 * std::expm1(drift),
                             m_block + 1,
                             again ? "it is measured again" : "its points are kept as they are"));
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
        Sample sample = m_meter.measure(point, index);
        sample.kind = kind;
        if (kind == SampleKind::Point)
            m_done[index] = true;
        keep(std::move(sample), point, kind == SampleKind::Point);
    }

    kernels::Device& m_device;
    const Sweep& m_sweep;
    RunPolicy m_policy;
    SamplesWriter& m_writer;
    const HostClock& m_clock;
    std::stop_token m_stop;
    const RunListener& m_listener;
    PointMeter m_meter;
    Seconds m_start;
    std::vector<Anchor> m_anchors;
    std::vector<bool> m_done;
    std::size_t m_known = 0;
    int m_block = 0;
    int m_attempt = 0;
    RunOutcome m_outcome;
};

} // namespace

RunOutcome runSweep(kernels::Device& device, const Sweep& sweep, const std::vector<kernels::Task>& anchors,
                    const RunPolicy& policy, std::vector<Sample> known, SamplesWriter& writer,
                    const HostClock& clock, std::stop_token stop, const RunListener& listener)
{
    Run run(device, sweep, anchors, policy, std::move(known), writer, clock, std::move(stop), listener);
    return run.take();
}

} // namespace headroom
