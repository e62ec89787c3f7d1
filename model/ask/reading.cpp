#include "model/ask/reading.h"

#include "model/figure_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom::ask {

std::string countText(double value)
{
    constexpr int digits = 6;
    return std::abs(value) >= 1000 ? groupedDigits(value) : fewDigits(value, digits);
}

Reading::Reading(std::string_view text, std::vector<Item> items, const Lexicon& lexicon,
                 const Vocabulary& vocabulary, std::optional<Language> speak)
    : m_text(text),
      m_items(std::move(items)),
      m_used(m_items.size(), false),
      m_lexicon(lexicon),
      m_vocabulary(vocabulary)
{
    m_question.text = text;
    for (const Atom& atom : atomsOf(text))
        if (atom.kind == AtomKind::Han)
            m_question.language = Language::Chinese;
    m_question.language = speak.value_or(m_question.language);
}

std::string_view Reading::say(std::string_view english, std::string_view chinese) const
{
    return m_question.language == Language::Chinese ? chinese : english;
}

bool Reading::isAny(std::size_t i, std::initializer_list<Meaning> meanings) const
{
    return std::any_of(meanings.begin(), meanings.end(), [&](Meaning m) { return is(i, m); });
}

bool Reading::mentions(Meaning m) const
{
    return std::any_of(m_items.begin(), m_items.end(), [m](const Item& item) { return item.is(m); });
}

bool Reading::isNumber(std::size_t i) const
{
    return i < m_items.size() && !m_used[i] && m_items[i].kind == ItemKind::Number;
}

std::size_t Reading::next(std::size_t i) const
{
    for (std::size_t j = i + 1; j < m_items.size(); ++j)
        if (!m_used[j] && !m_items[j].is(Meaning::Filler))
            return j;
    return none;
}

std::size_t Reading::previous(std::size_t i) const
{
    for (std::size_t j = i; j-- > 0;)
        if (!m_used[j] && !m_items[j].is(Meaning::Filler))
            return j;
    return none;
}

std::size_t Reading::topicLeft(std::size_t i, std::initializer_list<Meaning> wanted) const
{
    for (std::size_t j = previous(i); j != none; j = previous(j)) {
        if (isAny(j, wanted))
            return j;
        if (!isAny(j,
                   {Meaning::Equals, Meaning::About, Meaning::AtMost, Meaning::AtLeast, Meaning::In,
                    Meaning::Mean, Meaning::Token, Meaning::Each, Meaning::Every}))
            return none;
    }
    return none;
}

std::size_t Reading::topicRight(std::size_t i, std::initializer_list<Meaning> wanted) const
{
    for (std::size_t j = next(i); j != none; j = next(j)) {
        if (isAny(j, wanted))
            return j;
        if (!isAny(j,
                   {Meaning::Token, Meaning::AtMost, Meaning::AtLeast, Meaning::About, Meaning::Mean,
                    Meaning::Each}))
            return none;
    }
    return none;
}

void Reading::take(const Quantity& quantity)
{
    for (const std::size_t part : quantity.parts)
        take(part);
}

std::optional<Reading::Quantity> Reading::quantityAt(std::size_t number) const
{
    if (!isNumber(number))
        return std::nullopt;
    Quantity quantity{.value = at(number).value, .first = number, .last = number + 1, .parts = {number}};
    readUnit(quantity, number);
    readPer(quantity);
    if (quantity.perTime == 0)
        readPerBefore(quantity, number);
    readBound(quantity, number);
    std::sort(quantity.parts.begin(), quantity.parts.end());
    quantity.first = quantity.parts.front();
    quantity.last = quantity.parts.back() + 1;
    return quantity;
}

