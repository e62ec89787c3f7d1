#include "app/cli/resolved.h"
#include "app/cli/verbs.h"
#include "calib/engine/calibrated_runs.h"
#include "calib/validate/engine_fit.h"
#include "calib/validate/held_out.h"
#include "calib/validate/ops_validation.h"
#include "calib/validate/repeated_rows.h"
#include "calib/validate/validation.h"
#include "model/base/quantity_text.h"
#include "model/import/measured_csv.h"
#include "model/json/table_json.h"
#include "model/json/validation_json.h"
#include "model/report/columns.h"
#include "model/report/validation_text.h"
#include "model/text/text_file.h"
#include "model/text/write_file.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/engine_yaml.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <ostream>

namespace headroom::cli {

namespace {

constexpr std::size_t worstShown = 20;

constexpr std::array validateFlags{
    Flag{"--ops", "",
         "the rows are single operators: gpu, op, dtype, m, n, k, batch, context, heads, …, time_us"},
    Flag{"--kernels", "ENGINE", "with --ops: the engine whose kernels they are; default: vllm"},
    Flag{"--hold-out", "",
         "refit the engines' numbers without each source, configuration, load, vendor and generation in "
         "turn, and judge what was left out; takes minutes"},
    Flag{"--calibration", "FILE",
         "calibration of the machine that the rows were measured on, or of its engine"},
    Flag{"--html", "FILE", "write a page with every table and with how often the intervals hold"},
    Flag{"--write-report", "FILE", "write the same tables as Markdown, as in docs/accuracy.md"},
    Flag{"--fit-engine", "FILE",
         "write the preset of the rows' engine with host times fitted to these rows, for --engine FILE, and "
         "show the error on rows left out of the fit"},
    Flag{"--row", "ID", "with --command: the id of the row"},
    Flag{"--command", "",
         "with --row: print the `simulate` line that asks for the same run and gives the same figures"},
    Flag{"--record", "FILE",
         "write errors, widths and the order of pairs as CSV: what the accuracy test holds"},
};

Exit write(const std::string& file, const std::string& text, Console& console)
{
    writeFile(file, text);
    console.note(say("{} is written", file));
    return Exit::Done;
}

std::string accuracyPage(const ValidationReport& report, const std::string& files, bool holdOut)
{
    return "# Accuracy\n\nWritten by `headroom validate " + files + (holdOut ? " --hold-out" : "")
        + " --write-report`. Every figure is an error of a prediction against a published measurement; the "
          "rows\n"
          "name their public source. Bias is the median of predicted over measured less one.\n\n"
        + validationMarkdown(report, worstShown);
}

// Rounded up to a thousandth, so that the last digit of a float does not fail the test.
std::string recordOf(const ValidationReport& report)
{
    const auto up = [](double value) { return numberText(std::ceil(value * 1000) / 1000); };
    std::string out = "figure,error,mean_ln_width\n";
    for (const auto& [metric, summary] : report.by.at("metric"))
        if (summary.used > 0)
            out += metric + ',' + up(summary.medianAbsError) + ',' + up(summary.width) + '\n';
    out += "pairs in wrong order within a vendor," + up(1 - report.order.within.share()) + ",\n";
    out += "pairs in wrong order across vendors," + up(1 - report.order.across.share()) + ",\n";
    return out;
}

Result<std::vector<MeasuredRow>> rowsOf(const std::vector<std::string>& files)
{
    std::vector<MeasuredRow> all;
    for (const std::string& file : files) {
        Result<std::vector<MeasuredRow>> rows = readMeasuredCsv(std::filesystem::path(file));
        if (!rows)
            return rows;
        all.insert(all.end(), std::make_move_iterator(rows->begin()), std::make_move_iterator(rows->end()));
    }
    return all;
}

Result<ValidationReport> wholeRuns(const Arguments& arguments, const Catalogue& catalogue, Console& console)
{
    const EfficiencySet* calibration = nullptr;
    if (const auto named = arguments.text("--calibration")) {
        const Result<const EfficiencySet*> read = catalogue.calibration(*named);
        if (!read)
            return refuse(read.error());
        calibration = *read;
    }
    return rowsOf(arguments.words).map([&](std::vector<MeasuredRow> rows) {
        const std::size_t repeated = dropRepeats(rows);
        if (repeated > 0)
            console.note(say("{} rows were given twice and count once", repeated));
        PreparedRuns prepared = prepareRuns(rows, catalogue);
        if (calibration != nullptr) {
            const CalibratedRuns calibrated = calibrateRuns(prepared, *calibration);
            console.note(say("the calibration is of {}: {} of {} runs take it", calibration->gpu,
                             calibrated.count, prepared.runs.size()));
            for (const Message& sentence : calibrated.told)
                console.note(sentence);
        }
        ValidationReport report = validate(prepared);
        report.repeated = repeated;
        if (arguments.has("--hold-out"))
            holdOut(prepared, catalogue, report);
        return report;
    });
}

Result<ValidationReport> operators(const std::string& file, const Arguments& arguments,
                                   const Catalogue& catalogue)
{
    constexpr std::uintmax_t longest = 1U << 28;
    return readTextFile(file, longest).and_then([&](const std::string& text) {
        return validateOps(text, file, catalogue, arguments.text("--kernels").value_or("vllm"));
    });
}

// The preset and what was fitted, each with its errors: the fitted one's are of runs left out of the fit.
struct FittedState {
    Message name;
    const EngineFit* fit = nullptr;
    bool fitted = false;

