#include "model/ask/rules.h"

namespace headroom::ask {

const Rules& shippedRules()
{
    static const Rules all = [] {
        Rules rules = rulesOf(rulesTable());
        for (const Role& role : shippedRoles())
            for (const Cue& cue : role.cues)
                if (cue.how == Cue::How::Around && !rules.contains(cue.stage))
                    refuseRow("roles", role.line, "no such stage: " + std::string(cue.stage));
        return rules;
    }();
    return all;
}

namespace {

bool fitsAt(const Rule& rule, const Draft& draft, Place place, std::size_t word, Match& match,
            const Span* span, const Span* before = nullptr)
{
    if (!fits(draft, word, rule.word) || !holdsAll(rule, draft, word, span, before))
        return false;
    match = {};
    if (rule.word.name != 0)
        match.named[rule.word.name] = word;
    return walk(draft, place.first, rule.before, false, match)
        && walk(draft, place.last, rule.behind, true, match);
}

Match firstOf(std::string_view stage, const Draft& draft, Place place, std::size_t word,
              const Span* span = nullptr)
{
    Match match;
    if (word >= draft.size())
        return match; // before the first word, or behind the last: nothing is said there
    for (const Rule& rule : shippedRules().at(stage))
        if (rule.isOf(draft.at(word)) && fitsAt(rule, draft, place, word, match, span)) {
            match.rule = rule.does() == "no" ? nullptr : &rule;
            return match.rule != nullptr ? match : Match{};
        }
    return {};
}

} // namespace

Match ruleAt(std::string_view stage, const Draft& draft, std::size_t word)
{
    return firstOf(stage, draft, word, word);
}

Match ruleAround(std::string_view stage, const Draft& draft, const Span& span, std::optional<Place> place)
{
    return firstOf(stage, draft, place.value_or(span), span.number, &span);
}

Match fitsBehind(const Rule& rule, const Draft& draft, const Span& before, const Span& span)
{
    Match match;
    match.rule = fitsAt(rule, draft, span, span.number, match, &span, &before) ? &rule : nullptr;
    return match;
}

bool says(std::string_view stage, const Draft& draft, Place place)
{
    return static_cast<bool>(firstOf(stage, draft, place, place.first));
}

bool saysIn(std::string_view stage, const Draft& draft, Place part)
{
    return draft.any(part, [&](std::size_t i) { return says(stage, draft, i); });
}

bool could(std::string_view stage, const Draft& draft) { return saysIn(stage, draft, {0, draft.size()}); }

bool applyRule(std::string_view stage, Draft& draft, std::size_t word)
{
    const Match match = ruleAt(stage, draft, word);
    return match && !obey(match, draft, word, word);
}

bool applyRules(std::string_view stage, Draft& draft)
{
    const std::vector<Rule>& rules = shippedRules().at(stage);
    if (rules.front().word.any.empty()) // without a word
        return std::ranges::any_of(rules, [&](const Rule& rule) {
            return holdsAll(rule, draft, none) && !obey({.rule = &rule}, draft, none, none);
        });
    bool stopped = false;
    for (std::size_t i = 0; i < draft.size() && !stopped; ++i)
        stopped = applyRule(stage, draft, i);
    return stopped;
}

} // namespace headroom::ask
