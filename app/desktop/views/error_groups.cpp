#include "app/desktop/views/error_groups.h"

#include <algorithm>
#include <tuple>

namespace headroom::app {

const Columns<ErrorGroup>& errorGroupColumns()
{
    using G = ErrorGroup;
    static const Columns<ErrorGroup> columns{
        {{"kind", "grouped by"}, [](const G& g) { return g.kind; }},
        {{"name", "group"}, [](const G& g) { return g.name; }},
        {{"used", "rows", Measure::Whole}, [](const G& g) { return double(g.errors.used); }},
        {{"median", "median error", Measure::Share}, [](const G& g) { return g.errors.medianAbsError; }},
        {{"p90", "nine in ten within", Measure::Share}, [](const G& g) { return g.errors.p90; }},
        {{"bias", "bias", Measure::Share}, [](const G& g) { return g.errors.medianError; }},
        {{"within", "in interval", Measure::Share}, [](const G& g) { return g.errors.withinInterval; }},
    };
    return columns;
}

std::vector<ErrorGroup> errorGroups(const ValidationReport& report)
{
    std::vector<ErrorGroup> out;
    for (const auto& [kind, groups] : report.by)
        for (const auto& [name, errors] : groups)
            if (errors.used > 0)
                out.push_back({kind, name, errors});
    std::stable_sort(out.begin(), out.end(), [](const ErrorGroup& a, const ErrorGroup& b) {
        return a.kind != b.kind ? a.kind < b.kind : a.errors.used > b.errors.used;
    });
    return out;
}

} // namespace headroom::app
