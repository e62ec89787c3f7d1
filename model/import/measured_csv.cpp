#include "model/import/measured_csv.h"

#include "model/import/deployment_csv.h"
#include "model/measured/kept_wide.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headroom {

namespace {

constexpr std::uintmax_t measuredFileLimit = 256ULL << 20U; // fifty times the largest collection known to us
constexpr std::size_t rowProblemLimit = 50;

struct TextColumn {
    std::string_view title;
    std::string MeasuredRow::*field;
};
constexpr std::array textColumns{
    TextColumn{"id", &MeasuredRow::id},
    TextColumn{"source", &MeasuredRow::source},
    TextColumn{"source_url_or_path", &MeasuredRow::sourcePath},
    TextColumn{"source_commit_or_date", &MeasuredRow::sourceVersion},
    TextColumn{"engine", &MeasuredRow::engine},
    TextColumn{"engine_version", &MeasuredRow::engineVersion},
    TextColumn{"model", &MeasuredRow::model},
    TextColumn{"gpu", &MeasuredRow::gpu},
    TextColumn{"weight_dtype", &MeasuredRow::weightDtype},
    TextColumn{"kv_dtype", &MeasuredRow::kvDtype},
    TextColumn{"compute_dtype", &MeasuredRow::computeDtype},
    TextColumn{"input_len", &MeasuredRow::inputLength},
    TextColumn{"output_len", &MeasuredRow::outputLength},
    TextColumn{"batch_or_concurrency", &MeasuredRow::load},
    TextColumn{"notes", &MeasuredRow::notes},
};
struct CountColumn {
    std::string_view title;
    std::optional<int> MeasuredRow::*field;
};
constexpr std::array countColumns{
    CountColumn{"gpus", &MeasuredRow::gpus}, CountColumn{"tp", &MeasuredRow::tp},
    CountColumn{"pp", &MeasuredRow::pp},     CountColumn{"dp", &MeasuredRow::dp},
    CountColumn{"ep", &MeasuredRow::ep},     CountColumn{"replicas", &MeasuredRow::replicas},
};
struct PoolColumn {
    std::string_view title;
    std::optional<int> MeasuredPool::*field;
};
constexpr std::array poolColumns{
    PoolColumn{"prefill_replicas", &MeasuredPool::replicas},
    PoolColumn{"prefill_tp", &MeasuredPool::tp},
    PoolColumn{"prefill_dp", &MeasuredPool::dp},
    PoolColumn{"prefill_ep", &MeasuredPool::ep},
};
constexpr std::array<std::string_view, 4> requiredColumns{"model", "gpu", "metric", "value"};

std::string metricList()
{
    std::string list;
    for (const Metric metric : allMetrics)
        list += (list.empty() ? "" : ", ") + std::string(metricName(metric));
    return list;
}

class RowReader {
public:
    RowReader(const CsvTable& table, Problems& problems) : m_table(table), m_problems(problems) {}

    MeasuredRow row(const CsvRecord& record)
    {
        m_record = &record;
        MeasuredRow row;
        row.line = record.line;
        for (const TextColumn& known : textColumns)
            if (const auto column = m_table.column(known.title))
                row.*known.field = record.cells[*column];
        for (const CountColumn& known : countColumns)
            row.*known.field = count(known.title);
        for (const PoolColumn& known : poolColumns)
            row.prompts.*known.field = count(known.title);
        row.gpuMemoryGb = gpuMemory();
        readMetric(row);
        row.statistic = statistic(row.notes);
        readKeptWide(row.notes);
        return row;
    }

private:
    [[nodiscard]] std::string_view cell(std::string_view title) const
    {
        const auto column = m_table.column(title);
        return column ? std::string_view(m_record->cells[*column]) : std::string_view{};
    }
    void report(std::string_view title, Message what, Message hint = {})
    {
        m_problems.push_back(
            {m_table.place(*m_record, *m_table.column(title)), std::move(what), std::move(hint)});
    }

