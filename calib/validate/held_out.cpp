#include "calib/validate/held_out.h"

#include "calib/validate/elder_families.h"
#include "calib/validate/engine_refit.h"
#include "calib/validate/needed_spread.h"
#include "calib/validate/relatives.h"
#include "model/ranges/spread_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace headroom {
namespace {

// A row judged by numbers that were fitted without its group.
struct Left {
    std::size_t row = 0;
    std::string engine;
    std::string group;
    bool stranger = false; // nothing of its version class was left there
    EngineRefit::Judged judged;
    double lnError = 0;
};

// Users at once decide what a step is bound by; runs of other kinds are one load each.
std::string loadGroup(const JudgedRow& row)
{
    const MeasuredLoad load = readLoad(row.row.load);
    if (load.kind != LoadKind::Concurrency)
        return row.run;
    constexpr double few = 8, many = 64;
    return row.run + (load.amount <= few ? " of 1 to 8" : load.amount <= many ? " of 9 to 64" : " above 64");
}

std::map<std::string, std::vector<std::size_t>> rowsByEngine(const ValidationReport& report)
{
    std::map<std::string, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < report.rows.size(); ++i)
        if (report.rows[i].used)
            rows[report.rows[i].engine].push_back(i);
    return rows;
}

// Everything that refitting asks for: the rows by engine, and what fits of the others give.
class Refit {
public:
    Refit(const PreparedRuns& prepared, const ValidationReport& report);
    // What is left out is judged by `judges`, else by the fits themselves. Rows that are `alike` count as one
    // stranger, for whom nothing but strangers speaks.
    [[nodiscard]] std::vector<Left> leave(const RowGrouping& groupOf, const RowGrouping& alike = {},
                                          Fits* judges = nullptr);
    [[nodiscard]] HeldOut judged(const std::vector<Left>& lefts, std::string name) const;
    [[nodiscard]] std::vector<FittedEngine> fitted(const std::vector<Left>& configurations,
                                                   const std::vector<Left>& sources) const;
    // Numbers for builds and classes of which no run is published: those of relatives, and a stranger's
    // ranges.
    [[nodiscard]] std::vector<FittedEngine> lent(const Catalogue& catalogue,
                                                 const std::vector<Left>& configurations,
                                                 const std::vector<Left>& sources) const;

private:
    [[nodiscard]] UsualTimes othersThan(const std::string& engine, const Numbers& known) const
    {
        const EngineRefit& fit = m_engines.at(engine);
        // An engine itself is for many generations, whichever its runs are on.
        const bool ofSome = versionClassOf(engine) != engine;
        return timesOfOthers(
            {engine, &fit.engine(), fit.platform(), fit.serves(), ofSome ? fit.generation() : std::string()},
            known, m_engines);
    }
    [[nodiscard]] std::vector<std::size_t> keptOf(const EngineRefit& fit, const RowGrouping& groupOf,
                                                  const std::string& group) const;
    [[nodiscard]] Numbers without(const RowGrouping& groupOf, const std::string& group,
                                  const RowGrouping& alike);
    // Whether rows that were not left out are of this version class on this platform. If none are, numbers
    // come from other code.
    [[nodiscard]] bool isKnown(std::string_view versionClass, Platform platform,
                               const std::function<bool(std::size_t)>& left) const;
    [[nodiscard]] std::vector<SpreadEvidence> evidenceOf(const std::vector<Left>& lefts,
                                                         const std::string& butGroup = {}) const;

    const PreparedRuns* m_prepared;
    const ValidationReport* m_report;
    Fits m_engines;
    Numbers m_whole;                                         // fitted to all rows
    std::map<std::string, std::vector<EngineTimes>> m_folds; // of each engine those that saw rows of it
};

Refit::Refit(const PreparedRuns& prepared, const ValidationReport& report)
    : m_prepared(&prepared), m_report(&report)
{
    for (const auto& [engine, members] : rowsByEngine(report)) {
        EngineRefit& fit = m_engines.emplace(engine, EngineRefit(prepared, members)).first->second;
        EngineTimes start = nearestChoices(fit.engine());
        // The engine itself stands before its builds.
        const auto elsewhere = m_whole.find(std::string(versionClassOf(engine)));
        if (start.sharesHost() && elsewhere != m_whole.end())
            start = withHostOf(elsewhere->second, start);
        m_whole[engine] = fit.fit(members, start);
        m_folds[engine];
    }
}

