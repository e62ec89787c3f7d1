#include "calib/validate/engine_fit.h"

#include "calib/validate/row_case.h"
#include "calib/validate/run_figures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace headroom {

namespace {

// A figure of the host that a fit may move, and how far one believes the preset before measuring: hosts
// differ by factors, as their processors and Python versions do.
struct HostTime {
    std::string_view name;
    Seconds Engine::*field;
    double usual; // seconds, where the preset has none
    double most;
};
constexpr double lnSpreadOfHosts = 0.7;
constexpr double least = 1e-7;
constexpr std::array hostTimes{
    HostTime{"per_step", &Engine::stepHostTime, 2e-4, 0.2},
    HostTime{"per_step_and_sequence", &Engine::stepHostTimePerSequence, 2e-6, 2e-3},
    HostTime{"per_request", &Engine::requestHostTime, 5e-3, 10}};

struct Judged {
    const MeasuredRow* row;
    std::size_t run;
};

// Rows that one replay answers.
std::string runKey(const MeasuredRow& row)
{
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", row.model, row.gpu, row.gpus.value_or(0),
                       row.tp.value_or(0), row.pp.value_or(0), row.dp.value_or(0), row.weightDtype,
                       row.kvDtype, row.inputLength, row.outputLength, row.load, row.notes);
}

struct Runs {
    std::vector<RowCase> cases;
    std::vector<Judged> rows;
    const Engine* preset = nullptr;
};

Result<Runs> gather(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue, EngineFit& fit)
{
    Runs out;
    std::map<std::string, std::size_t> known;
    std::set<std::string> engines;
    for (const MeasuredRow& row : rows) {
        const auto found = caseOf(row, catalogue);
        if (const Message* why = std::get_if<Message>(&found)) {
            fit.skipped.push_back(say("{}: {}", row.id, *why));
            continue;
        }
        const RowCase& run = std::get<RowCase>(found);
        if (!(row.value > 0)) {
            fit.skipped.push_back(say("{}: no positive figure", row.id));
            continue;
        }
        engines.insert(run.deployment().engine->id);
        const auto [place, fresh] = known.try_emplace(runKey(row), out.cases.size());
        if (fresh)
            out.cases.push_back(run);
        out.rows.push_back({&row, place->second});
    }
    if (engines.size() > 1)
        return refuse("engine",
                      say("the rows are of several engines or version classes: {}",
                          fmt::format("{}", fmt::join(engines, ", "))),
                      "fit one at a time");
    constexpr std::size_t fewest = 3; // as many as there are times to fit
    if (out.rows.size() < fewest)
        return refuse(
            "rows",
            say("{} of {} rows can be predicted, {} are needed", out.rows.size(), rows.size(), fewest),
            fit.skipped.empty() ? Message() : fit.skipped.front());
    const Result<const Engine*> preset = catalogue.engine(*engines.begin());
    if (!preset)
        return refuse(preset.error());
    out.preset = *preset;
    return out;
}

Engine withTimes(const Engine& preset, std::span<const double> values)
{
    Engine engine = preset;
    for (std::size_t i = 0; i < hostTimes.size(); ++i)
        engine.*hostTimes[i].field = Seconds(values[i]);
    return engine;
}

std::vector<double> timesIn(const Engine& engine)
{
    std::vector<double> out;
    for (const HostTime& time : hostTimes)
        out.push_back((engine.*time.field).base());
    return out;
}

// ln of every row's figure with these times in place of the engine's.
void predictLn(const Runs& runs, std::span<const double> times, std::span<double> out)
{
    std::vector<RunFigures> figures;
    for (const RowCase& run : runs.cases) {
        const Engine own = withTimes(*run.deployment().engine, times);
        figures.push_back(runFigures(run.with(own)));
    }
    for (std::size_t i = 0; i < runs.rows.size(); ++i) {
        const Judged& judged = runs.rows[i];
        const double value = figureOf(figures[judged.run], runs.cases[judged.run], *judged.row).value;
        constexpr double nothing = 1e-12; // a run that does not fit: as wrong as can be, and finite
        out[i] = std::log(std::isfinite(value) && value > nothing ? value : nothing);
    }
}

