#include "model/ask/draft_teller.h"
#include "model/ask/names.h"
#include "model/ask/rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <utility>
#include <vector>

namespace headroom::ask {

using enum Meaning;

namespace {

// What no rule read: told where the plan is the same without it, refused where a number, a name or a
// constraint would be lost.
class Leftovers : DraftTeller {
public:
    Leftovers(Draft& draft, Settled& settled) : DraftTeller(draft), m_settled(settled) {}

    void settle()
    {
        for (std::size_t i = 2; i < m_draft.size(); ++i) // "Phi-4-large"
            if (m_draft.at(i - 1).text == "-" && !m_draft.at(i).spaceBefore && !m_draft.isRead(i)
                && m_draft.isName(i - 2, ItemKind::Model) && Names::shipped().isVariant(m_draft.at(i).text)) {
                m_draft.take(i);
                tellAbsent(m_draft, i - 2, i);
            }
        settleLeftNumbers(m_draft, m_settled);
        applyRules("left", m_draft, m_settled);
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (!m_draft.isRead(i))
                item(i);
    }

private:
    void item(std::size_t i)
    {
        const Item& item = m_draft.at(i);
        if (item.kind == ItemKind::Unknown)
            return stranger(i);
        if (item.kind != ItemKind::Word) {
            if (item.kind == ItemKind::Gpu || item.kind == ItemKind::Model)
                lost(i);
            return;
        }
        if (item.is(Noise)) {
            m_draft.take(i);
            return m_draft.unused(i, std::string(m_draft.noteOf(item)));
        }
        std::size_t before = i;
        while (before-- > 0 && m_draft.at(before).is(Filler)) {}
        const bool ends = i + 1 == m_draft.size() || m_draft.at(i + 1).is(Comma);
        const bool behindRead
            = ends && before < i && (m_draft.isRead(before) || m_draft.at(before).is(Noise));
        if (m_draft.is(i, Only) && (behindRead || limitsWhatIsSaid(i))) // "office hours only"
            m_draft.take(i);
        else if (m_draft.is(i, Not) && negatesNothing(i))
            m_draft.unused(i, {});
        else if (m_draft.isAny(i, {Not, Only, Or, Vendor}))
            lost(i);
    }

    // "no data leaves the building", "not great": neither a name nor a choice is ruled out.
    [[nodiscard]] bool negatesNothing(std::size_t i) const
    {
        const Scenario& scenario = m_draft.question.scenario;
        if (scenario.model.empty() || (!scenario.concurrency && !scenario.requestsPerSecond))
            return false;
        std::size_t end = i + 1;
        while (end < m_draft.size()
               && (m_draft.at(end).is(Filler) || m_draft.at(end).kind == ItemKind::Unknown))
            ++end;
        return end > i + 1 && (end == m_draft.size() || m_draft.at(end).is(Comma));
    }

    // A word that is no name and no phrase.
    void stranger(std::size_t i)
    {
        const Item& item = m_draft.at(i);
        std::size_t last = i;
        m_draft.take(i);
        const bool ofModel = i > 0 && m_draft.isName(i - 1, ItemKind::Model); // "DeepSeek V3.5"
        if (item.text.find('.') != std::string::npos && !ofModel              // "v0.9.2"
            && item.text.find_first_not_of("v.0123456789") == std::string::npos)
            return m_draft.unused(i, tell("not used: a version changes no plan here"));
        const std::size_t owner = i > 1 && m_draft.at(i - 1).text == "-" ? i - 2 : i - 1;
        const bool behindName
            = m_draft.isName(owner, ItemKind::Model) || m_draft.isName(owner, ItemKind::Gpu);
        const std::string_view first = std::string_view(item.text).substr(0, item.text.find(' '));
        const Names& names = Names::shipped();
        const std::string typed = m_draft.said(i, i);
        const bool capital = !typed.empty() && typed.front() >= 'A' && typed.front() <= 'Z';
        const bool member = capital && m_draft.isName(owner, ItemKind::Model)
            && !m_draft.at(owner).match.others.empty(); // "Llama 4 Behemoth"
        if (behindName && (names.isVariant(first) || item.identifier || member))
            return tellAbsent(m_draft, owner, i);
        // "Aya 32B": of no family that is known
        const std::size_t size = i + 1 < m_draft.size() && m_draft.at(i + 1).text == "-" ? i + 2 : i + 1;
        if (capital && m_draft.isName(size, ItemKind::Model) && isSizeAlone(m_draft.at(size)))
            return tellAbsent(m_draft, i, size);
        const std::size_t figures = std::min(item.text.find_first_not_of("0123456789"), item.text.size());
        const bool unit = item.text.size() == figures + 1
            && (figures < 3 || item.text.ends_with('v') || item.text.ends_with('c'));
        if (item.identifier && figures > 0 && unit) // "27C", "42U", "230V"
            return m_draft.unused(i, {});
        static const Meaning version = Lexicon::shipped().meaningOf("Version");
        std::size_t label = i; // "Ref: AB-2231"
        while (label > 0 && (m_draft.at(label - 1).is(Filler) || m_draft.at(label - 1).text == ":"))
            --label;
        const bool ofEngine = i > 0 && m_draft.isName(i - 1, ItemKind::Engine); // "llama.cpp b6600"
        if (item.identifier && (ofEngine || (label > 0 && m_draft.at(label - 1).is(version))))
            return m_draft.unused(i, {});
        if (item.identifier || names.isFamily(first)) {
            while (last + 1 < m_draft.size() && !m_draft.isRead(last + 1)
                   && (m_draft.isNumber(last + 1) || m_draft.at(last + 1).kind == ItemKind::Unknown))
                m_draft.take(++last);
            return tellAbsent(m_draft, i, last);
        }
        const std::size_t before = m_draft.previous(i);
        if (m_draft.isAny(before, {Not, Only, Or, Per}) || m_draft.isAny(m_draft.next(i), {Or})) {
            const Scenario& scenario = m_draft.question.scenario;
            if (m_draft.is(before, Not)) {
                m_draft.take(before);
                if (!scenario.model.empty() && (scenario.concurrency || scenario.requestsPerSecond))
                    return m_draft.unused({before, i}, {}); // "not sponsored"
            }
            return m_draft.problem({m_draft.is(before, Per)                        ? i
                                        : m_draft.isRead(before) && before != none ? before
                                                                                   : i,
                                    i},
                                   tell("not understood"), hintFor(m_draft, item.text));
        }
        m_draft.unused(i, {});
    }