std::vector<std::size_t> Refit::keptOf(const EngineRefit& fit, const RowGrouping& groupOf,
                                       const std::string& group) const
{
    std::vector<std::size_t> kept;
    for (const std::size_t row : fit.rows())
        if (groupOf(m_report->rows[row]) != group)
            kept.push_back(row);
    return kept;
}

// What the engines' rows give that are not of the group; nothing of engines that have no others. A fit that
// saw the group says nothing here, neither of its own engine nor of another.
Numbers Refit::without(const RowGrouping& groupOf, const std::string& group, const RowGrouping& alike)
{
    Numbers untouched;
    for (const auto& [engine, fit] : m_engines)
        if (keptOf(fit, groupOf, group).size() == fit.rows().size())
            untouched[engine] = m_whole.at(engine);
    Numbers out = untouched;
    // Of a group of one engine, the others' fits are all that anyone asks for.
    if (untouched.size() + 1 == m_engines.size())
        return out;
    for (auto& [engine, fit] : m_engines)
        if (const std::vector<std::size_t> kept = keptOf(fit, groupOf, group);
            !kept.empty() && untouched.count(engine) == 0) {
            const UsualTimes usual = othersThan(engine, untouched);
            out[engine] = fit.fit(kept, usual.numbers,
                                  untouched.empty() ? std::nullopt : std::optional(usual), alike);
        }
    return out;
}

bool Refit::isKnown(std::string_view versionClass, Platform platform,
                    const std::function<bool(std::size_t)>& left) const
{
    return std::any_of(m_engines.begin(), m_engines.end(), [&](const auto& each) {
        const std::vector<std::size_t>& rows = each.second.rows();
        return versionClassOf(each.first) == versionClass
            && std::any_of(rows.begin(), rows.end(), [&](std::size_t row) {
                   return m_prepared->cases[row]->deployment().gpu->platform == platform && !left(row);
               });
    });
}

std::vector<SpreadEvidence> Refit::evidenceOf(const std::vector<Left>& lefts,
                                              const std::string& butGroup) const
{
    std::vector<SpreadEvidence> out;
    for (const Left& l : lefts) {
        if (l.group == butGroup)
            continue;
        const Metric metric = m_report->rows[l.row].row.metric;
        const PlayedRun run = playedRun(*m_prepared->cases[l.row]);
        const RangeSides sides = sidesOf(run, metric);
        const bool slow = (l.lnError > 0) != fasterIsMore(metric);
        const double ofModel = partOfModel(*run.decodes, false);
        out.push_back({.engine = l.engine,
                       .group = l.group,
                       .firstToken = metric == Metric::Ttft,
                       .stranger = l.stranger,
                       .lnError = l.lnError,
                       .lnSpread = l.judged.lnSpread,
                       .ofSide = slow ? sides.slower : sides.faster,
                       .lnSpreadOfSide = slow ? sides.lnSpreadSlower : 0,
                       .prefillShare = l.judged.prefillShare,
                       .ofFirstToken = partOfFirstToken(metric, run.kind, run.usersOfReplica()) * ofModel,
                       .ofDecodes = partOfDecodes(metric, run.kind) * ofModel});
    }
    return out;
}

