#pragma once

#include "model/closed_form/step_work.h"
#include "model/cost/step_cost.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace headroom::serve {

// The last of so many significant bits, in the bits of the number.
[[nodiscard]] constexpr std::uint64_t lastBit(int bits) { return std::uint64_t{1} << (53 - bits); }

// A number that is not below zero to so many significant bits.
[[nodiscard]] inline double toBits(double value, int bits)
{
    const std::uint64_t last = lastBit(bits);
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(value) + last / 2) & ~(last - 1));
}
constexpr int contextBits = 8; // of the cache that is read
constexpr int spanBits = 5;    // of how unlike the sequences are: only chunks of attention ask for it

// Times of steps, remembered by their prompts, by how many sequences decode and about how long they are: the
// cache that a step reads is rounded to a 256th of it at most, up as often as down, so that a run of many
// steps takes as long as it would, and most of its steps need not be worked out. Pure: the same shape always
// takes the same time. `Time`: of a step, or of its pass through a pipeline's stages.
template <typename Time>
class RememberedSteps {
public:
    // `spans`: it matters how unlike the sequences are.
    explicit RememberedSteps(bool spans = true) : m_spans(spans) {}

    template <typename WorkOut>
    [[nodiscard]] Time of(const StepShape& shape, const WorkOut& workOut)
    {
        if (shape.decodeSequences <= 0)
            return workOut(shape);
        StepShape about = shape;
        about.decodeContext = toBits(shape.decodeContext, contextBits);
        about.decodeSpan = m_spans ? toBits(shape.decodeSpan, spanBits) : 0;
        if (m_entries.empty())
            m_entries.resize(entries);
        // Most steps are as the one before: their caches have hardly grown.
        if (!m_entries[m_last].known || m_entries[m_last].shape != about)
            m_last = placeOf(about);
        Entry& entry = m_entries[m_last];
        if (!entry.known || entry.shape != about)
            entry = {about, workOut(about), true};
        return entry.time;
    }

private:
    static constexpr std::size_t entries = 4096;

    struct Entry {
        StepShape shape;
        Time time{};
        bool known = false;
    };

    [[nodiscard]] static std::size_t placeOf(const StepShape& shape)
    {
        const auto bits = [](double value) { // the upper ones differ
            const auto raw = std::bit_cast<std::uint64_t>(value);
            return static_cast<std::size_t>((raw >> 32U) ^ (raw >> 12U)) * 0x9E3779B97F4A7C15U >> 8U;
        };
        const std::size_t prompts = (bits(shape.prefillTokens) * 31 + bits(shape.prefillPast)) * 31;
        const std::size_t mixed = (bits(shape.decodeContext) * 31 + bits(shape.decodeSpan)) * 31
            + bits(shape.decodeSequences) * 7 + bits(shape.allTokens) + prompts * 13;
        return (mixed ^ (mixed >> 17U) ^ (mixed >> 41U)) % entries;
    }

    bool m_spans;
    std::vector<Entry> m_entries; // empty until a step asks
    std::size_t m_last = 0;       // that answered
};

// The last step of decodes alone, in front of remembered times: the next one takes as long until its cache is
// as much longer as those tell apart.
class LastDecodes {
public:
    [[nodiscard]] bool alike(const StepWork& work) const
    {
        return work.prefillTokens == 0 && work.decodeSequences == m_work.decodeSequences
            && work.decodeQueries == m_work.decodeQueries && work.decodeSpan == m_work.decodeSpan
            && work.sampledRows == m_work.sampledRows && work.ranks == m_work.ranks
            && work.allTokens == m_work.allTokens && contextOf(work) == m_context;
    }
    [[nodiscard]] Seconds time() const { return m_time; }
    // How many steps from this one on, `most` at most, whose caches are longer by `more` tokens each time;
    // precondition: it is alike.
    [[nodiscard]] std::int32_t alikeFor(StepWork work, std::int64_t more, std::int32_t most) const
    {
        const std::int64_t first = work.decodeContext;
        const auto isAlike = [&](std::int32_t step) {
            work.decodeContext = first + step * more;
            return contextOf(work) == m_context;
        };
        const double next
            = std::bit_cast<double>(std::bit_cast<std::uint64_t>(m_context) + lastBit(contextBits));
        const double reached = (m_context + (next - m_context) / 2 - meanContext(work))
            * static_cast<double>(work.decodeSequences);
        auto steps = static_cast<std::int32_t>(
            std::clamp(std::ceil(reached / static_cast<double>(more)), 1.0, static_cast<double>(most)));
        while (steps > 1 && !isAlike(steps - 1)) // but for how that was rounded
            --steps;
        while (steps < most && isAlike(steps))
            ++steps;
        return steps;
    }
    void remember(const StepWork& work, Seconds time)
    {
        m_work = work;
        m_context = contextOf(work);
        m_time = time;
    }

private:
    [[nodiscard]] static double contextOf(const StepWork& work)
    {
        return toBits(meanContext(work), contextBits);
    }

    StepWork m_work{.decodeSequences = -1}; // none yet
    double m_context = 0;
    Seconds m_time;
};

} // namespace headroom::serve
