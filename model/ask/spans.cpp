#include "model/ask/rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

// "4k-8k", "between 50 and 100": the number that ends the range which `number` begins, `none` where there is
// none, and what it begins at in units of that.
struct Range {
    std::size_t end = none;
    double from = 0;
};
Range rangeFrom(const Draft& draft, std::size_t number)
{
    const Match match = ruleAt("range", draft, number);
    const std::size_t unit = match.at('u');
    const std::size_t other = unit == none ? none : draft.beside(match.at('n')).last;
    if (!match || (unit != none && (other == none || draft.at(other).meaning != draft.at(unit).meaning)))
        return {};
    const Item& low = draft.at(number);
    const Item& high = draft.at(match.at('n'));
    // "4-8k", "20-30 万": the factor belongs to both.
    const bool both = low.value == low.written && high.value != high.written && low.value < high.written;
    const double from = low.value * (both ? high.value / high.written : 1)
        * (unit == none ? 1 : draft.at(unit).value / draft.at(other).value);
    const bool falls = !match.rule->effects.empty(); // "from 4 s down to 1.5 s"
    return from < high.value || falls ? Range{match.at('n'), from} : Range{};
}

struct Spans {
    const Draft& whole;
    std::vector<bool> claimed = std::vector<bool>(whole.size(), false);
    std::vector<Span> spans = {};

    std::vector<Span> all()
    {
        Draft unread = whole; // in which the numbers of machines are read
        for (const bool named : {true, false})
            for (std::size_t i = 0; i < whole.size(); ++i)
                if ((whole.at(i).kind == ItemKind::Gpu) == named)
                    machines(unread, i);
        for (std::size_t i = 0; i < whole.size(); ++i)
            if (whole.isNumber(i) && !claimed[i] && !says("leads-period", whole, i))
                number(i);
        std::ranges::sort(spans, [](const Span& a, const Span& b) { return a.first < b.first; });
        for (std::size_t i = 1; i < spans.size(); ++i)
            if (share(spans[i - 1], spans[i]))
                spans.erase(spans.begin() + static_cast<std::ptrdiff_t>(i--));
        for (Span& span : spans)
            readScope(whole, span, claimed);
        return std::move(spans);
    }

    // How many of an accelerator, by where the numbers stand; and numbers of machines whose size was not
    // said.
    void machines(Draft& draft, std::size_t i)
    {
        const Match match = ruleAt("machines", draft, i);
        if (!match)
            return;
        const bool named = draft.at(i).kind == ItemKind::Gpu;
        Span span{.value = 1,
                  .dimension = named ? Dimension::Count : Dimension::Card,
                  .first = none,
                  .gpu = named ? i : none};
        span.takeAll(match.taken);
        if (!match.rule->word.context)
            span.take(i);
        for (const Setting& effect : match.rule->effects)
            for (const std::string_view value : effect.values)
                if (effect.what == "count")
                    span.value *= reckoned(value, {.draft = draft, .match = &match});
                else if (effect.what == "box")
                    span.boxSize = reckoned(value, {.draft = draft, .match = &match});
                else if (effect.what == "as")
                    span.dimension = dimensionOf(value).value_or(span.dimension);
        if (const std::size_t to = span.first;
            to > 1 && draft.isNumber(to) && rangeFrom(draft, to - 2).end == to) { // "2-4 nodes of 8 H200"
            span.from = span.value * draft.at(to - 2).value / draft.at(to).value;
            span.takeAll({to - 2, to - 1});
        }
        std::ranges::sort(span.parts);
        span.number
            = *std::ranges::find_if(span.parts, [&](std::size_t part) { return draft.isNumber(part); });
        (void)takeSaid(draft, span, ruleAround("machines-bound", draft, span));
        for (const std::size_t part : span.parts)
            if (draft.at(part).isNumber())
                draft.take(part);
        add(std::move(span));
    }

