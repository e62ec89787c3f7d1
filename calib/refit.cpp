#include "calib/refit.h"

#include "calib/calibration_subject.h"
#include "calib/judge/judged_run.h"
#include "calib/measure/samples_file.h"
#include "calib/run_files.h"
#include "model/base/quantity_text.h"
#include "model/text/write_file.h"
#include "model/yaml/efficiency_yaml.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace headroom {

namespace {

// What a device was when it was measured. It runs nothing any more.
class RecordedDevice final : public kernels::Device {
public:
    explicit RecordedDevice(kernels::DeviceFacts facts) : m_facts(std::move(facts)) {}

    [[nodiscard]] const kernels::DeviceFacts& facts() const override { return m_facts; }
    [[nodiscard]] kernels::DeviceState state() override { return {}; }
    // What else it could not run is not among its samples.
    [[nodiscard]] Message obstacle(const kernels::Task& task) const override
    {
        return kernels::isCollective(task.kernel) ? Message("exchanges are not fitted again") : Message();
    }
    [[nodiscard]] std::unique_ptr<kernels::Prepared> prepare(const kernels::Task& /*task*/,
                                                             std::uint64_t /*seed*/, int /*copies*/) override
    {
        refuseToRun();
    }
    void enqueue(kernels::Prepared& /*prepared*/, int /*copy*/) override { refuseToRun(); }
    [[nodiscard]] double check(kernels::Prepared& /*prepared*/) override { refuseToRun(); }
    [[nodiscard]] kernels::Stretch time(kernels::Prepared& /*prepared*/, int /*launches*/) override
    {
        refuseToRun();
    }
    void synchronise() override {}

private:
    [[noreturn]] static void refuseToRun()
    {
        throw kernels::DeviceFailure("a device that was recorded runs nothing");
    }

    kernels::DeviceFacts m_facts;
};

// The facts above the samples, with what is missing or no number.
class FactReader {
public:
    FactReader(const SamplesFile& file, std::string where) : m_facts(file.facts), m_where(std::move(where)) {}

    [[nodiscard]] std::string text(const std::string& key)
    {
        const auto found = m_facts.find(key);
        if (found != m_facts.end())
            return found->second;
        m_problems.push_back({m_where, say("does not say '{}' above its header", key),
                              "only samples that name their device can be fitted again"});
        return {};
    }
    [[nodiscard]] double number(const std::string& key)
    {
        const std::string written = text(key);
        const Result<double> value = numberFromText(written);
        if (value && *value >= 0)
            return *value;
        if (!written.empty())
            m_problems.push_back({m_where, say("{}: expected a number from 0, got '{}'", key, written), {}});
        return 0;
    }
    [[nodiscard]] Problems take() { return std::move(m_problems); }

private:
    const SamplesFacts& m_facts;
    std::string m_where;
    Problems m_problems;
};

// The device's line is its name, and behind it what tells two cards of one type apart.
std::pair<std::string, std::string> nameAndHash(const std::string& line)
{
    constexpr std::size_t digits = 16;
    const std::size_t space = line.rfind(' ');
    const bool hashed = space != std::string::npos && line.size() - space - 1 == digits
        && line.find_first_not_of("0123456789abcdef", space + 1) == std::string::npos;
    return hashed ? std::pair(line.substr(0, space), line.substr(space + 1)) : std::pair(line, std::string());
}

Result<kernels::DeviceFacts> factsFrom(const SamplesFile& file, const std::string& where)
{
    FactReader in(file, where);
    kernels::DeviceFacts facts;
    facts.kind = in.text("kind");
    std::tie(facts.name, facts.uuidHash) = nameAndHash(in.text("device"));
    facts.driver = in.text("driver");
    facts.libraries = in.text("libraries");
    facts.units = static_cast<int>(in.number("units"));
    facts.memory = Bytes(in.number("memory_bytes"));
    facts.cache = Bytes(in.number("cache_bytes"));
    facts.computeCapability = in.number("compute_capability");
    if (Problems problems = in.take(); !problems.empty())
        return refuse(std::move(problems));
    return facts;
}

// The points that were measured, at the places they had. `all`: every point that this kind of device can
// have.
struct RecordedSweep {
    Sweep sweep;
    std::vector<std::string> unknown; // samples of points that this version does not measure
};
RecordedSweep recordedSweep(const SamplesFile& file, Sweep all)
{
    std::map<std::string, SweepPoint*> byLine;
    for (SweepPoint& point : all.points)
        byLine[point.what] = &point;
    RecordedSweep out;
    for (const Sample& sample : file.samples) {
        if (sample.kind == SampleKind::Anchor)
            continue;
        const auto found = byLine.find(sample.what);
        if (found == byLine.end()) {
            out.unknown.push_back(sample.what);
            continue;
        }
        if (sample.index >= out.sweep.points.size())
            out.sweep.points.resize(sample.index + 1);
        out.sweep.points[sample.index] = *found->second;
    }
    return out;
}

// Each index with a sample has its point.
std::vector<Sample> fittable(const SamplesFile& file, const Sweep& sweep)
{
    std::vector<Sample> out;
    for (const Sample& sample : file.samples) {
        const bool anchor = sample.kind == SampleKind::Anchor;
        if (anchor || (sample.index < sweep.points.size() && !sweep.points[sample.index].tasks.empty()))
            out.push_back(sample);
    }
    return out;
}

// "1c2f… of 2082 points"
std::size_t plannedPoints(const SamplesFile& file)
{
    const auto line = file.facts.find("sweep");
    if (line == file.facts.end())
        return 0;
    const std::size_t of = line->second.find(" of ");
    std::size_t planned = 0;
    if (of != std::string::npos)
        std::from_chars(line->second.data() + of + 4, line->second.data() + line->second.size(), planned);
    return planned;
}

} // namespace

