#include "model/ask/rules.h"
#include "model/base/quantity_text.h"
#include "model/base/three_digits.h"
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

// What is asked by a word: by its meaning, or by what its row notes.
std::optional<Asked> measureOf(const Item& word)
{
    constexpr std::array<std::pair<Meaning, Asked>, 4> measures{{{Meaning::Ttft, Asked::FirstToken},
                                                                 {Meaning::Tpot, Asked::BetweenTokens},
                                                                 {Meaning::Latency, Asked::Request},
                                                                 {Meaning::Throughput, Asked::Throughput}}};
    for (const auto& [meaning, asked] : measures)
        if (word.is(meaning) || Lexicon::shipped().meaningOf(word.note) == meaning)
            return asked;
    return std::nullopt;
}

// What a rule does, one after the other.
struct Doing {
    Draft& draft;
    std::size_t at; // the word
    Place where;
    const Match& match;
    bool done = false; // the rest is not to be done

    // What has no place of its own, and no word.
    [[nodiscard]] Place place() const
    {
        if (where.first == none)
            throw std::logic_error("tells of a place that no row has said");
        return where;
    }
    [[nodiscard]] std::size_t word() const
    {
        if (at == none)
            throw std::logic_error("is done to a word, where there is none");
        return at;
    }

    // "(users*share)", "(rate~3)" in few digits
    [[nodiscard]] double reckon(std::string_view text) const
    {
        const std::size_t end = std::min(text.find('~'), text.size() - 1);
        return reckoned(text.substr(1, end - 1), draft);
    }

    // "$note", "$value", "$percent" of the word's row; keys of the scenario and expressions as numbers are
    // told.
    [[nodiscard]] std::string filled(std::string_view text) const
    {
        if (text.starts_with('(') && text.ends_with("~3)"))
            return threeDigits(reckon(text));
        if (text.starts_with('(') && text.ends_with(')'))
            return countText(reckon(text));
        const bool named = text.starts_with('$') && text.size() > 1;
        if (text.starts_with("$gpus:"))
            return fmt::format("{}", fmt::join(draft.vocabulary.gpusOfVendor(text.substr(6)), ", "));
        if (named && match.at(text[1]) != none)
            return numbers(text);
        if (text == "$typed")
            return draft.said(place());
        if (text == "$gpu")
            return draft.gpuName(draft.question.scenario.gpus.at(0));
        if (named && findScenarioKey(text.substr(1)) != nullptr) {
            const std::string value = scenarioValue(draft.question.scenario, text.substr(1));
            const Result<double> number = numberFromText(value);
            return number ? countText(*number) : value;
        }
        return named && at != none ? ofWord(text, draft.at(at)) : std::string(draft.say(text));
    }

    // "$a/$b"
    [[nodiscard]] std::string numbers(std::string_view text) const
    {
        std::string all;
        for (const char c : text)
            if (const std::size_t number = match.at(c); number != none)
                all += fmt::format("{:.12g}", draft.at(number).value);
            else if (c != '$')
                all += c;
        return all;
    }

    [[nodiscard]] std::string ofWord(std::string_view text, const Item& item) const
    {
        return text == "$note"   ? std::string(draft.noteOf(item.note))
            : text == "$others"  ? fmt::format("{}, {}", item.match.id, fmt::join(item.match.others, ", "))
            : text == "$value"   ? fmt::format("{:.12g}", item.value)
            : text == "$percent" ? countText(item.value * 100)
            : text == "$nearest" ? hintFor(draft, item.text)
                                 : std::string(draft.say(text));
    }

    // A sentence with what stands behind it put in, of one or of several by the first of them.
    [[nodiscard]] std::string told(const auto& sentence, const std::vector<std::string_view>& values,
                                   std::size_t first) const
    {
        std::array<std::string, 4> put;
        for (std::size_t i = first; i < values.size(); ++i)
            put.at(i - first) = filled(values[i]);
        const bool counted = values.size() > first && values[first].starts_with('(');
        const double value = counted ? reckon(values[first]) : at == none ? 0 : draft.at(at).value;
        return draft.tell(oneOrMany(draft.say(sentence), value), put[0], put[1], put[2], put[3]);
    }
    [[nodiscard]] std::string told(const Setting& e) const
    {
        return e.values.size() > 1 ? told(e.value(), e.values, 1) : filled(e.value());
    }

    void note(std::string text)
    {
        draft.note(place(), std::move(text), std::exchange(draft.why, {}), std::exchange(draft.others, {}));
    }

    [[nodiscard]] Assigned& quantity(std::string_view role) const
    {
        Assigned* const found = draft.find(role);
        if (found == nullptr)
            throw std::logic_error("no number is the role " + std::string(role));
        return *found;
    }
    [[nodiscard]] Assigned& quantity(const Setting& e) const { return quantity(e.value()); }

