#pragma once

#include "model/ask/question.h"
#include "model/ask/spans.h"

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <fmt/format.h>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

// So many of an accelerator, and where that was said.
struct Cards {
    std::string gpu;
    double count = 0;
    Place place;
    std::optional<int> box = {}; // so many in each machine, where that is not as usual
};

// A layout that was said of one of several machines; without parts every one of it is tried.
struct OwnLayout {
    std::string gpu;
    StatedLayout layout;
    Place place;
};

// A part of the text that speaks of another system or another time, or of what no plan depends on, while it
// is asked whether it goes and what of it stays.
struct Aside {
    std::string_view kind; // of asides.tsv
    std::size_t first = 0; // of the items
    std::size_t end = 0;
    std::vector<bool> outside = {}; // by item: what else the question says
};

// Of what sort a word is: no word but of some kind, or of a meaning, also one of the some 200 that only
// tables know; and how it begins. By them most rules are passed over.
constexpr std::size_t kinds = 8; // no fewer than there are
constexpr std::size_t meanings = 376;
constexpr std::size_t beginnings = 128;
using Sorts = std::bitset<kinds + meanings + beginnings>;
struct Sort {
    std::size_t kind = 0;
    std::size_t beginning = 0; // of its text
    [[nodiscard]] bool isIn(const Sorts& sorts) const { return sorts[kind] || sorts[beginning]; }
};
// Of a text by its first bytes, which those of a Chinese character are.
constexpr std::size_t begun = 3;
[[nodiscard]] inline std::size_t beginningOf(std::string_view text)
{
    std::size_t code = 0;
    for (const char c : text.substr(0, begun))
        code = code * 37 + static_cast<unsigned char>(c);
    return kinds + meanings + code % beginnings;
}
[[nodiscard]] inline Sort sortOf(const Item& item)
{
    return {item.kind == ItemKind::Word ? kinds + static_cast<std::size_t>(item.meaning)
                                        : static_cast<std::size_t>(item.kind),
            beginningOf(item.text)};
}

// A sentence in the course of being read: its items, which of them are read, and what was made of them. What
// stays unread is told or refused at the end.
class Draft {
public:
    Draft(std::string_view text, std::vector<Item> items, const Vocabulary& vocabulary, Language language);

    // Walking. Positions are those of items; `none` lies behind all of them.
    [[nodiscard]] const Item& at(std::size_t i) const { return m_items[i]; }
    [[nodiscard]] std::size_t size() const { return m_items.size(); }
    [[nodiscard]] Sort sortAt(std::size_t i) const { return m_sorts[i]; }
    [[nodiscard]] bool isRead(std::size_t i) const { return i < m_items.size() && m_read[i]; }
    [[nodiscard]] bool isOpen(std::size_t i) const { return i < size() && !m_read[i]; }
    [[nodiscard]] bool is(std::size_t i, std::same_as<Meaning> auto... of) const
    {
        return isOpen(i) && m_items[i].is(of...);
    }
    [[nodiscard]] bool isNumber(std::size_t i) const { return isOpen(i) && m_items[i].isNumber(); }
    [[nodiscard]] bool isName(std::size_t i, ItemKind kind) const { return i < size() && at(i).kind == kind; }
    // Whether a word stands anywhere, read or not.
    [[nodiscard]] bool mentions(Meaning m) const
    {
        return std::ranges::any_of(m_items, [m](const Item& item) { return item.is(m); });
    }
    // The nearest unread item that is no filler; `none` at the end.
    [[nodiscard]] std::size_t next(std::size_t i) const { return walked(i, 1, true); }
    [[nodiscard]] std::size_t previous(std::size_t i) const
    {
        return walked(std::min(i, size()), none, true);
    }
    // From the first item to behind the last of a sentence or a clause, between items that end it.
    [[nodiscard]] Place partOf(std::size_t i, const auto& ends) const
    {
        Place part{i, i};
        while (part.first > 0 && !ends(at(part.first - 1)))
            --part.first;
        while (part.last < size() && !ends(at(part.last)))
            ++part.last;
        return part;
    }
    // The nearest items on both sides that are no fillers, read or not; `none` at the ends.
    [[nodiscard]] Place beside(Place place) const
    {
        return {walked(place.first, none, false), walked(place.last, 1, false)};
    }
    // Whether one of a part is so.
    [[nodiscard]] bool any(Place part, const auto& is) const
    {
        while (part.first < part.last && !is(part.first))
            ++part.first;
        return part.first < part.last;
    }
    void take(std::size_t i)
    {
        if (i < m_items.size())
            m_read[i] = true;
    }
    void takeAll(const std::vector<std::size_t>& items)
    {
        std::ranges::for_each(items, [&](auto i) { take(i); });
    }
    // What several items are together takes their place.
    void become(Place place, Item one);

