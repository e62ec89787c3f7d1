#include "model/scenario/easier_ends.h"

#include "model/base/three_digits.h"

#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

std::optional<Scenario> withEasierEnds(const Scenario& asked)
{
    const EasierEnds& ends = asked.easier;
    if (!ends.any())
        return std::nullopt;
    Scenario out = asked;
    out.easier = {};
    const auto take = [](auto& planned, const auto& easier) {
        if (easier)
            planned = easier;
    };
    take(out.concurrency, ends.concurrency);
    take(out.requestsPerSecond, ends.requestsPerSecond);
    take(out.targets.tokensPerSecond, ends.tokensPerSecond);
    take(out.targets.ttft, ends.ttft);
    take(out.targets.tpot, ends.tpot);
    take(out.targets.latency, ends.latency);
    return out;
}

Message easierEndsText(const Scenario& asked)
{
    const EasierEnds& ends = asked.easier;
    std::vector<Message> parts;
    if (ends.concurrency)
        parts.push_back(say("{:.0f} users at once", *ends.concurrency));
    if (ends.requestsPerSecond)
        parts.push_back(say("{} requests/s", asIs(threeDigits(*ends.requestsPerSecond))));
    if (ends.tokensPerSecond)
        parts.push_back(say("{} tokens/s for each user", threeDigits(*ends.tokensPerSecond)));
    const auto time = [&](const Message& what, const std::optional<Seconds>& end) {
        if (end)
            parts.push_back(say("{} of {} s", what, threeDigits(end->base())));
    };
    time("time to first token", ends.ttft);
    time("time between tokens", ends.tpot);
    time("latency", ends.latency);
    return joined(std::move(parts), ", ");
}

Problems rangeProblems(const Scenario& asked)
{
    Problems out;
    const auto refused = [&](std::string_view key, bool range) {
        if (range)
            out.push_back({std::string(key), "one number is worked out here, not a range",
                           "`size` tells what both ends take"});
    };
    refused("concurrency", asked.easier.concurrency.has_value());
    refused("rps", asked.easier.requestsPerSecond.has_value());
    refused("tps", asked.easier.tokensPerSecond.has_value());
    refused("ttft", asked.easier.ttft.has_value());
    refused("tpot", asked.easier.tpot.has_value());
    refused("latency", asked.easier.latency.has_value());
    return out;
}

} // namespace headroom
