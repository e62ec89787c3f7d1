#include "model/ranges/spread_parts.h"

#include "model/catalogue/engine.h"
#include "model/search/prompt_wait.h"

namespace headroom {

namespace {

// Those of a burst stand in one line of prompts, where what single ones wait evens out: of 196 rows of 3
// sources each source holds 79 % or more with this, left out by source, by vendor and by generation.
constexpr double inBurst = 0.2;

// Throughput of a full server needs more of the spread of decodes than that of a stated load, for how many it
// holds at once is unsure too; times of tokens need less, for how many there are was said. Chosen by the
// score of intervals (width, and ten times what lies beyond) of rows that were left out by source, vendor,
// generation, load and configuration: better in each of the five, 6.52 for 6.55 together, and flat from 0.75
// to 0.85 and above 1.3.
constexpr double ofTokenTimes = 0.8;
constexpr double onFullServer = 1.4;
// Of a server that is not full the score is flat from 0.9 to 1.1 (half a hundredth); with the upper end each
// source of 20 rows or more, left out, holds three in five.
constexpr double ofThroughput = 1.1;

} // namespace

double partOfFirstToken(Metric metric, RunKind run)
{
    if (metric != Metric::Ttft && (metric != Metric::Latency || run == RunKind::Burst))
        return ofManyPrompts;
    switch (run) {
    case RunKind::Burst:
        return inBurst;
    case RunKind::Static:
    case RunKind::OpenLoop:
        return ofFirstTokenWhereFewWait;
    default:
        return 1;
    }
}

double partOfDecodes(Metric metric, RunKind run)
{
    switch (metric) {
    case Metric::Tpot:
    case Metric::InterToken:
    case Metric::DecodeRatePerUser:
        return ofTokenTimes;
    case Metric::OutputThroughput:
    case Metric::TotalThroughput:
    case Metric::RequestRate:
        return run == RunKind::Saturated ? onFullServer : ofThroughput;
    default:
        return run == RunKind::Saturated ? onFullServer : 1;
    }
}

} // namespace headroom
