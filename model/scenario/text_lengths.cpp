#include "model/scenario/text_lengths.h"

#include "model/base/quantity_text.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headroom {
namespace {

constexpr int drawn = 400; // quantiles that stand for a distribution

std::vector<double> quantilesUpTo(const LengthDistribution& lengths, double limit)
{
    std::vector<double> out;
    for (int i = 0; i < drawn; ++i)
        out.push_back(lengths.quantile((i + 0.5) / drawn));
    out.erase(std::upper_bound(out.begin(), out.end(), limit), out.end());
    return out;
}

double meanOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace

// Conversations that users shared (the LMSYS trace in microsoft/apex_plus, 1,024 requests): standard
// deviation of the logarithm 1.3. Loaders of such texts leave out questions above 1,024 tokens
// (vllm-project/vllm:vllm/benchmarks/datasets.py, is_valid_sequence).
LengthDistribution questionLengths(double mean)
{
    constexpr double lnSpread = 1.3;
    const double limit = std::max(1024.0, 4 * mean);
    double low = mean, high = 16 * mean; // of the uncut distribution, whose cut one has the stated mean
    for (int i = 0; i < 40; ++i) {
        const double middle = std::sqrt(low * high);
        (meanOf(quantilesUpTo(LengthDistribution::logNormalOf(middle, lnSpread), limit)) < mean ? low : high)
            = middle;
    }
    LengthDistribution out
        = LengthDistribution::empirical(quantilesUpTo(LengthDistribution::logNormalOf(low, lnSpread), limit));
    out.text = "questions:" + numberText(mean);
    return out;
}

// Answers end by chance at any token: exponential lengths (Xiang et al., ServeGen, 2025; in the LMSYS trace
// the 5th, 50th and 95th percentile of a mean of 162 are 8, 118 and 436, of an exponential 8, 112 and 485).
LengthDistribution answerLengths(double mean)
{
    std::vector<double> lengths;
    for (int i = 0; i < drawn; ++i)
        lengths.push_back(std::max(1.0, -std::log1p(-(i + 0.5) / drawn) * mean));
    LengthDistribution out = LengthDistribution::empirical(std::move(lengths));
    out.text = "answers:" + numberText(mean);
    return out;
}

// 500 published questions of such a benchmark (FreedomIntelligence/AccelMark datasets): 0.65.
LengthDistribution chosenQuestionLengths(double mean)
{
    return LengthDistribution::logNormalOf(std::max(1.0, mean), 0.65);
}

LengthDistribution cutAnswerLengths(double mean)
{
    return LengthDistribution::logNormalOf(std::max(1.0, mean), 0.35);
}

} // namespace headroom
