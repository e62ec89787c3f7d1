#include "model/ask/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace headroom::ask {

using enum Meaning;

namespace {

// What an item between a number and a word costs: the further apart, the less the word says of the number.
double costOf(const Item& item)
{
    constexpr double relation = 0.1;
    constexpr double filler = 0.12;
    constexpr double joining = 0.5; // "and" begins what is said of something else
    constexpr double other = 0.6;
    constexpr double number = 1.6;
    constexpr double comma = 1.3;
    constexpr double stop = 2.2;
    if (item.isNumber())
        return number;
    if (item.is(Comma))
        return item.text == ":" ? relation : item.text == "," ? comma : stop;
    if (item.is(Filler)) {
        constexpr std::array<std::string_view, 8> joins{"and", "和", "与", "及", "plus", "&", ";", "以及"};
        return std::find(joins.begin(), joins.end(), item.text) != joins.end() ? joining : filler;
    }
    for (const Meaning m : {Equals, About, AtMost, AtLeast, Mean, Each, Per, Every, Token, Total, Not})
        if (item.is(m))
            return relation;
    return other;
}

class Finder {
public:
    Finder(const Draft& draft, const Span& span, const std::vector<bool>& taken)
        : m_draft(draft), m_span(span), m_taken(taken)
    {}

    std::vector<Candidate> all() const
    {
        std::vector<Candidate> found;
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
        constexpr double least = 1; // what explains less is no reading
        const double value = comparable();
        score += role.usual.has(value) ? usual : role.possible.has(value) ? unusual : impossible;
        Candidate candidate{.role = &role, .score = score};
        double best = 0;
        for (const Cue& cue : role.cues) {
            if (cue.how != Cue::How::Word) {
                candidate.score += holds(cue.how) ? cue.weight : 0;
                continue;
            }
            const auto [weight, item] = strongest(cue);
            if (weight > best) {
                best = weight;
                candidate.cue = item;
            }
        }
        candidate.score += best;
        if (candidate.score >= least)
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
        if (m_span.perTime <= 0)
            return value;
        return m_span.isMoney() || m_span.unit == Filler ? value / m_span.perTime * hour
                                                         : value / m_span.perTime;
    }

    [[nodiscard]] bool holds(Cue::How how) const
    {
        const std::size_t first = m_span.first;
        switch (how) {
        case Cue::How::Each:
            return m_span.each;
        case Cue::How::PerCard:
            return m_span.perCard;
        case Cue::How::At:
            return first > 0 && (m_draft.at(first - 1).text == "at" || m_draft.at(first - 1).text == "@")
                && m_span.bound == Filler;
        case Cue::How::BesideGpu:
            return first > 0 && m_draft.at(first - 1).kind == ItemKind::Gpu && m_span.bound == Filler;
        case Cue::How::AtMost:
            return m_span.bound == AtMost;
        case Cue::How::Interval:
            return m_span.interval;
        case Cue::How::OfDays:
            return m_span.perTime >= 3600;
        case Cue::How::AtOnce: // of others it is said that they are there at once
            return elsewhere(Lexicon::shipped().meaningOf("Active")) || elsewhere(Moment)
                || elsewhere(Concurrent);
        case Cue::How::Targets:
            return elsewhere(Ttft) || elsewhere(Tpot) || elsewhere(Latency);
        case Cue::How::Memory:
            return elsewhere(KvCache) || elsewhere(MemoryWord);
        case Cue::How::AfterJob:
            return elsewhere(Lexicon::shipped().meaningOf("Job"));
        case Cue::How::Word:
            return false;
        }
        return false;
    }

    [[nodiscard]] bool elsewhere(Meaning word) const
    {
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (m_draft.at(i).is(word) && (i < m_span.first || i > m_span.last))
                return true;
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
        const auto consider = [&](std::size_t i, double cost) {
            if ((m_taken[i] && cost > 0) || isAsked(i))
                return;
            const double weight = cue.weight * std::exp(-cost);
            if (m_draft.at(i).is(cue.word) && weight > best.weight)
                best = {weight, i};
        };
        for (const std::size_t part : m_span.parts)
            if (cue.side == Cue::Side::Any || part < m_span.number)
                consider(part, 0);
        constexpr double farthest = 4.5;
        constexpr double beside = 1e-6;
        double cost = beside;
        for (std::size_t i = m_span.last + 1;
             cue.side != Cue::Side::Before && i < m_draft.size() && cost < farthest; ++i) {
            consider(i, cost);
            cost += costAt(i);
        }
        cost = beside;
        for (std::size_t i = m_span.first; cue.side != Cue::Side::Behind && i-- > 0 && cost < farthest;) {
            consider(i, cost);
            cost += costAt(i);
        }
        return best;
    }

    // "how many requests per second at 1k in": what is asked for leads no number to it.
    [[nodiscard]] bool isAsked(std::size_t i) const
    {
        const std::size_t before = m_draft.previous(i);
        return m_draft.is(before, HowMany)
            || (m_draft.at(i).is(RequestRate) && before != none && m_draft.is(before, AtMost)
                && (m_draft.at(before).text.starts_with("max") || m_draft.at(before).text.starts_with("最")));
    }

    // "TTFT p95 < 8 s", "首 token 95% 在 1 秒内": a share between a topic and its number is of both.
    [[nodiscard]] double costAt(std::size_t i) const
    {
        constexpr double share = 0.1;
        const Item& item = m_draft.at(i);
        const auto ofShare = [&](std::size_t j) {
            return j < m_draft.size() && (m_draft.at(j).is(Percent) || m_draft.at(j).is(Percentile));
        };
        if (ofShare(i) || (item.isNumber() && (ofShare(i + 1) || ofShare(i - 1))))
            return share;
        return costOf(item);
    }

    const Draft& m_draft;
    const Span& m_span;
    const std::vector<bool>& m_taken;
};

} // namespace

std::vector<Candidate> candidatesOf(const Draft& draft, const Span& span, const std::vector<bool>& taken)
{
    return Finder(draft, span, taken).all();
}

} // namespace headroom::ask
