#include "calib/validate/held_out.h"

#include "calib/validate/engine_refit.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

namespace headroom {
namespace {

constexpr double ninetiethPercentile = 1.2815515655446004; // of a unit normal
constexpr double inside = 0.8;                             // what a 10-90 % interval holds

double quantile(std::vector<double> values, double fraction)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(fraction * double(values.size())))];
}

// A row judged by numbers that were fitted without its group.
struct Left {
    std::size_t row = 0;
    std::string engine;
    std::string group;
    bool stranger = false; // nothing of its engine was left to fit to
    EngineRefit::Judged judged;
    double lnError = 0;
};

// The spread that whole runs need beside their operators so that the intervals hold four errors of five: of
// the prompts' part from times to the first token, of the decodes' part from everything else.
EngineSpread spreadOf(const std::vector<const Left*>& lefts, const PreparedRuns& prepared)
{
    std::vector<double> prefill, decode;
    const auto needed = [](const Left& l) {
        const double z = l.lnError / ninetiethPercentile;
        return z * z - l.judged.lnSpread * l.judged.lnSpread;
    };
    for (const Left* l : lefts)
        if (prepared.rows[l->row].row.metric == Metric::Ttft)
            prefill.push_back(needed(*l));
    EngineSpread out;
    if (prefill.empty()) { // nothing tells the two apart: one spread for both
        std::vector<double> both;
        for (const Left* l : lefts) {
            const double share = l->judged.prefillShare;
            both.push_back(needed(*l) / (share * share + (1 - share) * (1 - share)));
        }
        out.prefill = out.decode = std::sqrt(std::max(0.0, quantile(both, inside)));
        return out;
    }
    out.prefill = std::sqrt(std::max(0.0, quantile(prefill, inside)));
    for (const Left* l : lefts) {
        const double share = l->judged.prefillShare;
        if (prepared.rows[l->row].row.metric != Metric::Ttft && share < 0.9)
            decode.push_back((needed(*l) - out.prefill * out.prefill * share * share)
                             / ((1 - share) * (1 - share)));
    }
    out.decode = std::sqrt(std::max(0.0, quantile(decode, inside)));
    return out;
}

// The engine that a version class is of: "vllm-v0", "vllm-2026" and "vllm" are one.
std::string_view familyOf(std::string_view engine)
{
    const std::size_t dash = engine.rfind('-');
    const bool version = dash != std::string_view::npos && dash + 1 < engine.size()
        && std::isdigit(static_cast<unsigned char>(engine.back())) != 0;
    return version ? engine.substr(0, dash) : engine;
}

// Users at once decide what a step is bound by; runs of other kinds are one load each.
std::string loadGroup(const JudgedRow& row)
{
    const MeasuredLoad load = readLoad(row.row.load);
    if (load.kind != LoadKind::Concurrency)
        return row.run;
    constexpr double few = 8, many = 64;
    return row.run + (load.amount <= few ? " of 1 to 8" : load.amount <= many ? " of 9 to 64" : " above 64");
}

using Grouping = std::function<std::string(const JudgedRow&)>;

// Everything that refitting asks for: the rows by engine, and what fits of the others give.
class Refit {
public:
    Refit(const PreparedRuns& prepared, const ValidationReport& report);
    [[nodiscard]] std::vector<Left> leave(const Grouping& groupOf);
    [[nodiscard]] HeldOut judged(const std::vector<Left>& lefts, std::string name) const;
    [[nodiscard]] std::vector<FittedEngine> fitted(const std::vector<Left>& lefts) const;

private:
    [[nodiscard]] EngineNumbers othersThan(const std::string& engine) const;
    [[nodiscard]] Left leaveOne(EngineRefit& fit, std::size_t row, const EngineNumbers& numbers) const;
    [[nodiscard]] std::vector<const Left*> strangersBut(const std::string& engine) const;
    [[nodiscard]] std::vector<const Left*> spreadFrom(const std::vector<Left>& lefts, const Left& one) const;

    const PreparedRuns* m_prepared;
    const ValidationReport* m_report;
    std::map<std::string, EngineRefit> m_engines;
    std::map<std::string, EngineNumbers> m_whole; // fitted to all rows
    std::map<std::string, std::vector<EngineNumbers>> m_folds;
    std::vector<Left> m_strangers; // every row as if nothing of its engine were known
};

