#include "model/report/validation_text.h"

#include "model/json/csv.h"
#include "model/quantity_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace headroom {
namespace {

constexpr std::array dimensions{"metric", "load", "engine", "gpu", "model", "source"};

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

// Rows of a summary table: name, rows, used, median, mean, 90th percentile, bias, within.
using Cells = std::vector<std::string>;
Cells head(const std::string& dimension)
{
    return {dimension,         "rows", "used",          "median error", "mean error",
            "90th percentile", "bias", "inside 10-90 %"};
}
Cells cells(const std::string& name, const ErrorSummary& s)
{
    if (s.used == 0)
        return {name, std::to_string(s.rows), "0", "", "", "", "", ""};
    return {name,
            std::to_string(s.rows),
            std::to_string(s.used),
            percent(s.medianAbsError),
            percent(s.mape),
            percent(s.p90),
            fmt::format("{:+.1f} %", s.medianError * 100),
            percent(s.withinInterval)};
}

std::vector<Cells> table(const ValidationReport& report, const std::string& dimension)
{
    std::vector<Cells> rows{head(dimension)};
    const auto found = report.by.find(dimension);
    if (found == report.by.end())
        return rows;
    std::vector<std::pair<std::string, ErrorSummary>> groups(found->second.begin(), found->second.end());
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& a, const auto& b) { return a.second.used > b.second.used; });
    for (const auto& [name, summary] : groups)
        rows.push_back(cells(name, summary));
    return rows;
}

std::map<std::string, std::size_t> skipped(const ValidationReport& report)
{
    std::map<std::string, std::size_t> why;
    for (const JudgedRow& row : report.rows)
        if (!row.used)
            ++why[row.whySkipped];
    return why;
}

