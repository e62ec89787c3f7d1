#include "model/import/deployment_csv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

namespace {

// Titles of what a table says of a pool; empty: it has no such column.
struct PoolColumns {
    std::string_view replicas;
    std::string_view gpusEach;
    std::string_view tp;
    std::string_view dp;
    std::string_view ep;
    std::string_view attentionDp; // yes or no: attention is data-parallel over all GPUs of a replica
};
struct FigureColumn {
    std::string_view title;
    Metric metric;
    Statistic statistic;
    double scale; // to the metric's unit
};
constexpr double milli = 1e3;
constexpr std::array inferencexFigures{
    FigureColumn{"output_throughput_tok_s_total", Metric::OutputThroughput, Statistic::Mean, 1},
    FigureColumn{"mean_tpot", Metric::Tpot, Statistic::Mean, milli},
    FigureColumn{"median_tpot", Metric::Tpot, Statistic::P50, milli},
    // The mean holds the first wave of users, for whom some servers still compile kernels.
    FigureColumn{"median_ttft", Metric::Ttft, Statistic::P50, milli}};
constexpr std::array collectedFigures{
    FigureColumn{"out_tok_s_all", Metric::OutputThroughput, Statistic::Mean, 1},
    FigureColumn{"tpot_ms", Metric::Tpot, Statistic::Mean, 1},
    FigureColumn{"ttft_ms", Metric::Ttft, Statistic::Mean, 1}};

struct Schema {
    PoolColumns prefill;
    PoolColumns decode;
    std::string_view gpu;
    std::string_view weights;
    std::string_view input;
    std::string_view output;
    std::string_view users;
    std::span<const FigureColumn> figures;
};
constexpr std::array schemas{Schema{.prefill = {"prefill_num_workers", "prefill_gpus_per_worker",
                                                "prefill_tp", "", "prefill_ep", "prefill_dp_attention"},
                                    .decode = {"decode_num_workers", "decode_gpus_per_worker", "decode_tp",
                                               "", "decode_ep", "decode_dp_attention"},
                                    .gpu = "gpu",
                                    .weights = "weight_dtype",
                                    .input = "isl",
                                    .output = "osl",
                                    .users = "conc",
                                    .figures = inferencexFigures},
                             Schema{.prefill = {"prefill_instances", "prefill_gpus_per_instance",
                                                "prefill_tp", "prefill_dp", "prefill_ep", ""},
                                    .decode = {"decode_instances", "decode_gpus_per_instance", "decode_tp",
                                               "decode_dp", "decode_ep", ""},
                                    .gpu = "hardware",
                                    .weights = "decode_dtype",
                                    .input = "input_len",
                                    .output = "output_len",
                                    .users = "decode_concurrency",
                                    .figures = collectedFigures}};

const Schema* schemaOf(const CsvTable& table)
{
    const auto* const found = std::find_if(schemas.begin(), schemas.end(), [&](const Schema& schema) {
        return table.column(schema.prefill.gpusEach) && table.column(schema.decode.gpusEach)
            && table.column("model") && table.column(schema.gpu);
    });
    return found == schemas.end() ? nullptr : found;
}

class DeploymentReader {
public:
    DeploymentReader(const CsvTable& table, const Schema& schema, Problems& problems)
        : m_table(table), m_schema(schema), m_problems(problems)
    {}

    void read(const CsvRecord& record, std::vector<MeasuredRow>& out)
    {
        m_record = &record;
        const MeasuredRow service = serviceOf();
        for (const FigureColumn& figure : m_schema.figures)
            if (const auto value = number(figure.title)) {
                MeasuredRow row = service;
                row.metric = figure.metric;
                row.statistic = figure.statistic;
                row.value = *value * figure.scale;
                out.push_back(std::move(row));
            }
    }

private:
    [[nodiscard]] std::string cell(std::string_view title) const
    {
        const auto column = title.empty() ? std::nullopt : m_table.column(title);
        return column ? m_record->cells[*column] : std::string();
    }
    std::optional<double> number(std::string_view title)
    {
        const std::string text = cell(title);
        if (text.empty() || text == "0") // not stated
            return std::nullopt;
        const auto value = wholeCell<double>(text);
        if (value && std::isfinite(*value) && *value > 0)
            return value;
        m_problems.push_back({m_table.place(*m_record, *m_table.column(title)),
                              say("expected a finite number above 0, got '{}'", text),
                              {}});
        return std::nullopt;
    }
    std::optional<int> count(std::string_view title)
    {
        constexpr double most = 1e6; // beyond any machine
        const auto value = number(title);
        if (!value)
            return std::nullopt;
        if (*value <= most && *value == std::floor(*value))
            return static_cast<int>(*value);
        m_problems.push_back({m_table.place(*m_record, *m_table.column(title)),
                              say("expected a whole number up to {}", most),
                              {}});
        return std::nullopt;
    }