    // "without H100", "not on AMD", "fp8 but only if it is cheap".
    void lost(std::size_t i)
    {
        const bool ofNothing = i > 0 && i + 1 < m_draft.size() && m_draft.at(i - 1).is(Filler)
            && m_draft.at(i + 1).is(Filler); // "serverless or dedicated"
        std::size_t other = i + 1; // "self-hosted vs. $0.60 per million": what it is held against was read
        while (other < m_draft.size() && m_draft.at(other).is(Filler))
            ++other;
        static const Meaning api = Lexicon::shipped().meaningOf("Api");
        const auto isTold = [&](std::size_t j) {
            return j < m_draft.size() && (m_draft.at(j).is(Noise) || m_draft.at(j).is(api));
        };
        const bool ofNoise = isTold(other) || isTold(i - 1);
        const bool ofAmount = other < m_draft.size() && m_draft.isRead(other)
            && (m_draft.at(other).is(Dollar) || m_draft.at(other).is(Yuan));
        const std::string& text = m_draft.at(i).text;
        const bool compared = text.starts_with("compar") || text.starts_with("对比");
        const bool few = m_draft.question.scenario.gpus.size() < 2; // "how does it compare"
        if (m_draft.is(i, Or) && compared && (few || namesNothing(i)))
            return m_draft.unused(i, {});
        if (m_draft.is(i, Or) && (ofAmount || ofNothing || ofNoise || !m_draft.problems.empty()))
            return; // what stands beside it is told already
        std::size_t first = i;
        std::size_t last = i;
        while (last + 1 < m_draft.size() && !m_draft.isRead(last + 1)
               && (m_draft.isAny(last + 1, {Not, Only, Or, Vendor, Provider})
                   || m_draft.isName(last + 1, ItemKind::Gpu)))
            ++last;
        for (std::size_t j = first; j <= last; ++j)
            m_draft.take(j);
        m_draft.problem({first, last}, tell("what should be left out or compared was not understood"), {});
    }

    // "we compared 3 vendors": no name stands in its sentence.
    [[nodiscard]] bool namesNothing(std::size_t i) const
    {
        const auto [first, end] = m_draft.sentenceOf(i);
        for (std::size_t j = first; j < end; ++j)
            if (const ItemKind kind = m_draft.at(j).kind;
                kind != ItemKind::Word && kind != ItemKind::Number && kind != ItemKind::Unknown)
                return false;
        return !m_draft.question.scenario.model.empty();
    }

    // "I only have 1 H100", "只有一张 4090": a number or a name that was read is all there is.
    [[nodiscard]] bool limitsWhatIsSaid(std::size_t i) const
    {
        std::size_t next = i + 1;
        while (next < m_draft.size()
               && (m_draft.at(next).is(Filler) || m_draft.at(next).kind == ItemKind::Unknown))
            ++next;
        return next < m_draft.size() && m_draft.isRead(next)
            && (m_draft.at(next).kind != ItemKind::Word || m_draft.at(next).is(Budget));
    }

    Settled& m_settled;
};

} // namespace

// What a word that was not understood may have been meant to be.
std::string hintFor(const Draft& draft, const std::string& text)
{
    constexpr std::size_t shortest = 4; // bytes: of a single Chinese character everything is near
    const std::vector<std::string> near
        = text.size() < shortest ? std::vector<std::string>{} : Lexicon::shipped().nearest(text);
    return near.empty() ? std::string() : draft.tell("nearest: {}", fmt::join(near, ", "));
}

void settleLeftovers(Draft& draft, Settled& settled) { Leftovers(draft, settled).settle(); }

} // namespace headroom::ask
