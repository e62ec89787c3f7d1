#include "calib/measure/samples_file.h"

#include "calib/calibrate.h"
#include "model/base/quantity_text.h"
#include "model/cost/op_slot.h"
#include "model/efficiency/form_slot.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"
#include "model/text/write_file.h"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace headroom {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t longestFile = 64U << 20; // 250,000 lines: a hundred times the largest sweep
constexpr std::string_view header
    = "kind,index,block,attempt,what,form,group,flops,weight_bytes,kv_bytes,activation_bytes,time_us,ln_"
      "spread,"
      "rounds,launches,noisy,refused,core_clock_mhz,memory_clock_mhz,power_w,temperature_c,throttle\n";

[[noreturn]] void broken(const fs::path& file, std::size_t lines, int error)
{
    throw CalibrationBroken(
        say("{} cannot be written: {}; the {} points before are kept in it, --resume goes on from them",
            file.string(), asIs(std::strerror(error)), lines));
}

std::string formOf(const SweepPoint& point)
{
    if (point.kind == PointKind::Layer)
        return "held out";
    if (point.kind == PointKind::Machine)
        return "machine";
    return slotName(slotOf(kernels::workOf(point.tasks.front())));
}

std::string lineOf(const Sample& sample, const SweepPoint& point)
{
    double flops = 0;
    double weights = 0;
    double kv = 0;
    double activations = 0;
    for (const kernels::Task& task : point.tasks) {
        const Op op = kernels::workOf(task);
        flops += op.flops.base();
        weights += op.weightBytes.base();
        kv += op.kvBytes.base();
        activations += op.activationBytes.base();
    }
    const Timing& timing = sample.timing;
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                       sampleKindName(sample.kind), sample.index, sample.block, sample.attempt,
                       csvCell(sample.what), csvCell(formOf(point)),
                       csvCell(kernels::groupOf(point.tasks.front())), numberText(flops), numberText(weights),
                       numberText(kv), numberText(activations), numberText(timing.perLaunch.base() * 1e6),
                       numberText(timing.lnSpread), timing.rounds, timing.launches, timing.noisy ? 1 : 0,
                       csvCell(sample.refused), numberText(sample.state.coreClockHz / 1e6),
                       numberText(sample.state.memoryClockHz / 1e6), numberText(sample.state.power.base()),
                       numberText(sample.state.temperatureCelsius), csvCell(sample.state.throttle));
}

// Reads cells of one record by the titles of the header; what is wrong goes to `problems`.
class RecordReader {
public:
    RecordReader(const CsvTable& table, const CsvRecord& record, Problems& problems)
        : m_table(table), m_record(record), m_problems(problems)
    {}
    [[nodiscard]] std::string text(std::string_view title) const
    {
        const auto column = m_table.column(title);
        return column ? m_record.cells[*column] : std::string();
    }
    [[nodiscard]] double number(std::string_view title) const
    {
        const Result<double> value = numberFromText(text(title));
        if (value)
            return *value;
        report(title, say("expected a number, got '{}'", text(title)));
        return 0;
    }
    [[nodiscard]] int whole(std::string_view title) const
    {
        const double value = number(title);
        if (value >= 0 && value <= 1e9 && value == std::floor(value))
            return static_cast<int>(value);
        report(title, say("expected a whole number, got '{}'", text(title)));
        return 0;
    }
    void report(std::string_view title, Message what) const
    {
        const auto column = m_table.column(title);
        m_problems.push_back({m_table.place(m_record, column.value_or(0)), std::move(what), {}});
    }

private:
    const CsvTable& m_table;
    const CsvRecord& m_record;
    Problems& m_problems;
};

Sample sampleOf(const RecordReader& in)
{
    Sample sample;
    if (const auto kind = sampleKindFromName(in.text("kind")))
        sample.kind = *kind;
    else
        in.report("kind", say("expected point, repeat or anchor, got '{}'", in.text("kind")));
    sample.index = static_cast<std::size_t>(in.whole("index"));
    sample.block = in.whole("block");
    sample.attempt = in.whole("attempt");
    sample.what = in.text("what");
    sample.refused = in.text("refused");
    const double microseconds = in.text("time_us").empty() ? 0 : in.number("time_us");
    if (sample.refused.empty() && !(microseconds > 0))
        in.report("time_us", "expected a time above zero");
    sample.timing = {.perLaunch = Seconds(microseconds * 1e-6),
                     .lnSpread = in.number("ln_spread"),
                     .rounds = in.whole("rounds"),
                     .launches = in.whole("launches"),
                     .noisy = in.text("noisy") == "1"};
    sample.state = {.coreClockHz = in.number("core_clock_mhz") * 1e6,
                    .memoryClockHz = in.number("memory_clock_mhz") * 1e6,
                    .power = Watts(in.number("power_w")),
                    .temperatureCelsius = in.number("temperature_c"),
                    .throttle = in.text("throttle")};
    return sample;
}

// The file up to the end of its last whole line.
std::string wholeLines(const std::string& text)
{
    const std::size_t end = text.rfind('\n');
    return end == std::string::npos ? std::string() : text.substr(0, end + 1);
}

// A run holds its samples locked while it lasts. The lock ends with the process, however that ends.
void lock(const fs::path& file, int descriptor)
{
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0)
        if (errno == EWOULDBLOCK)
            throw CalibrationBroken(
                say("{}: another calibration is writing this file; wait for its end, or give another "
                    "file with -o",
                    file.string()));
        else if (errno != EINTR)
            return; // a file system without locks
}

// A name beside `file` that nothing has yet.
fs::path freeName(const fs::path& file)
{
    for (int i = 1;; ++i) {
        fs::path other = file;
        other.replace_extension(fmt::format(".{}{}", i, file.extension().string()));
        if (!fs::exists(other))
            return other;
    }
}

