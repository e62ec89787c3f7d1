#include "model/ask/rules.h"
#include "model/base/figure_text.h"
#include "model/base/quantity_text.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::ask {

namespace {

class Doing;

struct Act {
    std::string_view name;
    std::size_t values; // that it needs
    void (*act)(Doing& doing, const Rule::Effect& effect);
};

// What a rule does, one after the other.
class Doing {
public:
    Doing(Draft& draft, Settled& settled, std::size_t word, Place place, const Matched& matched)
        : m_draft(draft), m_settled(settled), m_word(word), m_place(place), m_matched(matched)
    {
        if (m_word != none)
            m_settled.known["value"] = m_draft.at(m_word).value;
        for (const std::size_t i : matched.taken)
            m_place = {std::min(m_place.first, i), std::max(m_place.last, i)};
    }

    // What has no place of its own, and no word.
    [[nodiscard]] Place place() const
    {
        if (m_place.first == none)
            throw std::logic_error("tells of a place that no row has said");
        return m_place;
    }
    [[nodiscard]] std::size_t word() const
    {
        if (m_word == none)
            throw std::logic_error("is done to a word, where there is none");
        return m_word;
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
            else if (one(effect); m_done)
                return true;
        return true;
    }

    static const std::array<Act, 39> effects;

private:
    void one(const Rule::Effect& effect)
    {
        const Act* const known = rowCalled(effects, effect.what);
        const ScenarioKey* const key = known == nullptr ? findScenarioKey(effect.what) : nullptr;
        if (known != nullptr)
            known->act(*this, effect);
        else if (key != nullptr)
            (void)key->set(m_draft.question.scenario,
                           effect.values.size() > 1 ? told(effect) : exactly(effect.values.at(0)));
        else
            throw std::logic_error("no such effect: " + std::string(effect.what));
    }

    [[nodiscard]] static bool names(const Rule::Effect& effect, std::string_view one)
    {
        return std::find(effect.values.begin(), effect.values.end(), one) != effect.values.end();
    }
    // What an effect says behind its first value, filled in.
    [[nodiscard]] std::string second(const Rule::Effect& effect) const
    {
        return effect.values.size() > 1 ? filled(effect.values[1]) : std::string();
    }

    // "(users*share)", "(rate~3)" in few digits
    [[nodiscard]] double reckon(std::string_view text) const
    {
        const std::size_t end = std::min(text.find('~'), text.size() - 1);
        return reckoned(text.substr(1, end - 1), m_draft, m_settled);
    }
    // "(users*share)" in all its digits.
    [[nodiscard]] std::string exactly(std::string_view text) const
    {
        return text.starts_with('(') ? fmt::format("{:.17g}", reckon(text)) : filled(text);
    }

    // "$note", "$value", "$percent": of the word's row.
    [[nodiscard]] std::string filled(std::string_view text) const
    {
        if (text.starts_with('(') && text.ends_with("~3)")) { // in few digits
            constexpr int digits = 3;
            return fewDigits(reckon(text), digits);
        }
        if (text.starts_with('(') && text.ends_with(')'))
            return countText(reckon(text));
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
        if (text == "$typed")
            return m_draft.said(place().first, place().last);
        if (text == "$gpu")
            return m_draft.gpuName(m_draft.question.scenario.gpus.at(0));
        if (text.starts_with('$') && findScenarioKey(text.substr(1)) != nullptr)
            return valueOf(text.substr(1));
        if (m_word == none || text.empty())
            return std::string(m_draft.say(text));
        if (text == "$nearest")
            return hintFor(m_draft, m_draft.at(m_word).text);
        const Item& item = m_draft.at(m_word);
        return text == "$note"   ? std::string(m_draft.noteOf(item.note))
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
        return number ? countText(*number) : text;
    }

    // A sentence with what stands behind it put in, of one or of several by the first of them.
    [[nodiscard]] std::string told(const auto& sentence, const std::vector<std::string_view>& values,
                                   std::size_t first) const
    {
        std::array<std::string, 4> put;
        for (std::size_t i = first; i < values.size(); ++i)
            put.at(i - first) = filled(values[i]);
        const bool counted = values.size() > first && values[first].starts_with('(');
        const double value = counted       ? reckon(values[first])
            : m_word == none || first == 0 ? 0
                                           : m_draft.at(m_word).value;
        return m_draft.tell(oneOrMany(m_draft.say(sentence), value), put[0], put[1], put[2], put[3]);
    }
    [[nodiscard]] std::string told(const Rule::Effect& effect) const
    {
        return effect.values.size() > 1 ? told(effect.values.at(0), effect.values, 1)
                                        : filled(effect.values.at(0));
    }

    [[nodiscard]] Assigned& quantity(std::string_view role) const
    {
        Assigned* const found = m_settled.find(role);
        if (found == nullptr)
            throw std::logic_error("no number is the role " + std::string(role));
        return *found;
    }

    void placeAt(std::string_view role)
    {
        const auto known = m_settled.places.find(role);
        m_place = known != m_settled.places.end() ? known->second : Place(quantity(role).span);
    }

