#include "model/ask/rules.h"

#include "model/ask/tables.h"
#include "model/base/figure_text.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/service_load.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::ask {

namespace {

// A word that asks, and leads no number.
bool asks(const Draft& draft)
{
    for (std::size_t i = 0; i < draft.size(); ++i)
        if (draft.isAny(
                i, {Meaning::AtMost, Meaning::HowMany, Meaning::HowFast, Meaning::Which, Meaning::WhatGives})
            && !draft.isNumber(draft.next(i)))
            return true;
    return false;
}

// Whether a quantity has a role that this word leads to.
bool isAnswered(const Settled& settled, Meaning word)
{
    return std::any_of(
        settled.quantities.begin(), settled.quantities.end(), [word](const Assigned& quantity) {
            return quantity.role != nullptr
                && std::any_of(
                       quantity.role->cues.begin(), quantity.role->cues.end(), [word](const Cue& cue) {
                           return cue.how == Cue::How::Word && cue.weight > 0 && cue.words.front() == word;
                       });
        });
}

struct Measure {
    std::string_view name;
    Asked asked;
    Meaning word; // that asks for it; `Filler`: none does alone
};
constexpr std::array measures{Measure{"first-token", Asked::FirstToken, Meaning::Ttft},
                              Measure{"between-tokens", Asked::BetweenTokens, Meaning::Tpot},
                              Measure{"request", Asked::Request, Meaning::Latency},
                              Measure{"throughput", Asked::Throughput, Meaning::Throughput},
                              Measure{"power", Asked::Power, Meaning::Filler},
                              Measure{"memory", Asked::Memory, Meaning::Filler},
                              Measure{"kv-of-token", Asked::KvOfToken, Meaning::Filler},
                              Measure{"kv-of-context", Asked::KvOfContext, Meaning::Filler},
                              Measure{"longest-context", Asked::LongestContext, Meaning::Filler}};

// "We compared 3 vendors": no name stands in the sentence.
bool namesNothing(const Draft& draft, std::size_t word)
{
    const auto [first, end] = draft.sentenceOf(word);
    for (std::size_t j = first; j < end; ++j)
        if (const ItemKind kind = draft.at(j).kind;
            kind != ItemKind::Word && kind != ItemKind::Number && kind != ItemKind::Unknown)
            return false;
    return true;
}

// What a condition is asked of.
struct Known {
    const Draft& draft;
    const Settled& settled;
    std::size_t word;
    const Scenario& s;
    const Span* span; // that it is tried around
    [[nodiscard]] bool is(QuestionKind kind) const { return draft.question.kind == kind; }
};

struct Fact {
    std::string_view name;
    bool (*holds)(const Known& k);
};
constexpr std::array facts{
    Fact{"kind", [](const Known& k) { return k.settled.kindSaid; }},
    Fact{"asks", [](const Known& k) { return asks(k.draft); }},
    Fact{"answered", [](const Known& k) { return isAnswered(k.settled, k.draft.at(k.word).meaning); }},
    Fact{"leads-read",
         [](const Known& k) { return k.draft.isRead(k.word + 1) && k.draft.at(k.word + 1).isNumber(); }},
    Fact{"size", [](const Known& k) { return k.is(QuestionKind::Size); }},
    Fact{"predict", [](const Known& k) { return k.is(QuestionKind::Predict); }},
    Fact{"fit", [](const Known& k) { return k.is(QuestionKind::Fit); }},
    Fact{"capacity", [](const Known& k) { return k.is(QuestionKind::Capacity); }},
    Fact{"memory", [](const Known& k) { return k.is(QuestionKind::Memory); }},
    Fact{"objective", [](const Known& k) { return k.settled.objectiveSaid; }},
    Fact{"several", [](const Known& k) { return k.settled.severalSaid; }},
    Fact{"one", [](const Known& k) { return k.settled.oneSaid; }},
    Fact{"rates", [](const Known& k) { return k.settled.ratesAsked; }},
    Fact{"even-day", [](const Known& k) { return k.settled.evenDay; }},
    Fact{"context", [](const Known& k) { return k.settled.contextSaid; }},
    Fact{"refused", [](const Known& k) { return !k.draft.problems.empty(); }},
    Fact{"gpus", [](const Known& k) { return !k.s.gpus.empty(); }},
    Fact{"choice", [](const Known& k) { return k.s.gpus.size() > 1; }},
    Fact{"counted", [](const Known& k) { return k.s.gpuCount.has_value(); }},
    Fact{"counts", [](const Known& k) { return k.s.gpuCount || !k.s.gpuCounts.empty(); }},
    Fact{"load", [](const Known& k) { return k.s.concurrency || k.s.requestsPerSecond; }},
    Fact{"rate", [](const Known& k) { return k.s.requestsPerSecond.has_value(); }},
    Fact{"batch", [](const Known& k) { return k.s.batch.has_value(); }},
    Fact{"full", [](const Known& k) { return fullyLoaded(k.s); }},
    Fact{"peak", [](const Known& k) { return k.s.peakFactor > 1; }},
    Fact{"job", [](const Known& k) { return k.s.jobTokens || k.s.jobRequests; }},
    Fact{"deadline", [](const Known& k) { return k.s.deadline.has_value(); }},
    Fact{"model", [](const Known& k) { return !k.s.model.empty(); }},
    Fact{"unnamed", [](const Known& k) { return namesNothing(k.draft, k.word); }},
    Fact{"weights", [](const Known& k) { return k.s.weights.has_value(); }},
    Fact{"targets", [](const Known& k) { return k.s.targets.any(); }},
    Fact{"capped",
         [](const Known& k) { // what it may cost or take
             return k.s.money.budgetPerHour || k.s.money.purchaseBudget || k.s.powerCap || k.s.mostGpus
                 || k.s.mostBoxes;
         }},
    Fact{"bare", [](const Known& k) { return k.span->unit == Meaning::Filler; }},
    Fact{"rated", [](const Known& k) { return k.span->perTime > 0 || !k.span->per.empty(); }},
    Fact{"as-many",
         [](const Known& k) {
             const Assigned* const gpus = k.settled.find("gpus");
             return gpus != nullptr && gpus->span.value == k.span->value;
         }},
    Fact{"drafting", [](const Known& k) { return k.draft.vocabulary.draftingStated; }},
};

// What is known of the question when a rule is tried at a word.
bool holds(std::string_view condition, const Known& known)
{
    const auto [draft, settled, word, s, span] = known;
    if (condition.find('|') != std::string_view::npos) {
        const std::vector<std::string_view> any = partsOf(condition, '|');
        return std::any_of(any.begin(), any.end(), [&](std::string_view one) { return holds(one, known); });
    }
    if (condition.starts_with('!'))
        return !holds(condition.substr(1), known);
    const std::size_t colon = std::min(condition.find(':'), condition.size() - 1);
    const std::string_view what = condition.substr(0, colon);
    const std::string_view which = condition.substr(colon + 1);
    if (what == "has")
        return draft.mentions(Lexicon::shipped().meaningOf(which));
    if (what == "unit")
        return span != nullptr && nameOf(span->unit) == which;
    if (what == "number")
        return settled.find(which) != nullptr;
    if (what == "said")
        return draft.wasSaid(draft.say("the " + std::string(which)));
    if (what == "asked")
        return std::any_of(measures.begin(), measures.end(), [&](const Measure& one) {
            return one.name == which && one.asked == draft.question.asked;
        });
    if (what == "could") {
        Matched matched;
        for (std::size_t i = 0; i < draft.size(); ++i)
            if (ruleAt(which, draft, settled, i, matched) != nullptr)
                return true;
        return false;
    }
    const auto* const fact
        = std::find_if(facts.begin(), facts.end(), [&](const Fact& one) { return one.name == condition; });
    if (fact == facts.end())
        throw std::logic_error("no such condition: " + std::string(condition));
    return fact->holds(known);
}

bool holdsAll(const Rule& rule, const Draft& draft, const Settled& settled, std::size_t word,
              const Span* span = nullptr)
{
    const Known known{draft, settled, word, draft.question.scenario, span};
    return std::all_of(rule.when.begin(), rule.when.end(),
                       [&](std::string_view one) { return holds(one, known); });
}

class Doing {
public:
    Doing(Draft& draft, Settled& settled, std::size_t word, const Matched& matched)
        : m_draft(draft), m_settled(settled), m_word(word), m_place(word), m_matched(matched)
    {
        for (const std::size_t i : matched.taken)
            m_place = {std::min(m_place.first, i), std::max(m_place.last, i)};
    }

