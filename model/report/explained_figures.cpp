#include "model/report/explained_figures.h"

#include <algorithm>
#include <array>

namespace headroom {

std::span<const ExplainedFigure> allExplainedFigures()
{
    static constexpr std::array figures{
        ExplainedFigure{"params", explainParams},
        ExplainedFigure{"weights", explainWeights},
        ExplainedFigure{"kv-per-token", explainKvPerToken},
        ExplainedFigure{"memory", explainMemory},
        ExplainedFigure{"kv-capacity", explainKvCapacity},
        ExplainedFigure{"max-batch", explainMaxBatch},
        ExplainedFigure{"prefill-flops", explainPrefillFlops},
        ExplainedFigure{"decode-flops", explainDecodeFlops},
        ExplainedFigure{"ttft", explainTtft},
        ExplainedFigure{"tpot", explainTpot},
        ExplainedFigure{"tpot-under-load", explainTpotUnderLoad},
        ExplainedFigure{"tps", explainUserSpeed},
        ExplainedFigure{"throughput", explainThroughput},
        ExplainedFigure{"latency", explainLatency},
        ExplainedFigure{"cost", explainCost},
        ExplainedFigure{"cost-per-million", explainCostPerMillion},
        ExplainedFigure{"power", explainPower},
        ExplainedFigure{"reading", explainReading},
        ExplainedFigure{"no-cache", explainNoCache},
    };
    return figures;
}

Message efficiencySource(const Deployment& d, Source source)
{
    return say("efficiencies '{}': {}", d.efficiency->id, sourceName(source));
}

Message citationOf(const std::vector<Citation>& citations, std::string_view key)
{
    const auto found
        = std::find_if(citations.begin(), citations.end(), [key](const Citation& c) { return c.key == key; });
    return found != citations.end() ? asIs(found->text) : Message();
}

} // namespace headroom
