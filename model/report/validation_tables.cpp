#include "model/report/validation_tables.h"

#include "model/base/quantity_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

std::string fourDigits(double value)
{
    return value >= 1e4 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

namespace {

// "81.4 % ± 2.1": with its standard error.
std::string inside(const ErrorSummary& s)
{
    const std::string share = percent(s.withinInterval);
    return s.withinError > 0 ? fmt::format("{} ± {:.1f}", share, s.withinError * 100) : share;
}

// "x 1.42": the mean range reaches so many times up and down.
std::string range(const ErrorSummary& s) { return fmt::format("x {:.2f}", std::exp(s.width)); }

// What rows are grouped by, and what is left out of a fit.
constexpr std::array<Code, 12> dimensionTitles{"metric", "load",   "regime",        "engine",
                                               "gpu",    "vendor", "generation",    "model",
                                               "source", "figure", "configuration", "op"};

Cells asCells(const std::vector<std::string>& figures)
{
    Cells out;
    for (const std::string& figure : figures)
        out.push_back(asIs(figure));
    return out;
}

// What a table is by, as its first column is called.
Message titleOf(const std::string& dimension)
{
    for (const Code& known : dimensionTitles)
        if (dimension == known.text)
            return known;
    return asIs(dimension);
}

// Each of the messages once, in the order of their English, with how often it stands there.
std::vector<std::pair<Message, std::size_t>> countedAlike(const std::vector<Message>& all)
{
    std::map<std::string, std::pair<Message, std::size_t>> byEnglish;
    for (const Message& one : all) {
        auto& [message, count] = byEnglish[one.english()];
        message = one;
        ++count;
    }
    std::vector<std::pair<Message, std::size_t>> out;
    for (auto& [english, counted] : byEnglish)
        out.push_back(std::move(counted));
    return out;
}

// Rows of a summary table: name, rows, used, median, mean, 90th percentile, bias, within.
Cells head(const Message& dimension)
{
    return {dimension,         "rows", "used",           "median error", "mean error",
            "90th percentile", "bias", "inside 10-90 %", "mean range"};
}
Cells cells(const std::string& name, const ErrorSummary& s)
{
    if (s.used == 0)
        return asCells({name, std::to_string(s.rows), "0", "", "", "", "", "", ""});
    return asCells({name, std::to_string(s.rows), std::to_string(s.used), percent(s.medianAbsError),
                    percent(s.mape), percent(s.p90), fmt::format("{:+.1f} %", s.medianError * 100), inside(s),
                    range(s)});
}

} // namespace

std::vector<Cells> summaryTable(const ValidationReport& report, const std::string& dimension)
{
    std::vector<Cells> rows{head(titleOf(dimension))};
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

std::vector<std::pair<Message, std::size_t>> skippedRows(const ValidationReport& report)
{
    std::vector<Message> why;
    for (const JudgedRow& row : report.rows)
        if (!row.used)
            why.push_back(row.whySkipped);
    return countedAlike(why);
}

std::vector<Cells> skippedTable(const ValidationReport& report)
{
    std::vector<Cells> rows{{"reason", "rows"}};
    for (const auto& [reason, count] : skippedRows(report))
        rows.push_back({reason, asIs(std::to_string(count))});
    return rows;
}

std::vector<Cells> assumedTable(const ValidationReport& report)
{
    std::vector<Message> assumed;
    for (const JudgedRow& row : report.rows)
        if (row.used && !row.assumed.empty())
            assumed.push_back(row.assumed);
    std::vector<Cells> rows{{"taken to be usual", "rows used"}};
    for (const auto& [what, count] : countedAlike(assumed))
        rows.push_back({what, asIs(std::to_string(count))});
    return rows;
}

Message rowLabel(const JudgedRow& row)
{
    return say("{}: {} on {}x {} with {}, {}, {}", row.row.id, row.row.model, row.row.gpus.value_or(1),
               row.row.gpu, row.row.engine, row.run, row.quantity());
}

std::vector<Cells> worstTable(const ValidationReport& report, std::size_t worst)
{
    std::vector<Cells> rows{{"row", "measured", "predicted", "error", "likely cause"}};
    for (const JudgedRow* row : report.worst(worst))
        rows.push_back({rowLabel(*row), asIs(fourDigits(row->row.value)),
                        asIs(fourDigits(row->predicted.value)),
                        asIs(fmt::format("{:+.0f} %", row->error() * 100)), row->cause});
    return rows;
}

namespace {

// What the report groups by `dimension`, in sample and beside it as each of these folds judged it.
std::vector<Cells> besideLeftOut(const ValidationReport& report, const std::string& dimension,
                                 std::map<std::string, ErrorSummary> HeldOut::*judged,
                                 const std::vector<const HeldOut*>& folds)
{
    std::vector<Cells> rows{{titleOf(dimension), "used", "in sample", "inside", "range"}};
    for (const HeldOut* held : folds) {
        rows.front().push_back(say("without its {}", titleOf(held->left)));
        rows.front().emplace_back("inside");
        rows.front().emplace_back("range");
    }
    for (const auto& [group, shipped] : report.by.at(dimension)) {
        if (shipped.used == 0)
            continue;
        Cells row = asCells({group, std::to_string(shipped.used), percent(shipped.medianAbsError),
                             inside(shipped), range(shipped)});
        for (const HeldOut* held : folds) {
            const auto found = (held->*judged).find(group);
            const bool known = found != (held->*judged).end();
            row.push_back(known ? asIs(percent(found->second.medianAbsError)) : Message());
            row.push_back(known ? asIs(inside(found->second)) : Message());
            row.push_back(known ? asIs(range(found->second)) : Message());
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<const HeldOut*> allFolds(const ValidationReport& report)
{
    std::vector<const HeldOut*> all;
    for (const HeldOut& held : report.heldOut)
        all.push_back(&held);
    return all;
}

} // namespace

std::vector<Cells> figuresLeftOutTable(const ValidationReport& report)
{
    return besideLeftOut(report, "figure", &HeldOut::byFigure, allFolds(report));
}

std::vector<Cells> heldOutTable(const ValidationReport& report)
{
    return besideLeftOut(report, "metric", &HeldOut::byMetric, allFolds(report));
}

std::vector<Cells> regimesLeftOutTable(const ValidationReport& report)
{
    std::vector<const HeldOut*> strangers;
    for (const HeldOut& held : report.heldOut)
        if (held.left == "source" || held.left == "generation")
            strangers.push_back(&held);
    return besideLeftOut(report, "regime", &HeldOut::byRegime, strangers);
}

std::vector<Cells> orderTable(const ValidationReport& report)
{
    std::vector<Cells> rows{
        {"judged", "pairs within a vendor", "in order", "pairs across vendors", "in order"}};
    const auto add = [&](const Message& name, const OrderSummary& order) {
        const auto share
            = [](const PairOrder& p) { return p.pairs > 0 ? asIs(percent(p.share())) : Message(); };
        rows.push_back({name, asIs(std::to_string(order.within.pairs)), share(order.within),
                        asIs(std::to_string(order.across.pairs)), share(order.across)});
    };
    add("in sample", report.order);
    for (const HeldOut& held : report.heldOut)
        add(say("without its {}", titleOf(held.left)), held.order);
    return rows;
}

std::vector<Cells> repeatsTable(const ValidationReport& report)
{
    const RepeatSpread& repeats = report.order.repeats;
    std::vector<Cells> rows{{"pairs of one set-up", "of one publisher", "apart in the median",
                             "90th percentile", "more than a fifth"}};
    if (repeats.pairs > 0)
        rows.push_back(asCells({std::to_string(repeats.pairs), std::to_string(repeats.byOnePublisher),
                                fmt::format("x {:.2f}", repeats.median), fmt::format("x {:.2f}", repeats.p90),
                                std::to_string(repeats.overFifth)}));
    return rows;
}

std::vector<Cells> leftTable(const HeldOut& held)
{
    std::vector<Cells> rows{head(say("{} left out", titleOf(held.left)))};
    for (const auto& [group, summary] : held.byGroup)
        rows.push_back(cells(group, summary));
    return rows;
}

std::vector<Cells> strangersTable(const HeldOut& held)
{
    std::vector<Cells> rows{{"metric", "rows", "median error", "inside", "rows of an engine without others",
                             "median error", "inside"}};
    for (const auto& [metric, all] : held.byMetric) {
        Cells row{asIs(metric)};
        for (const auto* part : {&held.ofKnownEngines, &held.ofStrangers}) {
            const auto found = part->find(metric);
            const bool any = found != part->end() && found->second.used > 0;
            row.push_back(any ? asIs(std::to_string(found->second.used)) : Message());
            row.push_back(any ? asIs(percent(found->second.medianAbsError)) : Message());
            row.push_back(any ? asIs(inside(found->second)) : Message());
        }
        if (all.used > 0)
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
            Cells row = asCells({engine.engine, std::to_string(engine.rows), value.name, text(value.shipped),
                                 text(value.fitted)});
            row.push_back(value.low == value.high ? Message()
                                                  : say("{} to {}", text(value.low), text(value.high)));
            rows.push_back(std::move(row));
        }
    return rows;
}

} // namespace headroom
