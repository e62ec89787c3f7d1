#include "model/closed_form/scheduling.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headroom::serve {

double meanYield(double acceptance, double draftTokens)
{
    return acceptance >= 1 ? draftTokens + 1 : (1 - std::pow(acceptance, draftTokens + 1)) / (1 - acceptance);
}

double Speculation::meanYield() const { return on() ? serve::meanYield(acceptance, draftTokens) : 1; }

std::int64_t Scheduling::sequenceLimit() const
{
    constexpr std::int64_t none = std::numeric_limits<std::int32_t>::max();
    const std::int64_t bySlots = maxSequences > 0 ? std::max<std::int64_t>(1, maxSequences / beams) : none;
    const std::int64_t byBudget = maxBatchedTokens > 0 && mixesPrompts(kind)
        ? std::max<std::int64_t>(1, maxBatchedTokens / decodeTokens())
        : none;
    return std::min(bySlots, byBudget);
}

std::int64_t Scheduling::partOfPrompt(std::int64_t computed, std::int64_t left) const
{
    if (productsPerPair <= 0 || maxBatchedTokens <= 0)
        return left;
    // x tokens behind p others take x (r + p + x / 2), in the time that attention to one other takes.
    const auto first = static_cast<double>(maxBatchedTokens);
    const double behind = productsPerPair + static_cast<double>(computed);
    const double each = first * (productsPerPair + first / 2);
    const double asLong = std::sqrt(behind * behind + 2 * each) - behind;
    const double tokens = smoothParts * asLong + (1 - smoothParts) * first;
    return std::min(left, std::max<std::int64_t>(1, std::llround(tokens)));
}

Scheduling Scheduling::ofOneRank() const
{
    Scheduling one = *this;
    one.ranks = 1;
    one.maxSequences /= ranks;
    one.maxBatchedTokens /= ranks;
    one.kvTokens /= ranks;
    one.swapTokens /= ranks;
    return one;
}

Scheduling Scheduling::ofOneLane() const
{
    Scheduling one = *this;
    one.lanes = 1;
    const auto part = [this](std::int64_t whole) { return (whole + lanes - 1) / lanes; };
    one.maxSequences = part(maxSequences);
    one.kvTokens = part(kvTokens);
    one.swapTokens = part(swapTokens);
    return one;
}

Problems problemsOf(const Scheduling& s)
{
    Problems problems;
    const auto expect = [&](bool right, const char* where, const Message& expected, double got) {
        if (!right)
            problems.push_back({where, say("expected {}, got {}", expected, got), {}});
    };
    const auto real = [](std::int64_t count) { return static_cast<double>(count); };
    expect(s.kvTokens >= s.pageTokens(), "kvTokens", "room for at least one block of cache",
           real(s.kvTokens));
    expect(s.maxSequences >= 0, "maxSequences", "a count of sequences, 0 for no limit", real(s.maxSequences));
    expect(s.maxBatchedTokens >= 0, "maxBatchedTokens", "a count of tokens, 0 for no limit",
           real(s.maxBatchedTokens));
    expect(s.maxSequences == 0 || s.maxSequences >= s.beams, "maxSequences",
           "room for every beam of one request", real(s.maxSequences));
    expect(s.maxBatchedTokens == 0 || s.maxBatchedTokens >= s.decodeTokens(), "maxBatchedTokens",
           "room for one decode step of one request", real(s.maxBatchedTokens));
    expect(s.blockTokens >= 0, "blockTokens", "tokens per block, 0 for contiguous", s.blockTokens);
    expect(s.beams >= 1, "beams", "at least 1", s.beams);
    expect(s.receiveInterval >= 1, "receiveInterval", "at least 1 step", s.receiveInterval);
    expect(s.watermark >= 0 && s.watermark < 1, "watermark", "a share of the blocks in [0, 1)", s.watermark);
    expect(s.speculation.draftTokens >= 0, "speculation.draftTokens", "a count of tokens",
           s.speculation.draftTokens);
    expect(s.speculation.acceptance >= 0 && s.speculation.acceptance <= 1, "speculation.acceptance",
           "a probability in [0, 1]", s.speculation.acceptance);
    expect(s.guided.forcedShare >= 0 && s.guided.forcedShare < 1, "guided.forcedShare", "a share in [0, 1)",
           s.guided.forcedShare);
    return problems;
}

} // namespace headroom::serve
