#include "model/ask/rules.h"

namespace headroom::ask {

const Rules& shippedRules()
{
    static const Rules all = [] {
        Rules rules = rulesOf(rulesTable(), Lexicon::shipped());
        for (const Role& role : shippedRoles())
            for (const Cue& cue : role.cues)
                if (cue.how == Cue::How::Around && !rules.contains(cue.texts.front()))
                    refuseRow("roles", role.line, "no such stage: " + std::string(cue.texts.front()));
        return rules;
    }();
    return all;
}

namespace {

bool fitsAt(const Rule& rule, const Draft& draft, const Settled& settled, Place place, std::size_t word,
            Matched& matched, const Span* span, const Span* before = nullptr)
{
    if (!fits(draft, word, rule.word) || !holdsAll(rule, draft, settled, word, span, before))
        return false;
    matched = {};
    if (rule.word.name != 0)
        matched.numbers[rule.word.name] = word;
    return walk(draft, place.first, rule.before, false, matched)
        && walk(draft, place.last, rule.behind, true, matched);
}

const Rule* firstOf(const std::vector<Rule>& stage, const Draft& draft, const Settled& settled, Place place,
                    std::size_t word, Matched& matched, const Span* span = nullptr)
{
    if (word >= draft.size())
        return nullptr; // before the first word, or behind the last: nothing is said there
    const Item& item = draft.at(word);
    const auto rule = std::find_if(stage.begin(), stage.end(), [&](const Rule& one) {
        return one.isOf(item) && fitsAt(one, draft, settled, place, word, matched, span);
    });
    const bool none = rule == stage.end() || (!rule->effects.empty() && rule->effects.front().what == "no");
    return none ? nullptr : &*rule;
}

} // namespace

const Rule* ruleAt(std::string_view stage, const Draft& draft, const Settled& settled, std::size_t word,
                   Matched& matched)
{
    return firstOf(shippedRules().at(stage), draft, settled, word, word, matched);
}

const Rule* ruleAround(std::string_view stage, const Draft& draft, const Span& span, Place place,
                       Matched& matched, const Settled& settled)
{
    return firstOf(shippedRules().at(stage), draft, settled, place, span.number, matched, &span);
}

bool fitsBehind(const Rule& rule, const Draft& draft, const Span& before, const Span& span, Matched& matched)
{
    static const Settled nothing;
    return fitsAt(rule, draft, nothing, span, span.number, matched, &span, &before);
}

bool says(std::string_view stage, const Draft& draft, Place place)
{
    Matched matched;
    return firstOf(shippedRules().at(stage), draft, {}, place, place.first, matched) != nullptr;
}

bool could(std::string_view stage, const Draft& draft, const Settled& settled)
{
    Matched matched;
    return draft.any({0, draft.size()},
                     [&](std::size_t i) { return ruleAt(stage, draft, settled, i, matched) != nullptr; });
}

namespace {

bool apply(const std::vector<Rule>& stage, Draft& draft, Settled& settled, std::size_t word)
{
    Matched matched;
    const Rule* const rule = firstOf(stage, draft, settled, word, word, matched);
    return rule != nullptr && !obey(*rule, draft, settled, word, word, matched);
}

// Of rules without a word all that hold, in their order.
bool applyWhole(const std::vector<Rule>& stage, Draft& draft, Settled& settled)
{
    return std::any_of(stage.begin(), stage.end(), [&](const Rule& rule) {
        return holdsAll(rule, draft, settled, none) && !obey(rule, draft, settled, none, none, {});
    });
}

} // namespace

bool applyRule(std::string_view stage, Draft& draft, Settled& settled, std::size_t word)
{
    return apply(shippedRules().at(stage), draft, settled, word);
}

bool applyRules(std::string_view stage, Draft& draft, Settled& settled)
{
    const std::vector<Rule>& rules = shippedRules().at(stage);
    if (rules.front().word.any.empty())
        return applyWhole(rules, draft, settled);
    bool stopped = false;
    for (std::size_t i = 0; i < draft.size() && !stopped; ++i)
        stopped = apply(rules, draft, settled, i);
    return stopped;
}

} // namespace headroom::ask
