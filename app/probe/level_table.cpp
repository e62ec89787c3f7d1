#include "app/probe/level_table.h"

#include "app/probe/call.h"
#include "model/base/message.h"

#include <optional>
#include <string>

namespace headroom::probe {

namespace {

Cell cellOf(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

Column<ProbeLevel> timeColumn(const char* key, const Message& title, Seconds serve::Spread::*percentile,
                              TimeSpread ProbeLevel::*times)
{
    return {{key, title, Measure::Time}, [=](const ProbeLevel& level) {
                const serve::Spread& spread = (level.*times).spread;
                return spread.count > 0 ? Cell((spread.*percentile).base()) : Cell();
            }};
}

Column<ProbeLevel> boundColumn(const char* key, std::optional<double> Bounds::*side,
                               Bounds TimeSpread::*percentile, TimeSpread ProbeLevel::*times)
{
    return {{key, asIs(key), Measure::Time},
            [=](const ProbeLevel& level) { return cellOf(((level.*times).*percentile).*side); }};
}

const Columns<ProbeLevel>& columnsForPeople()
{
    using Spread = serve::Spread;
    using Level = ProbeLevel;
    static const Columns<Level> all{
        {{"concurrency", "users", Measure::Whole}, [](const Level& l) { return double(l.concurrency); }},
        {{"requests", "requests", Measure::Whole}, [](const Level& l) { return double(l.requests); }},
        {{"failed", "failed", Measure::Whole}, [](const Level& l) { return double(l.failed); }},
        timeColumn("ttft_p50_s", "TTFT p50", &Spread::p50, &Level::ttft),
        timeColumn("ttft_p90_s", "p90", &Spread::p90, &Level::ttft),
        timeColumn("ttft_p99_s", "p99", &Spread::p99, &Level::ttft),
        timeColumn("tpot_p50_s", "TPOT p50", &Spread::p50, &Level::tpot),
        timeColumn("tpot_p90_s", "p90", &Spread::p90, &Level::tpot),
        timeColumn("tpot_p99_s", "p99", &Spread::p99, &Level::tpot),
        timeColumn("latency_p50_s", "request p50", &Spread::p50, &Level::latency),
        timeColumn("latency_p90_s", "p90", &Spread::p90, &Level::latency),
        {{"output_tokens_per_s", "output", Measure::TokenRate},
         [](const Level& l) { return l.outputTokensPerSecond; }},
        {{"requests_per_s", "rate", Measure::RequestRate},
         [](const Level& l) { return l.requestsPerSecond; }},
        {{"prompt_tokens", "prompt", Measure::Count}, [](const Level& l) { return l.meanPromptTokens; }},
        {{"output_tokens", "answer", Measure::Count}, [](const Level& l) { return l.meanOutputTokens; }},
        {{"slo_attainment", "in time", Measure::Share}, [](const Level& l) { return l.attainment; }},
        {{"meets", "meets"}, [](const Level& l) { return l.meets; }},
    };
    return all;
}

Columns<ProbeLevel> boundColumns()
{
    constexpr auto low = &Bounds::low;
    constexpr auto high = &Bounds::high;
    using Level = ProbeLevel;
    return {
        boundColumn("ttft_p50_low_s", low, &TimeSpread::p50, &Level::ttft),
        boundColumn("ttft_p50_high_s", high, &TimeSpread::p50, &Level::ttft),
        boundColumn("ttft_p90_low_s", low, &TimeSpread::p90, &Level::ttft),
        boundColumn("ttft_p90_high_s", high, &TimeSpread::p90, &Level::ttft),
        boundColumn("ttft_p99_low_s", low, &TimeSpread::p99, &Level::ttft),
        boundColumn("ttft_p99_high_s", high, &TimeSpread::p99, &Level::ttft),
        boundColumn("tpot_p50_low_s", low, &TimeSpread::p50, &Level::tpot),
        boundColumn("tpot_p50_high_s", high, &TimeSpread::p50, &Level::tpot),
        boundColumn("tpot_p90_low_s", low, &TimeSpread::p90, &Level::tpot),
        boundColumn("tpot_p90_high_s", high, &TimeSpread::p90, &Level::tpot),
        boundColumn("tpot_p99_low_s", low, &TimeSpread::p99, &Level::tpot),
        boundColumn("tpot_p99_high_s", high, &TimeSpread::p99, &Level::tpot),
        boundColumn("latency_p50_low_s", low, &TimeSpread::p50, &Level::latency),
        boundColumn("latency_p50_high_s", high, &TimeSpread::p50, &Level::latency),
        boundColumn("latency_p90_low_s", low, &TimeSpread::p90, &Level::latency),
        boundColumn("latency_p90_high_s", high, &TimeSpread::p90, &Level::latency),
    };
}

Column<ProbeLevel> countedColumn(const char* key, CountedBy how)
{
    return {{key, asIs(key), Measure::Whole},
            [=](const ProbeLevel& l) { return double(l.countedBy[static_cast<std::size_t>(how)]); }};
}

Columns<ProbeLevel> columnsForPrograms()
{
    using Level = ProbeLevel;
    Columns<Level> all = columnsForPeople();
    const auto add = [&all](Columns<Level> more) { all.insert(all.end(), more.begin(), more.end()); };
    add(boundColumns());
    add({
        {{"slo_attainment_low", "low", Measure::Share}, [](const Level& l) { return l.attainmentRange.low; }},
        {{"slo_attainment_high", "high", Measure::Share},
         [](const Level& l) { return l.attainmentRange.high; }},
        {{"end", "end"}, [](const Level& l) { return std::string(levelEndName(l.end)); }},
        {{"rate_asked", "asked", Measure::RequestRate},
         [](const Level& l) { return l.rateAsked > 0 ? Cell(l.rateAsked) : Cell(); }},
        {{"warm_up_requests", "warm-up", Measure::Whole}, [](const Level& l) { return double(l.warmUp); }},
        {{"window_s", "window", Measure::Time}, [](const Level& l) { return l.seconds; }},
        countedColumn("counted_by_usage", CountedBy::Usage),
        countedColumn("counted_by_length", CountedBy::Length),
        countedColumn("counted_by_pieces", CountedBy::Pieces),
        {{"client_processor_share", "client", Measure::Share}, [](const Level& l) { return l.clientShare; }},
        {{"client_lag_s", "lag", Measure::Time}, [](const Level& l) { return l.clientLag; }},
        {{"client_busy", "busy"}, [](const Level& l) { return l.clientBusy; }},
    });
    return all;
}

} // namespace

Table levelTable(const ProbeReport& report, bool forPeople)
{
    return tableOf(forPeople ? columnsForPeople() : columnsForPrograms(), report.levels);
}

} // namespace headroom::probe
