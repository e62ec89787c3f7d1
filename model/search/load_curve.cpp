#include "model/search/load_curve.h"

#include "model/resolve/money.h"
#include "model/serve/day_curve.h"
#include "model/serve/traffic.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

namespace headroom {

namespace {

constexpr double quarterHour = 900;
constexpr double minute = 60;
constexpr int stretchesPerDay = 96;
constexpr double day = 86400;

// When each request comes, were every answer there at once: turns of a session follow one another.
std::vector<double> arrivalsOf(const serve::Workload& recorded)
{
    std::vector<double> out(recorded.requests.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const serve::Request& request = recorded.requests[i];
        out[i] = request.follows < 0 ? request.arrival.base()
                                     : out[static_cast<std::size_t>(request.follows)] + request.think.base();
    }
    return out;
}

} // namespace

double LoadCurve::mean() const
{
    return requestsPerSecond.empty()
        ? 0
        : std::accumulate(requestsPerSecond.begin(), requestsPerSecond.end(), 0.0)
            / static_cast<double>(requestsPerSecond.size());
}

double LoadCurve::peak() const
{
    return requestsPerSecond.empty() ? 0
                                     : *std::max_element(requestsPerSecond.begin(), requestsPerSecond.end());
}

std::optional<LoadCurve> dayOf(const std::string& traffic, double meanRequestsPerSecond)
{
    const Result<serve::ArrivalShape> shape = serve::arrivalsFromText(traffic);
    if (!shape || shape->peak <= 1)
        return std::nullopt;
    const serve::DayCurve relative(shape->peak, shape->peakHour);
    LoadCurve out{.stretch = Seconds(quarterHour)};
    for (int i = 0; i < stretchesPerDay; ++i)
        out.requestsPerSecond.push_back(meanRequestsPerSecond * relative.rateAt((i + 0.5) * quarterHour));
    return out;
}

std::string withoutDay(const std::string& traffic)
{
    const std::size_t colon = std::min(traffic.find(':'), traffic.size());
    std::string out = traffic.substr(0, colon);
    char before = ':';
    for (std::size_t begin = colon + 1; begin < traffic.size();) {
        const std::size_t end = std::min(traffic.find(',', begin), traffic.size());
        const std::string_view part = std::string_view(traffic).substr(begin, end - begin);
        if (!part.starts_with("peak=") && !part.starts_with("hour=")) {
            out += before + std::string(part);
            before = ',';
        }
        begin = end + 1;
    }
    return out;
}

Seconds spanOf(const serve::Workload& recorded)
{
    const std::vector<double> arrivals = arrivalsOf(recorded);
    if (arrivals.empty())
        return {};
    const auto [first, last] = std::minmax_element(arrivals.begin(), arrivals.end());
    return Seconds(*last - *first);
}

LoadCurve curveOf(const serve::Workload& recorded)
{
    const std::vector<double> arrivals = arrivalsOf(recorded);
    LoadCurve out;
    if (arrivals.empty())
        return out;
    const double first = *std::min_element(arrivals.begin(), arrivals.end());
    const double span = std::max(*std::max_element(arrivals.begin(), arrivals.end()) - first, 1e-3);
    // A trace of a few minutes is one stretch of its own; a last stretch that is not whole joins the one
    // before.
    const double wanted = std::clamp(span / stretchesPerDay, minute, quarterHour);
    const auto count = static_cast<std::size_t>(std::max(1.0, std::floor(span / wanted)));
    out.stretch = Seconds(span / static_cast<double>(count));
    out.requestsPerSecond.assign(count, 0);
    for (const double arrival : arrivals) {
        const auto at = static_cast<std::size_t>((arrival - first) / out.stretch.base());
        out.requestsPerSecond[std::min(at, count - 1)] += 1 / out.stretch.base();
    }
    return out;
}

serve::Workload busiestPart(const serve::Workload& recorded, Seconds length)
{
    const std::vector<double> arrivals = arrivalsOf(recorded);
    std::size_t best = 0;
    std::size_t bestCount = 0;
    for (std::size_t first = 0, last = 0; first < arrivals.size(); ++first) {
        last = std::max(last, first);
        while (last < arrivals.size() && arrivals[last] - arrivals[first] <= length.base())
            ++last;
        if (last - first > bestCount) {
            bestCount = last - first;
            best = first;
        }
    }
    serve::Workload out = recorded;
    const auto begin = static_cast<std::ptrdiff_t>(best);
    out.requests.assign(recorded.requests.begin() + begin,
                        recorded.requests.begin() + begin + static_cast<std::ptrdiff_t>(bestCount));
    for (std::size_t i = 0; i < out.requests.size(); ++i) {
        serve::Request& request = out.requests[i];
        request.follows = request.follows >= static_cast<std::int32_t>(best)
            ? request.follows - static_cast<std::int32_t>(best)
            : -1;
        request.arrival = Seconds(arrivals[best + i] - arrivals[best]);
    }
    return out;
}

FleetDay fleetOver(const LoadCurve& curve, const Candidate& fleet, int spares)
{
    FleetDay out{.curve = curve};
    const Layout& decode = fleet.deployment.layout;
    const int prompts = fleet.prompts ? fleet.prompts->deployment.layout.replicas : 0;
    const int promptGpus = fleet.prompts ? fleet.prompts->deployment.layout.gpusPerReplica() : 0;
    double hours = 0;
    for (const double rate : curve.requestsPerSecond) {
        // The whole fleet carries the peak; less load takes replicas in proportion, one at least, and the
        // spares.
        const double share = curve.peak() > 0 ? rate / curve.peak() : 0;
        const auto needed = [share, spares](int replicas) {
            return std::max(1, static_cast<int>(std::ceil((replicas - spares) * share - 1e-9))) + spares;
        };
        const int gpus = needed(decode.replicas) * decode.gpusPerReplica()
            + (prompts > 0 ? needed(prompts) * promptGpus : 0);
        out.gpus.push_back(std::min(gpus, fleet.gpus()));
        hours += out.gpus.back();
    }
    const double stretches = static_cast<double>(std::max<std::size_t>(out.gpus.size(), 1));
    out.gpuHoursFollowing = hours / stretches * hoursPerDay;
    out.gpuHoursStatic = fleet.gpus() * hoursPerDay;
    const Service& service = fleet.point.prediction.service;
    if (service.priceKnown && fleet.gpus() > 0) {
        const double gpuHour = perHour(service.price) / fleet.gpus();
        out.usdStatic = out.gpuHoursStatic * gpuHour;
        out.usdFollowing = out.gpuHoursFollowing * gpuHour;
    }
    return out;
}

} // namespace headroom
