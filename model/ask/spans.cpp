#include "model/ask/spans.h"

#include "model/ask/rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace headroom::ask {

using enum Meaning;

Range rangeFrom(const Draft& draft, std::size_t number)
{
    Matched matched;
    const Rule* const rule = ruleAt("range", draft, {}, number, matched);
    if (rule == nullptr)
        return {};
    const std::size_t end = matched.numbers.at('n');
    double scale = 1;
    if (const auto unit = matched.numbers.find('u'); unit != matched.numbers.end()) {
        const std::size_t other = draft.touching(end);
        if (other == none || draft.at(other).meaning != draft.at(unit->second).meaning)
            return {};
        scale = draft.at(unit->second).value / draft.at(other).value;
    }
    // "4-8k", "20-30 万": the factor belongs to both.
    const Item& low = draft.at(number);
    const Item& high = draft.at(end);
    const double from = low.value == low.written && high.value != high.written && low.value < high.written
        ? low.value * high.value / high.written
        : low.value;
    if (from * scale < high.value || !rule->effects.empty()) // "from 4 s down to 1.5 s"
        return {.end = end, .from = from * scale};
    return {};
}

namespace {

Dimension dimensionIn(const Draft& draft, const Span& span)
{
    if (span.isMoney())
        return span.isPer(Kwh)  ? Dimension::MoneyOfKwh
            : span.isPer(Token) ? Dimension::MoneyOfTokens
            : span.perTime > 0  ? Dimension::MoneyRate
                                : Dimension::Money;
    const Item& number = draft.at(span.number);
    if (number.share)
        return Dimension::Percent;
    constexpr double week = 604800;
    const bool often = span.perTime > 0 && span.perTime <= week;
    if ((number.note == "Request" && span.perTime > 0) || (number.note == "Times" && often))
        return Dimension::RequestRate; // "每分钟一条消息", "twice an hour"
    if (!number.note.empty())
        return dimensionOf(number.note).value_or(Dimension::Plain);
    if (span.unit == Filler && span.perTime > 0) // "one every 3 minutes per agent"
        return number.value == 1 ? Dimension::RequestRate : Dimension::PlainRate;
    if (span.unit == Filler)
        return number.kilo || number.value >= 1000 ? Dimension::Thousands : Dimension::Plain;
    if (span.interval)
        return Dimension::RequestRate;
    if (span.unit == Time && !draft.at(span.unitAt).is(Time)) // "ttft 2"
        return Dimension::Time;
    const Dimension own = dimensionOf(draft.at(span.unitAt).note).value_or(Dimension::Plain);
    if (own == Dimension::Token && span.perTime > 0)
        return Dimension::TokenRate;
    if ((own == Dimension::Request && span.perTime > 0) || (own == Dimension::Times && often)
        || (often && says("visits", draft, span.unitAt)))
        return Dimension::RequestRate;
    if (own == Dimension::Time && span.isPer(Token))
        return Dimension::TimeOfToken;
    if (own == Dimension::Time && span.perTime >= 86400) // "8 hours a day"
        return Dimension::TimeOfDay;
    return own;
}

class Spans {
public:
    explicit Spans(const Draft& draft) : m_draft(draft), m_claimed(draft.size(), false) {}

