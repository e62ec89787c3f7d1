#include "model/ask/rules.h"
#include "model/scenario/scenario_keys.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::ask {

namespace {

using A = const At&;

bool isWord(A at) { return at.item().is(at.test->word) && at.isNoted(); }
bool isKind(A at) { return at.item().kind == at.test->kind; }

bool begins(A at) { return at.item().text.starts_with(at.test->text); }
bool ends(A at) { return at.item().text.ends_with(at.test->text); }
bool isTyped(A at)
{
    return at.item().text == at.test->text
        || (at.item().is(Meaning::Comma) && at.draft.said(at.word) == at.test->text); // "、"
}

// One part of what stands behind the colon.
void take(Test& test, std::string_view what, std::string_view text)
{
    if (what.ends_with('?') && text.empty())
        return;
    if (what.starts_with("word"))
        test.word = Lexicon::shipped().demanded(text);
    else if (what == "stage")
        test.stage = text;
    else if (what == "text")
        test.text = text;
    else if (what == "lead")
        test.word = Lexicon::asides().demanded(text);
    else if (what == "dimension")
        test.dimension = demandedConstant<Dimension>(text, "nothing that a number counts");
    else if (what == "key" && findScenarioKey(cutAt(text, '=').first) == nullptr)
        throw std::logic_error("no such key of a scenario: '" + std::string(text) + "'");
    else if (what == "kind")
        (void)demandedConstant<QuestionKind>(text, "no such kind of question");
    else if (what.starts_with("role"))
        test.role = text == "rate" ? text : roleCalled(text).id;
}

Test testOf(std::string_view text, const Sets& sets)
{
    const auto cut = [&](char sign) {
        const bool there = text.starts_with(sign);
        text.remove_prefix(there ? 1 : 0);
        return there;
    };
    Test test{.negated = cut('!'), .before = cut('^')};
    const auto only
        = [&](const Sorts& sorts) { test.sorts = test.negated || sorts.all() ? test.sorts : sorts; };
    const auto onlyOf = [&](std::size_t sort) { only(Sorts().set(sort)); };
    if (const auto set = sets.find(text); set != sets.end()) {
        test.set = set->second;
        test.holds = [](A at) {
            const std::vector<Tests>& set = *at.test->set;
            return std::ranges::all_of(set, [&](const Tests& any) { return holds(at, any); });
        };
        for (const Tests& any : *test.set)
            only(sortsOf(any));
        return test;
    }
    if (text.starts_with('\'')) {
        text = text.substr(1, text.size() - 2);
        test.holds = cut('*') ? ends : text.ends_with('*') ? begins : isTyped;
        test.text = text.substr(0, text.size() - (test.holds == begins ? 1 : 0));
        if (test.holds == isTyped || (test.holds == begins && test.text.size() >= begun)) {
            onlyOf(beginningOf(test.text));
            test.sorts.set(sortOf({.kind = ItemKind::Word, .meaning = Meaning::Comma}).kind); // "、" is ","
        }
        return test;
    }
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::size_t sign = text.find_first_of(text.starts_with('$') ? ">" : ">=");
    const std::string_view called = sign != std::string_view::npos ? text.substr(sign, 1)
        : text.starts_with('$') && text.size() > 1                 ? "$key"
        : text.starts_with(':')                                    ? ":"
                                                                   : text.substr(0, colon);
    const std::string_view behind = text.substr(std::min(colon + 1, text.size()));
    const auto kind = constantCalled<ItemKind>(text);
    if (const Fact* const fact = factCalled(called)) {
        test.name = fact->name;
        test.holds = fact->holds;
        test.text = called == "$key" ? text.substr(1) : sign == std::string_view::npos ? behind : text;
        const bool several = fact->takes.find(':') != std::string_view::npos;
        const auto [first, second]
            = several ? cutAt(test.text, ':') : std::pair(test.text, std::string_view());
        take(test, cutAt(fact->takes, ':').first, first);
        take(test, cutAt(fact->takes, ':').second, second);
        if (test.name.starts_with('#'))
            onlyOf(sortOf({.kind = ItemKind::Number}).kind);
    } else if (kind && *kind != ItemKind::Number) {
        test.kind = *kind;
        test.holds = isKind;
        if (*kind != ItemKind::Word)
            onlyOf(sortOf({.kind = *kind}).kind);
    } else {
        test.holds = isWord;
        test.word = Lexicon::shipped().demanded(text.substr(0, colon));
        test.text = behind;
        onlyOf(sortOf({.kind = ItemKind::Word, .meaning = test.word}).kind);
    }
    return test;
}

} // namespace

Tests testsOf(std::string_view text, const Sets& sets)
{
    Tests any;
    for (const std::string_view part : partsOf(text, '|')) {
        if (const auto set = sets.find(part); set != sets.end() && set->second->size() == 1) {
            any.insert(any.end(), set->second->front().begin(), set->second->front().end());
            continue;
        }
        any.emplace_back();
        for (const std::string_view one : partsOf(part, '&'))
            any.back().push_back(testOf(one, sets));
    }
    return any;
}

std::vector<Tests> allTestsOf(std::string_view text, const Sets& sets)
{
    if (text.find('\'') != std::string_view::npos) // phrases, which may hold spaces
        return {testsOf(text, sets)};
    std::vector<Tests> all;
    for (const std::string_view part : partsOf(text, ' '))
        all.push_back(testsOf(part, sets));
    return all;
}

// Of each way the first of its tests that is of few.
Sorts sortsOf(const Tests& any)
{
    Sorts sorts;
    for (const std::vector<Test>& all : any) {
        const Test* const few = firstWith(all, false, [](const Test& one) { return one.sorts.all(); });
        sorts |= few == nullptr ? Sorts().set() : few->sorts;
    }
    return sorts;
}

bool holds(const At& at, const Tests& any)
{
    const auto isSo = [&](const Test& test) {
        at.test = &test;
        if (!test.before && test.role.empty())
            return test.holds(at) != test.negated;
        At here = at;
        here.tried = test.before ? at.before : at.tried;
        here.quantity = at.draft.find(test.role);
        const bool lacks = !test.role.empty() && here.quantity == nullptr;
        return (!lacks && test.holds(here)) != test.negated;
    };
    return std::ranges::any_of(any, [&](const auto& all) { return std::ranges::all_of(all, isSo); });
}

} // namespace headroom::ask
