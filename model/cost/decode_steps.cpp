#include "model/cost/decode_steps.h"

#include <cstddef>
#include <utility>

namespace headroom {

namespace {
constexpr std::size_t places = 256; // numbers of sequences remembered at once
}

DecodeSteps::DecodeSteps(std::shared_ptr<const StepTimer> timer) : m_timer(std::move(timer)) {}

Seconds DecodeSteps::rate(const StepShape& shape)
{
    if (shape.prefillTokens > 0)
        return m_timer->rate(shape);
    if (m_known.empty())
        m_known.resize(places);
    StepShape key = shape;
    key.decodeContext = 0;
    key.decodeSpan = 0;
    Known& known = m_known[static_cast<std::size_t>(shape.decodeSequences) % places];
    if (known.shape != key)
        known = {.shape = key, .operators = {}};
    return m_timer->rate(shape, known.operators);
}

} // namespace headroom
