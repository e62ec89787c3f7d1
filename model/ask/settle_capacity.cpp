#include "model/ask/draft_teller.h"
#include "model/ask/settle.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

// What the service has to stand beside its load: peaks, failures, room kept free.
class Capacity : DraftTeller {
public:
    Capacity(Draft& draft, const Settled& settled)
        : DraftTeller(draft), m_settled(settled), m_scenario(draft.question.scenario)
    {}

    void settle()
    {
        const Assigned* const busiest = m_settled.find("peakRate");
        if (busiest != nullptr && m_settled.find("rps") != nullptr)
            peakOverMean(*busiest);
        peak();
        busiestHour();
        utilisation();
        spares();
    }

private:
    void peak()
    {
        const Assigned* const peak = m_settled.find("peak");
        if (peak == nullptr)
            return;
        Place place = takeQuantity(m_draft, *peak);
        if (peak->span.value < 1)
            return m_draft.problem(place, tell("a peak is at least the mean"), "peak factor 2");
        m_scenario.peakFactor = peak->span.value;
        m_draft.note(place, tell(peak->role->read, countText(peak->span.value)));
    }

    // "50 QPS at the peak, 10 QPS on average".
    void peakOverMean(const Assigned& busiest)
    {
        const Place place = takeQuantity(m_draft, busiest);
        const Span& span = busiest.span;
        const double rate = span.perTime > 0 ? span.value / span.perTime : span.value;
        const double factor = rate / m_scenario.requestsPerSecond.value_or(rate);
        if (factor < 1)
            return m_draft.problem(place, tell("a peak is at least the mean"), "peak factor 2");
        m_scenario.peakFactor = factor;
        const Role& role = roleCalled("peak");
        m_draft.note(place, tell(role.read, countText(factor)));
    }

    // "15% of the day's requests in the busiest hour"
    void busiestHour()
    {
        const Assigned* const share = m_settled.find("peakHour");
        if (share == nullptr)
            return;
        const Place place = takeQuantity(m_draft, *share);
        constexpr double hours = 24;
        m_scenario.peakFactor = std::max(1.0, share->span.value * hours);
        const Role& role = roleCalled("peak");
        m_draft.note(place, tell(role.read, countText(m_scenario.peakFactor)));
    }

    void utilisation()
    {
        const Assigned* const used = m_settled.find("utilisation");
        if (used == nullptr)
            return;
        const Place place = takeQuantity(m_draft, *used);
        const double share = used->span.value;
        if (share <= 0 || share > 1)
            return m_draft.problem(
                place, tell("{} is outside its range", fmt::format("{:.4g} %", share * 100)), "1 % … 100 %");
        if (!m_draft.once(say("the headroom"), countText(1 - share), place))
            return;
        m_scenario.headroom = 1 - share;
        m_draft.note(place, tell("{:.4g} % of the capacity kept free", (1 - share) * 100));
    }

    // "2 spares", "N+1", "must survive one failure".
    void spares()
    {
        const Assigned* const said = m_settled.find("spares");
        double spares = 1;
        Place place;
        if (said != nullptr) {
            place = takeQuantity(m_draft, *said);
            spares = said->span.value;
        } else {
            std::size_t word = 0;
            while (word < m_draft.size() && !m_draft.is(word, Spare))
                ++word;
            if (word == m_draft.size())
                return;
            m_draft.take(word);
            spares = std::max(1.0, m_draft.at(word).value); // "N+2"
            place = {word, word};
        }
        widen(m_draft, place, {Spare, Replicas});
        if (!m_draft.once(say("the spares"), countText(spares), place))
            return;
        m_scenario.spares = static_cast<int>(std::clamp(spares, 0.0, 65536.0));
        m_draft.note(place,
                     tell(spares == 1 ? "{} replica may fail and the targets still hold"
                                      : "{} replicas may fail and the targets still hold",
                          countText(spares)));
    }

    const Settled& m_settled;
    Scenario& m_scenario;
};

} // namespace

void settleCapacity(Draft& draft, Settled& settled) { Capacity(draft, settled).settle(); }

} // namespace headroom::ask