// What was left out, then metrics: errors and how often intervals hold that never saw these rows.
std::vector<Cells> heldOutTable(const ValidationReport& report)
{
    std::vector<Cells> rows{{"metric", "used", "in sample", "inside", "without its configuration", "inside",
                             "without its source", "inside"}};
    for (const auto& [metric, shipped] : report.by.at("metric")) {
        if (shipped.used == 0)
            continue;
        Cells row{metric, std::to_string(shipped.used), percent(shipped.medianAbsError),
                  percent(shipped.withinInterval)};
        for (const HeldOut& held : report.heldOut) {
            const auto found = held.byMetric.find(metric);
            row.push_back(found == held.byMetric.end() ? "" : percent(found->second.medianAbsError));
            row.push_back(found == held.byMetric.end() ? "" : percent(found->second.withinInterval));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<Cells> fittedTable(const ValidationReport& report)
{
    std::vector<Cells> rows{
        {"engine", "rows", "number", "in its file", "fitted here", "range over the folds"}};
    for (const FittedEngine& engine : report.fitted)
        for (const FittedValue& value : engine.values) {
            const auto text = [&](double v) {
                return numberText(std::round(v * 100) / 100) + (value.unit.empty() ? "" : " " + value.unit);
            };
            rows.push_back({engine.engine, std::to_string(engine.rows), value.name, text(value.shipped),
                            text(value.fitted),
                            value.low == value.high ? "" : text(value.low) + " to " + text(value.high)});
        }
    return rows;
}

std::string label(const JudgedRow& row)
{
    return fmt::format("{}: {} on {}x {} with {}, {}, {}", row.row.id, row.row.model,
                       row.row.gpus.value_or(1), row.row.gpu, row.row.engine, row.run, row.quantity());
}

std::string aligned(const std::vector<Cells>& rows)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (const Cells& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    std::string out;
    for (const Cells& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            out += i == 0 ? fmt::format("{:<{}}", row[i], widths[i])
                          : fmt::format("  {:>{}}", row[i], widths[i]);
        out += '\n';
    }
    return out;
}

std::string piped(const std::vector<Cells>& rows)
{
    std::string out;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        out += '|';
        for (const std::string& cell : rows[r])
            out += ' ' + cell + " |";
        out += '\n';
        if (r == 0) {
            out += "|---|";
            for (std::size_t i = 1; i < rows[r].size(); ++i)
                out += "---:|";
            out += '\n';
        }
    }
    return out;
}

std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        switch (c) {
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '&':
            out += "&amp;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

std::string htmlTable(const std::vector<Cells>& rows)
{
    std::string out = "<table>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        out += "<tr>";
        for (const std::string& cell : rows[r])
            out += r == 0 ? "<th>" + escaped(cell) + "</th>" : "<td>" + escaped(cell) + "</td>";
        out += "</tr>\n";
    }
    return out + "</table>\n";
}

// Half width of the stated interval in ln, as a multiple of which the actual error counts.
double standing(const JudgedRow& row)
{
    const double half = std::log(row.predicted.high / row.predicted.value);
    return half > 0 ? std::log(row.row.value / row.predicted.value) / half : 0;
}

// Share of rows inside intervals that are wider or narrower by a factor, against what a normal error would
// give.
std::string calibrationPlot(const ValidationReport& report)
{
    std::vector<double> inside;
    for (const JudgedRow& row : report.rows)
        if (row.used && row.predicted.high > row.predicted.value)
            inside.push_back(std::abs(standing(row)));
    if (inside.empty())
        return {};
    std::sort(inside.begin(), inside.end());
    constexpr double size = 320;
    constexpr double ninetieth
        = 1.2815515655446004; // the stated interval's half width in standard deviations
    std::string points;
    for (int step = 1; step < 50; ++step) {
        const double stated = step / 50.0;
        // Factor by which the 80 % interval is scaled to become a `stated` interval of a normal error.
        double low = 0, high = 6;
        for (int i = 0; i < 50; ++i) {
            const double middle = (low + high) / 2;
            (std::erf(middle / std::sqrt(2.0)) < stated ? low : high) = middle;
        }
        const double factor = low / ninetieth;
        const auto count = std::upper_bound(inside.begin(), inside.end(), factor) - inside.begin();
        const double actual = static_cast<double>(count) / static_cast<double>(inside.size());
        points += fmt::format("{:.1f},{:.1f} ", stated * size, size - actual * size);
    }
    return fmt::format(
        "<svg viewBox='-40 -10 380 370' width='380' role='img' aria-label='stated against actual coverage'>"
        "<line x1='0' y1='{0}' x2='{0}' y2='0' stroke='gray' stroke-dasharray='4'/>"
        "<polyline points='{1}' fill='none' stroke='currentColor' stroke-width='2'/>"
        "<rect width='{0}' height='{0}' fill='none' stroke='gray'/>"
        "<text x='60' y='350'>stated share inside the interval</text>"
        "<text x='-240' y='-20' transform='rotate(-90)'>actual share</text></svg>\n",
        size, points);
}

} // namespace

std::string validationText(const ValidationReport& report, std::size_t worst)
{
    std::string out
        = fmt::format("{} rows, {} predicted: median error {}, mean {}, {} inside the 10-90 % interval\n",
                      report.all.rows, report.all.used, percent(report.all.medianAbsError),
                      percent(report.all.mape), percent(report.all.withinInterval));
    if (!report.heldOut.empty())
        out += "\nLeft out of the fit\n" + aligned(heldOutTable(report)) + '\n'
            + aligned(fittedTable(report));
    for (const char* dimension : dimensions)
        out += '\n' + aligned(table(report, dimension));
    out += "\nWorst first\n";
    for (const JudgedRow* row : report.worst(worst))
        out += fmt::format("  {}: measured {:.4g}, predicted {:.4g} ({:+.0f} %), likely {}\n", label(*row),
                           row->row.value, row->predicted.value, row->error() * 100, row->cause);
    out += "\nNot used\n";
    for (const auto& [why, count] : skipped(report))
        out += fmt::format("  {:6}  {}\n", count, why);
    return out;
}

std::string validationMarkdown(const ValidationReport& report, std::size_t worst)
{
    std::string out = fmt::format("{} rows, {} predicted: median error {}, mean error {}, {} of the rows "
                                  "inside the 10-90 % interval.\n",
                                  report.all.rows, report.all.used, percent(report.all.medianAbsError),
                                  percent(report.all.mape), percent(report.all.withinInterval));
    if (!report.heldOut.empty())
        out += "\n## Rows that the fit never saw\n\nThe numbers of the engines' files are fitted to "
               "published runs. Here they are fitted again without each\n"
               "configuration (an engine on an accelerator with a model), and without each source, and what "
               "was left out is\n"
               "judged: errors are medians, `inside` is the share of rows in intervals that never saw them "
               "either. An engine\n"
               "that one source alone speaks of gets the medians of the other engines.\n\n"
            + piped(heldOutTable(report)) + "\n## Fitted numbers\n\n" + piped(fittedTable(report));
    for (const char* dimension : dimensions)
        out += fmt::format("\n## By {}\n\n{}", dimension, piped(table(report, dimension)));
    std::vector<Cells> rows{{"row", "measured", "predicted", "error", "likely cause"}};
    for (const JudgedRow* row : report.worst(worst))
        rows.push_back({label(*row), fmt::format("{:.4g}", row->row.value),
                        fmt::format("{:.4g}", row->predicted.value),
                        fmt::format("{:+.0f} %", row->error() * 100), row->cause});
    out += "\n## Worst first\n\n" + piped(rows);
    std::vector<Cells> why{{"reason", "rows"}};
    for (const auto& [reason, count] : skipped(report))
        why.push_back({reason, std::to_string(count)});
    out += "\n## Not used\n\n" + piped(why);
    return out;
}

std::string validationHtml(const ValidationReport& report, std::size_t worst)
{
    std::string out
        = "<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Measured beside predicted</title>\n"
          "<style>body{font-family:sans-serif;margin:2em}td,th{padding:.2em .6em;text-align:right}"
          "td:first-child,th:first-child{text-align:left}</style>\n<h1>Measured beside predicted</h1>\n";
    out += fmt::format(
        "<p>{} rows, {} predicted: median error {}, mean error {}, {} inside the 10-90 % interval.</p>\n",
        report.all.rows, report.all.used, percent(report.all.medianAbsError), percent(report.all.mape),
        percent(report.all.withinInterval));
    out += "<h2>How often the intervals hold</h2>\n" + calibrationPlot(report);
    if (!report.heldOut.empty())
        out += "<h2>Rows that the fit never saw</h2>\n" + htmlTable(heldOutTable(report))
            + "<h2>Fitted numbers</h2>\n" + htmlTable(fittedTable(report));
    for (const char* dimension : dimensions)
        out += fmt::format("<h2>By {}</h2>\n{}", dimension, htmlTable(table(report, dimension)));
    std::vector<Cells> rows{{"row", "measured", "predicted", "error", "likely cause"}};
    for (const JudgedRow* row : report.worst(worst))
        rows.push_back({label(*row), fmt::format("{:.4g}", row->row.value),
                        fmt::format("{:.4g}", row->predicted.value),
                        fmt::format("{:+.0f} %", row->error() * 100), row->cause});
    out += "<h2>Worst first</h2>\n" + htmlTable(rows);
    std::vector<Cells> why{{"reason", "rows"}};
    for (const auto& [reason, count] : skipped(report))
        why.push_back({reason, std::to_string(count)});
    return out + "<h2>Not used</h2>\n" + htmlTable(why) + "</html>\n";
}

std::string validationCsv(const ValidationReport& report)
{
    std::string out = "id,source,engine,model,gpu,load,metric,measured,predicted,low,high,error,used,why_"
                      "skipped,likely_cause\n";
    for (const JudgedRow& row : report.rows) {
        const bool known = row.predicted.value > 0;
        const auto number = [&](double v) { return known ? numberText(v) : std::string(); };
        for (const std::string& cell :
             {row.row.id, row.row.source, row.row.engine, row.row.model, row.row.gpu, row.run, row.quantity(),
              numberText(row.row.value), number(row.predicted.value), number(row.predicted.low),
              number(row.predicted.high), number(row.error()), std::string(row.used ? "true" : "false"),
              row.whySkipped})
            out += csvCell(cell) + ',';
        out += csvCell(row.used ? row.cause : "") + '\n';
    }
    return out;
}

} // namespace headroom
