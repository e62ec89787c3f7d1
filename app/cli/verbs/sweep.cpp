#include "model/advise/sweep.h"

#include "app/cli/resolved.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/base/quantity_text.h"
#include "model/json/table_json.h"
#include "model/report/figures.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario_keys.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <ostream>
#include <string_view>
#include <utility>

namespace headroom::cli {

namespace {

// An aligned table is laid out when its last row is known; more rows than this nobody reads on a screen.
constexpr std::size_t mostTableRows = 5000;

constexpr std::array sweepFlags{
    Flag{"--over", "KEY=A,B",
         "a key of the scenario and the values to try; with several --over, every combination is tried",
         true},
};

// As it was typed; in JSON a number is one.
Cell cellOf(const std::string& value, Format format)
{
    const Result<double> number = numberFromText(value);
    return format == Format::Json && number ? Cell(*number) : Cell(value);
}

// Writes rows as they come: the first columns are the axes, the others the figures.
class RowWriter {
public:
    RowWriter(const std::vector<SweepAxis>& axes, Console& console) : m_axes(axes), m_console(console)
    {
        for (const SweepAxis& axis : axes)
            m_table.heads.push_back({axis.key.c_str(), asIs(axis.key)});
        const std::vector<ColumnHead> figureHeads = headsOf(figureColumns());
        for (std::size_t i = 0; i < figureHeads.size(); ++i)
            if (!isAxis(figureHeads[i].key)) {
                m_shown.push_back(i);
                m_table.heads.push_back(figureHeads[i]);
            }
        if (console.format == Format::Csv)
            console.out() << csvHeader(m_table.heads);
        if (console.format == Format::Json)
            console.out() << R"({"schema": "headroom.sweep/1", "rows": [)" << '\n';
    }
    // Where a sweep breaks off between its rows, its document says so and still is one.
    ~RowWriter()
    {
        if (!m_finished && m_console.format == Format::Json)
            m_console.out() << "\n], \"broken_off\": true}\n";
    }
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;

    void add(const SweepPoint& point)
    {
        Figures figures;
        if (point.deployment != nullptr)
            figures.deployment = *point.deployment;
        if (point.load != nullptr)
            figures.load = *point.load;
        if (point.prediction != nullptr)
            figures.prediction = *point.prediction;
        figures.whyNot = point.whyNot != nullptr ? *point.whyNot : Message();
        std::vector<Cell> cells;
        cells.reserve(m_table.heads.size());
        for (std::size_t i = 0; i < m_axes.size(); ++i)
            cells.push_back(cellOf(m_axes[i].values[point.choice[i]], m_console.format));
        std::vector<Cell> figureCells = cellsOf(figureColumns(), figures);
        for (const std::size_t i : m_shown)
            cells.push_back(std::move(figureCells[i]));
        write(std::move(cells));
    }

    void finish()
    {
        std::ostream& out = m_console.out();
        m_finished = true;
        switch (m_console.format) {
        case Format::Json:
            out << "\n]}\n";
            break;
        case Format::Csv:
            break;
        case Format::Markdown:
        case Format::Text:
            out << inFormat(compact(m_table), m_console);
            break;
        }
        if (m_left > 0)
            m_console.note(say("{} more rows: --csv or --json gives all of them", m_left));
    }

private:
    // A key stands once in a row: what was asked for takes the place of the figure of the same name.
    bool isAxis(std::string_view key) const
    {
        return std::any_of(m_axes.begin(), m_axes.end(),
                           [&](const SweepAxis& axis) { return axis.key == key; });
    }

    void write(std::vector<Cell> cells)
    {
        if (m_console.format == Format::Csv)
            m_console.out() << csvRow(m_table.heads, cells);
        else if (m_console.format == Format::Json)
            // in one piece: a row that cannot be made leaves no comma behind
            m_console.out() << (m_rows == 0 ? "" : ",\n") + rowJson(m_table.heads, cells);
        else if (m_table.rows.size() < mostTableRows)
            m_table.rows.push_back(std::move(cells));
        else
            ++m_left;
        ++m_rows;
    }