// The samples of an earlier run get another name.
void putAside(const fs::path& file)
{
    std::error_code missing;
    if (!fs::is_regular_file(file, missing))
        return;
    const int old = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (old < 0)
        broken(file, 0, errno);
    try {
        lock(file, old);
        if (fs::file_size(file) > 0)
            fs::rename(file, freeName(file));
        else
            fs::remove(file);
    } catch (...) {
        ::close(old);
        throw;
    }
    ::close(old);
}

// Locked before it has its name, so that nobody finds it unlocked.
int newSamples(const fs::path& file)
{
    const NewFile made = newFileIn(file.has_parent_path() ? file.parent_path() : fs::path("."), 0644);
    lock(file, made.descriptor);
    // Unlike a rename, a link never takes the place of what another run has put there meanwhile.
    int error = ::link(made.path.c_str(), file.c_str()) == 0 ? 0 : errno;
    const bool noLinks = error == EPERM || error == EOPNOTSUPP; // such as FAT
    if (noLinks)
        error = ::rename(made.path.c_str(), file.c_str()) == 0 ? 0 : errno;
    if (!noLinks || error != 0)
        while (::unlink(made.path.c_str()) != 0)
            if (errno != EINTR) {
                error = error != 0 ? error : errno;
                break;
            }
    if (error == 0)
        return made.descriptor;
    ::close(made.descriptor);
    if (error == EEXIST)
        throw CalibrationBroken(say("{}: another calibration has just begun this file", file.string()));
    broken(file, 0, error);
}

} // namespace

Result<SamplesFile> readSamples(const fs::path& file)
{
    const Result<std::string> text = readTextFile(file, longestFile);
    if (!text)
        return refuse(text.error());
    SamplesFile out;
    const std::string whole = wholeLines(*text);
    std::size_t at = 0;
    std::size_t above = 0; // lines before the header
    while (at < whole.size() && whole[at] == '#') {
        const std::size_t end = whole.find('\n', at);
        const std::string line = whole.substr(at, end - at);
        if (const std::size_t colon = line.find(": "); colon != std::string::npos && colon > 2)
            out.facts[line.substr(2, colon - 2)] = line.substr(colon + 2);
        ++above;
        at = end + 1;
    }
    const std::string rows = whole.substr(at);
    if (!rows.starts_with(header))
        return refuse(file.string() + ":" + std::to_string(above + 1),
                      "expected the header of a samples file", "it begins with kind,index,block");
    Result<CsvTable> table = readCsvTable(rows, file.string());
    if (!table)
        return refuse(table.error());
    for (CsvRecord& record : table->records)
        record.line += above; // as an editor counts
    Problems problems;
    for (const CsvRecord& record : table->records)
        out.samples.push_back(sampleOf(RecordReader(*table, record, problems)));
    if (!problems.empty())
        return refuse(std::move(problems));
    return out;
}

SamplesWriter::SamplesWriter(fs::path file, int descriptor)
    : m_file(std::move(file)), m_descriptor(descriptor)
{}

SamplesWriter::SamplesWriter(SamplesWriter&& other) noexcept
    : m_file(std::move(other.m_file)),
      m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_lines(other.m_lines)
{}

SamplesWriter::~SamplesWriter()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

SamplesWriter SamplesWriter::create(const fs::path& file, const SamplesFacts& facts)
{
    putAside(file);
    std::error_code missing;
    const bool special = fs::exists(file, missing); // a device or a pipe: nothing else is left standing
    SamplesWriter out(file, special ? ::open(file.c_str(), O_WRONLY | O_CLOEXEC) : newSamples(file));
    if (out.m_descriptor < 0)
        broken(file, 0, errno);
    std::string top;
    for (const auto& [key, value] : facts)
        top += fmt::format("# {}: {}\n", key, value);
    out.write(top + std::string(header));
    out.m_lines = 0;
    return out;
}

SamplesWriter SamplesWriter::resume(const fs::path& file)
{
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        broken(file, 0, errno);
    SamplesWriter out(file, descriptor);
    lock(file, descriptor);
    const Result<std::string> text = readTextFile(file, longestFile);
    if (!text)
        throw CalibrationBroken(
            say("{}: {}", text.error().front().where, Message(text.error().front().what)));
    const auto end = static_cast<off_t>(wholeLines(*text).size());
    if (::ftruncate(descriptor, end) != 0 || ::lseek(descriptor, end, SEEK_SET) < 0)
        broken(file, 0, errno);
    return out;
}

void SamplesWriter::append(const Sample& sample, const SweepPoint& point) { write(lineOf(sample, point)); }

void SamplesWriter::write(const std::string& line)
{
    const off_t start = ::lseek(m_descriptor, 0, SEEK_CUR);
    std::size_t done = 0;
    while (done < line.size()) {
        const ssize_t wrote = ::write(m_descriptor, line.data() + done, line.size() - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0) {
            const int error = wrote < 0 ? errno : ENOSPC;
            // Half a line would only be in the way of whoever reads the rest.
            if (start >= 0 && ::ftruncate(m_descriptor, start) != 0)
                broken(m_file, m_lines, errno);
            broken(m_file, m_lines, error);
        }
        done += static_cast<std::size_t>(wrote);
    }
    // A pipe or a device has nothing to flush: EINVAL is no failure there.
    int flushed = ::fsync(m_descriptor);
    while (flushed != 0 && errno == EINTR)
        flushed = ::fsync(m_descriptor);
    if (flushed != 0 && errno != EINVAL && errno != EROFS)
        broken(m_file, m_lines, errno);
    ++m_lines;
}

} // namespace headroom
