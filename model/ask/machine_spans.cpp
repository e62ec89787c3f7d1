#include "model/ask/rules.h"

#include <algorithm>
#include <utility>

namespace headroom::ask {

namespace {

class Machines {
public:
    explicit Machines(const Draft& draft) : m_draft(draft) {}

    std::vector<Span> all()
    {
        for (const bool named : {true, false})
            for (std::size_t i = 0; i < m_draft.size(); ++i)
                if ((m_draft.at(i).kind == ItemKind::Gpu) == named)
                    at(i);
        return std::move(m_spans);
    }

private:
    void at(std::size_t i)
    {
        Matched matched;
        const Rule* const rule = ruleAt("machines", m_draft, m_settled, i, matched);
        if (rule == nullptr)
            return;
        const bool named = m_draft.at(i).kind == ItemKind::Gpu;
        Span span{.value = 1,
                  .dimension = named ? Dimension::Count : Dimension::Card,
                  .first = none,
                  .gpu = named ? i : none};
        span.takeAll(matched.taken);
        if (!rule->word.context)
            span.take(i);
        for (const Rule::Effect& effect : rule->effects)
            for (const std::string_view value : effect.values)
                if (effect.what == "count")
                    span.value *= numberCalled(value, m_draft, matched);
                else if (effect.what == "box")
                    span.boxSize = m_draft.at(matched.numbers.at(value.front())).value;
                else if (effect.what == "as")
                    span.dimension = dimensionOf(value).value_or(span.dimension);
        std::size_t before = m_draft.previous(span.first);
        if (before != none && before > 0 && before + 1 < span.first
            && dimensionOf(m_draft.at(before - 1).note))
            before = none; // "45 毫秒以内（8 张 H200）": of the number before
        if (span.boxSize != span.value
            && m_draft.is(before, Meaning::AtMost)) { // "at most 4 H100": as many or fewer
            span.bound = Meaning::AtMost;
            span.take(before);
        }
        if (const std::size_t to = span.first;
            to > 1 && m_draft.isNumber(to) && rangeFrom(m_draft, to - 2).end == to) { // "2-4 nodes of 8 H200"
            span.from = span.value * m_draft.at(to - 2).value / m_draft.at(to).value;
            span.takeAll({to - 2, to - 1});
        }
        std::sort(span.parts.begin(), span.parts.end());
        span.number = *std::find_if(span.parts.begin(), span.parts.end(),
                                    [&](std::size_t part) { return m_draft.isNumber(part); });
        for (const std::size_t part : span.parts)
            if (m_draft.at(part).isNumber())
                m_draft.take(part);
        m_spans.push_back(std::move(span));
    }

    Draft m_draft; // in which the numbers of a span are read
    Settled m_settled;
    std::vector<Span> m_spans;
};

} // namespace

std::vector<Span> machineSpans(const Draft& draft) { return Machines(draft).all(); }

} // namespace headroom::ask