    // What two quantities beside each other say of one another: "5 亿 input tokens a day and 50M output
    // tokens". True where the other is in the one now.
    bool share(Span& one, Span& other) const
    {
        for (const Rule& rule : shippedRules().at("shares")) {
            const Match match = fitsBehind(rule, whole, one, other);
            if (!match)
                continue;
            for (const std::size_t i : match.taken)
                (i < other.first ? one : other).take(i);
            for (const Setting& effect : rule.effects)
                if (effect.what == "sum") {
                    one.value += other.perSecond() * (one.perTime > 0 ? one.perTime : 1);
                    one.takeAll(other.parts);
                    return true;
                } else if (effect.what == "part") {
                    setRate(other, one.perTime);
                    other.takeAll(one.parts);
                    one = std::move(other);
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

    void number(std::size_t i)
    {
        Span span = spanAt(i);
        if (const std::size_t other = ruleAt("pair", whole, i).at('n'); other != none) {
            span.dimension = Dimension::Before;
            add(span);
            Span behind = spanAt(other);
            behind.dimension = Dimension::Behind;
            for (std::size_t between = i + 1; between < other; ++between)
                claimed[between] = true;
            if (whole.is(other + 1, Token))
                behind.take(other + 1);
            return add(std::move(behind));
        }
        if (const auto [end, from] = rangeFrom(whole, i); end != none && !claimed[end])
            readRange(span, i, end, from);
        if (const std::size_t other = ruleAt("spread", whole, i).at('n');
            other != none && whole.at(other).value < span.value) { // "2500±500"
            span.from = span.value - whole.at(other).value;
            span.value += whole.at(other).value;
            span.number = other;
            span.takeTo(i + 1, other);
        }
        const std::size_t divisor = ruleAt("quotient", whole, i).at('n');
        if (divisor != none) {
            span.value /= whole.at(divisor).value;
            span.takeAll({i + 1, divisor});
        }
        readUnit(whole, span);
        (void)takeSaid(whole, span, ruleAround("month-of", whole, span));
        const bool alone = !whole.at(span.number).note.empty() || span.unitAt == none;
        const Item& noting = whole.at(alone ? span.number : span.unitAt);
        span.dimension = dimensionOf(noting.note).value_or(Dimension::Plain);
        for (const std::string_view stage :
             {"counts", "dimension"}) // by its own words, and by what it is per
            if (const Match match = ruleAround(stage, whole, span))
                span.dimension = *dimensionOf(match.rule->effects.front().value());
        if (divisor != none)
            span.dimension = Dimension::Times;
        if (span.dimension == Dimension::Clock && span.from) { // "0 点到 6 点": a window of so many hours
            constexpr double hour = 3600;
            span.value = (span.value - *span.from) * hour;
            span.unitValue = hour;
            span.unitAt = none;
            span.from.reset();
            span.dimension = Dimension::Time;
        }
        add(std::move(span));
    }

    void readRange(Span& span, std::size_t begin, std::size_t end, double from) const
    {
        span.from = from;
        span.number = end;
        span.value = whole.at(end).value;
        if (from >= span.value && from <= 24 && span.value >= 0 && says("clock", whole, end + 1))
            span.value += 12 * (std::floor((from - span.value) / 12) + 1); // "9am to 5pm", "22 点到 6 点"
        if (from >= span.value)
            span.from.reset();
        span.takeTo(begin + 1, end);
        span.grows = saysIn("grows", whole, {begin, end});
        if (begin > 0 && whole.at(begin - 1).text == "between")
            span.take(begin - 1);
    }

    [[nodiscard]] Span spanAt(std::size_t i) const
    {
        return {.value = whole.at(i).value, .number = i, .first = i, .last = i, .parts = {i}};
    }

    void add(Span span)
    {
        for (const std::size_t part : span.parts)
            claimed[part] = true;
        spans.push_back(std::move(span));
    }
};

} // namespace

std::vector<Span> spansOf(const Draft& draft) { return Spans{draft}.all(); }

} // namespace headroom::ask