    MeasuredPool poolOf(const PoolColumns& titles)
    {
        MeasuredPool pool{.replicas = count(titles.replicas), .tp = count(titles.tp), .dp = count(titles.dp)};
        pool.ep = count(titles.ep);
        const auto each = count(titles.gpusEach);
        if (each && cell(titles.attentionDp) == "True") {
            // The stated width is that of the experts; attention has a copy on every GPU.
            pool.tp = 1;
            pool.dp = each;
            pool.ep = each;
        }
        if (each && !pool.replicas)
            pool.replicas = 1;
        return pool;
    }

    // "open loop 4/s" in the notes, else the users at once.
    [[nodiscard]] std::string loadOf(const std::string& notes) const
    {
        constexpr std::string_view key = "open loop ";
        const std::size_t at = notes.find(key);
        if (at == std::string::npos)
            return cell(m_schema.users);
        const std::size_t begin = at + key.size();
        return "qps " + notes.substr(begin, notes.find("/s", begin) - begin);
    }

    MeasuredRow serviceOf()
    {
        MeasuredRow row;
        row.line = m_record->line;
        row.id = cell("id");
        row.source = cell("source");
        row.sourcePath = cell("source_url_or_path");
        row.sourceVersion = cell("source_commit_or_date");
        row.engine = cell("engine");
        const bool packaged
            = cell("framework") == "dynamo-trt" || cell("image").find("ai-dynamo/") != std::string::npos;
        if (!packaged) // else it is Dynamo's own version, which says nothing of the engine's
            row.engineVersion = cell("engine_version");
        row.model = cell("model");
        row.model = row.model.substr(0, row.model.find(" (")); // a type in brackets has its own column
        row.gpu = cell(m_schema.gpu);
        row.gpuMemoryGb = number("gpu_mem_gb");
        row.weightDtype = cell(m_schema.weights);
        row.inputLength = cell(m_schema.input);
        row.outputLength = cell(m_schema.output);
        row.prompts = poolOf(m_schema.prefill);
        const MeasuredPool decode = poolOf(m_schema.decode);
        row.tp = decode.tp;
        row.dp = decode.dp;
        row.ep = decode.ep;
        row.replicas = decode.replicas;
        row.notes = row.prompts.replicas ? "closed loop; prompts on GPUs of their own"
                                         : "static batch; decode pool only";
        if (const std::string ratio = cell("range_ratio"); !ratio.empty())
            row.notes += "; range ratio " + ratio;
        // Its frontend's --router-mode where nothing is said (docs.nvidia.com/dynamo: the router's guide).
        if (cell("framework").starts_with("mori"))
            row.notes += "; MoRI-IO";
        if (cell("framework").starts_with("dynamo"))
            row.notes += "; round robin";
        if (const std::string draft = cell("spec_method"); !draft.empty() && draft != "none")
            row.notes += "; " + draft;
        if (const std::string mtp = cell("mtp"); !mtp.empty() && mtp != "no")
            row.notes += "; mtp " + mtp;
        if (const std::string overlap = cell("overlap"); !overlap.empty())
            row.notes += "; " + overlap;
        if (const std::string balance = cell("expert_balance"); !balance.empty())
            row.notes += "; experts " + balance;
        if (const std::string tier = cell("tier"); !tier.empty())
            row.notes += "; tier=" + tier;
        for (const std::string_view more : {"flags", "notes"})
            if (const std::string text = cell(more); !text.empty())
                row.notes += "; " + text;
        row.load = loadOf(row.notes);
        return row;
    }

    const CsvTable& m_table;
    const Schema& m_schema;
    const CsvRecord* m_record = nullptr;
    Problems& m_problems;
};

} // namespace

bool isDeploymentTable(const CsvTable& table) { return schemaOf(table) != nullptr; }

Result<std::vector<MeasuredRow>> deploymentRows(const CsvTable& table)
{
    const Schema* const schema = schemaOf(table);
    if (schema == nullptr)
        return refuse(table.name, "is no table of deployments");
    constexpr std::size_t mostProblems = 50;
    Problems problems;
    DeploymentReader reader(table, *schema, problems);
    std::vector<MeasuredRow> rows;
    for (const CsvRecord& record : table.records)
        if (problems.size() < mostProblems)
            reader.read(record, rows);
    if (!problems.empty())
        return refuse(std::move(problems));
    return rows;
}

} // namespace headroom