void Reading::readUnit(Quantity& quantity, std::size_t number) const
{
    using enum Meaning;
    const auto units = {Time,    Token,  TokenRate, Request, RequestRate, User,  Concurrent, Card, Box,
                        Percent, Dollar, Cent,      Yuan,    OtherMoney,  Times, Words,      Bits};
    // "$8000 a month" has its unit in front.
    const std::size_t before = previous(number);
    std::size_t unit
        = isAny(before, {Dollar, Yuan, OtherMoney, Percent}) && before + 1 == number ? before : none;
    const std::size_t after = touching(number);
    // "10k a month": so much for each, but "half an hour" is a time.
    const bool article = after == number + 2 && is(after, Time) && at(number).text.substr(0, 4) != "half"
        && (at(number + 1).text == "a" || at(number + 1).text == "an");
    if (unit == none && !article && isAny(after, units) && !leadsAnother(number, after))
        unit = after;
    // "1 billion output tokens per day": counted over time they are no length.
    if (unit == none && is(after, Output) && at(after).text.ends_with("tokens")
        && isAny(next(after), {Per, PerTime})) {
        quantity.unit = Token;
        quantity.parts.push_back(after);
        return;
    }
    if (unit == none)
        return;
    quantity.unit = at(unit).meaning;
    quantity.value *= at(unit).value;
    quantity.parts.push_back(unit);
}

// The next item but filler, when it is unread: a unit stands right behind its number.
std::size_t Reading::touching(std::size_t i) const
{
    for (std::size_t j = i + 1; j < m_items.size(); ++j)
        if (!m_items[j].is(Meaning::Filler))
            return m_used[j] ? none : j;
    return none;
}

// "output=200 concurrency=32": the word behind a number may begin the next pair, when pairs are written that
// way.
bool Reading::leadsAnother(std::size_t number, std::size_t word) const
{
    using enum Meaning;
    if (!isAny(word, {User, Concurrent, RequestRate, TokenRate}))
        return false;
    const std::size_t after = touching(word);
    if (is(after, Equals))
        return true;
    const bool ownTopic
        = topicLeft(number, {Prompt, Output, Context, Concurrent, User, RequestRate, Batch}) != none;
    return isNumber(after) && ownTopic;
}

// "per hour", "/gpu/h", "an hour", "per token", "each", "per GPU-hour".
void Reading::readPer(Quantity& quantity) const
{
    using enum Meaning;
    std::size_t end = *std::max_element(quantity.parts.begin(), quantity.parts.end());
    for (;;) {
        std::size_t j = next(end);
        if (is(j, PerTime) && quantity.perTime == 0) {
            quantity.perTime = at(j).value;
            quantity.parts.push_back(j);
            end = j;
            continue;
        }
        // "15 元一张": written together, unlike "15 元, 1 张 H100"
        const bool money = quantity.unit == Dollar || quantity.unit == Yuan || quantity.unit == Cent;
        const std::size_t card = next(j);
        if (money && isNumber(j) && at(j).value == 1 && at(j).begin == at(end).end && is(card, Card)
            && at(card).begin == at(j).end) {
            quantity.perCard = true;
            quantity.parts.push_back(j);
            quantity.parts.push_back(card);
            end = card;
            continue;
        }
        const bool counts = quantity.unit == User || quantity.unit == Concurrent; // "10 users each sending …"
        if (is(j, Each) && !counts) {
            quantity.each = true;
        } else {
            const bool per = isAny(j, {Per, Every});
            const bool article = j == end + 2 && (at(end + 1).text == "a" || at(end + 1).text == "an");
            const bool compound = quantity.perCard && is(j, Time);                  // "per gpu-hour"
            const bool ofOne = isNumber(j) && at(j).value == 1 && is(next(j), Kwh); // "0.6 元一度"
            const std::size_t what = per || ofOne ? next(j) : j;
            if (!per && !article && !compound && !ofOne)
                return;
            // "one request every 30 seconds"
            const std::size_t interval = quantity.unit == Request && isNumber(what) ? touching(what) : none;
            if (is(interval, Time) && per && quantity.perTime == 0 && at(what).value > 0) {
                quantity.perTime = at(what).value * at(interval).value;
                quantity.parts.insert(quantity.parts.end(), {j, what, interval});
                end = interval;
                continue;
            }
            if (is(what, Time) && quantity.perTime == 0)
                quantity.perTime = at(what).value;
            else if (is(what, Card) && per)
                quantity.perCard = true;
            else if (is(what, Kwh) && (per || ofOne))
                quantity.perKwh = true;
            else if (is(what, Token) && per)
                perToken(quantity, at(what).value);
            else
                return;
            if (per || ofOne)
                quantity.parts.push_back(j);
            j = what;
        }
        quantity.parts.push_back(j);
        end = j;
    }
}