    // Whether the stage goes on behind it.
    bool all(const Rule& rule)
    {
        if (!rule.word.context)
            m_draft.take(m_word);
        m_draft.takeAll(m_matched.taken);
        for (const Rule::Effect& effect : rule.effects)
            if (effect.what == "stop")
                return false;
            else if (!one(effect))
                return true;
        return true;
    }

private:
    // False where the rest is not to be done.
    bool one(const Rule::Effect& effect)
    {
        const std::string value = effect.values.empty() ? std::string() : filled(effect.values.front());
        const std::string_view sentence = effect.values.empty() ? std::string_view{} : effect.values.front();
        const auto says = [&](std::string_view one) {
            return std::find(effect.values.begin(), effect.values.end(), one) != effect.values.end();
        };
        if (effect.what == "kind" || effect.what == "rather") {
            setKind(value, effect.what == "rather");
        } else if (effect.what == "asked") {
            ask(value);
        } else if (effect.what == "rates") {
            m_settled.ratesAsked = true;
        } else if (effect.what == "type" || effect.what == "allow") {
            (effect.what == "type" ? setType : allowTypes)(m_draft, m_settled, m_word, m_place,
                                                           says("weights"), says("kv"));
        } else if (effect.what == "also") { // all such words of the sentence that lead no number
            for (std::size_t i = 0; i < m_draft.size(); ++i)
                if (fits(m_draft, i, effect.words) && !m_draft.isNumber(m_draft.next(i)))
                    m_draft.take(i);
        } else if (effect.what == "once") {
            return m_draft.once(m_draft.say(sentence), filled(effect.values.at(1)), m_place);
        } else if (effect.what == "note") {
            m_draft.note(m_place, told(effect), effect.values.size() > 2 ? filled(effect.values[2]) : "");
        } else if (effect.what == "unused") {
            m_draft.unused(m_place, told(effect));
        } else if (effect.what == "assume") {
            m_draft.assume(told(effect));
        } else if (effect.what == "usual-engine") {
            chooseEngine(m_draft);
        } else if (effect.what == "absent") {
            tellAbsent(m_draft, m_place.first, m_place.last);
        } else if (effect.what == "lacks") { // of nothing that stands there
            m_draft.problems.push_back(
                {m_draft.tell("the question"), std::string(m_draft.say(sentence)), filled(effect.values[1])});
        } else if (effect.what == "problem") {
            m_draft.problem(m_place, std::string(m_draft.say(sentence)),
                            effect.values.size() > 1 ? filled(effect.values[1]) : std::string());
        } else if (const ScenarioKey* const key = findScenarioKey(effect.what)) {
            (void)key->set(m_draft.question.scenario, value);
        } else {
            throw std::logic_error("no such effect: " + std::string(effect.what));
        }
        return true;
    }

