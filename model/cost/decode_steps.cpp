#include "model/cost/decode_steps.h"

#include <cstddef>
#include <utility>

namespace headroom {

namespace {
constexpr std::size_t places = 256;     // numbers of sequences remembered at once
constexpr std::size_t mixedPlaces = 64; // and of tokens of steps with prompts
} // namespace

DecodeSteps::DecodeSteps(std::shared_ptr<const StepTimer> timer) : m_timer(std::move(timer)) {}

// Whatever stands at a place is compared operator by operator: what was put there before may be of another
// step.
TimedOps& DecodeSteps::likeIt(const StepShape& shape)
{
    if (m_decodes.empty()) {
        m_decodes.resize(places);
        m_mixed.resize(mixedPlaces);
    }
    const auto sequences = static_cast<std::size_t>(shape.decodeSequences);
    return shape.prefillTokens > 0
        ? m_mixed[static_cast<std::size_t>(shape.prefillTokens + shape.decodeSequences) % mixedPlaces]
        : m_decodes[sequences % places];
}

Seconds DecodeSteps::rate(const StepShape& shape) { return m_timer->rate(shape, likeIt(shape)); }

StagePass DecodeSteps::pass(const StepShape& shape) { return m_timer->pass(shape, likeIt(shape)); }

} // namespace headroom