// "50 ms per token", "50 ms per word": a time of more than one token is less for each.
void Reading::perToken(Quantity& quantity, double tokens)
{
    quantity.perToken = true;
    quantity.value /= std::max(tokens, 1.0);
}

// "每秒 20 个 token", "每小时 20 美元", "每度 0.6".
void Reading::readPerBefore(Quantity& quantity, std::size_t number) const
{
    using enum Meaning;
    std::size_t unit = previous(*std::min_element(quantity.parts.begin(), quantity.parts.end()));
    const std::size_t budget = is(unit, Budget) ? unit : none; // "每月预算 3 万美元", "monthly budget $5000"
    if (budget != none)
        unit = previous(budget);
    if (budget != none && is(unit, PerTime)) {
        quantity.perTime = at(unit).value;
        quantity.parts.push_back(unit);
        quantity.parts.push_back(budget);
        return;
    }
    if (!isAny(unit, {Time, Kwh, Card}))
        return;
    std::size_t every = previous(unit);
    // "每 30 秒提问一次"
    double times = 1;
    if (quantity.unit == Request && is(unit, Time) && isNumber(every) && isAny(previous(every), {Every, Per})
        && at(every).value > 0) {
        times = at(every).value;
        quantity.parts.push_back(every);
        every = previous(every);
    }
    if (!isAny(every, {Every, Per}))
        return;
    (void)number;
    quantity.perTime = is(unit, Time) ? at(unit).value * times : 0;
    quantity.perKwh = is(unit, Kwh);
    quantity.perCard = quantity.perCard || is(unit, Card);
    quantity.parts.push_back(unit);
    quantity.parts.push_back(every);
    if (budget != none)
        quantity.parts.push_back(budget);
    // "每卡每小时 12 元"
    const std::size_t card = previous(every);
    if (quantity.perTime > 0 && is(card, Card) && isAny(previous(card), {Every, Per})) {
        quantity.perCard = true;
        quantity.parts.push_back(card);
        quantity.parts.push_back(previous(card));
    }
}

void Reading::readBound(Quantity& quantity, std::size_t number) const
{
    using enum Meaning;
    const std::size_t front
        = std::min(number, *std::min_element(quantity.parts.begin(), quantity.parts.end()));
    std::size_t before = previous(front);
    if (isAny(before, {About, Mean}) && isAny(previous(before), {AtMost, AtLeast}))
        before = previous(before);
    const std::size_t after = next(*std::max_element(quantity.parts.begin(), quantity.parts.end()));
    std::size_t bound = none;
    if (isAny(before, {AtMost, AtLeast}))
        bound = before;
    // "2 秒以内", "20 tps 以上", "20 tps or more": behind, but not when it begins the next number's bound.
    else if (isAny(after, {AtMost, AtLeast}) && !isNumber(next(after)) && !is(next(after), HowMany)
             && !(after + 1 < m_items.size() && m_items[after + 1].kind == ItemKind::Number))
        bound = after;
    if (bound == none)
        return;
    quantity.bound = at(bound).meaning;
    quantity.parts.push_back(bound);
}

std::string Reading::said(std::size_t first, std::size_t last) const
{
    return m_text.substr(at(first).begin, at(last).end - at(first).begin);
}

void Reading::note(std::size_t first, std::size_t last, std::string readAs, std::string why,
                   std::vector<std::string> others)
{
    m_question.interpretation.push_back({.said = said(first, last),
                                         .readAs = std::move(readAs),
                                         .why = std::move(why),
                                         .others = std::move(others),
                                         .position = at(first).begin});
}

void Reading::problem(std::size_t first, std::size_t last, std::string what, std::string hint)
{
    m_problems.push_back({fmt::format("'{}'", said(first, last)), std::move(what), std::move(hint)});
}

bool Reading::once(const std::string& field, const std::string& value, std::size_t first, std::size_t last)
{
    const auto [known, fresh] = m_said.try_emplace(field, value);
    if (fresh || known->second == value)
        return true;
    problem(first, last,
            fmt::format(fmt::runtime(say("{} was already read as {}; here it would be {}",
                                         "{} 前面读作 {}，这里又是 {}")),
                        field, known->second, value),
            std::string(say("ask one question at a time, or say it once", "一次只问一个，或只说一遍")));
    return false;
}

} // namespace headroom::ask
