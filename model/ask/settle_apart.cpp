#include "model/ask/rules.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom::ask {

using enum Meaning;

namespace {

// Whole sentences that name nothing, ask nothing and have no number that a plan is made of: "Backups are kept
// for 90 days." Their words say nothing of the question either.
class Apart {
public:
    Apart(Draft& draft, Settled& settled) : m_draft(draft), m_settled(settled) {}

    void settle()
    {
        const auto isModel = [](const Item& item) { return item.kind == ItemKind::Model; };
        bool model = false;
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            model = model || isModel(m_draft.at(i));
        for (std::size_t first = 0, end = 0; model && first < m_draft.size(); first = end + 1) {
            end = m_draft.sentenceOf(first).last;
            const auto joined
                = [&](std::size_t i) { return i < m_draft.size() && m_draft.at(i).text == ";"; };
            if (end > first && !joined(end) && !joined(first - 1) && isApart(first, end))
                tellApart(first, end);
        }
    }

private:
    [[nodiscard]] bool isApart(std::size_t first, std::size_t end) const
    {
        const bool amount
            = std::any_of(m_settled.quantities.begin(), m_settled.quantities.end(), [&](const Assigned& one) {
                  return one.span.number >= first && one.span.number < end && one.span.isMoney()
                      && one.span.dimension != Dimension::MoneyOfTokens;
              });
        bool number = false;
        for (std::size_t i = first; i < end; ++i) {
            const Item& item = m_draft.at(i);
            if (m_draft.isRead(i) || item.isName() || item.asks() || item.is(YesNo) || item.is(MemoryWord)
                || ((item.is(CostWord) || item.is(Goal)) && !amount))
                return false;
            number = number || item.isNumber()
                || (item.kind == ItemKind::Unknown
                    && item.text.find_first_of("0123456789") != std::string::npos);
        }
        return number
            && std::none_of(m_settled.quantities.begin(), m_settled.quantities.end(),
                            [&](const Assigned& one) {
                                return one.span.number >= first && one.span.number < end && isUsed(one);
                            });
    }

    // Of a number that counts what nothing knows ("2 monitors") no machine or user is meant.
    [[nodiscard]] bool isUsed(const Assigned& one) const
    {
        const Role* const role = one.role != nullptr ? one.role
            : one.candidates.empty()                 ? nullptr
                                                     : one.candidates.front().role;
        constexpr std::array loads{Dimension::Token, Dimension::TokenRate, Dimension::RequestRate,
                                   Dimension::Count, Dimension::Card};
        if (role == nullptr)
            return one.span.isMoney() || saysLoad(one.span)
                || (one.span.dimension == Dimension::Time && one.span.value < 120) // "want 2 s"
                || std::find(loads.begin(), loads.end(), one.span.dimension) != loads.end();
        const bool date = role->id == "deadline" || role->id == "horizon";
        const bool job = m_settled.find("jobTokens") != nullptr || m_settled.find("jobRequests") != nullptr;
        constexpr std::array<std::string_view, 6> counted{"boxes",  "maxBoxes", "replicas",
                                                          "prompt", "output",   "context"};
        const bool things = std::find(counted.begin(), counted.end(), role->id) != counted.end()
            || (role->id == "users" && one.span.dimension == Dimension::Plain);
        const bool price = role->id == "price" || role->id == "purchasePrice";
        return (role->key != "-" || role->setting("matters") != nullptr) && !(date && !job)
            && !(things && one.cue == none && countsStranger(one.span)) && !(price && !saysCard(one.span));
    }

    // "The laptop cost me 1,900 euros" is no price of a GPU.
    [[nodiscard]] bool saysCard(const Span& span) const
    {
        return !span.per.empty() || m_draft.any(m_draft.sentenceOf(span.first), [&](std::size_t i) {
            return m_draft.isAny(i, {Card, Box, CardHour, Each, Price, Rent});
        });
    }

    [[nodiscard]] bool saysLoad(const Span& span) const
    {
        const auto [before, behind] = m_draft.beside(span);
        return (before != none && says("matters", m_draft, before))
            || (behind != none && says("matters", m_draft, behind));
    }

    [[nodiscard]] bool countsStranger(const Span& span) const
    {
        const auto [before, behind] = m_draft.beside(span);
        return m_draft.isName(before, ItemKind::Unknown) || m_draft.isName(behind, ItemKind::Unknown);
    }

    void tellApart(std::size_t first, std::size_t end)
    {
        for (std::size_t i = first; i < end; ++i)
            m_draft.take(i);
        for (Assigned& one : m_settled.quantities)
            if (one.span.number >= first && one.span.number < end)
                one.role = nullptr;
        m_draft.unused({first, end - 1}, m_draft.tell("not used: it seems to have no bearing on the plan"));
    }

    Draft& m_draft;
    Settled& m_settled;
};

} // namespace

void settleApart(Draft& draft, Settled& settled) { Apart(draft, settled).settle(); }

} // namespace headroom::ask
