#include "model/report/serving_text.h"

#include "model/base/apart.h"
#include "model/base/figure_text.h"
#include "model/base/message.h"
#include "model/report/layout_text.h"
#include "model/report/text_page.h"

#include <fmt/format.h>
#include <optional>
#include <utility>
#include <vector>

namespace headroom {

namespace {

using serve::ClassMeasures;
using serve::Measures;
using serve::Outcome;
using serve::ServingRun;
using serve::Spread;

struct SpreadRow {
    Message what;
    Message of; // class
    Spread spread;
    std::optional<RangeFactors> range;
};

const Columns<SpreadRow>& spreadColumns()
{
    const auto time = [](const char* key, const Message& title, Seconds Spread::*field) {
        return Column<SpreadRow>{{key, title, Measure::Time}, [field](const SpreadRow& row) -> Cell {
                                     return row.spread.count > 0 ? Cell((row.spread.*field).base()) : Cell();
                                 }};
    };
    const auto end = [](const char* key, const Message& title, double RangeFactors::*which) {
        return Column<SpreadRow>{{key, title}, [which](const SpreadRow& row) -> Cell {
                                     return row.range && row.spread.count > 0 ? Cell((*row.range).*which)
                                                                              : Cell();
                                 }};
    };
    static const Columns<SpreadRow> columns{
        {{"what", "time"}, [](const SpreadRow& row) -> Cell { return row.what; }},
        {{"class", "of"}, [](const SpreadRow& row) -> Cell { return row.of; }},
        {{"count", "requests", Measure::Whole},
         [](const SpreadRow& row) -> Cell { return static_cast<double>(row.spread.count); }},
        time("mean_s", "mean", &Spread::mean),
        time("p50_s", "p50", &Spread::p50),
        time("p75_s", "p75", &Spread::p75),
        time("p90_s", "p90", &Spread::p90),
        time("p95_s", "p95", &Spread::p95),
        time("p99_s", "p99", &Spread::p99),
        end("range_low", "range from (times)", &RangeFactors::low),
        end("range_high", "range to (times)", &RangeFactors::high),
    };
    return columns;
}

// `ranges`: of the whole service; a class of its own has none.
void addSpreads(std::vector<SpreadRow>& rows, const ServingRun& run, const Message& name,
                const ClassMeasures& times, const ServedRanges* ranges)
{
    const auto range
        = [&](Metric metric) { return ranges ? std::optional(ranges->of(metric)) : std::nullopt; };
    const bool queued = run.timesMeanSomething();
    if (queued)
        rows.push_back({"first token (TTFT)", name, times.ttft, range(Metric::Ttft)});
    rows.push_back({"each token after (TPOT)", name, times.tpot, range(Metric::Tpot)});
    if (queued) {
        rows.push_back({"whole request", name, times.latency, range(Metric::Latency)});
        rows.push_back({"of it in the queue", name, times.queue, {}});
    }
}

struct ServedLine {
    Message what;
    Message figure;
};

// By how much the simulated mean misses the recorded one.
Message meanError(const Spread& simulated, const Spread& recorded)
{
    const double of = recorded.mean.base();
    return of > 0 ? asIs(fmt::format("{:+.1f} %", (simulated.mean.base() / of - 1) * 100)) : say("unknown");
}

void addPromises(std::vector<ServedLine>& out, const Measures& m)
{
    for (const ClassMeasures& one : m.classes)
        if (one.promised) {
            const auto [met, must] = apart(one.attainment * 100, one.percentile);
            out.push_back({m.classes.size() > 1 ? say("Promise to {}", one.name) : say("Promise"),
                           say("{}: {} % of requests met it, {} % must; goodput {}",
                               one.kept() ? say("kept") : say("BROKEN"), met, must,
                               inUnits(one.goodput.base(), Measure::RequestRate))});
        }
}

Message cacheFigure(const Measures& m)
{
    const Message filled = say("{} at its fullest, {} on average",
                               inUnits(static_cast<double>(m.peakKvTokens), Measure::Length),
                               inUnits(m.meanKvTokens, Measure::Length));
    return m.cachedShare > 0
        ? say("{}; {} of prompt tokens were found in it", filled, inUnits(m.cachedShare, Measure::Share))
        : filled;
}

std::vector<ServedLine> lines(const ServingRun& run, const ServedRanges& ranges)
{
    const Measures& m = run.measures;
    std::vector<ServedLine> out;
    out.push_back(
        {"Verdict",
         say("{}: {}", run.verdict.stable ? say("stable") : say("OVERLOADED"), run.verdict.reason)});
    const double rate = m.outputRate.base();
    const RangeFactors& range = ranges.of(Metric::OutputThroughput);
    out.push_back({"Served",
                   say("{}, {} of output", inUnits(m.requestRate.base(), Measure::RequestRate),
                       inUnits(rate, rate * range.low, rate * range.high, Measure::TokenRate))});
    addPromises(out, m);
    out.push_back({"Inside",
                   say("busy {} of the time, {:.3g} sequences in a step on average",
                       inUnits(m.busy, Measure::Share), m.meanBatch)});
    out.push_back({"Cache", cacheFigure(m)});
    out.push_back({"Preemptions", inUnits(static_cast<double>(m.preemptions), Measure::Whole)});
    if (m.recordedTtft.count > 0)
        out.push_back(
            {"Against the record",
             say("mean TTFT {}, mean TPOT {}, mean of whole requests {}", meanError(m.ttft, m.recordedTtft),
                 meanError(m.tpot, m.recordedTpot), meanError(m.latency, m.recordedLatency))});
    out.push_back(
        {"Simulated",
         say("{} in {}, {}, seed {}", counted(static_cast<double>(m.finished), "{} request", "{} requests"),
             inUnits(m.simulated), counted(static_cast<double>(m.steps), "{} step", "{} steps"),
             asIs(fmt::format("{}", run.seed)))});
    return out;
}

Message rangeTold()
{
    return "range: on 8 of 10 servers that others set up a time is between these multiples of the one shown";
}

std::string bullets(const TextPage& page, const std::string& title, const std::vector<Message>& first,
                    const std::vector<Message>& more)
{
    if (first.empty() && more.empty())
        return {};
    std::string out = title;
    for (const auto* list : {&first, &more})
        for (const Message& each : *list)
            out += "- " + page.tell(each) + '\n';
    return out;
}

std::string_view stateName(Outcome::State state)
{
    switch (state) {
    case Outcome::State::Unfinished:
        return "unfinished";
    case Outcome::State::Done:
        return "done";
    case Outcome::State::Refused:
        return "refused";
    }
    return "unfinished";
}

struct TimelineRow {
    std::size_t index = 0;
    const ServingRun* run = nullptr;