    [[nodiscard]] Cell time(std::size_t i) const
    {
        const FittedTime& one = fit->times[i];
        return (fitted ? one.after : one.before).base();
    }
    [[nodiscard]] Cell error(double GroupedErrors::*field) const
    {
        if (fitted && fit->runs < 2)
            return {}; // one run: nothing can be left out
        return (fitted ? fit->leftOut : fit->before).*field;
    }
};

Table fitTable(const EngineFit& fit)
{
    static const Columns<FittedState> columns{
        {{"state", ""}, [](const FittedState& s) { return Cell(s.name); }},
        {{"per_step_s", "per step", Measure::Time}, [](const FittedState& s) { return s.time(0); }},
        {{"per_step_and_sequence_s", "and sequence", Measure::Time},
         [](const FittedState& s) { return s.time(1); }},
        {{"per_request_s", "per request", Measure::Time}, [](const FittedState& s) { return s.time(2); }},
        {{"rows", "figures", Measure::Whole}, [](const FittedState& s) { return Cell(double(s.fit->rows)); }},
        {{"runs", "runs", Measure::Whole}, [](const FittedState& s) { return Cell(double(s.fit->runs)); }},
        {{"median_abs_error", "median error", Measure::Share},
         [](const FittedState& s) { return s.error(&GroupedErrors::median); }},
        {{"mape", "mean error", Measure::Share},
         [](const FittedState& s) { return s.error(&GroupedErrors::mean); }}};
    return tableOf(columns,
                   std::vector<FittedState>{{.name = "preset", .fit = &fit, .fitted = false},
                                            {.name = "fitted, runs left out", .fit = &fit, .fitted = true}});
}

Exit fitOwnEngine(const std::string& file, const std::string& target, const Catalogue& catalogue,
                  Console& console)
{
    const Result<EngineFit> fit
        = readMeasuredCsv(std::filesystem::path(file)).and_then([&](const std::vector<MeasuredRow>& rows) {
              return fitEngine(rows, catalogue, std::filesystem::path(file).filename().string());
          });
    if (!fit)
        return console.refuse(fit.error());
    for (const Message& each : fit->skipped)
        console.note(say("skipped {}", each));
    const Table table = fitTable(*fit);
    console.out() << (console.format == Format::Json ? tableJson("headroom.engine_fit/1", table) + '\n'
                                                     : inFormat(table, console));
    return write(target, writeEngine(fit->engine), console);
}

// The line that a user would type for a measured run.
Exit printCommand(const std::string& file, const std::string& id, const Catalogue& catalogue,
                  Console& console)
{
    const Result<std::vector<MeasuredRow>> rows = readMeasuredCsv(std::filesystem::path(file));
    if (!rows)
        return console.refuse(rows.error());
    const auto found
        = std::find_if(rows->begin(), rows->end(), [&](const MeasuredRow& row) { return row.id == id; });
    if (found == rows->end())
        return console.refuse({{"--row", say("{} has no row '{}'", file, id), {}}});
    const auto run = caseOf(*found, catalogue);
    if (const Message* const why = std::get_if<Message>(&run))
        return console.refuse({{id, *why, {}}});
    console.out() << simulateCommand(std::get<RowCase>(run)) << '\n';
    return Exit::Done;
}

Exit runValidate(const Arguments& arguments, Console& console)
{
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const std::string& file = arguments.words.front();
    if (arguments.words.size() > 1)
        for (const char* other : {"--ops", "--fit-engine", "--row"})
            if (arguments.has(other))
                return console.refuse({{other, "takes one file of rows", "leave the others away"}});
    if (arguments.has("--calibration"))
        for (const char* other : {"--ops", "--hold-out", "--fit-engine"})
            if (arguments.has(other))
                return console.refuse(
                    {{"--calibration", say("says nothing to {}, which is about what ships", asIs(other)),
                      say("leave {} away", asIs(other))}});
    if (const auto target = arguments.text("--fit-engine"))
        return arguments.has("--ops") ? console.refuse(
                   {{"--fit-engine", "single operators say nothing of an engine", "leave --ops away"}})
                                      : fitOwnEngine(file, *target, **catalogue, console);
    const auto id = arguments.text("--row");
    if (id.has_value() != arguments.has("--command"))
        return console.refuse({{"--row", "goes with --command", "give both, or neither"}});
    if (id)
        return printCommand(file, *id, **catalogue, console);
    const Result<ValidationReport> judged = arguments.has("--ops")
        ? operators(file, arguments, **catalogue)
        : wholeRuns(arguments, **catalogue, console);
    if (!judged)
        return console.refuse(judged.error());
    const ValidationReport& report = *judged;
    if (const auto page = arguments.text("--html"))
        if (const Exit done = write(*page, validationHtml(report, worstShown), console); done != Exit::Done)
            return done;
    if (const auto page = arguments.text("--write-report"))
        if (const Exit done = write(*page,
                                    accuracyPage(report, fmt::format("{}", fmt::join(arguments.words, " ")),
                                                 arguments.has("--hold-out")),
                                    console);
            done != Exit::Done)
            return done;
    if (const auto record = arguments.text("--record"))
        if (const Exit done = write(*record, recordOf(report), console); done != Exit::Done)
            return done;
    switch (console.format) {
    case Format::Json:
        console.out() << validationJson(report, worstShown) << '\n';
        break;
    case Format::Csv:
        console.out() << validationCsv(report);
        break;
    case Format::Markdown:
        console.out() << (console.language == ask::Language::Chinese
                              ? validationTables(report, worstShown, console.language)
                              : validationMarkdown(report, worstShown));
        break;
    case Format::Text:
        console.out() << validationText(report, worstShown, console.language);
        break;
    }
    return Exit::Done;
}

} // namespace

Verb validateVerb()
{
    return {.name = "validate",
            .group = VerbGroup::Measure,
            .summary = "holds predictions against measured rows: errors by metric, engine, GPU, model and "
                       "load, worst first",
            .example = "validate tests/validation/measured.csv",
            .run = runValidate,
            .formats = true,
            .languages = true,
            .flags = validateFlags,
            .words = {"FILE…", "tables of measured rows", 1, -1}};
}

} // namespace headroom::cli
