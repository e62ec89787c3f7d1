#include "calib/validate/repeated_rows.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace headroom {
namespace {

bool sameContent(MeasuredRow a, const MeasuredRow& b)
{
    a.id = b.id;
    a.line = b.line;
    return a == b;
}

} // namespace

std::size_t dropRepeats(std::vector<MeasuredRow>& rows)
{
    using Rough = std::tuple<std::string, std::string, std::string, Metric, double>;
    std::map<Rough, std::vector<std::size_t>> known; // places among those kept
    std::vector<MeasuredRow> kept;
    for (MeasuredRow& row : rows) {
        std::vector<std::size_t>& alike = known[Rough{row.source, row.model, row.gpu, row.metric, row.value}];
        if (std::any_of(alike.begin(), alike.end(),
                        [&](std::size_t place) { return sameContent(kept[place], row); }))
            continue;
        alike.push_back(kept.size());
        kept.push_back(std::move(row));
    }
    const std::size_t dropped = rows.size() - kept.size();
    rows = std::move(kept);
    return dropped;
}

} // namespace headroom