std::vector<Left> Refit::leave(const RowGrouping& groupOf, const RowGrouping& alike, Fits* judges)
{
    std::set<std::string> groups;
    for (const auto& [engine, fit] : m_engines)
        for (const std::size_t row : fit.rows())
            groups.insert(groupOf(m_report->rows[row]));
    std::vector<Left> out;
    for (const std::string& group : groups) {
        const Numbers known = without(groupOf, group, alike);
        for (auto& [engine, fit] : m_engines) {
            const std::vector<std::size_t> kept = keptOf(fit, groupOf, group);
            if (kept.size() == fit.rows().size())
                continue;
            std::vector<std::size_t> left;
            std::set_difference(fit.rows().begin(), fit.rows().end(), kept.begin(), kept.end(),
                                std::back_inserter(left));
            // Not from what all rows gave: a number that the kept rows cannot tell would remember those left
            // out.
            const UsualTimes usual = othersThan(engine, known);
            const std::optional<UsualTimes> pull = m_engines.size() > 1 ? std::optional(usual) : std::nullopt;
            const EngineTimes numbers
                = kept.empty() ? usual.numbers : fit.fit(kept, usual.numbers, pull, alike);
            if (!kept.empty()) // else they are its relatives', and say nothing of what its runs ask for
                m_folds[engine].push_back(numbers);
            EngineRefit& judge = judges != nullptr ? judges->at(engine) : fit;
            std::vector<EngineRefit::Judged> judged = judge.judge(left, numbers);
            for (std::size_t i = 0; i < left.size(); ++i) {
                const double measured = m_report->rows[left[i]].row.value;
                const Platform platform = m_prepared->cases[left[i]]->deployment().gpu->platform;
                const auto isLeft = [&](std::size_t row) { return groupOf(m_report->rows[row]) == group; };
                out.push_back({.row = left[i],
                               .engine = engine,
                               .group = group,
                               .stranger = !isKnown(versionClassOf(engine), platform, isLeft),
                               .judged = std::move(judged[i])});
                out.back().lnError = std::log(measured / out.back().judged.predicted.value);
            }
        }
    }
    return out;
}

