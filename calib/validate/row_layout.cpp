#include "calib/validate/row_layout.h"

#include "calib/validate/row_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace headroom {
namespace {

// Over how many ranks the experts are spread: "EP=4", "EP32", "--ep-size 8", "EP on", and "DEP4" where
// attention is data-parallel.
int expertRanks(const std::string& notes, int ranks)
{
    double said = 1;
    for (const std::string_view key : {"EP=", "EP", "--ep-size ", "--ep_size ", "DEP"})
        said = std::max(said, numberAfter(notes, key).value_or(1));
    if (said <= 1 && notes.find("EP on") != std::string::npos)
        said = ranks;
    return std::clamp(static_cast<int>(said), 1, std::max(ranks, 1));
}

// The row says how many replicas there are, and so every width.
Layout statedLayout(const MeasuredRow& row, const Llm& llm)
{
    Layout layout{.tp = row.tp.value_or(1), .pp = row.pp.value_or(1), .dp = row.dp.value_or(1)};
    layout.ep = llm.hasExperts() ? std::min(row.ep.value_or(1), layout.tp * layout.dp) : 1;
    layout.replicas = *row.replicas;
    return layout;
}

} // namespace

int fillingExperts(const Llm& llm, int ep)
{
    int experts = 0;
    for (const LayerKind& kind : llm.kinds)
        experts = std::max(experts, kind.mlp.experts);
    return (ep - experts % ep) % ep;
}

std::variant<Layout, Message> layoutOf(const MeasuredRow& row, const Llm& llm)
{
    if (row.replicas)
        return statedLayout(row, llm);
    if (!row.gpus && !row.tp)
        return "neither the number of GPUs nor the tensor-parallel width is stated";
    Layout layout;
    const int gpus = row.gpus.value_or(row.tp.value_or(1) * row.pp.value_or(1) * row.dp.value_or(1));
    layout.pp = std::max(1, row.pp.value_or(1));
    const int dp = std::max(1, row.dp.value_or(1));
    layout.tp = std::max(1, row.tp.value_or(gpus / std::max(1, layout.pp * dp)));
    if (layout.tp * layout.pp * dp != gpus)
        return say("tp {} x pp {} x dp {} is not the stated number of GPUs, {}", layout.tp, layout.pp, dp,
                   gpus);
    // Servers of their own behind a router share no experts.
    const bool apart = row.notes.find("instance(s) of tp") != std::string::npos;
    const int ranks = layout.tp * (apart ? 1 : dp);
    layout.ep = row.ep ? std::min(*row.ep, ranks) : expertRanks(row.notes, ranks);
    const bool moe = llm.hasExperts();
    if (moe && dp == 1 && switchedOn(row.notes, "enable_attention_dp")) {
        // The stated width is that of the experts; attention runs copied on every rank of it.
        layout.dp = layout.tp;
        layout.ep = layout.tp;
        layout.tp = 1;
        return layout;
    }
    // Ranks that share nothing are replicas; data-parallel attention joins them in the experts.
    if (!moe)
        layout.ep = 1;
    const bool joined
        = dp > 1 && !apart && (layout.ep > 1 || numberAfter(row.notes, "attention_dp=").value_or(1) > 1);
    layout.dp = joined ? dp : 1;
    layout.replicas = joined ? 1 : dp;
    return layout;
}

} // namespace headroom
