#include "model/report/validation_text.h"

#include "model/base/quantity_text.h"
#include "model/report/text_page.h"
#include "model/report/validation_tables.h"
#include "model/text/csv.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace headroom {
namespace {

std::string aligned(const std::vector<Cells>& rows, const TextPage& page)
{
    std::vector<std::size_t> widths(rows.front().size());
    for (const Cells& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(page.tell(row[i])));
    std::string out;
    for (const Cells& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string cell = page.tell(row[i]);
            out += i == 0 ? padded(cell, widths[i])
                          : "  " + std::string(widths[i] - widthOf(cell), ' ') + cell;
        }
        out += '\n';
    }
    return out;
}

std::string piped(const std::vector<Cells>& rows, const TextPage& page)
{
    std::string out;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        out += '|';
        for (const Message& cell : rows[r])
            out += ' ' + page.tell(cell) + " |";
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

} // namespace

namespace {

// How a report's parts are set.
struct Setting {
    std::function<std::string(const std::vector<Cells>&)> table;
    std::string beforeTitle, behindTitle, beforeItem;
    int widthOfCount = 0;
};

std::string toldIn(const Setting& set, const TextPage& page, const ValidationReport& report,
                   std::size_t worst)
{
    const auto title
        = [&](const Message& text) { return '\n' + set.beforeTitle + page.tell(text) + set.behindTitle; };
    std::string out
        = page.tell(say("{} rows, {} predicted: median error {}, mean {}, {} inside the 10-90 % interval",
                        report.all.rows, report.all.used, percent(report.all.medianAbsError),
                        percent(report.all.mape), percent(report.all.withinInterval)))
        + '\n';
    if (!report.heldOut.empty()) {
        out += title("Left out of the fit") + set.table(figuresLeftOutTable(report)) + '\n'
            + set.table(heldOutTable(report));
        for (const HeldOut& held : report.heldOut)
            if (isListed(held))
                out += '\n' + set.table(leftTable(held));
        out += '\n' + set.table(regimesLeftOutTable(report)) + '\n' + set.table(fittedTable(report));
    }
    out += title("Order of alternatives") + set.table(orderTable(report));
    out += title("One set-up measured twice") + set.table(repeatsTable(report));
    for (const char* dimension : validationDimensions)
        out += '\n' + set.table(summaryTable(report, dimension));
    out += title("Worst first");
    for (const JudgedRow* row : report.worst(worst))
        out += set.beforeItem
            + page.tell(say("{}: measured {}, predicted {} ({:+.0f} %), likely {}", rowLabel(*row),
                            fourDigits(row->row.value), fourDigits(row->predicted.value), row->error() * 100,
                            row->cause))
            + '\n';
    out += title("Not used");
    for (const auto& [why, count] : skippedRows(report))
        out += fmt::format("{}{:{}}  {}\n", set.beforeItem, count, set.widthOfCount, page.tell(why));
    if (const std::vector<Cells> assumed = assumedTable(report); saysAnything(assumed))
        out += title("Not stated") + set.table(assumed);
    return out;
}

} // namespace

std::string validationText(const ValidationReport& report, std::size_t worst, ask::Language language)
{
    const TextPage page(language);
    const auto table = [&](const std::vector<Cells>& rows) { return aligned(rows, page); };
    return toldIn(
        {.table = table, .beforeTitle = "", .behindTitle = "\n", .beforeItem = "  ", .widthOfCount = 6}, page,
        report, worst);
}

std::string validationTables(const ValidationReport& report, std::size_t worst, ask::Language language)
{
    const TextPage page(language);
    const auto table = [&](const std::vector<Cells>& rows) { return piped(rows, page); };
    return toldIn({.table = table, .beforeTitle = "## ", .behindTitle = "\n\n", .beforeItem = "- "}, page,
                  report, worst);
}

