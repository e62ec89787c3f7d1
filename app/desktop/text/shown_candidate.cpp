#include "app/desktop/text/shown_candidate.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::app {

namespace {

bool isOfARun(std::string_view key)
{
    constexpr std::array figures{"tokens_per_s_per_user",         "ttft_s",     "max_concurrency",
                                 "usd_per_million_output_tokens", "confidence", "limited_by"};
    return std::find(figures.begin(), figures.end(), key) != figures.end();
}

} // namespace

const Columns<Candidate>& shownCandidateColumns()
{
    static const Columns<Candidate> shown = [] {
        Columns<Candidate> columns = candidateColumns();
        for (Column<Candidate>& column : columns)
            if (isOfARun(column.key))
                column.cell = [of = column.cell](const Candidate& candidate) {
                    return candidate.point.prediction.memory.fits ? of(candidate) : Cell();
                };
        return columns;
    }();
    return shown;
}

} // namespace headroom::app
