#include "model/ask/rules.h"

#include "model/ask/settle.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_values.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::ask {

namespace {

// "User|Request", "Total?", "Context*", "(Ttft)", "!#", "~n=#", "^Type", "@Model", "=Unknown&identifier"
Rule::Piece pieceOf(std::string_view text, const Sets& sets)
{
    const auto begins = [&](std::string_view signs) { // and cuts the sign that it begins with
        const bool one = !text.empty() && signs.find(text.front()) != std::string_view::npos;
        const char sign = one ? text.front() : '\0';
        text.remove_prefix(one ? 1 : 0);
        return sign;
    };
    Rule::Piece piece{.optional = text.ends_with('?'), .many = text.ends_with('*')};
    if (piece.optional || piece.many)
        text.remove_suffix(1);
    piece.negated = begins("!") != 0;
    piece.gap = begins("~^=@");
    if (text.size() > 2 && text[1] == '=') { // "n=#"
        piece.name = text.front();
        text.remove_prefix(2);
    }
    piece.context = begins("(") != 0;
    if (piece.context && !text.ends_with(')'))
        throw std::logic_error("a bracket is not closed: '" + std::string(text) + "'");
    if (piece.context)
        text.remove_suffix(1);
    if (text.empty())
        throw std::logic_error("a piece of a pattern is empty");
    piece.any = testsOf(text, sets);
    piece.sorts = sortsOf(piece.any);
    piece.ends = std::ranges::any_of(piece.any, [](const auto& all) { return all.front().name == "$"; });
    return piece;
}

std::vector<Rule::Piece> piecesOf(std::string_view text, const Sets& sets)
{
    std::vector<Rule::Piece> pieces;
    for (const std::string_view part : partsOf(text, ' '))
        pieces.push_back(pieceOf(part, sets));
    return pieces;
}

// Of a word that is of its sorts.
bool isSo(const Draft& draft, std::size_t i, const Rule::Piece& piece)
{
    return (piece.gap == '@' || !draft.isRead(i)) && holds({.draft = draft, .word = i}, piece.any);
}

bool fits(const Draft& draft, std::size_t i, const Rule::Piece& piece)
{
    return i == none ? piece.ends : draft.sortAt(i).isIn(piece.sorts) && isSo(draft, i, piece);
}

bool isNear(const Draft& draft, std::size_t one, std::size_t other, char gap)
{
    return (gap != '~' && gap != '^')
        || !draft.any({std::min(one, other) + 1, std::max(one, other)}, [&](std::size_t i) {
               return gap == '^' ? !draft.at(i).is(Meaning::Filler) : !says("near", draft, i);
           });
}

// The place that a piece is tried at, seen from the one before.
std::size_t nextOf(const Draft& draft, std::size_t from, const Rule::Piece& piece, bool forward)
{
    if (!piece.touches())
        return forward ? draft.next(from) : draft.previous(from);
    const std::size_t i = forward ? from + 1 : from - 1; // before the first lies `none`
    return i < draft.size() ? i : none;
}

// Walks from one word to one side; false where the pattern does not fit.
bool walk(const Draft& draft, std::size_t from, const std::vector<Rule::Piece>& pieces, bool forward,
          Match& match)
{
    for (const Rule::Piece& piece : pieces)
        for (bool more = true; more; more = more && piece.many) {
            const std::size_t i = nextOf(draft, from, piece, forward);
            more = fits(draft, i, piece) && isNear(draft, from, i, piece.gap);
            if (more && piece.many && forward && !piece.touches() && draft.isNumber(draft.next(i)))
                more = false; // it leads the number
            if (more ? piece.negated : !piece.optional && !piece.many && !piece.negated)
                return false;
            if (!more || piece.ends)
                break;
            match.seen.push_back(i);
            if (!piece.context)
                match.taken.push_back(i);
            if (piece.name != 0)
                match.named.emplace_back(piece.name, i);
            from = i;
        }
    return true;
}

bool holdsAll(const Rule& rule, const At& at)
{
    return rule.when.empty() || byRow("rules", rule.line, [&] {
               return std::ranges::all_of(rule.when, [&](const Tests& any) { return holds(at, any); });
           });
}

bool fitsAt(const Rule& rule, const At& at, Place place, Match& match)
{
    if (!isSo(at.draft, at.word, rule.word))
        return false;
    match.seen.clear();
    match.taken.clear();
    match.named.clear();
    if (rule.word.name != 0)
        match.named.emplace_back(rule.word.name, at.word);
    return walk(at.draft, place.first, rule.before, false, match)
        && walk(at.draft, place.last, rule.behind, true, match) && holdsAll(rule, at); // the dearest last
}

Match firstOf(const Stage& rules, At at, Place place)
{
    // Before the first word, or behind the last, nothing is said.
    if (at.word >= at.draft.size() || !at.draft.sortAt(at.word).isIn(rules.sorts))
        return {};
    const Sort sort = at.draft.sortAt(at.word);
    if (const Assigned* const number = at.tried == nullptr ? at.draft.ofNumber(at.word) : nullptr)
        at.tried = &number->span;
    Match match;
    for (const Rule& rule : rules)
        if (sort.isIn(rule.word.sorts) && fitsAt(rule, at, place, match)) {
            match.rule = &rule;
            return rule.does() == "no" ? Match{} : std::move(match);
        }
    return {};
}

double ofScenario(const Scenario& s, std::string_view key)
{
    return key == "prompt"     ? s.prompt.mean()
        : key == "output"      ? s.output.mean()
        : key == "concurrency" ? s.concurrency.value_or(0) // of a range the harder end
        : key == "rps"         ? s.requestsPerSecond.value_or(0)
                               : numberFromText(scenarioValue(s, key)).value_or(0);
}

// A number, one that the pattern or an earlier rule named, one of a quantity by its role ("users", "rps.rate"
// a second, "ttft.from" of a range, "price.dollars"), or one of the scenario ("$rps").
double termOf(std::string_view name, const At& at)
{
    if (name.empty())
        throw std::logic_error("a number is missing");
    if (name.front() == '-' || (name.front() >= '0' && name.front() <= '9'))
        return numberOf(name);
    if (at.match != nullptr && name.size() == 1 && at.match->at(name.front()) != none)
        return at.draft.at(at.match->at(name.front())).value;
    if (name == "value")
        return at.item().value;
    if (name == "note.from" || name == "note.to") { // "4096/512"
        const auto [from, to] = cutAt(at.item().note, '/');
        return numberOf(name == "note.from" ? from : to);
    }
    if (const auto known = at.draft.known.find(name); known != at.draft.known.end())
        return known->second;
    if (name.front() == '$')
        return ofScenario(at.draft.question.scenario, name.substr(1));
    const auto [role, of] = cutAt(name, '.');
    const Assigned* const quantity = role == "it" ? nullptr : at.draft.find(role);
    const Span* const span = role == "it" ? at.tried : quantity != nullptr ? &quantity->span : nullptr;
    if (span == nullptr)
        throw std::logic_error("no such number: " + std::string(name));
    const Item& number = at.draft.at(span->number);
    return of == "rate"                          ? span->perSecond()
        : of == "dollars" && quantity != nullptr ? dollarsOf(at.draft, *quantity)
        : of == "tokens"                         ? span->value * tokensOf(number) / number.value
        : of == "period" && span->unit == Meaning::RequestRate && span->perTime == 0 ? 1 / span->unitValue
        : of == "period"                                                             ? span->perTime
        : of == "number"                                                             ? number.value
        : of == "box"                                                                ? span->boxSize
        : of == "usual" ? at.draft.vocabulary.gpusPerBox(gpuOf(at.draft, *span))
        : of == "from"  ? span->from.value_or(span->value)
                        : span->value;
}

} // namespace

