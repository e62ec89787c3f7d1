#include "calib/validate/step_table.h"

#include <cmath>

namespace headroom {
namespace {

// Grid points per doubling; below `exact` every whole number is its own point.
std::uint64_t gridIndex(double value, double perDoubling, double exact)
{
    if (value < exact)
        return static_cast<std::uint64_t>(std::lround(value));
    return static_cast<std::uint64_t>(exact)
        + static_cast<std::uint64_t>(std::lround(std::log2(value / exact) * perDoubling));
}

double gridValue(std::uint64_t index, double perDoubling, double exact)
{
    const double i = static_cast<double>(index);
    return i < exact ? i : exact * std::exp2((i - exact) / perDoubling);
}

} // namespace

Seconds StepTable::operator()(const StepShape& shape)
{
    constexpr double tokens = 16;    // steps of 4 %
    constexpr double sequences = 24; // 3 %
    constexpr double context = 12;   // 6 %: the cache is a part of the step
    const std::uint64_t p = gridIndex(shape.prefillTokens, tokens, 32);
    const std::uint64_t ps = gridIndex(shape.prefillSequences, tokens, 16);
    const std::uint64_t pp = gridIndex(shape.prefillPast, context, 1);
    const std::uint64_t d = gridIndex(shape.decodeSequences, sequences, 32);
    const std::uint64_t dc = gridIndex(shape.decodeContext, context, 1);
    const std::uint64_t s = gridIndex(shape.sampledRows, sequences, 32);
    const std::uint64_t key = p | ps << 10 | pp << 20 | d << 30 | dc << 40 | s << 50;
    const auto [entry, fresh] = m_known.try_emplace(key, 0);
    if (fresh) {
        StepShape rounded = shape;
        rounded.prefillTokens = gridValue(p, tokens, 32);
        rounded.prefillSequences = gridValue(ps, tokens, 16);
        rounded.prefillPast = gridValue(pp, context, 1);
        rounded.decodeSequences = gridValue(d, sequences, 32);
        rounded.decodeContext = gridValue(dc, context, 1);
        rounded.sampledRows = gridValue(s, sequences, 32);
        entry->second = m_timer.rate(rounded).base();
    }
    return Seconds(entry->second);
}

} // namespace headroom