    // `rather`: where nothing else is asked but whether it fits.
    void setKind(std::string_view value, bool rather)
    {
        if (rather && draft.known.contains("kind") && draft.question.kind != QuestionKind::Fit)
            return;
        const auto kind = constantCalled<QuestionKind>(value);
        if (!kind)
            throw std::logic_error("no such kind of question: " + std::string(value));
        draft.question.kind = *kind;
        draft.known["kind"] = 1;
    }

    // Of the measures of a machine the one that was asked for first: that of the name, or of the words that
    // fitted.
    void ask(std::string_view name) const
    {
        std::vector<std::size_t> words = match.seen;
        words.push_back(at);
        std::optional<Asked> asked = constantCalled<Asked>(name);
        for (const std::size_t i : words)
            if (const auto one = name.empty() ? measureOf(draft.at(i)) : std::nullopt)
                asked = std::min(*one, asked.value_or(*one));
        if (draft.question.asked == Asked::Speed)
            draft.question.asked = asked.value_or(Asked::Speed);
    }

    // Of several words that note lengths, "4096/512", the longest prompt.
    void takeLengths(std::string_view note)
    {
        const auto [prompt, output] = cutAt(note, '/');
        if (numberOf(prompt) <= draft.known["usualPrompt"])
            return;
        draft.known["usualPrompt"] = numberOf(prompt);
        draft.known["usualOutput"] = numberOf(output);
        draft.places["usualPrompt"] = where;
    }
};

struct Act {
    std::string_view name;
    std::size_t values; // that it needs
    void (*act)(Doing& d, const Setting& e);
};

bool names(const Setting& e, std::string_view one)
{
    return std::ranges::find(e.values, one) != e.values.end();
}

