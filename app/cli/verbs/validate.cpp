#include "app/cli/resolved.h"
#include "app/cli/verbs.h"
#include "calib/validate/engine_fit.h"
#include "calib/validate/held_out.h"
#include "calib/validate/ops_validation.h"
#include "calib/validate/validation.h"
#include "model/json/measured_csv.h"
#include "model/json/table_json.h"
#include "model/json/text_file.h"
#include "model/json/validation_json.h"
#include "model/quantity_text.h"
#include "model/report/columns.h"
#include "model/report/validation_text.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/engine_yaml.h"
#include "model/yaml/tree.h"

#include <array>
#include <cmath>
#include <ostream>

namespace headroom::cli {

namespace {

constexpr std::size_t worstShown = 20;

constexpr std::array flags{
    Flag{"--ops", "",
         "the rows are single operators: gpu, op, dtype, m, n, k, batch, context, heads, …, time_us"},
    Flag{"--kernels", "ENGINE", "with --ops: whose kernels, default vllm"},
    Flag{"--hold-out", "",
         "refit the engines' numbers without each source, each configuration and each load, and judge those "
         "there; takes minutes"},
    Flag{"--html", "FILE", "a page with every table and how often the intervals hold"},
    Flag{"--write-report", "FILE", "the same tables as Markdown: docs/accuracy.md is written by this"},
    Flag{"--fit-engine", "FILE",
         "the preset of the rows' engine with the host times that these measurements ask for, and the error "
         "of "
         "runs left out of the fit; --engine FILE uses it"},
    Flag{"--record", "FILE",
         "the median error of each metric as CSV: the state that the accuracy test holds"},
};

Exit write(const std::string& file, const std::string& text, Console& console)
{
    const Result<bool> written = writeTextFile(file, text);
    if (!written)
        return console.refuse(written.error());
    console.err() << "headroom: " << file << " is written\n";
    return Exit::Done;
}

std::string accuracyPage(const ValidationReport& report, const std::string& file)
{
    return "# Accuracy\n\nWritten by `headroom validate " + file
        + " --write-report`. Every figure is an error of a prediction against a published measurement; the "
          "rows\n"
          "name their public source. Bias is the median of predicted over measured less one.\n\n"
        + validationMarkdown(report, worstShown);
}

// Rounded up to a tenth of a percent, so that the last digit of a float does not fail the test.
std::string recordOf(const ValidationReport& report)
{
    std::string out = "metric,median_abs_error\n";
    for (const auto& [metric, summary] : report.by.at("metric"))
        if (summary.used > 0)
            out += metric + ',' + numberText(std::ceil(summary.medianAbsError * 1000) / 1000) + '\n';
    return out;
}

Result<ValidationReport> wholeRuns(const std::string& file, const Arguments& arguments,
                                   const Catalogue& catalogue)
{
    return readMeasuredCsv(std::filesystem::path(file)).map([&](const std::vector<MeasuredRow>& rows) {
        const PreparedRuns prepared = prepareRuns(rows, catalogue);
        ValidationReport report = validate(prepared);
        if (arguments.has("--hold-out"))
            holdOut(prepared, report);
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
    std::string name;
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
    for (const std::string& each : fit->skipped)
        console.err() << "headroom: skipped " << each << '\n';
    const Table table = fitTable(*fit);
    console.out() << (console.format == Format::Json ? tableJson("headroom.engine_fit/1", table) + '\n'
                                                     : inFormat(table, console.format));
    return write(target, writeEngine(fit->engine), console);
}

Exit run(const Arguments& arguments, Console& console)
{
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const std::string& file = arguments.words.front();
    if (const auto target = arguments.text("--fit-engine"))
        return arguments.has("--ops") ? console.refuse(
                   {{"--fit-engine", "single operators say nothing of an engine", "leave --ops away"}})
                                      : fitOwnEngine(file, *target, **catalogue, console);
    const Result<ValidationReport> judged = arguments.has("--ops") ? operators(file, arguments, **catalogue)
                                                                   : wholeRuns(file, arguments, **catalogue);
    if (!judged)
        return console.refuse(judged.error());
    const ValidationReport& report = *judged;
    if (const auto page = arguments.text("--html"))
        if (const Exit done = write(*page, validationHtml(report, worstShown), console); done != Exit::Done)
            return done;
    if (const auto page = arguments.text("--write-report"))
        if (const Exit done = write(*page, accuracyPage(report, file), console); done != Exit::Done)
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
        console.out() << validationMarkdown(report, worstShown);
        break;
    case Format::Text:
        console.out() << validationText(report, worstShown);
        break;
    }
    return Exit::Done;
}

} // namespace

Verb validateVerb()
{
    return {.name = "validate",
            .summary
            = "predicted beside measured: errors by metric, engine, GPU, model and load; worst first",
            .run = run,
            .formats = true,
            .flags = flags,
            .words = {"FILE", "a CSV of measured rows", 1, 1}};
}

} // namespace headroom::cli