    // "$note", "$value", "$percent": of the word's row.
    [[nodiscard]] std::string filled(std::string_view text) const
    {
        if (text.starts_with("$gpus:")) {
            const auto& all = m_draft.vocabulary.gpusOfVendor;
            return all ? fmt::format("{}", fmt::join(all(text.substr(6)), ", ")) : std::string();
        }
        if (text.starts_with('$') && text.size() > 1 && m_matched.numbers.contains(text[1])) { // "$a/$b"
            std::string numbers;
            for (const char c : text)
                if (const auto number = m_matched.numbers.find(c); number != m_matched.numbers.end())
                    numbers += fmt::format("{:.12g}", m_draft.at(number->second).value);
                else if (c != '$')
                    numbers += c;
            return numbers;
        }
        if (text == "$gpu")
            return m_draft.gpuName(m_draft.question.scenario.gpus.front());
        if (text.starts_with('$') && findScenarioKey(text.substr(1)) != nullptr)
            return valueOf(text.substr(1));
        if (m_word == none || text.empty())
            return std::string(m_draft.say(text));
        if (text == "$nearest")
            return hintFor(m_draft, m_draft.at(m_word).text);
        const Item& item = m_draft.at(m_word);
        return text == "$note"   ? std::string(m_draft.noteOf(item))
            : text == "$others"  ? fmt::format("{}, {}", item.match.id, fmt::join(item.match.others, ", "))
            : text == "$value"   ? fmt::format("{:.12g}", item.value)
            : text == "$percent" ? countText(item.value * 100)
                                 : std::string(m_draft.say(text));
    }

    // Of a key of the scenario, as numbers are told.
    [[nodiscard]] std::string valueOf(std::string_view key) const
    {
        const std::string text = scenarioValue(m_draft.question.scenario, key);
        const Result<double> number = numberFromText(text);
        constexpr int digits = 3; // of a rate that was worked out
        return !number ? text : key == "rps" ? fewDigits(*number, digits) : countText(*number);
    }

