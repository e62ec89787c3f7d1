#include "calib/measure/sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace headroom {

namespace {

constexpr std::array<std::string_view, 3> kindNames{"point", "repeat", "anchor"};

bool isFaster(const Sample& sample, const std::optional<Sample>& known)
{
    return !known || !known->refused.empty()
        || (sample.refused.empty() && sample.timing.perLaunch < known->timing.perLaunch);
}

} // namespace

std::string_view sampleKindName(SampleKind kind) { return kindNames[static_cast<std::size_t>(kind)]; }

std::optional<SampleKind> sampleKindFromName(std::string_view name)
{
    const auto found = std::find(kindNames.begin(), kindNames.end(), name);
    return found == kindNames.end() ? std::nullopt
                                    : std::optional(static_cast<SampleKind>(found - kindNames.begin()));
}

std::size_t SampleTable::finished() const
{
    return static_cast<std::size_t>(
        std::count_if(points.begin(), points.end(), [](const auto& sample) { return sample.has_value(); }));
}

CountedLook countedLookOf(const kernels::DeviceFacts& facts)
{
    return facts.kind == "cpu" ? CountedLook::Fastest : CountedLook::Newest;
}

SampleTable tabulate(const std::vector<Sample>& samples, std::size_t points, CountedLook counted)
{
    SampleTable table;
    table.points.resize(points);
    std::vector<const Sample*> latest(points, nullptr); // first looks, as second looks are held against them
    // Times of each anchor within one attempt at a block, in their order: before it, after it.
    std::map<std::pair<int, int>, std::map<std::size_t, std::vector<double>>> anchors;
    for (const Sample& sample : samples) {
        if (sample.kind == SampleKind::Anchor)
            anchors[{sample.block, sample.attempt}][sample.index].push_back(sample.timing.perLaunch.base());
        else if (sample.index < points && sample.kind == SampleKind::Point)
            latest[sample.index] = &sample;
        else if (sample.index < points && latest[sample.index] != nullptr && sample.refused.empty())
            table.looks.emplace_back(latest[sample.index]->timing, sample.timing);
        if (sample.kind == SampleKind::Anchor || sample.index >= points)
            continue;
        std::optional<Sample>& kept = table.points[sample.index];
        const bool counts
            = counted == CountedLook::Fastest ? isFaster(sample, kept) : sample.kind == SampleKind::Point;
        if (counts)
            kept = sample;
    }
    std::map<int, double> drift;
    for (const auto& [place, tasks] : anchors)
        for (const auto& [task, times] : tasks)
            if (times.size() > 1 && times.front() > 0) {
                const double moved = std::abs(std::log(times.back() / times.front()));
                // Attempts come in their order: the last one's figure stays.
                const bool first = task == tasks.begin()->first;
                drift[place.first] = first ? moved : std::max(drift[place.first], moved);
            }
    for (const auto& [block, moved] : drift)
        table.drifts.push_back(moved);
    return table;
}

} // namespace headroom
