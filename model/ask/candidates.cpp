#include "model/ask/rules.h"
#include "model/ask/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace headroom::ask {

using enum Meaning;

namespace {

// What each item costs between a number and a word: the further apart, the less the word says of the number.
std::vector<double> costsOf(const Draft& draft)
{
    std::vector<double> costs;
    Matched matched;
    for (std::size_t i = 0; i < draft.size(); ++i)
        costs.push_back(numberOf(ruleAt("between", draft, {}, i, matched)->effects.front().values.front()));
    return costs;
}

class Finder {
public:
    Finder(const Draft& draft, const Span& span, const std::vector<bool>& taken,
           const std::vector<double>& costs)
        : m_draft(draft), m_span(span), m_taken(taken), m_costs(costs)
    {
        for (std::size_t i = span.first; i-- > 0 && m_label == none && span.first - i < 5;)
            if (const std::size_t number = draft.labelled(i); number >= span.first && number <= span.last)
                m_label = i;
    }

    std::vector<Candidate> weak()
    {
        m_weak = true;
        return all();
    }

    std::vector<Candidate> all() const
    {
        std::vector<Candidate> found;
        constexpr double most = 1e30; // what is more is no quantity of anything
        if (!(std::abs(m_span.value) < most))
            return found;
        for (const Role& role : shippedRoles())
            for (const Role::Fit& fit : role.fits)
                if (fit.dimension == m_span.dimension)
                    consider(role, fit.score, found);
        std::stable_sort(found.begin(), found.end(),
                         [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
        return found;
    }

private:
    void consider(const Role& role, double score, std::vector<Candidate>& found) const
    {
        constexpr double usual = 0.3;
        constexpr double unusual = -0.7;
        constexpr double impossible = -4;
        constexpr double least = 1;     // what explains less is no reading
        constexpr double weakest = 0.2; // but one that may be asked about
        const double value = comparable();
        if (!saysOfEach(role))
            return;
        score += role.usual.has(value) ? usual : role.possible.has(value) ? unusual : impossible;
        Candidate candidate{.role = &role, .score = score};
        double best = 0;
        for (const Cue& cue : role.cues) {
            if (cue.how != Cue::How::Word) {
                // What "each" is said of may be anything: it hints.
                candidate.score += !holds(cue)                       ? 0
                    : cue.how == Cue::How::Per && m_span.isPer(Each) ? std::min(cue.weight, 1.0)
                                                                     : cue.weight;
                continue;
            }
            const auto [weight, item] = strongest(cue);
            if (cue.weight < 0) // a word that leads elsewhere
                candidate.score -= weight;
            else if (weight > best) {
                best = weight;
                candidate.cue = item;
            }
        }
        constexpr double labelled = 2; // "concurrency=1000" is nothing else
        candidate.score += best + (best > 0 && candidate.cue == m_label && m_label != none ? labelled : 0);
        if (candidate.score >= (m_weak ? weakest : least))
            found.push_back(candidate);
    }

    // Shares are compared in percent, amounts in dollars and by the hour, rates by the second.
    [[nodiscard]] double comparable() const
    {
        constexpr double hour = 3600;
        constexpr double yuanToDollar = 7; // near enough to tell a price from a budget
        double value = std::abs(m_span.value) * (m_span.dimension == Dimension::Percent ? 100 : 1);
        if (m_span.unit == Yuan)
            value /= yuanToDollar;
        if (m_span.perTime <= 0 || m_span.dimension == Dimension::TimeOfDay
            || m_span.dimension == Dimension::Percent)
            return value;
        constexpr double minute = 60; // "25/s" is no amount
        return m_span.isMoney() || (m_span.unit == Filler && m_span.perTime > minute)
            ? value / m_span.perTime * hour
            : value / m_span.perTime;
    }

    // What is said of one user or in one hour is none of a role that is said of all, or once.
    [[nodiscard]] bool saysOfEach(const Role& role) const
    {
        constexpr std::array things{Dimension::User, Dimension::People,  Dimension::Count, Dimension::Card,
                                    Dimension::Box,  Dimension::Replica, Dimension::Bytes, Dimension::Watt};
        const bool timed
            = m_span.perTime > 0 && std::find(things.begin(), things.end(), m_span.dimension) != things.end();
        constexpr double hour = 3600;
        const bool noAmount = m_span.dimension == Dimension::PlainRate && m_span.perTime < hour
            && std::any_of(role.fits.begin(), role.fits.end(),
                           [](const Role::Fit& fit) { return fit.dimension == Dimension::MoneyRate; });
        return !noAmount && (!timed || role.saysOfOne(Time))
            && std::all_of(m_span.per.begin(), m_span.per.end(),
                           [&](Meaning scope) { return role.saysOfOne(scope); });
    }

    [[nodiscard]] bool holds(const Cue& cue) const
    {
        const std::size_t first = m_span.first;
        switch (cue.how) {
        case Cue::How::Per:
            return m_span.isPer(cue.words.front())
                || (m_span.isPer(Each) && (cue.words.front() == User || cue.words.front() == Card));
        case Cue::How::Text:
            return first > 0
                && std::find(cue.texts.begin(), cue.texts.end(), m_draft.at(first - 1).text)
                != cue.texts.end();
        case Cue::How::Elsewhere:
            return std::any_of(cue.words.begin(), cue.words.end(),
                               [&](Meaning m) { return m_draft.mentionsOutside(m, m_span); });
        case Cue::How::Around:
            return ruleAround(cue.texts.front(), m_draft, m_span, m_span, m_matched) != nullptr;
        case Cue::How::Word:
            return false;
        }
        return false;
    }

    struct Weighed {
        double weight = 0;
        std::size_t item = none;
    };

    // The word of this meaning that says most: nearest, and on the side where it belongs.
    [[nodiscard]] Weighed strongest(const Cue& cue) const
    {
        Weighed best;
        const Meaning word = cue.words.front();
        if (!m_draft.mentions(word))
            return best;
        const auto consider = [&](std::size_t i, double cost) {
            if (!m_draft.at(i).is(word) || (m_taken[i] && cost > 0 && word != Documents) || labelsAnother(i)
                || says("asked-for", m_draft, i)
                || (cue.side == Cue::Side::Behind && says("where", m_draft, i)))
                return;
            const double weight = std::abs(cue.weight) * std::exp(-cost);
            if (weight > best.weight)
                best = {weight, i};
        };
        if (m_label != none && m_draft.at(m_label).is(word) && cue.side != Cue::Side::Behind)
            return {std::abs(cue.weight), m_label};
        if (cue.side == Cue::Side::Label)
            return best;
        for (std::size_t part = m_span.first; part <= m_span.last; ++part)
            if (cue.side == Cue::Side::Any || cue.side == Cue::Side::Inside || part < m_span.number)
                consider(part, 0);
        if (cue.side == Cue::Side::Inside)
            return best;
        constexpr double farthest = 4.5;
        constexpr double beside = 1e-6;
        double cost = beside;
        for (std::size_t i = m_span.last + 1;
             cue.side != Cue::Side::Before && i < m_draft.size() && cost < farthest; ++i) {
            consider(i, cost);
            cost += m_costs[i];
        }
        cost = beside;
        for (std::size_t i = m_span.first; cue.side != Cue::Side::Behind && i-- > 0 && cost < farthest;) {
            consider(i, cost);
            cost += m_costs[i];
        }
        return best;
    }

    [[nodiscard]] bool labelsAnother(std::size_t i) const
    {
        const std::size_t number = m_draft.labelled(i);
        return number != none && (number < m_span.first || number > m_span.last);
    }

    const Draft& m_draft;
    const Span& m_span;
    const std::vector<bool>& m_taken;
    const std::vector<double>& m_costs;
    bool m_weak = false;
    mutable Matched m_matched;  // by the rules that cues are
    std::size_t m_label = none; // the word that labels the number: "users: 120"
};

} // namespace

void findCandidates(const Draft& draft, std::vector<Assigned>& quantities)
{
    const std::vector<double> costs = costsOf(draft);
    std::vector<bool> taken(draft.size(), false);
    for (const Assigned& one : quantities)
        for (const std::size_t part : one.span.parts)
            taken[part] = true;
    for (Assigned& one : quantities)
        one.candidates = Finder(draft, one.span, taken, costs).all();
}

std::vector<Candidate> possibleOf(const Draft& draft, const Span& span)
{
    const std::vector<bool> taken(draft.size(), false);
    return Finder(draft, span, taken, costsOf(draft)).weak();
}

} // namespace headroom::ask