Rules rulesOf(std::string_view table)
{
    Rules rules;
    Sets sets;
    eachRow("rules", table, [&](const TsvRow& row) {
        if (row[0].starts_with('%')) {
            if (!sets.emplace(row[0], std::make_shared<std::vector<Tests>>(allTestsOf(row[1], sets))).second)
                throw std::logic_error("a set twice: " + std::string(row[0]));
            return;
        }
        const std::string_view word = row[3];
        Rule rule{.line = row.line,
                  .when = allTestsOf(row[1], sets),
                  .before = piecesOf(row[2], sets),
                  .word = word.empty() ? Rule::Piece{} : pieceOf(word, sets),
                  .behind = piecesOf(row[4], sets),
                  .effects = settingsOf(row[5])};
        std::reverse(rule.before.begin(), rule.before.end());
        Stage& stage = rules[row[0]];
        stage.sorts |= rule.word.sorts;
        stage.push_back(std::move(rule));
    });
    return rules;
}

const Rules& shippedRules()
{
    static const Rules rules = rulesOf(tableCalled("rules"));
    return rules;
}

Match ruleAt(std::string_view stage, const Draft& draft, Place place)
{
    return firstOf(shippedRules().at(stage), {.draft = draft, .word = place.first}, place);
}

Match ruleAround(std::string_view stage, const Draft& draft, const Span& span, std::optional<Place> place)
{
    return firstOf(shippedRules().at(stage), {.draft = draft, .word = span.number, .tried = &span},
                   place.value_or(span));
}