FitTask taskOf(Runs& runs, const Engine& preset)
{
    FitTask task;
    for (const HostTime& time : hostTimes) {
        const double own = (preset.*time.field).base();
        task.parameters.push_back({.name = std::string(time.name),
                                   .prior = std::clamp(own > 0 ? own : time.usual, least, time.most),
                                   .lnSpread = lnSpreadOfHosts,
                                   .low = least,
                                   .high = time.most});
    }
    for (const Judged& judged : runs.rows)
        task.lnMeasured.push_back(std::log(judged.row->value));
    task.starts = 1; // the preset is near; every evaluation replays all runs
    task.predictLn
        = [&runs](std::span<const double> values, std::span<double> out) { predictLn(runs, values, out); };
    return task;
}

void widenBy(Engine& engine, const Runs& runs, const std::vector<double>& lnErrors)
{
    std::vector<double> prompts;
    std::vector<double> answers;
    for (std::size_t i = 0; i < lnErrors.size(); ++i)
        (runs.rows[i].row->metric == Metric::Ttft ? prompts : answers).push_back(lnErrors[i]);
    constexpr std::size_t fewest = 6; // of fewer, the preset's spread knows more
    if (prompts.size() >= fewest) {
        engine.lnSpreadPrefill = lnSpreadOf(prompts);
        engine.partWhereFewWait = 1;
    }
    if (answers.size() >= fewest) {
        engine.lnSpreadDecode = lnSpreadOf(answers);
        engine.partOfTokenTimes = 1;
    }
}

// Errors in the order of the rows, each of a fit without its run.
std::vector<double> leaveRunsOut(const FitTask& task, const FitOutcome& whole, const Runs& runs)
{
    constexpr std::size_t mostFolds = 8; // a fold is a whole fit
    const std::size_t folds = std::min(runs.cases.size(), mostFolds);
    std::vector<double> errors(runs.rows.size());
    for (std::size_t fold = 0; fold < folds; ++fold) {
        std::vector<int> left;
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < runs.rows.size(); ++i) {
            const bool out = runs.rows[i].run % folds == fold;
            left.push_back(out ? 0 : -1);
            if (out)
                places.push_back(i);
        }
        const GroupedErrors these = crossValidate(task, whole, left);
        for (std::size_t i = 0; i < places.size(); ++i)
            errors[places[i]] = these.lnErrors[i];
    }
    return errors;
}

} // namespace

Result<EngineFit> fitEngine(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue,
                            const std::string& origin)
{
    EngineFit fit;
    Result<Runs> gathered = gather(rows, catalogue, fit);
    if (!gathered)
        return refuse(gathered.error());
    Runs& runs = *gathered;
    const Engine& preset = *runs.preset;
    fit.rows = runs.rows.size();
    fit.runs = runs.cases.size();
    const FitTask task = taskOf(runs, preset);
    std::vector<double> ln(runs.rows.size());
    predictLn(runs, timesIn(preset), ln);
    std::vector<double> before;
    for (std::size_t i = 0; i < ln.size(); ++i)
        before.push_back(task.lnMeasured[i] - ln[i]);
    fit.before = summarise(before);
    const FitOutcome outcome = fitRobustly(task);
    fit.engine = withTimes(preset, outcome.values);
    for (std::size_t i = 0; i < hostTimes.size(); ++i)
        fit.times.push_back({.name = std::string(hostTimes[i].name),
                             .before = preset.*hostTimes[i].field,
                             .after = Seconds(outcome.values[i]),
                             .lnDeviation = outcome.lnDeviation[i]});
    if (fit.runs > 1) {
        const std::vector<double> errors = leaveRunsOut(task, outcome, runs);
        widenBy(fit.engine, runs, errors);
        fit.leftOut = summarise(errors);
    }
    fit.engine.onFamilies.clear(); // what was measured is what counts
    fit.engine.measured = true;
    fit.engine.lnSpreadSourcePrefill = fit.engine.lnSpreadSourceDecode = 0; // whose servers: one's own
    fit.engine.id = preset.id + "-own";
    fit.engine.name = preset.name + ", own machines";
    fit.engine.aliases.clear();
    for (Citation& citation : fit.engine.citations)
        if (citation.key == "host")
            citation.text
                = fmt::format("times fitted by headroom to {} figures of {} runs in {}; the rest: {}",
                              fit.rows, fit.runs, origin, citation.text);
    return fit;
}

} // namespace headroom
