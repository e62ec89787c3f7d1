#include "model/ask/rules.h"
#include "model/ask/settle.h"
#include "model/base/quantity_text.h"
#include "model/base/three_digits.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

#include <algorithm>
#include <array>
#include <fmt/args.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace headroom::ask {

namespace {

// What a rule does, one after the other.
struct Doing {
    Draft& draft;
    std::size_t at; // the word
    Place where;    // of a rule without a word what it says first
    const Match& match;
    Item one = {};     // what several words are together
    bool done = false; // the rest is not to be done

    [[nodiscard]] const Item& word() const { return asked().item(); }
    [[nodiscard]] const Assigned* it() const { return at == none ? nullptr : draft.ofNumber(at); }
    [[nodiscard]] At asked() const
    {
        return {
            .draft = draft, .word = at, .tried = it() == nullptr ? nullptr : &it()->span, .match = &match};
    }

    // "(users*share)", "(rate~3)" in few digits
    [[nodiscard]] double reckon(std::string_view text) const
    {
        const std::size_t end = std::min(text.find('~'), text.size() - 1);
        return reckoned(text.substr(1, end - 1), asked());
    }

    // Expressions and keys of the scenario as numbers are told, what was typed, what the word's row notes, or
    // a sentence.
    [[nodiscard]] std::string filled(std::string_view text) const
    {
        if (text.starts_with('(') && text.ends_with(')'))
            return text.ends_with("~3)") ? threeDigits(reckon(text)) : countText(reckon(text));
        const Scenario& s = draft.question.scenario;
        if (text.starts_with("$gpus:"))
            return fmt::format("{}", fmt::join(draft.vocabulary.gpusOfVendor(text.substr(6)), ", "));
        if (text == "$typed")
            return draft.said(where);
        if (text.starts_with("$types")) { // as they are told, or as a key has them
            std::vector<std::string_view> types;
            for (std::size_t i = where.first; i <= where.last; ++i)
                if (draft.isName(i, ItemKind::Type))
                    types.push_back(name(draft.at(i).type));
            return fmt::format("{}", fmt::join(types, text == "$types:key" ? "," : ", "));
        }
        if (text.starts_with("$objective:")) { // what a plan is to be best in, by its key
            const auto row = objectiveRow(objectiveFromKey(filled(text.substr(11))).value()).value();
            return std::string(draft.say(Wording{row.english, row.chinese}));
        }
        if (text == "$gpu") // of the number, or the first
            return draft.vocabulary.gpuName(it() != nullptr ? gpuOf(draft, it()->span) : s.gpus.at(0));
        if (text == "$machine") // as a command names it
            return fmt::format("{} --gpus {}", s.gpus.at(0), s.gpuCount.value_or(1));
        if (text == "$role")
            return std::string(draft.say(it()->role->name));
        if (text.size() > 1 && text.front() == '$' && findScenarioKey(text.substr(1)) != nullptr) {
            const std::string value = scenarioValue(s, text.substr(1));
            const Result<double> number = numberFromText(value);
            return number ? countText(*number) : value;
        }
        if (text == "$note") { // "in English / Chinese"
            const std::string_view note = word().note;
            const std::size_t bar = note.find(" / ");
            return std::string(bar == note.npos ? note
                                                : draft.say({note.substr(0, bar), note.substr(bar + 3)}));
        }
        return text == "$others"
            ? fmt::format("{}, {}", word().match.id, fmt::join(word().match.others, ", "))
            : text == "$nearest" ? hintFor(draft, word().text)
                                 : std::string(draft.say(text));
    }

    // A sentence with what stands behind it put in, of one or of several by the first of them.
    [[nodiscard]] std::string told(const auto& sentence, const std::vector<std::string_view>& values,
                                   std::size_t first) const
    {
        fmt::dynamic_format_arg_store<fmt::format_context> put;
        for (std::size_t i = first; i < values.size(); ++i)
            put.push_back(filled(values[i]));
        const bool counted = values.size() > first && values[first].starts_with('(');
        return fmt::vformat(oneOrMany(draft.say(sentence), counted ? reckon(values[first]) : 0), put);
    }
    [[nodiscard]] std::string told(const Setting& e, std::size_t which = 0) const
    {
        return e.values.size() > which + 1 ? told(e.value(which), e.values, which + 1)
                                           : filled(e.value(which));
    }

    void set(std::string_view key, std::string_view value)
    {
        (void)findScenarioKey(key)->set(draft.question.scenario, value);
    }

