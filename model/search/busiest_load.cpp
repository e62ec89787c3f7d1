#include "model/search/busiest_load.h"

#include "model/base/three_digits.h"
#include "model/search/load_curve.h"
#include "model/serve/serving_run.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace headroom {

namespace {

LengthDistribution lengthsOf(const serve::Workload& recorded, std::int32_t serve::Request::*tokens)
{
    std::vector<double> lengths;
    lengths.reserve(recorded.requests.size());
    for (const serve::Request& request : recorded.requests)
        lengths.push_back(request.*tokens);
    return LengthDistribution::empirical(std::move(lengths));
}

} // namespace

Result<BusiestLoad> busiestLoad(const Scenario& asked, const TraceReader& readTrace)
{
    BusiestLoad out{asked, std::nullopt, std::nullopt};
    Scenario& s = out.scenario;
    if (asked.trace.empty()) {
        if (asked.requestsPerSecond)
            out.curve = dayOf(asked.traffic, *asked.requestsPerSecond);
        if (out.curve) {
            s.traffic = withoutDay(asked.traffic);
            s.requestsPerSecond = out.curve->peak();
        }
        return out;
    }
    if (!readTrace)
        return refuse("trace", "files of traces are not read here", {});
    Result<serve::Workload> trace = readTrace(asked.trace);
    if (!trace)
        return refuse(std::move(trace.error()));
    if (trace->requests.empty())
        return refuse("trace", "holds no requests", {});
    for (serve::RequestClass& one : trace->classes)
        one.targets = asked.targets;
    constexpr double least = 1; // second: less says nothing of a rate
    if (const double span = spanOf(*trace).base(); span < least && (!asked.requestsPerSecond || span <= 0))
        return refuse("trace",
                      trace->requests.size() == 1
                          ? Message("its only request says nothing of a load")
                          : say("its {} requests come within {} s: they say nothing of a load",
                                trace->requests.size(), asIs(threeDigits(span))),
                      span <= 0 ? Message("a longer trace")
                                : "a longer trace, or --rps with it: its lengths at that rate");
    if (asked.requestsPerSecond)
        serve::rescaleArrivals(*trace, RequestsPerSecond(*asked.requestsPerSecond));
    out.curve = curveOf(*trace);
    s.prompt = lengthsOf(*trace, &serve::Request::promptTokens);
    s.output = lengthsOf(*trace, &serve::Request::outputTokens);
    s.requestsPerSecond = out.curve->peak();
    s.concurrency.reset();
    s.trace.clear();
    // Long enough for a queue to build up, short enough to be played for every finalist.
    constexpr double mostRequests = 8000;
    constexpr double tenMinutes = 600;
    const double length = std::min(std::max(out.curve->stretch.base(), tenMinutes),
                                   mostRequests / std::max(out.curve->peak(), 1e-9));
    out.recorded = busiestPart(*trace, Seconds(length));
    if (s.peakFactor != 1)
        for (serve::Request& request : out.recorded->requests)
            request.arrival = request.arrival * (1 / s.peakFactor);
    return out;
}

} // namespace headroom