    [[nodiscard]] const Outcome& outcome() const { return run->simulation.outcomes[index]; }
    [[nodiscard]] const serve::Request& request() const { return run->workload.requests[index]; }
    [[nodiscard]] bool done() const { return outcome().state == Outcome::State::Done; }
};

const Columns<TimelineRow>& timelineColumns()
{
    using Row = TimelineRow;
    const auto whenDone = [](const char* key, Seconds Outcome::*field) {
        return Column<Row>{{key, asIs(key), Measure::Time}, [field](const Row& row) -> Cell {
                               return row.done() ? Cell((row.outcome().*field).base()) : Cell();
                           }};
    };
    const auto count = [](const char* key, std::int32_t (*of)(const Row&)) {
        return Column<Row>{{key, asIs(key), Measure::Whole},
                           [of](const Row& row) -> Cell { return static_cast<double>(of(row)); }};
    };
    static const Columns<Row> columns{
        {{"request", "request", Measure::Whole},
         [](const Row& row) -> Cell { return static_cast<double>(row.index); }},
        {{"class", "class"},
         [](const Row& row) -> Cell { return row.run->workload.classes[row.request().classIndex].name; }},
        {{"state", "state"},
         [](const Row& row) -> Cell { return std::string(stateName(row.outcome().state)); }},
        count("prompt_tokens", [](const Row& row) { return row.request().promptTokens; }),
        count("output_tokens", [](const Row& row) { return row.request().outputTokens; }),
        count("cached_tokens", [](const Row& row) { return row.outcome().cachedTokens; }),
        {{"arrival_s", "arrival_s", Measure::Time},
         [](const Row& row) -> Cell {
             return row.outcome().state == Outcome::State::Unfinished ? Cell()
                                                                      : Cell(row.outcome().arrival.base());
         }},
        whenDone("prefill_start_s", &Outcome::start),
        whenDone("first_token_s", &Outcome::firstToken),
        whenDone("end_s", &Outcome::end),
        {{"queue_s", "queue_s", Measure::Time},
         [](const Row& row) -> Cell {
             return row.done() ? Cell((row.outcome().start - row.outcome().arrival).base()) : Cell();
         }},
        count("preemptions", [](const Row& row) { return row.outcome().preemptions; }),
        count("replica", [](const Row& row) { return static_cast<std::int32_t>(row.outcome().replica); }),
    };
    return columns;
}

} // namespace

Table servingTable(const ServingRun& run, const ServedRanges& ranges)
{
    const Measures& m = run.measures;
    std::vector<SpreadRow> rows;
    addSpreads(rows, run, "all", {.ttft = m.ttft, .tpot = m.tpot, .latency = m.latency, .queue = m.queue},
               &ranges);
    rows.push_back(
        {"between two tokens (ITL)", "all", m.interToken, ranges.of(Metric::InterToken, Statistic::P50)});
    if (run.timesMeanSomething() && (run.around.network + run.around.perPromptToken).base() > 0) {
        rows.push_back({"first token at the client", "all", m.clientTtft});
        rows.push_back({"whole request at the client", "all", m.clientLatency});
    }
    if (m.recordedTtft.count > 0) {
        rows.push_back({"first token, recorded", "all", m.recordedTtft});
        rows.push_back({"each token after, recorded", "all", m.recordedTpot});
        rows.push_back({"whole request, recorded", "all", m.recordedLatency});
    }
    if (m.classes.size() > 1)
        for (const ClassMeasures& one : m.classes)
            addSpreads(rows, run, asIs(one.name), one, nullptr);
    return tableOf(spreadColumns(), rows);
}

Table timelineTable(const ServingRun& run)
{
    std::vector<TimelineRow> rows;
    rows.reserve(run.workload.requests.size());
    for (std::size_t i = 0; i < run.workload.requests.size(); ++i)
        rows.push_back({i, &run});
    return tableOf(timelineColumns(), rows);
}

std::string servingText(const Resolved& resolved, const ServingRun& run, const ServedRanges& ranges,
                        ask::Language language)
{
    const TextPage page(language);
    constexpr std::size_t labelWidth = 20;
    std::string out = page.tell(deploymentText(resolved.deployment)) + "\n\n";
    for (const ServedLine& line : lines(run, ranges))
        out += padded(page.tell(line.what), labelWidth) + page.tell(line.figure) + '\n';
    out += '\n' + textTable(servingTable(run, ranges), page.teller());
    out += '\n' + page.tell(rangeTold()) + '\n';
    out += bullets(page, '\n' + page.tell("Assumed") + '\n', textsOf(resolved.assumptions), run.assumptions);
    out += bullets(page, '\n' + page.tell("Take care") + '\n', textsOf(resolved.warnings), run.warnings);
    return out;
}

std::string servingMarkdown(const Resolved& resolved, const ServingRun& run, const ServedRanges& ranges,
                            ask::Language language)
{
    const TextPage page(language);
    std::string out = "## " + page.tell(deploymentText(resolved.deployment)) + "\n\n| | |\n|---|---|\n";
    for (const ServedLine& line : lines(run, ranges))
        out += fmt::format("| {} | {} |\n", page.tell(line.what), page.tell(line.figure));
    out += '\n' + markdownTable(servingTable(run, ranges), page.teller());
    out += '\n' + page.tell(rangeTold()) + '\n';
    out += bullets(page, "\n### " + page.tell("Assumed") + "\n\n", textsOf(resolved.assumptions),
                   run.assumptions);
    out += bullets(page, "\n### " + page.tell("Take care") + "\n\n", textsOf(resolved.warnings),
                   run.warnings);
    return out;
}

} // namespace headroom
