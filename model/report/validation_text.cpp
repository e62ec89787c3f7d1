#include "model/report/validation_text.h"

#include "model/json/csv.h"
#include "model/quantity_text.h"

#include <algorithm>
#include <array>
#include <cctype>
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

std::vector<Cells> skippedTable(const ValidationReport& report)
{
    std::vector<Cells> rows{{"reason", "rows"}};
    for (const auto& [reason, count] : skipped(report))
        rows.push_back({reason, std::to_string(count)});
    return rows;
}

// What rows leave out and what was taken for it; empty where every row says all.
std::vector<Cells> assumedTable(const ValidationReport& report)
{
    std::map<std::string, std::size_t> assumed;
    for (const JudgedRow& row : report.rows)
        if (row.used && !row.assumed.empty())
            ++assumed[row.assumed];
    std::vector<Cells> rows{{"taken to be usual", "rows used"}};
    for (const auto& [what, count] : assumed)
        rows.push_back({what, std::to_string(count)});
    return rows;
}
bool saysAnything(const std::vector<Cells>& rows) { return rows.size() > 1; }

std::string label(const JudgedRow& row)
{
    return fmt::format("{}: {} on {}x {} with {}, {}, {}", row.row.id, row.row.model,
                       row.row.gpus.value_or(1), row.row.gpu, row.row.engine, row.run, row.quantity());
}

