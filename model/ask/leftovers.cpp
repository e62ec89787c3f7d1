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
        word(i);
    }

    // A word that is no name and no phrase.
    void stranger(std::size_t i)
    {
        const Item& item = m_draft.at(i);
        std::size_t last = i;
        m_draft.take(i);
        if (item.text.find('.') != std::string::npos // "v0.9.2"
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
        if (item.identifier || names.isFamily(first)) {
            while (last + 1 < m_draft.size() && !m_draft.isRead(last + 1)
                   && (m_draft.isNumber(last + 1) || m_draft.at(last + 1).kind == ItemKind::Unknown))
                m_draft.take(++last);
            return tellAbsent(m_draft, i, last);
        }
        const std::size_t before = m_draft.previous(i);
        if (m_draft.isAny(before, {Not, Only, Or, Per}) || m_draft.isAny(m_draft.next(i), {Or})) {
            if (m_draft.is(before, Not))
                m_draft.take(before);
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
        const bool ofNoise = i > 0 && (m_draft.is(m_draft.next(i), Noise) || m_draft.at(i - 1).is(Noise));
        std::size_t other = i + 1; // "self-hosted vs. $0.60 per million": what it is held against was read
        while (other < m_draft.size() && m_draft.at(other).is(Filler))
            ++other;
        const bool ofAmount = other < m_draft.size() && m_draft.isRead(other)
            && (m_draft.at(other).is(Dollar) || m_draft.at(other).is(Yuan));
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

    void word(std::size_t i)
    {
        const Scenario& s = m_draft.question.scenario;
        const Item& item = m_draft.at(i);
        if (m_draft.is(i, Only) && limitsWhatIsSaid(i))
            return m_draft.take(i);
        if (m_draft.isAny(i, {Not, Only, Or, Vendor}))
            return lost(i);
        if (m_draft.is(i, Mac))
            return mac(i);
        if (m_draft.is(i, Peak)
            && (s.requestsPerSecond || s.concurrency)) // the load that was said is that of the peak
            return;
        if (item.note == "asks" || m_draft.is(i, Vague)
            || m_draft.isAny(i, {Ttft, Tpot, Latency, Budget, Context, Peak}))
            missing(i);
    }

    // A topic whose number is missing, where nothing else says it.
    void missing(std::size_t i)
    {
        const auto targets = {Ttft, Tpot, Latency, Speed, Throughput, TokenRate};
        const Scenario& s = m_draft.question.scenario;
        const bool measure = m_draft.isAny(i, targets);
        if (measure && m_draft.question.kind == QuestionKind::Predict)
            return;
        const Item& item = m_draft.at(i);
        if (item.note == "asks" && i + 1 < m_draft.size() && m_draft.at(i + 1).isNumber()
            && m_draft.isRead(i + 1)) // "每个并发预留 32k 上下文": the number says something else
            return;
        const bool vague = m_draft.is(i, Vague);
        const std::size_t next = i + 1;
        const bool ofTopic = next < m_draft.size() && m_draft.at(next).kind == ItemKind::Word
            && m_draft.isAny(next,
                             {Ttft, Tpot, Latency, Speed, Throughput, Prompt, Output, Context, Concurrent});
        const bool asks = item.note == "asks" && !s.targets.any(); // "quick, first token within a second"
        if (vague && !ofTopic && !asks) {
            m_draft.take(i);
            return m_draft.unused(i, tell("says no number"));
        }
        if (m_draft.is(i, Budget)) { // "for a budget"
            m_draft.take(i);
            return m_draft.unused(i, tell("says no number"));
        }
        if (!vague && (isAnswered(item.meaning) || (measure && m_draft.question.scenario.targets.any())))
            return;
        std::size_t last = i;
        if (vague && ofTopic && isTarget(next)) {
            last = next;
            m_draft.take(next);
        }
        m_draft.take(i);
        if (last == next && s.targets.any()) // "low latency: first token within 200 ms"
            return m_draft.unused({i, last}, tell("says no number"));
        const std::string_view what
            = m_draft.at(i).is(Ttft) || m_draft.at(i).is(Tpot) || m_draft.at(i).is(Latency)
            ? say("how long at most?")
            : measure ? say("how many tokens per second?")
                      : say("how much? a number is missing");
        m_draft.problem({i, last}, std::string(what), {});
    }
    [[nodiscard]] bool isTarget(std::size_t i) const
    {
        return m_draft.isAny(i, {Ttft, Tpot, Latency, Speed, Throughput, Concurrent});
    }

    // Whether a quantity has a role that this word leads to.
    [[nodiscard]] bool isAnswered(Meaning word) const
    {
        return std::any_of(m_settled.quantities.begin(), m_settled.quantities.end(),
                           [word](const Assigned& quantity) {
                               return quantity.role != nullptr
                                   && std::any_of(quantity.role->cues.begin(), quantity.role->cues.end(),
                                                  [word](const Cue& cue) {
                                                      return cue.how == Cue::How::Word && cue.weight > 0
                                                          && cue.words.front() == word;
                                                  });
                           });
    }

    // A Mac has one of several accelerators.
    void mac(std::size_t i)
    {
        m_draft.take(i);
        if (!m_draft.question.scenario.gpus.empty())
            return;
        std::string all;
        if (m_draft.vocabulary.gpusOfVendor)
            all = fmt::format("{}", fmt::join(m_draft.vocabulary.gpusOfVendor("apple"), ", "));
        m_draft.problem(i, tell("which one?"), all);
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