HeldOut Refit::judged(const std::vector<Left>& lefts, std::string name) const
{
    std::map<std::tuple<std::string, std::string, bool>, EngineSpread> spreads;
    std::set<std::pair<std::string, std::string>> folds;
    std::vector<JudgedRow> rows;
    std::map<std::string, std::vector<std::size_t>> groups;
    std::map<std::string, std::vector<std::size_t>> known, strange; // by metric
    for (const Left& l : lefts) {
        (l.stranger ? strange : known)[m_report->rows[l.row].quantity()].push_back(rows.size());
        groups[l.group].push_back(rows.size());
        folds.emplace(l.engine, l.group);
        const auto [place, fresh] = spreads.try_emplace({l.engine, l.group, l.stranger});
        if (fresh)
            place->second = neededSpread(evidenceOf(lefts, l.group), l.engine, l.stranger);
        JudgedRow row = m_report->rows[l.row];
        row.predicted = figureOf(l.judged.figures, *m_prepared->cases[l.row], row.row, place->second);
        rows.push_back(std::move(row));
    }
    const ValidationReport report = reportOf(std::move(rows));
    HeldOut out{.left = std::move(name), .folds = folds.size()};
    out.all = report.all;
    out.order = report.order;
    if (!report.rows.empty()) {
        out.byFigure = report.by.at("figure");
        out.byMetric = report.by.at("metric");
        out.byEngine = report.by.at("engine");
        out.byRegime = report.by.at("regime");
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

// The part of a spread that is beyond another.
double beyond(double whole, double part) { return std::sqrt(std::max(0.0, whole * whole - part * part)); }

void addSpreads(FittedEngine& out, const EngineSpreads& shipped, const EngineSpread& configuration,
                const EngineSpread& source)
{
    for (const auto& [name, now, then] :
         {std::tuple{"ln_spread_prefill", configuration.prefill, shipped.lnSpreadPrefill},
          std::tuple{"ln_spread_decode", configuration.decode, shipped.lnSpreadDecode},
          std::tuple{"ln_spread_source_prefill", beyond(source.prefill, configuration.prefill),
                     shipped.lnSpreadSourcePrefill},
          std::tuple{"ln_spread_source_decode", beyond(source.decode, configuration.decode),
                     shipped.lnSpreadSourceDecode}})
        out.values.push_back(
            {.name = name, .unit = "", .shipped = then, .fitted = now, .low = now, .high = now});
}

std::vector<FittedEngine> Refit::fitted(const std::vector<Left>& configurations,
                                        const std::vector<Left>& sources) const
{
    const std::vector<SpreadEvidence> configured = evidenceOf(configurations);
    const std::vector<SpreadEvidence> published = evidenceOf(sources);
    std::vector<FittedEngine> out;
    for (const auto& [engine, numbers] : m_whole) {
        FittedEngine one{.engine = engine, .rows = m_engines.at(engine).rows().size()};
        const Engine& shipped = m_engines.at(engine).engine();
        for (const FittedNumber& number : fittedNumbers()) {
            FittedValue value{.name = std::string(number.name),
                              .unit = std::string(number.unit),
                              .shipped = number.value(shipped),
                              .fitted = number.value(numbers)};
            value.low = value.high = value.fitted;
            for (const EngineTimes& fold : m_folds.at(engine)) {
                value.low = std::min(value.low, number.value(fold));
                value.high = std::max(value.high, number.value(fold));
            }
            if ((value.fitted > 0 || value.shipped > 0) && isFitted(number, numbers))
                one.values.push_back(value);
        }
        addSpreads(one, shipped, neededSpread(configured, engine), neededSpread(published, engine));
        out.push_back(std::move(one));
    }
    FittedEngine unknown{.engine = "an engine without runs", .rows = published.size()};
    addSpreads(unknown, {}, neededSpread(configured, ""), neededSpread(published, "", true));
    out.push_back(std::move(unknown));
    return out;
}

std::vector<FittedEngine> Refit::lent(const Catalogue& catalogue, const std::vector<Left>& configurations,
                                      const std::vector<Left>& sources) const
{
    const std::vector<SpreadEvidence> configured = evidenceOf(configurations);
    const std::vector<SpreadEvidence> published = evidenceOf(sources);
    const auto none = [](std::size_t) { return false; };
    std::vector<FittedEngine> out;
    const auto lend = [&](const std::string& name, Platform platform, const EngineSpreads& shipped) {
        out.push_back({.engine = name, .rows = 0});
        const bool stranger = !isKnown(versionClassOf(name), platform, none);
        addSpreads(out.back(), shipped, neededSpread(configured, name),
                   neededSpread(published, name, stranger));
    };
    for (const std::string& id : catalogue.engineIds()) {
        const Result<const Engine*> engine = catalogue.engine(id);
        if (!engine) // a file that cannot be read is told where its rows are predicted
            continue;
        // No run speaks of the class at all: the fit gives its ranges only, and its times stay its file's.
        if (m_engines.count(id) == 0 && !(*engine)->onFamilies.empty() && !(*engine)->platforms.empty())
            lend(id, (*engine)->platforms.front(), **engine);
        for (const EngineOnFamilies& on : (*engine)->onFamilies) {
            const std::string name = buildName(**engine, on);
            if (!on.platform || m_engines.count(name) > 0)
                continue;
            lend(name, *on.platform, on.spreads);
            Engine build = **engine;
            static_cast<EngineTimes&>(build) = on.times;
            const EngineTimes times
                = timesOfOthers({.name = name, .engine = &build, .platform = *on.platform}, m_whole,
                                m_engines)
                      .numbers;
            for (const FittedNumber& number : fittedNumbers()) {
                const double value = number.value(times);
                if ((value > 0 || number.value(on.times) > 0) && isFitted(number, on.times))
                    out.back().values.push_back({.name = std::string(number.name),
                                                 .unit = std::string(number.unit),
                                                 .shipped = number.value(on.times),
                                                 .fitted = value,
                                                 .low = value,
                                                 .high = value});
            }
        }
    }
    return out;
}

} // namespace

void holdOut(const PreparedRuns& prepared, const Catalogue& catalogue, ValidationReport& report)
{
    Refit refit(prepared, report);
    const std::vector<Left> configurations
        = refit.leave([](const JudgedRow& row) { return row.engine + " / " + row.gpu + " / " + row.model; });
    const auto sourceOf = [](const JudgedRow& row) { return row.row.source; };
    const std::vector<Left> sources = refit.leave(sourceOf, sourceOf);
    report.fitted = refit.fitted(configurations, sources);
    std::ranges::move(refit.lent(catalogue, configurations, sources), std::back_inserter(report.fitted));
    report.heldOut.push_back(refit.judged(configurations, "configuration"));
    report.heldOut.push_back(refit.judged(sources, "source"));
    report.heldOut.push_back(refit.judged(refit.leave(loadGroup), "load"));
    report.heldOut.push_back(
        refit.judged(refit.leave([](const JudgedRow& row) { return row.vendor; }), "vendor"));
    const PreparedRuns unseen = asIfUnseen(prepared, catalogue);
    Fits judges;
    for (const auto& [engine, members] : rowsByEngine(report))
        judges.emplace(engine, EngineRefit(unseen, members));
    report.heldOut.push_back(refit.judged(
        refit.leave([](const JudgedRow& row) { return row.generation; }, {}, &judges), "generation"));
}

} // namespace headroom