Result<CalibrationReport> refitSamples(CalibrationOptions options, const Catalogue& catalogue)
{
    const std::string where = options.refit.string();
    const Result<SamplesFile> file = readSamples(options.refit);
    if (!file)
        return refuse(file.error());
    const Result<kernels::DeviceFacts> facts = factsFrom(*file, where);
    if (!facts)
        return refuse(facts.error());
    if (const auto created = file->facts.find("created"); created != file->facts.end())
        options.created = created->second; // of the measurement
    RecordedDevice device(*facts);
    Result<CalibrationSubject> subject = subjectOf(device, options, catalogue);
    if (!subject)
        return refuse(subject.error());
    RecordedSweep recorded = recordedSweep(*file, std::move(subject->sweep));
    RunOutcome outcome{.samples = fittable(*file, recorded.sweep), .notes = {}};
    if (const std::size_t left = file->samples.size() - outcome.samples.size(); left > 0)
        outcome.notes.push_back(
            recorded.unknown.empty()
                ? say("{} samples are left out: exchanges, and points that this version does not measure",
                      left)
                : say(
                    "{} samples are left out: exchanges, and points that this version does not measure ({})",
                    left, recorded.unknown.front()));
    // Points that nobody measured have no task to be asked for.
    const std::size_t planned = std::max(plannedPoints(*file), recorded.sweep.points.size());
    recorded.sweep.points.resize(planned);
    for (SweepPoint& point : recorded.sweep.points)
        if (point.tasks.empty())
            point.tasks.push_back({.kernel = kernels::Kernel::Empty, .name = OpName::Embedding});
    subject->sweep = std::move(recorded.sweep);
    CalibrationReport report = judgeRun(outcome, *subject, *facts, options);
    report.deadline = report.measured < report.planned;
    report.file = options.file;
    report.samples = options.refit;
    try {
        writeFile(options.file, efficiencyYaml(report.set));
    } catch (const CannotWrite& broken) {
        throw CalibrationBroken(say("{}: could not be written: {}", broken.file(), broken.reason()));
    }
    return report;
}

} // namespace headroom