constexpr auto effects = std::to_array<Act>({
    {"kind", 1, [](auto& d, auto& e) { d.setKind(e.value(), false); }},
    {"rather", 1, [](auto& d, auto& e) { d.setKind(e.value(), true); }},
    {"asked", 0, [](auto& d, auto& e) { d.ask(e.value()); }},
    {"type", 0,
     [](auto& d, auto& e) { setType(d.draft, d.word(), d.place(), names(e, "weights"), names(e, "kv")); }},
    {"allow", 0, [](auto& d, auto&) { allowTypes(d.draft, d.place()); }},
    {"also", 1, // all words that a rule of the stage fits
     [](auto& d, auto& e) {
         for (std::size_t i = 0; i < d.draft.size(); ++i)
             d.draft.take(says(e.value(), d.draft, i) ? i : none);
     }},
    {"once", 2,
     [](auto& d, auto& e) {
         d.done = !d.draft.once(d.draft.say(e.value()), d.filled(e.value(1)), d.place());
     }},
    {"said", 2, [](auto& d, auto& e) { d.draft.setSaid(d.draft.say(e.value()), d.filled(e.value(1))); }},
    {"note", 1, [](auto& d, auto& e) { d.note(d.told(e)); }},
    {"read", 1, // as the row of a role says
     [](auto& d, auto& e) { d.note(d.told(roleCalled(e.value()).read, e.values, 1)); }},
    {"why", 1, [](auto& d, auto& e) { d.draft.why = d.told(e); }},
    {"or", 1, [](auto& d, auto& e) { d.draft.others.push_back(d.told(e)); }},
    {"set", 1, [](auto& d, auto& e) { d.where = setKey(d.draft, d.quantity(e)); }}, // the key of a role
    {"idle", 1, [](auto& d, auto& e) { tellUnused(d.draft, d.quantity(e)); }},
    {"as", 2, [](auto& d, auto& e) { d.quantity(e).role = &roleCalled(e.value(1)); }}, // another role
    {"both", 2, // and another role, that of the word in front of the one that leads it
     [](auto& d, auto& e) {
         Assigned other = d.quantity(e);
         other.role = &roleCalled(e.value(1));
         other.cue = d.draft.beside(other.cue).first;
         d.draft.quantities.push_back(std::move(other));
     }},
    {"times", 2, [](auto& d, auto& e) { d.quantity(e).span.scale(d.quantity(e.value(1)).span.value); }},
    {"aim", 1, [](auto& d, auto& e) { aimAt(d.draft, d.filled(e.value()), d.place()); }},
    {"bound", 1, // the right way round for the role
     [](auto& d, auto& e) {
         d.done = !isBoundRight(d.draft, d.quantity(e), d.place(), d.filled(e.value(1)));
     }},
    {"unused", 1, [](auto& d, auto& e) { d.draft.unused(d.place(), d.told(e)); }},
    {"assume", 1, [](auto& d, auto& e) { d.draft.assume(d.told(e)); }},
    {"absent", 0,
     [](auto& d, auto& e) {
         const std::size_t piece = e.value().empty() ? none : d.match.at(e.value().front());
         tellAbsent(d.draft, piece == none ? d.place() : Place(piece));
     }},
    {"either", 0, // of two roles
     [](auto& d, auto&) {
         const Span& span = d.draft.ofNumber(d.at)->span; // that the rule was tried around
         const std::vector<const Role*> open = openRoles(d.draft, span);
         askBetween(d.draft, span, *open.at(0), *open.at(1));
     }},
    {"lacks", 1, // of nothing that stands there
     [](auto& d, auto& e) { d.draft.lacks(d.draft.tell(e.value()), d.filled(e.value(1))); }},
    {"problem", 1,
     [](auto& d, auto& e) {
         d.draft.problem(d.place(),
                         e.values.size() > 2 ? d.told(e.value(), e.values, 2) : d.filled(e.value()),
                         d.filled(e.value(1)));
     }},
    {"take", 1, // a quantity
     [](auto& d, auto& e) {
         d.where = takeQuantity(d.draft, d.quantity(e));
         d.draft.places[e.value()] = d.where;
     }},
    {"at", 1,
     [](auto& d, auto& e) {
         const auto known = d.draft.places.find(e.value());
         d.where = known != d.draft.places.end() ? known->second : Place(d.quantity(e).span);
     }},
    {"drop", 1, [](auto& d, auto& e) { d.quantity(e).role = nullptr; }},
    {"least", 2, // one of it, or none is said
     [](auto& d, auto& e) {
         const double value = d.reckon(e.value());
         d.done = !(value >= (e.values.size() > 2 ? numberOf(e.value(2)) : 1));
         if (d.done)
             refuseValue(d.draft, roleCalled(e.value(1)), d.place(), countText(value));
     }},
    {"let", 2, // a number that later rules call so
     [](auto& d, auto& e) {
         d.draft.known[e.value()] = d.reckon(e.value(1));
         d.draft.places[e.value()] = d.where;
     }},
    // All of the maker's, where none is named, or those too; and none of those that are named, or else of
    // these.
    {"makers", 0, [](auto& d, auto& e) { addMaker(d.draft, d.word(), d.place(), !e.values.empty()); }},
    {"exclude", 0, [](auto& d, auto& e) { leaveOut(d.draft, d.word(), d.place(), e.values); }},
    {"told-in", 0, // a currency
     [](auto& d, auto&) {
         const Currency& published
             = d.draft.at(d.word()).note == publishedEuro.code ? publishedEuro : publishedYuan;
         d.draft.question.currency = d.draft.question.currency.value_or(atRateTold(published));
         d.draft.note(d.place(), d.draft.tell("amounts are told in {}", published.code));
     }},
    {"usual", 0, [](auto& d, auto&) { d.takeLengths(d.draft.at(d.word()).note); }},
    // How many are in flight follows from the rate.
    {"unset", 0, [](auto& d, auto&) { d.draft.question.scenario.concurrency.reset(); }},
    {"unused-as", 1, // for the reason that the row of a role gives
     [](auto& d, auto& e) { d.draft.unused(d.place(), d.draft.tell(roleCalled(e.value()).why)); }},
    {"easier", 2, // the other end of a range
     [](auto& d, auto& e) {
         d.draft.easier.push_back({e.value(), d.reckon(e.value(1))});
     }},
    {"rate", 1, // that of requests, in so many seconds
     [](auto& d, auto& e) {
         d.draft.rate = d.quantity(e);
         if (e.values.size() > 1)
             d.draft.rate->span.perTime = numberOf(e.value(1));
     }},
    {"each", 1, [](auto& d, auto& e) { d.quantity(e).span.per.push_back(Meaning::User); }},
});

void act(Doing& doing, const Setting& e)
{
    const Act* const known = rowCalled(effects, e.what);
    const ScenarioKey* const key = known == nullptr ? findScenarioKey(e.what) : nullptr;
    if (known != nullptr)
        known->act(doing, e);
    else if (key == nullptr)
        throw std::logic_error("no such effect: " + std::string(e.what));
    else // a number in all its digits
        (void)key->set(doing.draft.question.scenario,
                       e.value().starts_with('(') && e.values.size() == 1
                           ? fmt::format("{:.17g}", doing.reckon(e.value()))
                           : doing.told(e));
}

} // namespace

bool obey(const Match& match, Draft& draft, std::size_t word, Place place)
{
    if (word != none)
        draft.known["value"] = draft.at(word).value;
    for (const std::size_t i : match.taken)
        place = {std::min(place.first, i), std::max(place.last, i)};
    if (!match.rule->word.context)
        draft.take(word);
    draft.takeAll(match.taken);
    return byRow("rules", match.rule->line, [&] {
        Doing doing{draft, word, place, match};
        for (const Setting& effect : match.rule->effects)
            if (effect.what == "stop")
                return false;
            else if (act(doing, effect); doing.done)
                return true;
        return true;
    });
}

std::optional<std::size_t> valuesOf(std::string_view effect)
{
    const Act* const known = rowCalled(effects, effect);
    return known == nullptr ? std::nullopt : std::optional(known->values);
}

} // namespace headroom::ask