    std::vector<Span> all()
    {
        for (Span& span : machineSpans(m_draft))
            add(std::move(span));
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (m_draft.isNumber(i) && !m_claimed[i])
                number(i);
        std::sort(m_spans.begin(), m_spans.end(),
                  [](const Span& a, const Span& b) { return a.first < b.first; });
        splitTotals();
        for (std::size_t i = 1; i < m_spans.size(); ++i)
            if (share(m_spans[i - 1], m_spans[i]))
                m_spans.erase(m_spans.begin() + static_cast<std::ptrdiff_t>(i--));
        takePeriod();
        for (Span& span : m_spans)
            readScope(m_draft, span, m_claimed);
        return std::move(m_spans);
    }

private:
    // "40M tokens a day: 32M in, 8M out": what is said of both stands in its parts.
    void splitTotals()
    {
        for (std::size_t i = 0; i + 2 < m_spans.size(); ++i) {
            const Span all = m_spans[i];
            Span& one = m_spans[i + 1];
            Span& other = m_spans[i + 2];
            const auto counts = [](const Span& span) {
                return span.dimension == Dimension::Token || span.dimension == Dimension::TokenRate
                    || span.dimension == Dimension::Thousands;
            };
            if (!counts(all) || !counts(one) || !counts(other) || one.value + other.value != all.value)
                continue;
            for (Span* const part : {&one, &other}) {
                part->perTime = all.perTime;
                part->dimension = all.dimension;
            }
            one.takeAll(all.parts);
            m_spans.erase(m_spans.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    // What two quantities beside each other say of one another: "5 亿 input tokens a day and 50M output
    // tokens". True where the other is in the one now.
    bool share(Span& one, Span& other) const
    {
        for (const Rule& rule : shippedRules().at("shares")) {
            Matched matched;
            if (!fitsBehind(rule, m_draft, one, other, matched))
                continue;
            for (const std::size_t i : matched.taken)
                (i < other.first ? one : other).take(i);
            for (const Rule::Effect& effect : rule.effects)
                if (effect.what == "sum") {
                    one.value += other.perSecond() * (one.perTime > 0 ? one.perTime : 1);
                    one.takeAll(other.parts);
                    return true;
                } else if (effect.what == "stop")
                    return false;
                else if (effect.what == "rest")
                    one.value -= other.value;
                else if (effect.what == "period")
                    setRate(other, one.perTime);
                else if (effect.what == "period-before")
                    setRate(one, other.perTime);
                else
                    (effect.what == "before" ? one : other).dimension = *dimensionOf(effect.values.front());
        }
        return false;
    }
    static void setRate(Span& span, double period)
    {
        span.perTime = period;
        span.dimension = Dimension::TokenRate;
    }

    // "our monthly bill for 4B tokens": of a month, where the sentence says no other time.
    void takePeriod()
    {
        constexpr double many = 1e8;
        constexpr double month = 2.5e6;
        std::size_t period = 0;
        const auto isMonth = [&](std::size_t i) { // "monthly", "per month"
            const std::size_t per = m_draft.previous(i);
            return (m_draft.is(i, PerTime) || (m_draft.is(i, Time) && m_draft.isAny(per, {Per, Every})))
                && m_draft.at(i).value > month && !m_claimed[i];
        };
        while (period < m_draft.size() && !isMonth(period))
            ++period;
        if (period == m_draft.size())
            return;
        for (Span& span : m_spans)
            if (span.dimension == Dimension::Token && span.value >= many) {
                span.perTime = m_draft.at(period).value;
                span.parts.push_back(period);
                span.dimension = Dimension::TokenRate;
            }
    }

    void number(std::size_t i)
    {
        if (says("leads-period", m_draft, i))
            return;
        Matched matched;
        if (ruleAt("pair", m_draft, {}, i, matched) != nullptr) {
            const std::size_t other = matched.numbers.at('n');
            add(spanAt(i, Dimension::Before));
            for (std::size_t between = i + 1; between < other; ++between)
                m_claimed[between] = true;
            Span behind = spanAt(other, Dimension::Behind);
            if (m_draft.is(other + 1, Token))
                behind.take(other + 1);
            return add(std::move(behind));
        }
        Span span = spanAt(i);
        if (const auto [end, from] = rangeFrom(m_draft, i); end != none && !m_claimed[end]) {
            span.from = from;
            span.number = end;
            span.value = m_draft.at(end).value;
            if (*span.from >= span.value && says("afternoon", m_draft, end + 1)) // "9am to 5pm"
                span.value += 12;
            if (*span.from >= span.value)
                span.from.reset();
            for (std::size_t part = i + 1; part <= end; ++part)
                span.take(part);
            span.grows = m_draft.any({i, end}, [&](std::size_t to) { return says("grows", m_draft, to); });
            if (i > 0 && m_draft.at(i - 1).text == "between")
                span.take(i - 1);
        }
        if (ruleAt("spread", m_draft, {}, i, matched) != nullptr
            && m_draft.at(matched.numbers.at('n')).value < span.value) { // "2500±500"
            span.number = matched.numbers.at('n');
            span.from = span.value - m_draft.at(span.number).value;
            span.value += m_draft.at(span.number).value;
            for (std::size_t part = i + 1; part <= span.number; ++part)
                span.take(part);
        }
        Matched parts;
        const bool ratio = ruleAt("quotient", m_draft, {}, i, parts) != nullptr;
        if (ratio) {
            const std::size_t other = parts.numbers.at('n');
            span.value /= m_draft.at(other).value;
            span.takeAll({i + 1, other});
        }
        readUnit(m_draft, span);
        span.dimension = ratio && span.unit == Filler ? Dimension::Times : dimensionIn(m_draft, span);
        if (span.dimension == Dimension::Clock && span.from) { // "0 点到 6 点": a window of so many hours
            constexpr double hour = 3600;
            span.value = (span.value - *span.from) * hour;
            span.unitValue = hour;
            span.unitAt = none;
            span.from.reset();
            span.dimension = span.perTime >= 86400 ? Dimension::TimeOfDay : Dimension::Time;
        }
        add(std::move(span));
    }

    [[nodiscard]] Span spanAt(std::size_t i, Dimension dimension = Dimension::Plain) const
    {
        return Span{.value = m_draft.at(i).value,
                    .dimension = dimension,
                    .number = i,
                    .first = i,
                    .last = i,
                    .parts = {i}};
    }

    void add(Span span)
    {
        for (const std::size_t part : span.parts)
            m_claimed[part] = true;
        m_spans.push_back(std::move(span));
    }

    const Draft& m_draft;
    std::vector<bool> m_claimed;
    std::vector<Span> m_spans;
};

} // namespace

std::vector<Span> spansOf(const Draft& draft) { return Spans(draft).all(); }

} // namespace headroom::ask