    [[nodiscard]] Assigned& quantity(std::string_view role) const
    {
        Assigned* const found = draft.own(role == "it" ? draft.ofNumber(at) : draft.find(role));
        if (found == nullptr)
            throw std::logic_error("no number is the role " + std::string(role));
        return *found;
    }
    [[nodiscard]] Assigned& quantity(const Setting& e) const { return quantity(e.value()); }

    void setKind(std::string_view value)
    {
        draft.question.kind = demandedConstant<QuestionKind>(value, "no such kind of question");
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
            if (const Match word = name.empty() ? ruleAt("measured", draft, i) : Match{})
                if (const auto one = constantCalled<Asked>(word.rule->effects.front().value()))
                    asked = std::min(*one, asked.value_or(*one));
        if (draft.question.asked == Asked::Speed)
            draft.question.asked = asked.value_or(Asked::Speed);
    }

    // Of two that are named both are ready questions.
    void setOnly(std::string_view field, std::string_view key, const std::string& value,
                 std::string_view several)
    {
        if (const std::size_t rival = draft.rival(field, at, value); rival != none)
            askWhichOf(draft, rival, at, draft.say(several));
        else
            set(key, value);
    }
};

using D = Doing&;
using E = const Setting&;
struct Act {
    std::string_view name;
    std::size_t values; // that it needs
    void (*act)(D d, E e);
};

constexpr auto effects = std::to_array<Act>({
    // what several words are together
    {"number", 1,
     [](D d, E e) {
         d.one.kind = ItemKind::Number;
         d.one.value = d.one.written = reckoned(e.value(), d.asked());
     }},
    {"largest", 0, // of the numbers that it is made of
     [](D d, E) {
         for (std::size_t i = d.where.first; i <= d.where.last; ++i)
             if (d.draft.isNumber(i) && d.draft.at(i).value > d.one.value)
                 d.one = d.draft.at(i);
     }},
    {"tenths", 1, // of a number, or of a unit that it stands behind
     [](D d, E e) {
         (d.one.isNumber() ? d.one.value : d.one.written) += reckoned(e.value(), d.asked()) / 10;
     }},
    {"share", 0,
     [](D d, E) {
         d.one.share = true;
         d.done = !(d.one.value < 1);
     }},
    {"same", 1, [](D d, E e) { d.done = d.one.value != reckoned(e.value(), d.asked()); }},
    {"stored", 1, // so, or as these as well
     [](D d, E e) {
         d.one.kind = ItemKind::Type;
         d.one.bits = d.one.value;
         d.one.type = dtypeFromName(e.value()).value();
         d.one.match.others.assign(e.values.begin() + 1, e.values.end());
     }},
    {"unknown", 0, [](D d, E) { d.one.kind = ItemKind::Unknown; }},
    {"word", 1,
     [](D d, E e) {
         d.one.kind = ItemKind::Word;
         d.one.meaning = Lexicon::shipped().meaningOf(e.value());
         d.one.note = e.value(1);
         d.one.text = d.one.is(Meaning::Comma) ? ";" : d.one.text;
     }},
    // the rules of other stages: until one says to stop, and around each quantity
    {"do", 1,
     [](D d, E e) {
         (void)std::ranges::any_of(e.values, [&](auto stage) { return applyRules(stage, d.draft); });
     }},
    {"around", 1, [](D d, E e) { applyAround(e.values, d.draft, false); }},
    {"numbers", 1, [](D d, E e) { applyAround(e.values, d.draft, true); }},
    // what is asked
    {"kind", 1, [](D d, E e) { d.setKind(e.value()); }},
    {"rather", 1, // where nothing else is asked but whether it fits
     [](D d, E e) {
         if (!d.draft.known.contains("kind") || d.draft.question.kind == QuestionKind::Fit)
             d.setKind(e.value());
     }},
    {"asked", 0, [](D d, E e) { d.ask(e.value()); }},
    // what is told
    {"once", 2,
     [](D d, E e) { d.done = !d.draft.once(d.draft.say(e.value()), d.filled(e.value(1)), d.where); }},
    {"said", 2, [](D d, E e) { d.draft.setSaid(d.draft.say(e.value()), d.filled(e.value(1))); }},
    {"note", 1, [](D d, E e) { d.draft.note(d.where, d.told(e)); }},
    {"read", 1, // as the row of a role says
     [](D d, E e) { d.draft.note(d.where, d.told(roleCalled(e.value()).read, e.values, 1)); }},
    {"why", 1, [](D d, E e) { d.draft.why = d.told(e); }},
    {"or", 1, [](D d, E e) { d.draft.others.push_back(d.told(e)); }},
    {"unused", 1, [](D d, E e) { d.draft.unused(d.where, d.told(e)); }},
    {"unused-as", 1, // for the reason that the row of a role gives
     [](D d, E e) { d.draft.unused(d.where, d.draft.tell(roleCalled(e.value()).why)); }},
    {"assume", 1, [](D d, E e) { d.draft.question.assumptions.push_back(d.told(e)); }},
    {"lacks", 1, // of nothing that stands there
     [](D d, E e) {
         d.draft.problems.push_back(
             {d.draft.tell("the question"), asIs(d.draft.tell(e.value())), asIs(d.told(e, 1))});
     }},
    {"unknowns", 0, // what is lacking may be among the words that nobody knows
     [](D d, E) {
         for (const Unused& one : d.draft.question.unused)
             d.draft.problems.push_back({fmt::format("'{}'", one.said), asIs(d.draft.tell("not understood")),
                                         asIs(one.why.empty() ? hintFor(d.draft, one.said) : one.why)});
     }},
    {"again", 0, [](D d, E) { tellAgain(d.draft, *d.it()); }},
    {"problem", 1,
     [](D d, E e) {
         d.draft.problem(d.where, e.values.size() > 2 ? d.told(e.value(), e.values, 2) : d.filled(e.value()),
                         d.filled(e.value(1)));
     }},
    {"absent", 0,
     [](D d, E e) {
         const std::size_t piece = e.value().empty() ? none : d.match.at(e.value().front());
         tellAbsent(d.draft, piece == none ? d.where : Place(piece));
     }},
    {"either", 0, // of two roles
     [](D d, E) {
         const std::vector<const Role*> open = openRoles(d.draft, *d.it());
         askBetween(d.draft, d.it()->span, *open.at(0), *open.at(1));
     }},
    // what is read, and where
    {"also", 1, // all words that a rule of the stage fits
     [](D d, E e) {
         for (std::size_t i = 0; i < d.draft.size(); ++i)
             d.draft.take(says(e.value(), d.draft, i) ? i : none);
     }},
    {"take", 1, // a quantity
     [](D d, E e) {
         d.where = takeQuantity(d.draft, d.quantity(e));
         d.draft.places[e.value()] = d.where;
     }},
    {"at", 1,
     [](D d, E e) {
         const auto known = d.draft.places.find(e.value());
         d.where = known != d.draft.places.end() ? known->second : Place(d.quantity(e).span);
         if (e.values.size() > 1)
             d.where.last = d.draft.places.at(e.value(1)).last;
     }},
    {"let", 2, // a number that later rules call so
     [](D d, E e) {
         d.draft.known[e.value()] = d.reckon(e.value(1));
         d.draft.places[e.value()] = d.where;
     }},
    {"least", 2, // one of it, or none is said
     [](D d, E e) {
         d.done = !(d.reckon(e.value()) >= (e.values.size() > 2 ? numberOf(e.value(2)) : 1));
         if (d.done)
             refuseValue(d.draft, roleCalled(e.value(1)), d.where, d.filled(e.value()));
     }},
    {"bound", 1, // the right way round for the role
     [](D d, E e) { d.done = !isBoundRight(d.draft, d.quantity(e), d.where, d.filled(e.value(1))); }},
    // quantities
    {"set", 1, [](D d, E e) { d.where = setKey(d.draft, d.quantity(e)); }}, // the key of a role
    {"idle", 1, [](D d, E e) { tellUnused(d.draft, d.quantity(e)); }},
    {"as", 2, [](D d, E e) { d.quantity(e).role = &roleCalled(e.value(1)); }},     // another role
    {"become", 2, [](D d, E e) { d.quantity(e).become(roleCalled(e.value(1))); }}, // by its own word
    {"both", 2, // and another role, that of the word in front of the one that leads it
     [](D d, E e) {
         Assigned other = d.quantity(e);
         other.become(&roleCalled(e.value(1)), d.draft.beside(other.cue).first);
         d.draft.quantities.push_back(std::move(other));
     }},
    {"drop", 1, [](D d, E e) { d.quantity(e).role = nullptr; }},
    {"times", 2, [](D d, E e) { d.quantity(e).span.scale(d.quantity(e.value(1)).span.value); }},
    {"each", 1, [](D d, E e) { d.quantity(e).span.per.insert(Meaning::User); }},
    {"rate", 1, // that of requests, in so many seconds
     [](D d, E e) {
         d.draft.rate = d.quantity(e);
         if (e.values.size() > 1)
             d.draft.rate->span.perTime = numberOf(e.value(1));
     }},
    {"easier", 2, // the other end of a range
     [](D d, E e) {
         d.draft.easier.push_back({e.value(), d.reckon(e.value(1))});
     }},
    {"cards", 1, // so many of its accelerator
     [](D d, E e) {
         d.draft.cards.push_back({gpuOf(d.draft, d.it()->span), d.reckon(e.value()), d.it()->span});
     }},
    {"in-boxes", 1, // of so many, the cards that were told last
     [](D d, E e) { d.draft.cards.back().box = static_cast<int>(d.reckon(e.value())); }},
    {"layouts", 0, [](D d, E) { d.done = !readLayouts(d.draft, d.at); }},
    {"splits", 0, [](D d, E) { weighSplits(d.draft, d.where); }},
    {"unset", 1, // a key of the scenario
     [](D d, E e) {
         d.draft.question.scenario = withoutScenarioKey(std::move(d.draft.question.scenario), e.value());
     }},
    {"machines", 0, [](D d, E) {
         chooseMachines(d.draft);
         settleOwnLayouts(d.draft);
     }},
    // what words say
    {"named", 0, [](D d, E) { takeName(d.draft, d.at); }},
    {"which", 3, // of names where a scenario has one: the first, and no more than once
     [](D d, E e) {
         d.done = d.draft.wasSaid(d.draft.say(e.value()));
         d.setOnly(d.draft.say(e.value()), e.value(1), d.word().match.id, e.value(2));
     }},
    {"type", 2, // of what, and of which keys
     [](D d, E e) {
         const std::string type(name(d.word().type));
         for (std::size_t key = 1; key < e.values.size(); ++key)
             d.setOnly(e.value(key), e.value(key), type, "two types are named: which?");
         d.draft.note(d.where, d.draft.tell(e.value(), type), {}, d.word().match.others);
     }},
    {"makers", 0, [](D d, E e) { addMaker(d.draft, d.at, d.where, !e.values.empty()); }},
    {"exclude", 0, [](D d, E e) { leaveOut(d.draft, d.at, d.where, e.values); }},
    {"told-in", 0, // a currency
     [](D d, E) {
         const Currency told = atRateTold(d.word().note == publishedEuro.code);
         d.draft.question.currency = d.draft.question.currency.value_or(told);
         d.draft.note(d.where, d.draft.tell("amounts are told in {}", told.code));
     }},
});

// False where the rest of the rule is not to be done, and its stage is to stop.
bool doAll(Doing& doing)
{
    return byRow("rules", doing.match.rule->line, [&] {
        for (const Setting& e : doing.match.rule->effects) {
            if (e.what == "stop")
                return false;
            if (const Act* const known = firstWith(effects, e.what, &Act::name))
                known->act(doing, e);
            else if (findScenarioKey(e.what) == nullptr)
                throw std::logic_error("no such effect: " + std::string(e.what));
            else // a number in all its digits
                doing.set(e.what,
                          e.value().starts_with('(') && e.values.size() == 1
                              ? fmt::format("{:.17g}", doing.reckon(e.value()))
                              : doing.told(e));
            if (doing.done)
                break;
        }
        return true;
    });
}

} // namespace

bool obey(const Match& match, Draft& draft, std::size_t word, Place place)
{
    place = match.takenWith(place);
    if (!match.rule->word.context)
        draft.take(word);
    draft.takeAll(match.taken);
    Doing doing{draft, word, place, match};
    return doAll(doing);
}

void readAsOne(Draft& draft)
{
    for (std::size_t i = 0; i < draft.size(); ++i) {
        const Match match = ruleAt("as-one", draft, i);
        const Place place = match.takenWith(i);
        Doing doing{draft, i, place, match, draft.at(place.first)};
        if (match && doAll(doing) && !doing.done)
            draft.become(place, std::move(doing.one));
    }
}

std::optional<std::size_t> valuesOf(std::string_view effect)
{
    const Act* const known = firstWith(effects, effect, &Act::name);
    return known == nullptr ? std::nullopt : std::optional(known->values);
}

} // namespace headroom::ask
