#include "model/ask/rules.h"

namespace headroom::ask {

const Rules& shippedRules()
{
    static const Rules all = rulesOf(rulesTable(), Lexicon::shipped());
    return all;
}

namespace {

const Rule* firstOf(std::string_view stage, const Draft& draft, const Settled& settled, Place place,
                    std::size_t word, Matched& matched, const Span* span = nullptr)
{
    for (const Rule& rule : shippedRules().at(stage)) {
        if (!fits(draft, word, rule.word) || !holdsAll(rule, draft, settled, word, span))
            continue;
        matched = {};
        if (rule.word.name != 0)
            matched.numbers[rule.word.name] = word;
        if (walk(draft, place.first, rule.before, false, matched)
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

void applyWhole(std::string_view stage, Draft& draft, Settled& settled)
{
    for (const Rule& rule : shippedRules().at(stage))
        if (holdsAll(rule, draft, settled, none) && !obey(rule, draft, settled, none, none, {}))
            return;
}

bool applyRule(std::string_view stage, Draft& draft, Settled& settled, std::size_t word)
{
    Matched matched;
    const Rule* const rule = ruleAt(stage, draft, settled, word, matched);
    return rule != nullptr && !obey(*rule, draft, settled, word, word, matched);
}

bool applyRules(std::string_view stage, Draft& draft, Settled& settled)
{
    bool stopped = false;
    for (std::size_t i = 0; i < draft.size() && !stopped; ++i)
        stopped = applyRule(stage, draft, settled, i);
    return stopped;
}

} // namespace headroom::ask