    // For a screen: values without their ranges, columns without content left out.
    static Table compact(Table table)
    {
        for (std::vector<Cell>& row : table.rows)
            for (Cell& cell : row)
                if (const auto* range = std::get_if<Interval>(&cell))
                    cell = range->value;
        for (std::size_t column = table.heads.size(); column-- > 0;) {
            bool empty = true;
            for (const std::vector<Cell>& row : table.rows)
                empty = empty && std::holds_alternative<std::monostate>(row[column]);
            if (!empty)
                continue;
            table.heads.erase(table.heads.begin() + std::ptrdiff_t(column));
            for (std::vector<Cell>& row : table.rows)
                row.erase(row.begin() + std::ptrdiff_t(column));
        }
        return table;
    }

    const std::vector<SweepAxis>& m_axes;
    Console& m_console;
    Table m_table;
    std::vector<std::size_t> m_shown; // of the figure columns, those that no axis gives already
    std::size_t m_rows = 0;
    std::size_t m_left = 0;
    bool m_finished = false;
};

Result<std::vector<SweepAxis>> axesFrom(const Arguments& arguments)
{
    std::vector<SweepAxis> axes;
    Problems problems;
    for (const std::string& text : arguments.all("--over")) {
        Result<SweepAxis> axis = sweepAxisFromText(text);
        if (axis)
            axes.push_back(std::move(*axis));
        else
            for (Problem& problem : axis.error())
                problems.push_back({problem.where.empty() ? "--over" : "--over " + problem.where,
                                    std::move(problem.what), std::move(problem.hint)});
    }
    if (axes.empty() && problems.empty())
        problems.push_back({"--over", "is missing", "for example --over tp=1,2,4,8 --over batch=1,8,64"});
    if (!problems.empty())
        return refuse(std::move(problems));
    return axes;
}

// Names among the values that nothing answers to: a row that only says so would be found too late.
Problems wrongNames(const std::vector<SweepAxis>& axes, const Catalogue& catalogue)
{
    Problems problems;
    for (const SweepAxis& axis : axes)
        for (const std::string& value : axis.values) {
            Scenario one;
            (void)findScenarioKey(axis.key)->set(one, value); // known to be good
            for (Problem& problem : headroom::wrongNames(one, catalogue))
                problems.push_back({"--over " + axis.key, std::move(problem.what), std::move(problem.hint)});
        }
    return problems;
}

Exit runSweep(const Arguments& arguments, Console& console)
{
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const Result<std::vector<SweepAxis>> axes = axesFrom(arguments);
    const Result<Scenario> base = singleScenarioFrom(arguments, console);
    Problems problems = joined(axes, base);
    if (axes)
        for (Problem& problem : wrongNames(*axes, **catalogue))
            problems.push_back(std::move(problem));
    if (!problems.empty())
        return console.refuse(problems);
    std::optional<RowWriter> writer; // opened by the first row, so that a refusal stays the only document
    bool anyFits = false;
    const Result<std::size_t> count = sweep(*base, *axes, **catalogue, [&](const SweepPoint& point) {
        if (!writer)
            writer.emplace(*axes, console);
        anyFits = anyFits || (point.prediction != nullptr && point.prediction->memory.fits);
        writer->add(point);
    });
    if (!count)
        return console.refuse(count.error());
    writer->finish();
    return anyFits ? Exit::Done : Exit::No;
}

} // namespace

Verb sweepVerb()
{
    return {.name = "sweep",
            .summary = "tries every combination of some values and prints a table",
            .example = "sweep --model llama-3.1-8b --gpu l40s --tp 1 --over batch=1,8,32",
            .run = runSweep,
            .scenario = true,
            .money = true,
            .formats = true,
            .languages = true,
            .flags = sweepFlags};
}

} // namespace headroom::cli
