// Comma-separated files and Markdown tables of load tools.
#include "model/import/bench_run.h"
#include "model/text/csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

std::string_view trimmed(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos)
        return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// The number a cell starts with: "10000.00 ± 19.50" is 10000.
std::optional<double> leading(std::string_view cell)
{
    cell = trimmed(cell);
    double value = 0;
    const auto [end, error]
        = std::from_chars(cell.data(), cell.data() + cell.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !std::isfinite(value))
        return std::nullopt;
    return value;
}

double required(BenchRun& run, const CsvRecord& record, std::size_t column)
{
    const std::string& cell = record.cells.at(column);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error == std::errc{} && end == cell.data() + cell.size() && std::isfinite(value) && value >= 0)
        return value;
    run.problems.push_back({fmt::format("{}:{}:{}", run.name, record.line, record.columns.at(column)),
                            say("expected a number from 0 up, got '{}'", asIs(cell.substr(0, 40))),
                            {}});
    return 0;
}

bool readLlamaBenchCsv(std::string_view text, BenchRun& run)
{
    const Result<CsvTable> table = readCsvTable(text, run.name);
    if (!table) {
        run.problems = table.error();
        return true;
    }
    const auto prompt = table->column("n_prompt");
    const auto generated = table->column("n_gen");
    const auto speed = table->column("avg_ts");
    if (!prompt || !generated || !speed)
        return false;
    run.tool = "llama-bench (CSV)";
    const auto cell = [&](const CsvRecord& record, std::string_view title) {
        const auto column = table->column(title);
        return column ? record.cells[*column] : std::string();
    };
    for (const CsvRecord& record : table->records) {
        run.about = {.engine = "llama.cpp", .engineVersion = cell(record, "build_commit")};
        setLlamaGpus(run.about, cell(record, "gpu_info"), cell(record, "split_mode"));
        setLlamaModel(run.about, cell(record, "model_type"));
        run.about.kvDtype = cell(record, "type_k");
        const auto depth = table->column("n_depth");
        addLlamaBench(run, required(run, record, *prompt), required(run, record, *generated),
                      depth ? required(run, record, *depth) : 0, required(run, record, *speed));
    }
    return true;
}

// GenAI-Perf and AIPerf write two tables: statistics by metric, then single values; columns in different
// orders.
bool readGenAiCsv(std::string_view text, BenchRun& run)
{
    const auto records = readCsvRecords(text, run.name);
    if (!records) {
        run.problems = records.error();
        return true;
    }
    run.tool = "GenAI-Perf or AIPerf (CSV)";
    std::size_t column = 0; // of the mean in the table we are in
    std::vector<std::pair<std::string, double>> means;
    for (const CsvRecord& record : *records) {
        if (record.cells.empty())
            continue;
        if (record.cells.front() == "Metric") {
            const auto mean
                = std::find_if(record.cells.begin(), record.cells.end(),
                               [](const std::string& title) { return title == "avg" || title == "Value"; });
            if (mean == record.cells.end()) {
                run.problems.push_back({fmt::format("{}:{}:1", run.name, record.line),
                                        "expected a column 'avg' or 'Value'",
                                        {}});
                return true;
            }
            column = static_cast<std::size_t>(mean - record.cells.begin());
            continue;
        }
        if (column == 0 || column >= record.cells.size()) {
            run.problems.push_back(
                {fmt::format("{}:{}:1", run.name, record.line), "the line is shorter than its header", {}});
            return true;
        }
        means.emplace_back(record.cells.front(), required(run, record, column));
    }
    const auto mean = [&](std::string_view caption) -> std::optional<double> {
        for (const auto& [name, value] : means)
            if (name == caption)
                return value;
        return std::nullopt;
    };
    run.about.inputLength = lengthText(mean("Input Sequence Length (tokens)").value_or(-1), false);
    run.about.outputLength = lengthText(mean("Output Sequence Length (tokens)").value_or(-1), false);
    run.add(Metric::Ttft, mean("Time To First Token (ms)"));
    run.add(Metric::Tpot, mean("Inter Token Latency (ms)"));
    run.add(Metric::Latency, mean("Request Latency (ms)"), 1e-3);
    run.add(Metric::OutputThroughput, mean("Output Token Throughput (tokens/sec)"));
    run.add(Metric::DecodeRatePerUser, mean("Output Token Throughput Per User (tokens/sec/user)"));
    const auto rate = mean("Request Throughput (per sec)");
    run.add(Metric::RequestRate, rate ? rate : mean("Request Throughput (requests/sec)"));
    return true;
}

bool readK6Csv(std::string_view text, BenchRun& run)
{
    const Result<CsvTable> table = readCsvTable(text, run.name);
    if (!table) {
        run.problems = table.error();
        return true;
    }
    const auto name = table->column("metric_name");
    const auto value = table->column("metric_value");
    if (!name || !value)
        return false;
    run.tool = "k6 (CSV)";
    double sum = 0;
    double count = 0;
    for (const CsvRecord& record : table->records)
        if (record.cells[*name] == "http_req_duration") {
            sum += required(run, record, *value);
            ++count;
        }
    if (count > 0)
        run.add(Metric::Latency, sum / count, 1e-3);
    return true;
}

