#include "model/closed_form/rules_of_thumb.h"

#include <array>

namespace headroom {

Flops forwardFlops(double activeParams, double tokens) { return Flops(2 * activeParams * tokens); }

TokensPerSecond tokensPerSecondWithoutCache(double gpus, FlopsPerSecond peak, double utilisation,
                                            double activeParams, double promptTokens)
{
    return TokensPerSecond(gpus * peak.base() * utilisation
                           / forwardFlops(activeParams, promptTokens).base());
}

Seconds weightReadingTime(Bytes weights, BytesPerSecond bandwidth) { return weights / bandwidth; }

Seconds tpotForReading(double wordsPerMinute, double tokensPerWordRead)
{
    constexpr double secondsPerMinute = 60;
    return Seconds(secondsPerMinute / (wordsPerMinute * tokensPerWordRead));
}

std::span<const ReadingSpeed> readingSpeeds()
{
    // The three speeds that texts on serving targets work with: silent reading, sped-up listening, skimming.
    static constexpr std::array speeds{ReadingSpeed{"silent reading", 250}, ReadingSpeed{"listening", 450},
                                       ReadingSpeed{"fast visual reading", 700}};
    return speeds;
}

} // namespace headroom