    std::optional<int> count(std::string_view title)
    {
        const std::string_view text = cell(title);
        if (text.empty())
            return std::nullopt;
        const auto value = wholeCell<int>(text);
        if (!value || *value < 1 || *value > maxGpus) {
            report(title, say("expected a whole number from 1 to {}, got '{}'", maxGpus, asIs(text)));
            return std::nullopt;
        }
        return value;
    }
    std::optional<double> gpuMemory()
    {
        const std::string_view text = cell("gpu_mem_gb");
        if (text.empty())
            return std::nullopt;
        const auto value = wholeCell<double>(text);
        if (!value || !std::isfinite(*value) || *value <= 0) {
            report("gpu_mem_gb", say("expected gigabytes above 0, got '{}'", asIs(text)));
            return std::nullopt;
        }
        return value;
    }
    Statistic statistic(const std::string& notes)
    {
        const std::string_view text = cell("statistic");
        if (text.empty())
            return statisticOfNotes(notes);
        const auto known = statisticFromName(text);
        if (!known)
            report("statistic", say("unknown statistic '{}'", asIs(text)),
                   "one of mean, median, p50, p75, p90, p95, p99");
        return known.value_or(Statistic::Mean);
    }
    // A word that is passed over would judge the row with narrower weights than it ran.
    void readKeptWide(const std::string& notes)
    {
        if (const KeptWide kept = keptWideOfNotes(notes); !kept.unknown.empty())
            report("notes", say("no kind of layer is kept in 16 bits as '{}'", kept.unknown),
                   "some of attention,mlp,shared-experts, without spaces");
    }
    void readMetric(MeasuredRow& row)
    {
        const std::string_view title = cell("metric");
        if (const auto metric = metricFromName(title))
            row.metric = *metric;
        else
            return report("metric", say("unknown metric '{}'", asIs(title)), say("one of {}", metricList()));
        const std::string_view unit = cell("unit");
        if (!unit.empty() && unit != metricUnit(row.metric))
            report(
                "unit",
                say("expected '{}' for {}, got '{}'", asIs(metricUnit(row.metric)), asIs(title), asIs(unit)),
                "convert the value: units are fixed by the metric");
        const std::string_view text = cell("value");
        const auto value = wholeCell<double>(text);
        if (!value || !std::isfinite(*value) || *value <= 0)
            report("value", say("expected a finite number above 0, got '{}'", asIs(text)));
        else
            row.value = *value;
    }

    static constexpr int maxGpus = 1'000'000; // beyond any machine

    const CsvTable& m_table;
    const CsvRecord* m_record = nullptr;
    Problems& m_problems;
};

} // namespace

Result<std::vector<MeasuredRow>> readMeasuredCsv(std::string_view text, const std::string& name)
{
    const Result<CsvTable> table = readCsvTable(text, name);
    if (!table)
        return refuse(table.error());
    if (isDeploymentTable(*table))
        return deploymentRows(*table);
    Problems problems;
    for (const std::string_view title : requiredColumns)
        if (!table->column(title))
            problems.push_back({name + ":1:1", say("the column '{}' is missing", asIs(title)), {}});
    if (!problems.empty())
        return refuse(std::move(problems));
    RowReader reader(*table, problems);
    std::vector<MeasuredRow> rows;
    rows.reserve(table->records.size());
    for (const CsvRecord& record : table->records)
        if (problems.size() < rowProblemLimit)
            rows.push_back(reader.row(record));
    if (!problems.empty())
        return refuse(std::move(problems));
    return rows;
}

Result<std::vector<MeasuredRow>> readMeasuredCsv(const std::filesystem::path& file)
{
    const Result<std::string> text = readTextFile(file, measuredFileLimit);
    if (!text)
        return refuse(text.error());
    return readMeasuredCsv(*text, file.string());
}

std::string measuredCsv(const std::vector<MeasuredRow>& rows)
{
    std::string out
        = "id,source,source_url_or_path,source_commit_or_date,engine,engine_version,model,gpu,gpu_mem_gb,"
          "gpus,tp,pp,dp,weight_dtype,kv_dtype,compute_dtype,input_len,output_len,batch_or_concurrency,"
          "metric,statistic,value,unit,notes,ep,replicas,prefill_replicas,prefill_tp,prefill_dp,prefill_ep\n";
    const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
    for (const MeasuredRow& row : rows) {
        const std::array cells{row.id,
                               row.source,
                               row.sourcePath,
                               row.sourceVersion,
                               row.engine,
                               row.engineVersion,
                               row.model,
                               row.gpu,
                               number(row.gpuMemoryGb),
                               number(row.gpus),
                               number(row.tp),
                               number(row.pp),
                               number(row.dp),
                               row.weightDtype,
                               row.kvDtype,
                               row.computeDtype,
                               row.inputLength,
                               row.outputLength,
                               row.load,
                               std::string(metricName(row.metric)),
                               std::string(statisticName(row.statistic)),
                               fmt::format("{}", row.value),
                               std::string(metricUnit(row.metric)),
                               row.notes,
                               number(row.ep),
                               number(row.replicas),
                               number(row.prompts.replicas),
                               number(row.prompts.tp),
                               number(row.prompts.dp),
                               number(row.prompts.ep)};
        for (std::size_t i = 0; i < cells.size(); ++i)
            out += (i == 0 ? "" : ",") + csvCell(cells.at(i));
        out += '\n';
    }
    return out;
}

} // namespace headroom