Refit::Refit(const PreparedRuns& prepared, const ValidationReport& report)
    : m_prepared(&prepared), m_report(&report)
{
    std::map<std::string, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < report.rows.size(); ++i)
        if (report.rows[i].used)
            rows[report.rows[i].engine].push_back(i);
    for (const auto& [engine, members] : rows) {
        EngineRefit& fit = m_engines.emplace(engine, EngineRefit(prepared, members)).first->second;
        m_whole[engine] = fit.fit(members, nearestChoices(numbersOf(fit.engine())));
    }
    for (auto& [engine, fit] : m_engines) {
        const EngineNumbers numbers = othersThan(engine);
        for (const std::size_t row : fit.rows()) {
            m_strangers.push_back(leaveOne(fit, row, numbers));
            m_strangers.back().engine = engine;
        }
    }
}

// Of the other version classes of the same engine, or of all engines where there are none.
EngineNumbers Refit::othersThan(const std::string& engine) const
{
    EngineNumbers out = nearestChoices(numbersOf(m_engines.at(engine).engine()));
    for (const FittedNumber& number : fittedNumbers()) {
        std::vector<double> kin, all;
        for (const auto& [name, numbers] : m_whole)
            if (name != engine && number.value(numbers) > 0) {
                all.push_back(number.value(numbers));
                if (familyOf(name) == familyOf(engine))
                    kin.push_back(number.value(numbers));
            }
        const std::vector<double>& values = kin.empty() ? all : kin;
        if (!values.empty() && number.value(out) > 0)
            number.set(out, quantile(values, 0.5));
    }
    return nearestChoices(out);
}

Left Refit::leaveOne(EngineRefit& fit, std::size_t row, const EngineNumbers& numbers) const
{
    Left one{.row = row, .judged = fit.judge(row, numbers)};
    one.lnError = std::log(m_report->rows[row].row.value / one.judged.predicted.value);
    return one;
}

// A new engine is one more engine, not one more row: each counts alike, by rows from all over its list.
std::vector<const Left*> Refit::strangersBut(const std::string& engine) const
{
    constexpr std::size_t ofEach = 40;
    std::map<std::string, std::vector<const Left*>> byEngine;
    for (const Left& l : m_strangers)
        if (l.engine != engine)
            byEngine[l.engine].push_back(&l);
    std::vector<const Left*> out;
    for (const auto& [name, rows] : byEngine)
        for (std::size_t i = 0; i < ofEach; ++i)
            out.push_back(rows[i * rows.size() / ofEach]);
    return out;
}

// Rows whose errors say how wide the interval of this one must be: left out like it, of other groups, and of
// the same engine where it has enough of them. How far an engine is off that nobody measured, only engines
// can say that were treated as if nobody had.
std::vector<const Left*> Refit::spreadFrom(const std::vector<Left>& lefts, const Left& one) const
{
    constexpr std::size_t enough = 20;
    std::vector<const Left*> own, any;
    if (one.stranger)
        return strangersBut(one.engine);
    for (const Left& other : lefts)
        if (other.group != one.group) {
            any.push_back(&other);
            if (other.engine == one.engine)
                own.push_back(&other);
        }
    return own.size() >= enough ? own : any;
}

std::vector<Left> Refit::leave(const Grouping& groupOf)
{
    std::vector<Left> out;
    for (auto& [engine, fit] : m_engines) {
        // Not from what all rows gave: a number that the kept rows cannot tell would remember those left out.
        const EngineNumbers usual = othersThan(engine);
        const std::optional<EngineNumbers> pull = m_engines.size() > 1 ? std::optional(usual) : std::nullopt;
        std::set<std::string> groups;
        for (const std::size_t row : fit.rows())
            groups.insert(groupOf(m_report->rows[row]));
        for (const std::string& group : groups) {
            std::vector<std::size_t> kept, left;
            for (const std::size_t row : fit.rows())
                (groupOf(m_report->rows[row]) == group ? left : kept).push_back(row);
            const EngineNumbers numbers = kept.empty() ? usual : fit.fit(kept, usual, pull);
            m_folds[engine].push_back(numbers);
            for (const std::size_t row : left) {
                Left one = leaveOne(fit, row, numbers);
                one.engine = engine;
                one.group = group;
                one.stranger = kept.empty();
                out.push_back(std::move(one));
            }
        }
    }
    return out;
}

