#include "model/base/estimate.h"
#include "model/report/validation_tables.h"
#include "model/report/validation_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace headroom {
namespace {

std::string htmlEscaped(std::string_view text)
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
        const std::string text = column < row.size() ? row[column].english() : std::string();
        return !text.empty() && std::isalpha(static_cast<unsigned char>(text.front())) != 0;
    });
}

std::string htmlTable(const std::vector<Cells>& rows)
{
    std::string out = "<table>\n";
    for (std::size_t r = 0; r < rows.size(); ++r) {
        out += "<tr>";
        for (std::size_t c = 0; c < rows[r].size(); ++c)
            out += fmt::format("<{0}{1}>{2}</{0}>", r == 0 ? "th" : "td",
                               isWords(rows, c) ? " class='words'" : "", htmlEscaped(rows[r][c].english()));
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
    std::string points;
    for (int step = 1; step < 50; ++step) {
        const double stated = step / 50.0;
        // Factor by which the 80 % interval is scaled to become a `stated` interval of a normal error.
        double low = 0, high = 6;
        for (int i = 0; i < 50; ++i) {
            const double middle = (low + high) / 2;
            (std::erf(middle / std::sqrt(2.0)) < stated ? low : high) = middle;
        }
        const double factor = low / deviationsToNinetieth;
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
        out += "<h2>Rows that the fit never saw</h2>\n" + htmlTable(figuresLeftOutTable(report))
            + htmlTable(heldOutTable(report));
        for (const HeldOut& held : report.heldOut)
            if (isListed(held))
                out += fmt::format("<h3>Without each {}</h3>\n{}", held.left, htmlTable(leftTable(held)));
        out += "<h3>By regime</h3>\n" + htmlTable(regimesLeftOutTable(report));
        out += "<h2>Fitted numbers</h2>\n" + htmlTable(fittedTable(report));
    }
    for (const char* dimension : validationDimensions)
        out += fmt::format("<h2>By {}</h2>\n{}", dimension, htmlTable(summaryTable(report, dimension)));
    out += "<h2>Worst first</h2>\n" + htmlTable(worstTable(report, worst));
    out += "<h2>Not used</h2>\n" + htmlTable(skippedTable(report));
    if (const std::vector<Cells> assumed = assumedTable(report); saysAnything(assumed))
        out += "<h2>Not stated</h2>\n" + htmlTable(assumed);
    return out + "</html>\n";
}

} // namespace headroom
