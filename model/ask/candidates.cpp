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
    Finder(const Draft& draft, const Span& span, const std::vector<bool>& taken, const Presence& presence)
        : m_draft(draft), m_span(span), m_taken(taken), m_presence(presence)
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
        if (m_span.perTime <= 0 || m_span.dimension == Dimension::TimeOfDay)
            return value;
        constexpr double minute = 60; // "25/s" is no amount
        return m_span.isMoney() || (m_span.unit == Filler && m_span.perTime > minute)
            ? value / m_span.perTime * hour
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
            return m_span.bound == Filler
                && ((first > 0 && m_draft.at(first - 1).kind == ItemKind::Gpu)
                    || m_draft.isName(m_span.last + 1, ItemKind::Gpu));
        case Cue::How::AtMost:
            return m_span.bound == AtMost;
        case Cue::How::Interval:
            return m_span.interval;
        case Cue::How::OfDays:
            return m_span.perTime >= 3600;
        case Cue::How::Window: { // "128k" by itself
            const Item& number = m_draft.at(m_span.number);
            const std::size_t after = m_span.last + 1;
            const bool alone = after >= m_draft.size() || m_draft.at(after).is(Comma);
            const auto written = static_cast<std::size_t>(std::abs(number.written));
            return number.kilo && alone && !m_span.from && written >= 4 && (written & (written - 1)) == 0
                && number.value == number.written * 1000;
        }
        case Cue::How::BesidePeak: // "peak QPS 40, average 12"
            return (m_span.dimension == Dimension::Plain || m_span.dimension == Dimension::PlainRate)
                && first > 0 && m_draft.at(first - 1).is(Mean)
                && (elsewhere(Lexicon::shipped().meaningOf("PeakRate"))
                    || ((elsewhere(RequestRate) || elsewhere(Request)) && elsewhere(Peak)));
        case Cue::How::To:
            return first > 0 && (m_draft.at(first - 1).text == "to" || m_draft.at(first - 1).text == "into");
        case Cue::How::Daily:
            return elsewhere(DailyUsers);
        case Cue::How::OfMonths:
            return m_span.perTime > 2.5e6;
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

    [[nodiscard]] bool elsewhere(Meaning word) const { return m_presence.outside(word, m_span); }

    struct Weighed {
        double weight = 0;
        std::size_t item = none;
    };

    // The word of this meaning that says most: nearest, and on the side where it belongs.
    [[nodiscard]] Weighed strongest(const Cue& cue) const
    {
        Weighed best;
        if (!m_presence.anywhere(cue.word))
            return best;
        const auto consider = [&](std::size_t i, double cost) {
            if ((m_taken[i] && cost > 0 && cue.word != m_documents) || isAsked(i) || labelsAnother(i))
                return;
            const double weight = cue.weight * std::exp(-cost);
            if (m_draft.at(i).is(cue.word) && weight > best.weight)
                best = {weight, i};
        };
        if (m_label != none && m_draft.at(m_label).is(cue.word) && cue.side != Cue::Side::Behind)
            return {cue.weight, m_label};
        if (cue.side == Cue::Side::Label)
            return best;
        for (std::size_t part = m_span.first; part <= m_span.last; ++part)
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

    [[nodiscard]] bool labelsAnother(std::size_t i) const
    {
        const std::size_t number = m_draft.labelled(i);
        return number != none && (number < m_span.first || number > m_span.last);
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
    const Presence& m_presence;
    Meaning m_documents = Lexicon::shipped().meaningOf("Documents"); // "5M documents of 2k tokens"
    bool m_weak = false;
    std::size_t m_label = none; // the word that labels the number: "users: 120"
};

} // namespace

Presence::Presence(const Draft& draft)
{
    for (std::size_t i = 0; i < draft.size(); ++i) {
        if (draft.at(i).kind != ItemKind::Word)
            continue;
        const auto meaning = static_cast<std::size_t>(draft.at(i).meaning);
        if (meaning >= m_places.size())
            m_places.resize(meaning + 1, {none, 0});
        m_places[meaning].first = std::min(m_places[meaning].first, i);
        m_places[meaning].second = i;
    }
}

bool Presence::anywhere(Meaning word) const
{
    const auto meaning = static_cast<std::size_t>(word);
    return meaning < m_places.size() && m_places[meaning].first != none;
}

bool Presence::outside(Meaning word, const Span& span) const
{
    const auto meaning = static_cast<std::size_t>(word);
    return anywhere(word) && (m_places[meaning].first < span.first || m_places[meaning].second > span.last);
}

std::vector<Candidate> candidatesOf(const Draft& draft, const Span& span, const std::vector<bool>& taken,
                                    const Presence& presence)
{
    return Finder(draft, span, taken, presence).all();
}

std::vector<Candidate> possibleOf(const Draft& draft, const Span& span)
{
    std::vector<bool> taken(draft.size(), false);
    return Finder(draft, span, taken, Presence(draft)).weak();
}

} // namespace headroom::ask