std::string validationMarkdown(const ValidationReport& report, std::size_t worst)
{
    const TextPage page(ask::Language::English);
    const auto table = [&](const std::vector<Cells>& rows) { return piped(rows, page); };
    std::string out = fmt::format("{} rows, {} predicted: median error {}, mean error {}, {} of the rows "
                                  "inside the 10-90 % interval.\n",
                                  report.all.rows, report.all.used, percent(report.all.medianAbsError),
                                  percent(report.all.mape), percent(report.all.withinInterval));
    if (report.repeated > 0)
        out += fmt::format("{} rows more stand in two of the files and are counted once.\n", report.repeated);
    if (!report.heldOut.empty()) {
        out += "\n## Rows that the fit never saw\n\nThe numbers of the engines' files are fitted to "
               "published runs. Here they are fitted again without each\n"
               "configuration (an engine on an accelerator with a model), without each source, each load, "
               "each "
               "vendor and each\ngeneration of accelerators (there with its specification and the kernels of "
               "its elder only), and what\nwas left out is judged: errors are medians, `inside` is the share "
               "of rows in intervals that "
               "never saw them\n"
               "either. An engine that one source or load alone speaks of gets the numbers of its nearest "
               "relatives: of its\n"
               "version class on accelerators that the same software programs, else of its other classes "
               "there, of its class elsewhere, of its\nother classes, else of all engines (medians), each of "
               "them fitted without what was left out. What a step takes\nwhatever its batch all engines "
               "there tell, each as it would be in that class's year by what classes gain in one, and\n"
               "counted a tenth as much for each year between, for another engine, for another generation "
               "of "
               "accelerators and for a host of another kind (compiled code, Python);\nhow requests are taken "
               "in all engines tell that were run alike, three tenths as much for each class between, for "
               "another engine, another platform and so on\n"
               "(the time of experts is a ratio to the kernels that were timed, and one where no "
               "run "
               "tells it);\na build with a gap of its own between kernels (`per_kernel`) takes what the "
               "host needs for a step from the engine elsewhere;\n"
               "and, where nothing of its version class is left on accelerators that the same software "
               "programs, an\n"
               "interval as wide as engines need that are treated so. "
               "Intervals are as wide\nas other groups needed that were left out alike, the engine's own "
               "groups "
               "before those of its family and of\nall engines; a first token on an idle server (one batch) "
               "needs half of what one needs that comes to a server at work, those of a burst a fifth, "
               "times of tokens four "
               "fifths of\nwhat throughput needs, gaps between two tokens half, and that of a full server "
               "1.4 "
               "times as much; models without experts need less. Ranges of first tokens, whole requests and "
               "throughput\nreach further to the slow side than to the fast one, and those of a model with "
               "experts that is as new as its engine's build further still\n"
               "(model/deploy/range_parts.h). Where rows "
               "are left, the fit starts from\n"
               "those medians too, and what the rows cannot tell stays there: a number that is as far from "
               "them as engines are\n"
               "on average must be worth a row. Without a source, rows of each other one count as the root "
               "of their number:\n"
               "they share what is odd about its server. Operators are not fitted again: where\n"
               "nobody timed kernels, their forms come from whole runs (hw_profiles/README.md), rows of this "
               "page\n"
               "among them, and so does what they are unsure of. What operators answer for counts in no "
               "spread "
               "besides:\nit is in every range by itself.\n\n"
            + table(figuresLeftOutTable(report))
            + "\nThe same by metric, means and percentiles together (`all`) and apart. Percentiles and gaps "
              "between tokens are of one operator: "
              "how many of them are\ninside says as much of that server as of the ranges, which is what "
              "their "
              "standard errors say.\n\n"
            + table(heldOutTable(report));
        for (const HeldOut& held : report.heldOut)
            if (isListed(held))
                out += fmt::format(
                    "\n### Without each {}\n\n{}\nBy metric, rows of engines that others speak of "
                    "too, and rows of engines of which nothing is left:\n\n{}",
                    held.left, table(leftTable(held)), table(strangersTable(held)));
        out += "\n### By regime\n\nWithout its source: whoever published the run is unknown. Without its "
               "generation: the hardware is.\n\n"
            + table(regimesLeftOutTable(report)) + "\n## Fitted numbers\n\n" + table(fittedTable(report));
    }
    out += "\n## Order of alternatives\n\nOf all pairs of published runs of the same work (model, lengths, "
           "load, "
           "metric) whose figures differ by\nmore than a fifth: how many are predicted in that order. Pairs "
           "are of "
           "alternatives: nothing but what was\nmeasured twice is left out, runs that state the same model, "
           "types, card, count, layout, engine, version, settings\nand load.\n\n"
        + table(orderTable(report))
        + "\nOne set-up measured twice has two figures and one prediction. How far such figures are apart is "
          "what publications\nleave open, whatever predicts them; a version that one of two does not state "
          "counts as the other's.\n\n"
        + table(repeatsTable(report));
    for (const char* dimension : validationDimensions)
        out += fmt::format("\n## By {}\n\n{}", dimension, table(summaryTable(report, dimension)));
    out += "\n## Worst first\n\n" + table(worstTable(report, worst));
    out += "\n## Not used\n\n" + table(skippedTable(report));
    if (const std::vector<Cells> assumed = assumedTable(report); saysAnything(assumed))
        out += "\n## Not stated\n\n" + table(assumed);
    return out;
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
              row.whySkipped.english()})
            out += csvCell(cell) + ',';
        out += csvCell(row.used ? row.cause.english() : "") + ',' + csvCell(row.assumed.english()) + '\n';
    }
    return out;
}

} // namespace headroom