// Four digits, without a power of ten where the digits before the point are more.
std::string fourDigits(double value)
{
    return value >= 1e4 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::vector<Cells> worstTable(const ValidationReport& report, std::size_t worst)
{
    std::vector<Cells> rows{{"row", "measured", "predicted", "error", "likely cause"}};
    for (const JudgedRow* row : report.worst(worst))
        rows.push_back({label(*row), fourDigits(row->row.value), fourDigits(row->predicted.value),
                        fmt::format("{:+.0f} %", row->error() * 100), row->cause});
    return rows;
}

// What was left out, then metrics: errors and how often intervals hold that never saw these rows.
std::vector<Cells> heldOutTable(const ValidationReport& report)
{
    std::vector<Cells> rows{{"metric", "used", "in sample", "inside"}};
    for (const HeldOut& held : report.heldOut) {
        rows.front().push_back("without its " + held.left);
        rows.front().emplace_back("inside");
    }
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

// One kind of what was left out, each of it on a line.
std::vector<Cells> leftTable(const HeldOut& held)
{
    std::vector<Cells> rows{head(held.left + " left out")};
    for (const auto& [group, summary] : held.byGroup)
        rows.push_back(cells(group, summary));
    return rows;
}

// How much of the error is of engines that nothing else speaks of.
std::vector<Cells> strangersTable(const HeldOut& held)
{
    std::vector<Cells> rows{{"metric", "rows", "median error", "inside", "rows of an engine without others",
                             "median error", "inside"}};
    for (const auto& [metric, all] : held.byMetric) {
        Cells row{metric};
        for (const auto* part : {&held.ofKnownEngines, &held.ofStrangers}) {
            const auto found = part->find(metric);
            const bool any = found != part->end() && found->second.used > 0;
            row.push_back(any ? std::to_string(found->second.used) : "");
            row.push_back(any ? percent(found->second.medianAbsError) : "");
            row.push_back(any ? percent(found->second.withinInterval) : "");
        }
        if (all.used > 0)
            rows.push_back(std::move(row));
    }
    return rows;
}

// Of configurations there are too many to list.
bool isListed(const HeldOut& held) { return held.left != "configuration"; }

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

// A column of words stands on the left, one of numbers on the right and in one line.
bool isWords(const std::vector<Cells>& rows, std::size_t column)
{
    return std::any_of(rows.begin() + 1, rows.end(), [&](const Cells& row) {
        return column < row.size() && !row[column].empty()
            && std::isalpha(static_cast<unsigned char>(row[column].front())) != 0;
    });
}

std::string htmlTable(const std::vector<Cells>& rows)
{
    std::string out = "<table>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        out += "<tr>";
        for (std::size_t c = 0; c < rows[r].size(); ++c)
            out += fmt::format("<{0}{1}>{2}</{0}>", r == 0 ? "th" : "td",
                               isWords(rows, c) ? " class='words'" : "", escaped(rows[r][c]));
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
    std::string ticks;
    for (int tick = 0; tick <= 100; tick += 20) {
        const double at = tick / 100.0 * size;
        ticks += fmt::format("<text x='{0:.0f}' y='{1:.0f}' text-anchor='middle'>{2}</text>"
                             "<text x='-8' y='{3:.0f}' text-anchor='end'>{2}</text>",
                             at, size + 18, tick, size - at + 5);
    }
    return fmt::format(
        "<p>Each interval of a figure holds 80 % of what is measured if it is right. Made wider or narrower, "
        "it should hold more or fewer: on the dashed line as many as stated, below it the intervals are too "
        "narrow, above it too wide.</p>\n"
        "<svg viewBox='-60 -10 400 385' width='400' role='img' aria-label='stated against actual coverage'>"
        "<line x1='0' y1='{0}' x2='{0}' y2='0' stroke='gray' stroke-dasharray='4'/>"
        "<polyline points='{1}' fill='none' stroke='currentColor' stroke-width='2'/>"
        "<rect width='{0}' height='{0}' fill='none' stroke='gray'/>"
        "<text x='{3}' y='360' text-anchor='middle'>stated share inside the interval, %</text>"
        "<text x='-{3}' y='-42' text-anchor='middle' transform='rotate(-90)'>actual share, "
        "%</text>{2}</svg>\n",
        size, points, ticks, size / 2);
}

} // namespace

std::string validationText(const ValidationReport& report, std::size_t worst)
{
    std::string out
        = fmt::format("{} rows, {} predicted: median error {}, mean {}, {} inside the 10-90 % interval\n",
                      report.all.rows, report.all.used, percent(report.all.medianAbsError),
                      percent(report.all.mape), percent(report.all.withinInterval));
    if (!report.heldOut.empty()) {
        out += "\nLeft out of the fit\n" + aligned(heldOutTable(report));
        for (const HeldOut& held : report.heldOut)
            if (isListed(held))
                out += '\n' + aligned(leftTable(held));
        out += '\n' + aligned(fittedTable(report));
    }
    for (const char* dimension : dimensions)
        out += '\n' + aligned(table(report, dimension));
    out += "\nWorst first\n";
    for (const JudgedRow* row : report.worst(worst))
        out += fmt::format("  {}: measured {}, predicted {} ({:+.0f} %), likely {}\n", label(*row),
                           fourDigits(row->row.value), fourDigits(row->predicted.value), row->error() * 100,
                           row->cause);
    out += "\nNot used\n";
    for (const auto& [why, count] : skipped(report))
        out += fmt::format("  {:6}  {}\n", count, why);
    if (const std::vector<Cells> assumed = assumedTable(report); saysAnything(assumed))
        out += "\nNot stated\n" + aligned(assumed);
    return out;
}

std::string validationMarkdown(const ValidationReport& report, std::size_t worst)
{
    std::string out = fmt::format("{} rows, {} predicted: median error {}, mean error {}, {} of the rows "
                                  "inside the 10-90 % interval.\n",
                                  report.all.rows, report.all.used, percent(report.all.medianAbsError),
                                  percent(report.all.mape), percent(report.all.withinInterval));
    if (!report.heldOut.empty()) {
        out += "\n## Rows that the fit never saw\n\nThe numbers of the engines' files are fitted to "
               "published runs. Here they are fitted again without each\n"
               "configuration (an engine on an accelerator with a model), without each source, and without "
               "each load, and what\n"
               "was left out is judged: errors are medians, `inside` is the share of rows in intervals that "
               "never saw them\n"
               "either. An engine that one source or load alone speaks of gets the medians of its other "
               "version "
               "classes, or of all\n"
               "engines where it has none, and an interval as wide as engines need that are treated so. "
               "Where rows "
               "are left, the fit starts from\n"
               "those medians too, and what the rows cannot tell stays there.\n\n"
            + piped(heldOutTable(report));
        for (const HeldOut& held : report.heldOut)
            if (isListed(held))
                out += fmt::format(
                    "\n### Without each {}\n\n{}\nBy metric, rows of engines that others speak of "
                    "too, and rows of engines of which nothing is left:\n\n{}",
                    held.left, piped(leftTable(held)), piped(strangersTable(held)));
        out += "\n## Fitted numbers\n\n" + piped(fittedTable(report));
    }
    for (const char* dimension : dimensions)
        out += fmt::format("\n## By {}\n\n{}", dimension, piped(table(report, dimension)));
    out += "\n## Worst first\n\n" + piped(worstTable(report, worst));
    out += "\n## Not used\n\n" + piped(skippedTable(report));
    if (const std::vector<Cells> assumed = assumedTable(report); saysAnything(assumed))
        out += "\n## Not stated\n\n" + piped(assumed);
    return out;
}

std::string validationHtml(const ValidationReport& report, std::size_t worst)
{
    std::string out
        = "<!doctype html>\n<html lang='en'><meta charset='utf-8'><title>Measured beside predicted</title>\n"
          "<style>body{font-family:sans-serif;margin:2em}td,th{padding:.2em .6em;text-align:right;"
          "white-space:nowrap}.words{text-align:left;white-space:normal}table{border-collapse:collapse}"
          "tr:nth-child(even){background:#8881}th{border-bottom:1px solid}</style>\n<h1>Measured beside "
          "predicted</h1>\n";
    out += fmt::format(
        "<p>{} rows, {} predicted: median error {}, mean error {}, {} inside the 10-90 % interval.</p>\n",
        report.all.rows, report.all.used, percent(report.all.medianAbsError), percent(report.all.mape),
        percent(report.all.withinInterval));
    out += "<p>Errors are of |predicted / measured - 1|; bias is the median of predicted / measured - 1; a "
           "row "
           "counts as inside when its measured figure lies between the predicted 10th and 90th "
           "percentile.</p>\n<h2>How often the intervals hold</h2>\n"
        + calibrationPlot(report);
    if (!report.heldOut.empty()) {
        out += "<h2>Rows that the fit never saw</h2>\n" + htmlTable(heldOutTable(report));
        for (const HeldOut& held : report.heldOut)
            if (isListed(held))
                out += fmt::format("<h3>Without each {}</h3>\n{}", held.left, htmlTable(leftTable(held)));
        out += "<h2>Fitted numbers</h2>\n" + htmlTable(fittedTable(report));
    }
    for (const char* dimension : dimensions)
        out += fmt::format("<h2>By {}</h2>\n{}", dimension, htmlTable(table(report, dimension)));
    out += "<h2>Worst first</h2>\n" + htmlTable(worstTable(report, worst));
    out += "<h2>Not used</h2>\n" + htmlTable(skippedTable(report));
    if (const std::vector<Cells> assumed = assumedTable(report); saysAnything(assumed))
        out += "<h2>Not stated</h2>\n" + htmlTable(assumed);
    return out + "</html>\n";
}

std::string validationCsv(const ValidationReport& report)
{
    std::string out = "id,source,engine,model,gpu,load,metric,measured,predicted,low,high,error,used,why_"
                      "skipped,likely_cause,assumed\n";
    for (const JudgedRow& row : report.rows) {
        const bool known = row.predicted.value > 0;
        const auto number = [&](double v) { return known ? numberText(v) : std::string(); };
        for (const std::string& cell :
             {row.row.id, row.row.source, row.row.engine, row.row.model, row.row.gpu, row.run, row.quantity(),
              numberText(row.row.value), number(row.predicted.value), number(row.predicted.low),
              number(row.predicted.high), number(row.error()), std::string(row.used ? "true" : "false"),
              row.whySkipped})
            out += csvCell(cell) + ',';
        out += csvCell(row.used ? row.cause : "") + ',' + csvCell(row.assumed) + '\n';
    }
    return out;
}

} // namespace headroom