HeldOut Refit::judged(const std::vector<Left>& lefts, std::string name) const
{
    std::map<std::pair<std::string, std::string>, EngineSpread> spreads;
    std::vector<JudgedRow> rows;
    std::map<std::string, std::vector<std::size_t>> groups;
    std::map<std::string, std::vector<std::size_t>> known, strange; // by metric
    for (const Left& l : lefts) {
        (l.stranger ? strange : known)[std::string(metricName(m_report->rows[l.row].row.metric))].push_back(
            rows.size());
        groups[l.group].push_back(rows.size());
        const auto [place, fresh] = spreads.try_emplace({l.engine, l.group});
        if (fresh)
            place->second = spreadOf(spreadFrom(lefts, l), *m_prepared);
        JudgedRow row = m_report->rows[l.row];
        row.predicted = figureOf(l.judged.figures, *m_prepared->cases[l.row], row.row.metric, place->second);
        rows.push_back(std::move(row));
    }
    const ValidationReport report = reportOf(std::move(rows));
    HeldOut out{.left = std::move(name), .folds = spreads.size()};
    if (!report.rows.empty()) {
        out.byMetric = report.by.at("metric");
        out.byEngine = report.by.at("engine");
    }
    const auto summed = [&](const std::map<std::string, std::vector<std::size_t>>& parts) {
        std::map<std::string, ErrorSummary> sums;
        for (const auto& [part, members] : parts) {
            std::vector<const JudgedRow*> those;
            for (const std::size_t member : members)
                those.push_back(&report.rows[member]);
            sums[part] = summarise(those);
        }
        return sums;
    };
    out.byGroup = summed(groups);
    out.ofKnownEngines = summed(known);
    out.ofStrangers = summed(strange);
    return out;
}

std::vector<FittedEngine> Refit::fitted(const std::vector<Left>& lefts) const
{
    std::vector<FittedEngine> out;
    for (const auto& [engine, numbers] : m_whole) {
        FittedEngine one{.engine = engine, .rows = m_engines.at(engine).rows().size()};
        const Engine& shipped = m_engines.at(engine).engine();
        for (const FittedNumber& number : fittedNumbers()) {
            FittedValue value{.name = std::string(number.name),
                              .unit = std::string(number.unit),
                              .shipped = number.value(numbersOf(shipped)),
                              .fitted = number.value(numbers)};
            value.low = value.high = value.fitted;
            for (const EngineNumbers& fold : m_folds.at(engine)) {
                value.low = std::min(value.low, number.value(fold));
                value.high = std::max(value.high, number.value(fold));
            }
            if (value.fitted > 0 || value.shipped > 0)
                one.values.push_back(value);
        }
        std::vector<const Left*> own;
        for (const Left& l : lefts)
            if (l.engine == engine)
                own.push_back(&l);
        const EngineSpread spread = spreadOf(own, *m_prepared);
        for (const auto& [name, now, then] :
             {std::tuple{"ln_spread_prefill", spread.prefill, shipped.lnSpreadPrefill},
              std::tuple{"ln_spread_decode", spread.decode, shipped.lnSpreadDecode}})
            one.values.push_back(
                {.name = name, .unit = "", .shipped = then, .fitted = now, .low = now, .high = now});
        out.push_back(std::move(one));
    }
    const EngineSpread spread = spreadOf(strangersBut(""), *m_prepared);
    FittedEngine unknown{.engine = "an engine without runs", .rows = m_strangers.size()};
    for (const auto& [name, value] :
         {std::pair{"ln_spread_prefill", spread.prefill}, std::pair{"ln_spread_decode", spread.decode}})
        unknown.values.push_back({.name = name, .unit = "", .fitted = value, .low = value, .high = value});
    out.push_back(std::move(unknown));
    return out;
}

} // namespace

void holdOut(const PreparedRuns& prepared, ValidationReport& report)
{
    Refit refit(prepared, report);
    const std::vector<Left> configurations
        = refit.leave([](const JudgedRow& row) { return row.engine + " / " + row.gpu + " / " + row.model; });
    report.fitted = refit.fitted(configurations);
    report.heldOut.push_back(refit.judged(configurations, "configuration"));
    report.heldOut.push_back(
        refit.judged(refit.leave([](const JudgedRow& row) { return row.row.source; }), "source"));
    report.heldOut.push_back(refit.judged(refit.leave(loadGroup), "load"));
}

} // namespace headroom
