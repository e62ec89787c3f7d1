#include "app/desktop/text/shown_candidate.h"

#include "model/report/layout_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
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

std::vector<const Candidate*> withoutReplicas(const std::vector<const Candidate*>& ranked)
{
    std::set<std::string> seen;
    std::vector<const Candidate*> out;
    for (const Candidate* c : ranked) {
        Layout one = c->deployment.layout;
        one.replicas = 1;
        std::string kind = c->deployment.gpu->id + ' ' + layoutText(one).english() + ' '
            + std::string(name(c->deployment.weights)) + std::string(name(c->deployment.kv));
        if (c->prompts) {
            Layout prompts = c->prompts->deployment.layout;
            prompts.replicas = 1;
            kind += ' ' + c->prompts->deployment.gpu->id + ' ' + layoutText(prompts).english();
        }
        if (seen.insert(std::move(kind)).second)
            out.push_back(c);
    }
    return out;
}

} // namespace headroom::app