    // Telling.
    // In the language of the question: Chinese is looked up in resources/ask/sentences.tsv.
    [[nodiscard]] std::string_view say(std::string_view english) const;
    [[nodiscard]] std::string_view say(const Wording& wording) const
    {
        return question.language == Language::Chinese ? wording.chinese : wording.english;
    }
    template <typename... T>
    [[nodiscard]] std::string tell(const auto& wording, const T&... values) const
    {
        return fmt::format(fmt::runtime(say(wording)), values...);
    }
    [[nodiscard]] std::string said(Place place) const; // as typed
    // With the reason, and with what it could have meant too, that a rule gave before.
    void note(Place place, std::string readAs, std::string reason = {}, std::vector<std::string> alike = {});
    void unused(Place place, std::string why);
    void problem(Place place, const std::string& what, const std::string& hint); // in its language
    // The word that said another value of the field before; `none` where this is the first, or says the same.
    std::size_t rival(std::string_view field, std::size_t word, const std::string& value);
    // False, and a problem, when the field has already another value.
    bool once(std::string_view field, const std::string& value, Place place);
    [[nodiscard]] bool wasSaid(std::string_view field) const { return m_said.contains(field); }
    void setSaid(std::string_view field, std::string value)
    {
        m_said[std::string(field)] = {std::move(value)};
    }

    // The quantity with a role, and the one of a number; null where there is none.
    [[nodiscard]] const Assigned* find(std::string_view role) const;
    [[nodiscard]] const Assigned* ofNumber(std::size_t item) const;
    // The same, to be changed.
    [[nodiscard]] Assigned* own(const Assigned* one) { return const_cast<Assigned*>(one); }

    Question question;
    Problems problems;
    const Vocabulary& vocabulary;
    std::vector<Assigned> quantities;
    // Of ranges that were said the easier end, by the key of the scenario.
    std::vector<std::pair<std::string_view, double>> easier;
    std::vector<Cards> cards; // accelerators with numbers of their own
    std::vector<OwnLayout> ownLayouts;
    std::optional<Assigned> rate; // of requests: "rate" among the roles
    // Of the rules: numbers that they named ("kind", "objective": that it was said), where they stand and
    // those that were taken, and why a note says so.
    std::map<std::string_view, double> known;
    std::map<std::string_view, Place> places;
    std::string why;
    std::vector<std::string> others;      // what it could have meant too
    std::vector<std::set<Meaning>> leads; // by item: the phrases of asides.tsv that begin there
    const Aside* aside = nullptr;

private:
    // In steps of 1 or, back, of `none`: the first that is no filler and, where only such are wanted, unread.
    [[nodiscard]] std::size_t walked(std::size_t i, std::size_t step, bool unread) const
    {
        do
            i += step;
        while (i < size() && ((unread && m_read[i]) || m_items[i].is(Meaning::Filler)));
        return i < size() ? i : none; // one less than the first is `none`
    }

    std::vector<Item> m_items;
    std::vector<Sort> m_sorts; // of the items
    std::vector<bool> m_read;
    struct Said {
        std::string value;
        std::size_t word = none;
    };
    std::map<std::string, Said, std::less<>> m_said; // by field, to see contradictions
};

[[nodiscard]] std::string countText(double value);   // 20, 2.5, 1,024
[[nodiscard]] std::string secondsText(double value); // 1.5 s, 300 ms

// Of "{} day|{} days" what is said of so many.
[[nodiscard]] std::string_view oneOrMany(std::string_view text, double value);

// Names in several places: "80GB A100", "Llama on H100, 70B".
void readNames(Draft& draft);
// Words that are one thing together: "1 in 20" is a share, "4-bit" a type, "8 (eight)" one number.
void readAsOne(Draft& draft);
// Takes out what speaks of another system or time ("today 8 H100 serve 120 users; how many B200 for 250?"),
// of what others measured ("the paper says 2,300 tok/s on 8 A100"), and of what no plan depends on.
// resources/ask/asides.tsv says which phrases lead it and when it stays.
void putAside(Draft& draft);
// What a number of such a part counts, or one that it is held against: "User", "Volume"; empty where nothing
// says so.
[[nodiscard]] std::string_view countedBy(const Draft& draft, std::size_t number);

} // namespace headroom::ask
