#pragma once

#include "model/report/explain.h"

#include <span>
#include <string_view>

namespace headroom {

struct ExplainedFigure {
    std::string_view name;
    Explanation (*explain)(const Resolved&, const Prediction&);
};
[[nodiscard]] std::span<const ExplainedFigure> allExplainedFigures();

// What is counted: explain_counts.cpp.
[[nodiscard]] Explanation explainParams(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainWeights(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainKvPerToken(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainMemory(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainKvCapacity(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainMaxBatch(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainPrefillFlops(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainDecodeFlops(const Resolved& r, const Prediction& p);

// What it takes and costs: explain_times.cpp.
[[nodiscard]] Explanation explainTtft(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainTpot(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainTpotUnderLoad(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainUserSpeed(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainThroughput(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainLatency(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainCost(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainCostPerMillion(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainPower(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainReading(const Resolved& r, const Prediction& p);
[[nodiscard]] Explanation explainNoCache(const Resolved& r, const Prediction& p);

// "efficiencies 'h100-sxm-80gb-vllm': measured on this accelerator".
[[nodiscard]] Message efficiencySource(const Deployment& deployment, Source source);

// The citation of a group of figures; nothing where the file has no such group.
[[nodiscard]] Message citationOf(const std::vector<Citation>& citations, std::string_view key);

} // namespace headroom