Match fitsBehind(const Rule& rule, const Draft& draft, const Span& before, const Span& span)
{
    Match match;
    const At at{.draft = draft, .word = span.number, .tried = &span, .before = &before};
    match.rule = fitsAt(rule, at, span, match) ? &rule : nullptr;
    return match;
}

bool saysIn(std::string_view stage, const Draft& draft, Place part)
{
    const Stage& rules = shippedRules().at(stage);
    return draft.any(part, [&](std::size_t i) {
        return static_cast<bool>(firstOf(rules, {.draft = draft, .word = i}, i));
    });
}

bool could(std::string_view stage, const Draft& draft) { return saysIn(stage, draft, {0, draft.size()}); }

bool applyRules(std::string_view stage, Draft& draft)
{
    const Stage& rules = shippedRules().at(stage);
    if (rules.front().word.any.empty()) // without a word
        return std::ranges::any_of(rules, [&](const Rule& rule) {
            return holdsAll(rule, {.draft = draft}) && !obey({.rule = &rule}, draft, none, none);
        });
    for (std::size_t i = 0; i < draft.size(); ++i)
        if (const Match match = firstOf(rules, {.draft = draft, .word = i}, i);
            match && !obey(match, draft, i, i))
            return true;
    return false;
}

void applyAround(const std::vector<std::string_view>& stages, Draft& draft, bool number)
{
    for (std::size_t q = 0; q < draft.quantities.size(); ++q)
        for (const std::string_view stage : stages) {
            const Span span = draft.quantities[q].span;
            const Match match
                = ruleAround(stage, draft, span, Place(number ? span.number : span.first, span.last));
            if (match && !match.rule->word.context)
                draft.takeAll(span.parts);
            if (match)
                (void)obey(match, draft, span.number, span);
        }
}

double reckoned(std::string_view expression, const At& at)
{
    if (expression.starts_with("ceil:")) {
        constexpr double rounding = 1e-9;
        return std::ceil(reckoned(expression.substr(5), at) - rounding);
    }
    if (expression.starts_with("round:"))
        return std::max(1.0, std::round(reckoned(expression.substr(6), at)));
    double value = 1;
    for (char sign = '*'; !expression.empty();) {
        const std::size_t end = std::min(expression.find_first_of("*/+"), expression.size());
        const double term = termOf(expression.substr(0, end), at);
        value = sign == '*' ? value * term : sign == '/' ? value / term : value + term;
        sign = end < expression.size() ? expression[end] : sign;
        expression.remove_prefix(std::min(end + 1, expression.size()));
    }
    return value;
}

} // namespace headroom::ask