std::vector<std::string_view> markdownCells(std::string_view line)
{
    std::vector<std::string_view> cells;
    line = trimmed(line);
    if (!line.starts_with('|'))
        return cells;
    line.remove_prefix(1);
    while (!line.empty()) {
        const std::size_t bar = line.find('|');
        cells.push_back(trimmed(line.substr(0, bar)));
        line = bar == std::string_view::npos ? std::string_view{} : line.substr(bar + 1);
    }
    return cells;
}

// "pp512", "tg128", "tg128 @ d4096", "pp512+tg128"
struct LlamaTest {
    double prompt = 0;
    double generated = 0;
    double depth = 0;
};
std::optional<LlamaTest> llamaTest(std::string_view text)
{
    LlamaTest test;
    const std::size_t at = text.find(" @ d");
    if (at != std::string_view::npos)
        test.depth = leading(text.substr(at + 4)).value_or(0);
    const std::string_view what = text.substr(0, at);
    const std::size_t plus = what.find('+');
    for (const std::string_view part :
         {what.substr(0, plus),
          plus == std::string_view::npos ? std::string_view{} : what.substr(plus + 1)}) {
        if (part.empty())
            continue;
        const auto tokens = part.size() > 2 ? leading(part.substr(2)) : std::nullopt;
        if (!tokens || (!part.starts_with("pp") && !part.starts_with("tg")))
            return std::nullopt;
        (part.starts_with("pp") ? test.prompt : test.generated) = *tokens;
    }
    return test;
}

class MarkdownReader {
public:
    MarkdownReader(std::string_view text, BenchRun& run) : m_text(text), m_run(run) {}

    bool read()
    {
        std::size_t number = 0;
        for (std::size_t begin = 0; begin < m_text.size();) {
            const std::size_t end = std::min(m_text.find('\n', begin), m_text.size());
            line(m_text.substr(begin, end - begin), ++number);
            begin = end + 1;
        }
        return !m_header.empty();
    }

private:
    void line(std::string_view text, std::size_t number)
    {
        const std::vector<std::string_view> cells = markdownCells(text);
        if (cells.empty())
            return;
        const bool llama = std::find(cells.begin(), cells.end(), "test") != cells.end()
            && std::find(cells.begin(), cells.end(), "t/s") != cells.end();
        const bool batched = std::find(cells.begin(), cells.end(), "T_PP s") != cells.end();
        if (llama || batched) {
            m_header = cells;
            m_run.tool = llama ? "llama-bench (Markdown)" : "llama-batched-bench (Markdown)";
            m_batched = batched;
            return;
        }
        if (m_header.empty() || cells.front().find_first_not_of("-: ") == std::string_view::npos)
            return;
        if (cells.size() < m_header.size()) {
            m_run.problems.push_back(
                {fmt::format("{}:{}:1", m_run.name, number),
                 say("expected {} cells as in the header, got {}", m_header.size(), cells.size()),
                 {}});
            return;
        }
        m_cells = cells;
        m_line = number;
        m_batched ? batchedRow() : llamaRow();
    }

    std::string_view cell(std::string_view title)
    {
        const auto found = std::find(m_header.begin(), m_header.end(), title);
        return found == m_header.end() ? std::string_view{}
                                       : m_cells[static_cast<std::size_t>(found - m_header.begin())];
    }
    std::optional<double> number(std::string_view title)
    {
        const auto value = leading(cell(title));
        if (!value || *value < 0)
            m_run.problems.push_back(
                {fmt::format("{}:{}:1 {}", m_run.name, m_line, title),
                 say("expected a number from 0 up, got '{}'", asIs(cell(title).substr(0, 40))),
                 {}});
        return value;
    }

    void llamaRow()
    {
        const auto test = llamaTest(cell("test"));
        if (!test) {
            m_run.problems.push_back(
                {fmt::format("{}:{}:1 test", m_run.name, m_line),
                 say("expected a test such as pp512 or tg128, got '{}'", asIs(cell("test").substr(0, 40))),
                 {}});
            return;
        }
        m_run.about = {.engine = "llama.cpp"};
        setLlamaModel(m_run.about, cell("model"));
        addLlamaBench(m_run, test->prompt, test->generated, test->depth, number("t/s").value_or(0));
    }
    void batchedRow()
    {
        const auto generated = number("TG");
        m_run.about = {.engine = "llama.cpp"};
        m_run.about.inputLength = lengthText(number("PP").value_or(-1), true);
        m_run.about.outputLength = lengthText(generated.value_or(-1), true);
        m_run.about.load = servedLoad(number("B"), std::nullopt, false, std::nullopt);
        m_run.add(Metric::Ttft, number("T_PP s"), 1e3);
        if (generated && *generated > 0)
            m_run.add(Metric::Tpot, number("T_TG s"), 1e3 / *generated);
        m_run.add(Metric::Latency, number("T s"));
        m_run.add(Metric::TotalThroughput, number("S t/s"));
    }

    std::string_view m_text;
    BenchRun& m_run;
    bool m_batched = false;
    std::vector<std::string_view> m_header;
    std::vector<std::string_view> m_cells;
    std::size_t m_line = 0;
};

} // namespace

bool readBenchTable(std::string_view text, BenchRun& run)
{
    const std::string_view firstLine = trimmed(text.substr(0, text.find('\n')));
    if (firstLine.starts_with("Metric,"))
        return readGenAiCsv(text, run);
    if (firstLine.starts_with("metric_name,"))
        return readK6Csv(text, run);
    if (firstLine.find("avg_ts") != std::string_view::npos)
        return readLlamaBenchCsv(text, run);
    return MarkdownReader(text, run).read();
}

} // namespace headroom