    // `rather`: where nothing else is asked but whether it fits.
    void setKind(std::string_view value, bool rather)
    {
        if (rather && m_settled.known.contains("kind") && m_draft.question.kind != QuestionKind::Fit)
            return;
        const std::optional<QuestionKind> kind = kindCalled(value);
        if (!kind)
            throw std::logic_error("no such kind of question: " + std::string(value));
        m_draft.question.kind = *kind;
        m_settled.known["kind"] = 1;
    }

    // Of the measures of a machine the one that was asked for first: that of the name, or of the words that
    // fitted.
    void ask(std::string_view name)
    {
        std::vector<std::size_t> words = m_matched.seen;
        words.push_back(m_word);
        std::optional<Asked> asked = measureCalled(name);
        for (const std::size_t i : words)
            if (const auto one = name.empty() ? measureOf(m_draft.at(i)) : std::nullopt)
                asked = std::min(*one, asked.value_or(*one));
        if (m_draft.question.asked == Asked::Speed)
            m_draft.question.asked = asked.value_or(Asked::Speed);
    }

    Draft& m_draft;
    Settled& m_settled;
    std::size_t m_word;
    Place m_place;
    const Matched& m_matched;
    bool m_done = false; // the rest is not to be done
};

const std::array<Act, 39> Doing::effects{{
    {"kind", 1, [](auto& d, auto& e) { d.setKind(e.values.at(0), false); }},
    {"rather", 1, [](auto& d, auto& e) { d.setKind(e.values.at(0), true); }},
    {"asked", 0, [](auto& d, auto& e) { d.ask(e.values.empty() ? std::string_view{} : e.values.at(0)); }},
    {"type", 0,
     [](auto& d, auto& e) {
         setType(d.m_draft, d.m_settled, d.word(), d.place(), names(e, "weights"), names(e, "kv"));
     }},
    {"allow", 0,
     [](auto& d, auto& e) {
         allowTypes(d.m_draft, d.m_settled, d.word(), d.place(), names(e, "weights"), names(e, "kv"));
     }},
    {"also", 1, // all such words of the sentence that lead no number
     [](auto& d, auto& e) {
         for (std::size_t i = 0; i < d.m_draft.size(); ++i)
             if (fits(d.m_draft, i, e.words) && !d.m_draft.isNumber(d.m_draft.next(i)))
                 d.m_draft.take(i);
     }},
    {"once", 2,
     [](auto& d, auto& e) {
         d.m_done = !d.m_draft.once(d.m_draft.say(e.values.at(0)), d.second(e), d.place());
     }},
    {"said", 2, [](auto& d, auto& e) { d.m_draft.setSaid(d.m_draft.say(e.values.at(0)), d.second(e)); }},
    {"note", 1,
     [](auto& d, auto& e) {
         d.m_draft.note(d.place(), d.told(e), std::exchange(d.m_settled.why, {}),
                        std::exchange(d.m_settled.others, {}));
     }},
    {"read", 1, // as the row of a role says
     [](auto& d, auto& e) {
         d.m_draft.note(d.place(), d.told(roleCalled(e.values.at(0)).read, e.values, 1),
                        std::exchange(d.m_settled.why, {}), std::exchange(d.m_settled.others, {}));
     }},
    {"why", 1, [](auto& d, auto& e) { d.m_settled.why = d.told(e); }},
    {"or", 1, [](auto& d, auto& e) { d.m_settled.others.push_back(d.told(e)); }},
    {"set", 1, // the key of a role
     [](auto& d, auto& e) { d.m_place = setKey(d.m_draft, d.m_settled, d.quantity(e.values.at(0))); }},
    {"idle", 1, [](auto& d, auto& e) { tellUnused(d.m_draft, d.quantity(e.values.at(0))); }},
    {"as", 2, // another role
     [](auto& d, auto& e) { d.quantity(e.values.at(0)).role = &roleCalled(e.values.at(1)); }},
    {"both", 2, // and another role, that of the word in front of the one that leads it
     [](auto& d, auto& e) {
         Assigned other = d.quantity(e.values.at(0));
         other.role = &roleCalled(e.values.at(1));
         other.cue = d.m_draft.beside(other.cue).first;
         d.m_settled.quantities.push_back(std::move(other));
     }},
    {"times", 2, // so many of them
     [](auto& d, auto& e) {
         Span& span = d.quantity(e.values.at(0)).span;
         span.value *= d.quantity(e.values.at(1)).span.value;
         if (span.from)
             *span.from *= d.quantity(e.values.at(1)).span.value;
     }},
    {"aim", 1, [](auto& d, auto& e) { aimAt(d.m_draft, d.m_settled, d.filled(e.values.at(0)), d.place()); }},
    {"bound", 1, // the right way round for the role
     [](auto& d, auto& e) {
         d.m_done = !isBoundRight(d.m_draft, d.quantity(e.values.at(0)), d.place(), d.second(e));
     }},
    {"unused", 1, [](auto& d, auto& e) { d.m_draft.unused(d.place(), d.told(e)); }},
    {"assume", 1, [](auto& d, auto& e) { d.m_draft.assume(d.told(e)); }},
    {"absent", 0,
     [](auto& d, auto& e) {
         const Place named
             = e.values.empty() ? d.place() : Place(d.m_matched.numbers.at(e.values.at(0).at(0)));
         tellAbsent(d.m_draft, named.first, named.last);
     }},
    {"either", 0, // of two roles
     [](auto& d, auto&) {
         const Span& span = d.m_settled.ofNumber(d.m_word)->span; // that the rule was tried around
         const std::vector<const Role*> open = openRoles(d.m_draft, d.m_settled, span);
         askBetween(d.m_draft, span, *open.at(0), *open.at(1));
     }},
    {"lacks", 1, // of nothing that stands there
     [](auto& d, auto& e) {
         d.m_draft.problems.push_back(
             {d.m_draft.tell("the question"), std::string(d.m_draft.say(e.values.at(0))), d.second(e)});
     }},
    {"problem", 1,
     [](auto& d, auto& e) {
         d.m_draft.problem(
             d.place(), e.values.size() > 2 ? d.told(e.values.at(0), e.values, 2) : d.filled(e.values.at(0)),
             d.second(e));
     }},
    {"take", 1, // a quantity
     [](auto& d, auto& e) {
         d.m_place = takeQuantity(d.m_draft, d.quantity(e.values.at(0)));
         d.m_settled.places[e.values.at(0)] = d.m_place;
     }},
    {"at", 1, [](auto& d, auto& e) { d.placeAt(e.values.at(0)); }},
    {"drop", 1, [](auto& d, auto& e) { d.quantity(e.values.at(0)).role = nullptr; }},
    {"least", 2, // one of it, or none is said
     [](auto& d, auto& e) {
         const double value = d.reckon(e.values.at(0));
         d.m_done = !(value >= (e.values.size() > 2 ? numberOf(e.values[2]) : 1));
         if (d.m_done)
             refuseValue(d.m_draft, roleCalled(e.values.at(1)), d.place(), countText(value));
     }},
    {"let", 2, // a number that later rules call so
     [](auto& d, auto& e) {
         d.m_settled.known[e.values.at(0)] = d.reckon(e.values.at(1));
         d.m_settled.places[e.values.at(0)] = d.m_place;
     }},
    {"makers", 0, // all of the maker's, where none is named, or those too
     [](auto& d, auto& e) { addMaker(d.m_draft, d.word(), d.place(), !e.values.empty()); }},
    {"exclude", 0, // of those that are named, or else of these makers
     [](auto& d, auto& e) { leaveOut(d.m_draft, d.word(), d.place(), e.values); }},
    {"told-in", 0, // a currency
     [](auto& d, auto&) {
         const Currency& published
             = d.m_draft.at(d.word()).note == publishedEuro.code ? publishedEuro : publishedYuan;
         d.m_draft.question.currency = d.m_draft.question.currency.value_or(atRateTold(published));
         d.m_draft.note(d.place(), d.m_draft.tell("amounts are told in {}", published.code));
     }},
    {"usual", 0, // lengths that a word notes, "4096/512": of several words the longest prompt
     [](auto& d, auto&) {
         const std::string_view note = d.m_draft.at(d.word()).note;
         double& prompt = d.m_settled.known["usualPrompt"];
         const double length = numberOf(note.substr(0, note.find('/')));
         if (length <= prompt)
             return;
         prompt = length;
         d.m_settled.known["usualOutput"] = numberOf(note.substr(note.find('/') + 1));
         d.m_settled.places["usualPrompt"] = d.m_place;
     }},
    {"unset", 0, // how many are in flight follows from the rate
     [](auto& d, auto&) { d.m_draft.question.scenario.concurrency.reset(); }},
    {"unused-as", 1, // for the reason that the row of a role gives
     [](auto& d, auto& e) {
         d.m_draft.unused(d.place(), std::string(d.m_draft.say(roleCalled(e.values.at(0)).why)));
     }},
    {"easier", 2, // the other end of a range
     [](auto& d, auto& e) {
         d.m_settled.easier.push_back({e.values.at(0), d.reckon(e.values.at(1))});
     }},
    {"rate", 1, // that of requests, in so many seconds
     [](auto& d, auto& e) {
         d.m_settled.rate = d.quantity(e.values.at(0));
         if (e.values.size() > 1)
             d.m_settled.rate->span.perTime = numberOf(e.values.at(1));
     }},
    {"each", 1, [](auto& d, auto& e) { d.quantity(e.values.at(0)).span.per.push_back(Meaning::User); }},
}};

} // namespace

bool obey(const Rule& rule, Draft& draft, Settled& settled, std::size_t word, Place place,
          const Matched& matched)
{
    return byRow("rules", rule.line, [&] { return Doing(draft, settled, word, place, matched).all(rule); });
}

std::optional<std::size_t> valuesOf(std::string_view effect)
{
    const Act* const known = rowCalled(Doing::effects, effect);
    return known == nullptr ? std::nullopt : std::optional(known->values);
}

} // namespace headroom::ask