    [[nodiscard]] std::string told(const Rule::Effect& effect) const
    {
        const double value = m_word == none ? 0 : m_draft.at(m_word).value;
        return effect.values.size() > 1
            ? m_draft.tell(oneOrMany(m_draft.say(effect.values.front()), value), filled(effect.values[1]))
            : filled(effect.values.front());
    }

    // `rather`: where nothing else is asked but whether it fits.
    void setKind(std::string_view value, bool rather)
    {
        if (rather && m_settled.kindSaid && m_draft.question.kind != QuestionKind::Fit)
            return;
        constexpr std::array<std::pair<std::string_view, QuestionKind>, 5> kinds{
            {{"size", QuestionKind::Size},
             {"predict", QuestionKind::Predict},
             {"fit", QuestionKind::Fit},
             {"capacity", QuestionKind::Capacity},
             {"memory", QuestionKind::Memory}}};
        for (const auto& [name, kind] : kinds)
            if (name == value)
                m_draft.question.kind = kind;
        m_settled.kindSaid = true;
    }

    // Of the measures of a machine the one that was asked for first: that of the name, or of the words that
    // fitted.
    void ask(std::string_view name)
    {
        std::vector<std::size_t> words = m_matched.seen;
        words.push_back(m_word);
        for (const Measure& measure : measures)
            for (const std::size_t i : words) {
                const bool said = measure.word != Meaning::Filler && m_draft.at(i).is(measure.word);
                if (m_draft.question.asked == Asked::Speed
                    && (name.empty() ? said || m_draft.at(i).note == measure.name : name == measure.name))
                    m_draft.question.asked = measure.asked;
            }
    }

    Draft& m_draft;
    Settled& m_settled;
    std::size_t m_word;
    Place m_place;
    const Matched& m_matched;
};

const Rules& shippedRules()
{
    static const Rules all = rulesOf(rulesTable(), Lexicon::shipped());
    return all;
}

} // namespace

namespace {

const Rule* firstOf(std::string_view stage, const Draft& draft, const Settled& settled, Place place,
                    std::size_t word, Matched& matched, const Span* span = nullptr)
{
    for (const Rule& rule : shippedRules().at(stage)) {
        matched = {};
        if (rule.word.name != 0)
            matched.numbers[rule.word.name] = word;
        if (fits(draft, word, rule.word) && holdsAll(rule, draft, settled, word, span)
            && walk(draft, place.first, rule.before, false, matched)
            && walk(draft, place.last, rule.behind, true, matched))
            return !rule.effects.empty() && rule.effects.front().what == "no" ? nullptr : &rule;
    }
    return nullptr;
}

} // namespace

const Rule* ruleAt(std::string_view stage, const Draft& draft, const Settled& settled, std::size_t word,
                   Matched& matched)
{
    return firstOf(stage, draft, settled, word, word, matched);
}

const Rule* ruleAround(std::string_view stage, const Draft& draft, const Span& span, Place place,
                       Matched& matched, const Settled& settled)
{
    return firstOf(stage, draft, settled, place, span.number, matched, &span);
}

bool says(std::string_view stage, const Draft& draft, Place place)
{
    Matched matched;
    return firstOf(stage, draft, {}, place, place.first, matched) != nullptr;
}

void obey(const Rule& rule, Draft& draft, Settled& settled, std::size_t word, const Matched& matched)
{
    (void)Doing(draft, settled, word, matched).all(rule);
}

void applyWhole(std::string_view stage, Draft& draft, Settled& settled)
{
    for (const Rule& rule : shippedRules().at(stage))
        if (holdsAll(rule, draft, settled, none) && !Doing(draft, settled, none, {}).all(rule))
            return;
}

bool applyRule(std::string_view stage, Draft& draft, Settled& settled, std::size_t word)
{
    Matched matched;
    const Rule* const rule = ruleAt(stage, draft, settled, word, matched);
    if (rule != nullptr)
        (void)Doing(draft, settled, word, matched).all(*rule);
    return rule != nullptr;
}

bool applyRules(std::string_view stage, Draft& draft, Settled& settled)
{
    Matched matched;
    for (std::size_t i = 0; i < draft.size(); ++i)
        if (const Rule* const rule = ruleAt(stage, draft, settled, i, matched))
            if (!Doing(draft, settled, i, matched).all(*rule))
                return true;
    return false;
}

} // namespace headroom::ask
